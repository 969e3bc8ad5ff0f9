// Package heap allocates memory for secrets on the heap, because Go never moves heap objects. Without this package,
// the compiler puts a variable that does not escape on the stack, even if new or make allocates the variable. Go
// grows a stack by copying it, and frees the old stack without wiping the secrets on it.
package heap

// New returns a pointer to a zero T on the heap. It is not inlined, so that the compiler cannot see whether the pointer
// escapes.
//
//go:noinline
func New[T any]() *T { return new(T) }

// Slice returns n zero values on the heap.
//
//go:noinline
func Slice[T any](n int) []T { return make([]T, n) }
