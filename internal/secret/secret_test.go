package secret

import "testing"

func TestDo(t *testing.T) {
	n := 0
	var b [32]byte
	if allocs := testing.AllocsPerRun(10, func() {
		Do(func() {
			n++
			b[1] = byte(n)
		})
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	if n != 11 || b[1] != 11 {
		t.Errorf("%d calls, result %d", n, b[1])
	}
}

func BenchmarkDo(b *testing.B) {
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		Do(func() { n++ })
	}
}
