#include "textflag.h"

// Each function has an argument n and runs 32 n instructions of one kind.

#define EIGHT(x) x; x; x; x; x; x; x; x

#define LOOP(four) \
	MOVQ n+0(FP), CX             \
	MOVQ $0x9e3779b97f4a7c15, AX \
	MOVQ $0xc2b2ae3d27d4eb4f, BX \
	MOVQ BX, DX                  \
loop:                         \
	EIGHT(four)                  \
	DECQ CX                      \
	JNE  loop                    \
	RET

#define ADDS1 ADDQ BX, AX
#define ADDS4 ADDS1; ADDS1; ADDS1; ADDS1

#define MULC1 IMULQ BX, AX
#define MULC4 MULC1; MULC1; MULC1; MULC1
#define MULF4 IMUL3Q $3, BX, R8; IMUL3Q $3, BX, R9; IMUL3Q $3, BX, R10; IMUL3Q $3, BX, R11

#define PAIRC1 MULXQ BX, R8, DX
#define PAIRC4 PAIRC1; PAIRC1; PAIRC1; PAIRC1
#define PAIRF4 MULXQ BX, R8, R9; MULXQ BX, R10, R11; MULXQ BX, R12, R13; MULXQ BX, SI, DI

#define SHORTC1 IMULL BX, AX
#define SHORTC4 SHORTC1; SHORTC1; SHORTC1; SHORTC1
#define SHORTF4 IMUL3L $3, BX, R8; IMUL3L $3, BX, R9; IMUL3L $3, BX, R10; IMUL3L $3, BX, R11

#define CARRYC1 ADCQ BX, AX
#define CARRYC4 CARRYC1; CARRYC1; CARRYC1; CARRYC1
#define CARRYF4 ADDQ BX, R8; ADCQ BX, R9; ADDQ BX, R10; ADCQ BX, R11

// func additions(n int)
TEXT ·additions(SB), NOSPLIT, $0-8
	LOOP(ADDS4)

// func mulChained(n int)
TEXT ·mulChained(SB), NOSPLIT, $0-8
	LOOP(MULC4)

// func mulFree(n int)
TEXT ·mulFree(SB), NOSPLIT, $0-8
	LOOP(MULF4)

// func pairChained(n int)
TEXT ·pairChained(SB), NOSPLIT, $0-8
	LOOP(PAIRC4)

// func pairFree(n int)
TEXT ·pairFree(SB), NOSPLIT, $0-8
	LOOP(PAIRF4)

// func shortChained(n int)
TEXT ·shortChained(SB), NOSPLIT, $0-8
	LOOP(SHORTC4)

// func shortFree(n int)
TEXT ·shortFree(SB), NOSPLIT, $0-8
	LOOP(SHORTF4)

// func carryChained(n int)
TEXT ·carryChained(SB), NOSPLIT, $0-8
	LOOP(CARRYC4)

// func carryFree(n int)
TEXT ·carryFree(SB), NOSPLIT, $0-8
	LOOP(CARRYF4)
