package asmtest

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

// TestGuard reads every byte, and checks that reading the next byte on the side of the guard page crashes.
func TestGuard(t *testing.T) {
	const n, size = 70, 64
	for _, side := range []Where{After, Before} {
		s := Slice[[size]byte](t, n, side)
		start := unsafe.Pointer(&s[0])
		for i := range n * size {
			if !readable(unsafe.Add(start, i)) {
				t.Fatalf("%d: byte %d is not readable", side, i)
			}
		}
		if (side == After && readable(unsafe.Add(start, -1))) || (side == Before && readable(unsafe.Add(start, n*size))) {
			t.Errorf("%d: memory without a guard", side)
		}
	}
}

func readable(p unsafe.Pointer) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { ok = recover() == nil }()
	sink = *(*byte)(p)
	return true
}

var sink byte
