// Package secret helps programs to leave no secrets in memory. Do runs a computation and wipes the stack that it has
// used. New and Make allocate memory on the heap, where a value has only one copy, and Zero wipes a value.
//
// A secret that a function keeps in a variable is on the stack of the goroutine. When the stack grows, Go copies it and
// frees the old stack without wiping it, and when the function returns, the secret stays below the stack's end. Keep
// secrets in memory of New and Make instead, compute with them inside Do, and wipe them when they are no longer needed.
//
// Go does not promise that secrets can be wiped, and this package wipes only what it can reach. Copies of registers and
// stacks remain where the kernel and Go's runtime store them if they interrupt a computation, and memory that other
// packages have allocated is not wiped. In programs built with GOEXPERIMENT=runtimesecret for Linux on amd64 or arm64,
// Do uses package runtime/secret, which wipes these copies too. SECURITY.md in the library's root says more.
//
// The examples are in example_test.go.
package secret

// New returns a pointer to a zero T on the heap, because Go never moves heap objects. Without New, the compiler puts a
// variable on the stack if it sees that no pointer to the variable outlives the function, even if new allocates it.
//
//go:noinline
func New[T any]() *T {
	return new(T) // New is not inlined, so that the compiler cannot see whether the pointer outlives the caller.
}

// Make returns a slice of n zero values on the heap, as New does for one value. It panics if n is negative. To append
// secrets to a slice, make it large enough first, because append does not wipe the memory that it replaces.
//
//go:noinline
func Make[T any](n int) []T {
	return make([]T, n)
}

// Zero wipes *p, leaving the zero value. The compiler does not remove a call of Zero, whereas it may remove an
// assignment if it sees that nothing reads the variable afterwards. Memory that *p only points to is not wiped. To wipe
// the elements of a slice, use clear.
//
//go:noinline
func Zero[T any](p *T) {
	var zero T
	*p = zero
}
