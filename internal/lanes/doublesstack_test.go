//go:build linux && amd64 && !purego

package lanes

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// atDepth calls f under n frames of 40 bytes, so that the stack pointer takes every alignment to 64 bytes, and stacks
// grow inside the routines that f calls.
//
//go:noinline
func atDepth(n int, f func()) (last int) {
	if n == 0 {
		f()
		return 0
	}
	words := [1]int{n} // makes the frame 8 bytes larger
	keep(&words)
	return words[0] + atDepth(n-1, f)
}

//go:noinline
func keep(*[1]int) {}

// TestDoublesStack calls the routines from many depths of new stacks. They align vectors on the stack themselves.
func TestDoublesStack(t *testing.T) {
	needFMA(t)
	r := oracle.New(t)
	all, _ := numbers(r)
	classesOnce.Do(buildClasses)
	start, want := newOperands(zerosOnHeap), newOperands(zerosOnHeap)
	start.random(r, all)
	for _, f := range runs(0x5A, 0x3C, 3, 2) {
		want.set(start)
		f.call(&inGoDoubles, want)
		for depth := range 160 {
			got, done := newOperands(zerosOnHeap), make(chan bool)
			got.set(start)
			go func() {
				atDepth(depth, func() { f.call(&inFMA, got) })
				close(done)
			}()
			<-done
			for i := range want.memory {
				if !slices.Equal(got.memory[i], want.memory[i]) {
					t.Fatalf("%s%s at depth %d: operand %d is %x, want %x", f.name, f.how, depth, i, got.memory[i], want.memory[i])
				}
			}
		}
	}
}
