//go:build !goexperiment.runtimesecret && !race

package secret

import (
	"testing"
	"unsafe"
)

const pattern = 0xa5a5a5a5a5a5a5a5

var sink uint64

// one is a variable, so that no register has the pattern while left reads: a preemption would write it to the stack.
var one uint64 = 1

// below returns an address below the caller's frame.
//
//go:noinline
func below() uintptr {
	var b byte
	p := &b
	return uintptr(unsafe.Pointer(p))
}

// left calls do with a function that fills its frame with a pattern, and returns how many words of it remain.
//
//go:noinline
func left(do func(func()), fill func()) (words int) {
	var anchor uint64
	do(fill)
	for i := range 1100 {
		if *(*uint64)(unsafe.Add(unsafe.Pointer(&anchor), -8*i))^one == pattern^1 {
			words++
		}
	}
	return words
}

// TestFrame checks that nothing of the frame of a function remains, up to the frame's end.
func TestFrame(t *testing.T) {
	large := func() {
		var frame [800]uint64
		for i := range frame {
			frame[i] = pattern
		}
		sink = frame[sink&7] >> 60
	}
	small := func() {
		var frame [200]uint64
		for i := range frame {
			frame[i] = pattern
		}
		sink = frame[sink&7] >> 60
	}
	plain := func(f func()) { f() }
	reserve()
	if n := left(plain, small); n < 150 {
		t.Errorf("without Do, only %d words of the frame are found", n)
	}
	if n := left(Do, large); n != 0 {
		t.Errorf("Do leaves %d words", n)
	}
}

// distance returns how far the frame of a function within do is below the caller's frame. It is another number if the
// stack has moved in the meantime.
//
//go:noinline
func distance(do func(func())) uintptr {
	var inside uintptr
	do(func() { inside = below() })
	return below() - inside
}

//go:noinline
func deeperBy(n int, do func(func())) uintptr {
	if n == 0 {
		return distance(do)
	}
	d := deeperBy(n-1, do)
	sink++
	return d
}

// TestMoved checks, at many depths of the stack, that the stack does not move after the function: nothing would wipe
// the old stack.
func TestMoved(t *testing.T) {
	distance(Do)
	want := distance(Do)
	for n := range 700 {
		got := make(chan uintptr)
		go func() { got <- deeperBy(n, Do) }()
		if d := <-got; d != want {
			t.Fatalf("%d calls deep: the stack moved after the function", n)
		}
	}
}
