// Package heap allocates memory for secrets. The compiler puts a variable that does not escape, and a slice of 32 bytes or less,
// on the stack, also if it is made by new or make. Go grows a stack by copying it, and leaves the old one as it is. Go never moves
// heap objects.
package heap

// New returns a pointer to a zero T on the heap. It is not inlined, so that the compiler cannot see whether the pointer escapes.
//
//go:noinline
func New[T any]() *T { return new(T) }

// Slice returns n zero values on the heap.
//
//go:noinline
func Slice[T any](n int) []T { return make([]T, n) }
