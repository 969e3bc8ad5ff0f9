package asmtest

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// Where is the position of allocated memory relative to a guard page. An access to the guard page crashes the test.
type Where int

// The memory begins right after a guard page, or ends right before a guard page.
const (
	After Where = iota
	Before
)

// New returns a pointer to a new T after or before a guard page. The memory is freed when the test ends.
func New[T any](t testing.TB, side Where) *T {
	return &Slice[T](t, 1, side)[0]
}

// Slice returns a slice of n new elements of type T after or before a guard page. T must not contain pointers.
func Slice[T any](t testing.TB, n int, side Where) []T {
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
	if side == Before {
		start += room - size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&pages[start])), n)
}
