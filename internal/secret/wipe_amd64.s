//go:build !purego && (!goexperiment.runtimesecret || !linux)

#include "textflag.h"

// func reserve()
TEXT ·reserve(SB), 0, $8192-0
	RET

// func wipe()
TEXT ·wipe(SB), 0, $8192-0
	XORL R15, R15
	LEAQ 0(SP), DI
	MOVL $64, CX
	CMPB ·useAVX(SB), $0
	JEQ  sse
	VZEROALL

avx:
	VMOVDQU Y0, 0(DI)
	VMOVDQU Y0, 32(DI)
	VMOVDQU Y0, 64(DI)
	VMOVDQU Y0, 96(DI)
	ADDQ    $128, DI
	DECL    CX
	JNE     avx
	VZEROUPPER
	JMP     registers

sse:
	PXOR X0, X0
	PXOR X1, X1
	PXOR X2, X2
	PXOR X3, X3
	PXOR X4, X4
	PXOR X5, X5
	PXOR X6, X6
	PXOR X7, X7
	PXOR X8, X8
	PXOR X9, X9
	PXOR X10, X10
	PXOR X11, X11
	PXOR X12, X12
	PXOR X13, X13
	PXOR X14, X14

next:
	MOVUPS X0, 0(DI)
	MOVUPS X0, 16(DI)
	MOVUPS X0, 32(DI)
	MOVUPS X0, 48(DI)
	MOVUPS X0, 64(DI)
	MOVUPS X0, 80(DI)
	MOVUPS X0, 96(DI)
	MOVUPS X0, 112(DI)
	ADDQ   $128, DI
	DECL   CX
	JNE    next

registers:
	XORL AX, AX
	XORL BX, BX
	XORL DX, DX
	XORL SI, SI
	XORL R8, R8
	XORL R9, R9
	XORL R10, R10
	XORL R11, R11
	XORL R12, R12
	XORL R13, R13
	RET
