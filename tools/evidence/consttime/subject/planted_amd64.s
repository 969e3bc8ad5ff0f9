#include "textflag.h"

// Planted leaks: a branch, an index and a division depend on a secret. The branch and the index depend on it by way of
// MULX, ADCX and ADOX, which the library's assembly uses.

// func plantedBranchBroadwell(secret *byte) (r uint64)
TEXT ·plantedBranchBroadwell(SB), NOSPLIT, $0-16
	MOVQ  secret+0(FP), SI
	MOVQ  0(SI), DX
	MULXQ 8(SI), AX, CX
	XORQ  DX, DX
	ADCXQ CX, AX
	JCC   done
	INCQ  DX

done:
	MOVQ DX, r+8(FP)
	RET

// func plantedIndexBroadwell(table, secret *byte) (r uint64)
TEXT ·plantedIndexBroadwell(SB), NOSPLIT, $0-24
	MOVQ    table+0(FP), DI
	MOVQ    secret+8(FP), SI
	MOVQ    0(SI), DX
	MULXQ   8(SI), AX, CX
	XORQ    DX, DX
	ADOXQ   CX, AX
	MOVBLZX AX, AX
	ADDQ    AX, DI
	MOVBLZX (DI), AX
	MOVQ    AX, r+16(FP)
	RET

// func plantedDivisionBroadwell(secret *byte) (r uint64)
TEXT ·plantedDivisionBroadwell(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	MOVQ $-1, AX
	XORL DX, DX
	MOVQ 0(SI), CX
	ORQ  $1, CX
	DIVQ CX
	MOVQ AX, r+8(FP)
	RET
