#include "textflag.h"

// Each function has an argument n and runs 32 n instructions of one kind, or 32 n pairs.
// R2 is odd, so that the product that continues a chain does not become zero after few multiplications.

#define EIGHT(x) x; x; x; x; x; x; x; x

#define LOOP(four) \
	MOVD n+0(FP), R0             \
	MOVD $0x9e3779b97f4a7c15, R1 \
	MOVD $0xc2b2ae3d27d4eb4f, R2 \
loop:                         \
	EIGHT(four)                  \
	SUBS $1, R0, R0              \
	BNE  loop                    \
	RET

#define ADDS1 ADD R2, R1, R1
#define ADDS4 ADDS1; ADDS1; ADDS1; ADDS1

#define MULC1 MUL R2, R1, R1
#define MULC4 MULC1; MULC1; MULC1; MULC1
#define MULF4 MUL R1, R2, R4; MUL R1, R2, R5; MUL R1, R2, R6; MUL R1, R2, R7

#define HIGHC1 UMULH R2, R1, R1
#define HIGHC4 HIGHC1; HIGHC1; HIGHC1; HIGHC1
#define HIGHF4 UMULH R1, R2, R4; UMULH R1, R2, R5; UMULH R1, R2, R6; UMULH R1, R2, R7

#define SHORTC1 UMULL R2, R1, R1
#define SHORTC4 SHORTC1; SHORTC1; SHORTC1; SHORTC1
#define SHORTF4 UMULL R1, R2, R4; UMULL R1, R2, R5; UMULL R1, R2, R6; UMULL R1, R2, R7

// ADD makes the next pair wait for both halves of this pair's product.
#define PAIRC1 UMULH R2, R1, R3; MUL R2, R1, R1; ADD R3, R1, R1
#define PAIRC4 PAIRC1; PAIRC1; PAIRC1; PAIRC1
#define PAIRF4 MULF4; UMULH R1, R2, R8; UMULH R1, R2, R9; UMULH R1, R2, R10; UMULH R1, R2, R11

#define CARRYC1 ADCS R2, R1, R1
#define CARRYC4 CARRYC1; CARRYC1; CARRYC1; CARRYC1
#define CARRYF4 ADDS R1, R2, R4; ADCS R1, R2, R5; ADDS R1, R2, R6; ADCS R1, R2, R7

// func additions(n int)
TEXT ·additions(SB), NOSPLIT, $0-8
	LOOP(ADDS4)

// func mulChained(n int)
TEXT ·mulChained(SB), NOSPLIT, $0-8
	LOOP(MULC4)

// func mulFree(n int)
TEXT ·mulFree(SB), NOSPLIT, $0-8
	LOOP(MULF4)

// func highChained(n int)
TEXT ·highChained(SB), NOSPLIT, $0-8
	LOOP(HIGHC4)

// func highFree(n int)
TEXT ·highFree(SB), NOSPLIT, $0-8
	LOOP(HIGHF4)

// func shortChained(n int)
TEXT ·shortChained(SB), NOSPLIT, $0-8
	LOOP(SHORTC4)

// func shortFree(n int)
TEXT ·shortFree(SB), NOSPLIT, $0-8
	LOOP(SHORTF4)

// func pairChained(n int)
TEXT ·pairChained(SB), NOSPLIT, $0-8
	LOOP(PAIRC4)

// func pairFree(n int)
TEXT ·pairFree(SB), NOSPLIT, $0-8
	LOOP(PAIRF4)

// func carryChained(n int)
TEXT ·carryChained(SB), NOSPLIT, $0-8
	LOOP(CARRYC4)

// func carryFree(n int)
TEXT ·carryFree(SB), NOSPLIT, $0-8
	LOOP(CARRYF4)
