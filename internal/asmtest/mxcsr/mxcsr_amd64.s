#include "textflag.h"

// func Get() (word uint32)
TEXT ·Get(SB), NOSPLIT, $0-4
	STMXCSR word+0(FP)
	RET

// func Set(word uint32)
TEXT ·Set(SB), NOSPLIT, $0-4
	LDMXCSR word+0(FP)
	RET
