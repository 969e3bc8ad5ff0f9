//go:build !race

package libsecp

import "testing"

// Not under the race detector, which makes sync.Pool, and so purego, allocate.
func TestAllocations(t *testing.T) {
	c := newContext(t)
	f := newFixture(c)
	for name, op := range f.operations(c) {
		if !op() {
			t.Errorf("%s refused its input", name)
		}
		if n := testing.AllocsPerRun(100, func() { op() }); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}
