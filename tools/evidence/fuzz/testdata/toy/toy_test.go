package toy

import "testing"

func FuzzGood(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) { isMagic(b) })
}

func FuzzPlanted(f *testing.F) {
	f.Add([]byte("aaaa"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 3 {
			t.Fatal("the planted error")
		}
	})
}

func FuzzSeed(f *testing.F) {
	f.Add(1)
	f.Add(2)
	f.Fuzz(func(t *testing.T, n int) {
		if n == 2 {
			panic("the planted panic")
		}
	})
}

func FuzzLast(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {})
}

func Fuzzy(b []byte) {}
