package asmtest

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// Where is where memory is: next to memory that nothing may touch.
type Where int

// After is right after it, Before is right before it.
const (
	After Where = iota
	Before
)

// New returns a new T at that place, for the time of the test.
func New[T any](t testing.TB, at Where) *T {
	return &Slice[T](t, 1, at)[0]
}

// Slice is New for n of them. T must not hold pointers.
func Slice[T any](t testing.TB, n int, at Where) []T {
	t.Helper()
	var zero T
	page, size := os.Getpagesize(), n*int(unsafe.Sizeof(zero))
	room := (size + page - 1) / page * page
	pages, err := syscall.Mmap(-1, 0, page+room+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(pages); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{pages[:page], pages[page+room:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	start := page
	if at == Before {
		start += room - size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&pages[start])), n)
}
