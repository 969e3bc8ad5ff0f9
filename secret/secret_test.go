package secret

import (
	"testing"
	"unsafe"
)

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

// TestHeap grows the stack, which moves it, and checks that the memory of New and Make has not moved with it.
func TestHeap(t *testing.T) {
	p, s := New[[32]byte](), Make[byte](32)
	addresses := [2]uintptr{uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(&s[0]))}
	if n := deeper(10000); n != 10000 {
		t.Fatal(n)
	}
	if now := [2]uintptr{uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(&s[0]))}; now != addresses {
		t.Errorf("the stack's growth moved memory from %x to %x", addresses, now)
	}
	if len(s) != 32 || *p != [32]byte{} || [32]byte(s) != [32]byte{} {
		t.Errorf("memory is %x and %x", *p, s)
	}
}

func deeper(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + deeper(n-1)
}

func TestZero(t *testing.T) {
	type value struct {
		key  [32]byte
		next *value
	}
	v := &value{key: [32]byte{1}, next: new(value)}
	Zero(v)
	if *v != (value{}) {
		t.Errorf("Zero leaves %v", v)
	}
}

func BenchmarkDo(b *testing.B) {
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		Do(func() { n++ })
	}
}
