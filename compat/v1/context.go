package p256k1

// These are the flags of contexts.
const (
	ContextNone   = 0
	ContextSign   = 1 << 0
	ContextVerify = 1 << 1
)

// Context holds nothing. Only ContextDestroy takes a Context.
//
// Deprecated: version 2 has no contexts.
type Context struct{ _ byte }

// ContextCreate returns a context.
//
// Deprecated: version 2 has no contexts.
func ContextCreate(flags uint) *Context { return new(Context) }

// ContextDestroy does nothing.
//
// Deprecated: version 2 has no contexts.
func ContextDestroy(ctx *Context) {}

// HasAVX2CPU returns false, because version 2 itself detects which instructions the processor has.
//
// Deprecated: "p256k1 version" prints what version 2 uses.
func HasAVX2CPU() bool { return false }

// SetAVX2Enabled does nothing.
//
// Deprecated: the environment variable GODEBUG=cpu.avx2=off switches assembly off.
func SetAVX2Enabled(enabled bool) {}
