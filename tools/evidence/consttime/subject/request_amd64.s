#include "textflag.h"

// Memcheck's client requests: the address of a request in AX, four rotations which together do nothing, and an exchange
// of BX with itself, which valgrind takes for the request (valgrind.h, "Client requests"). Without valgrind the
// sequence does nothing, and the result is 0.

// func request(r *[6]uintptr) (result uintptr)
TEXT ·request(SB), NOSPLIT, $0-16
	MOVQ r+0(FP), AX
	XORL DX, DX
	ROLQ $3, DI
	ROLQ $13, DI
	ROLQ $61, DI
	ROLQ $51, DI
	XCHGQ BX, BX
	MOVQ DX, result+8(FP)
	RET
