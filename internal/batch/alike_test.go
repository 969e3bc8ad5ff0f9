package batch

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestAlike compares with what a map says of keys of which some are equal, and some differ in one bit.
func TestAlike(t *testing.T) {
	r := oracle.New(t)
	var l Alike // used again and again
	for round := range 200 {
		n := r.IntN(Doubles + 1)
		if round%8 == 0 {
			n = Doubles
		}
		pool := make([][33]byte, 1+r.IntN(max(1, n)))
		for i := range pool {
			pool[i] = [33]byte(r.Bytes(33))
			if i > 0 && r.IntN(4) == 0 {
				pool[i] = pool[i-1]
				pool[i][r.IntN(33)] ^= 1 << r.IntN(8)
			}
		}
		if round%8 == 0 { // all different
			pool = make([][33]byte, n)
			for i := range pool {
				pool[i][i%33], pool[i][32] = byte(i), byte(i)
			}
		}
		keys, numbers := make([][33]byte, n), make(map[[33]byte][]int)
		for i := range keys {
			keys[i] = pool[r.IntN(len(pool))]
			if round%8 == 0 {
				keys[i] = pool[i]
			}
			numbers[keys[i]] = append(numbers[keys[i]], i)
		}
		if got := l.SetVartime(keys); got != len(numbers) {
			t.Fatalf("%d different keys, want %d", got, len(numbers))
		}
		for i := range keys {
			want := numbers[keys[i]]
			if want[0] != i {
				if l.Count(i) != 0 {
					t.Fatalf("key %d is not the first, and there are %d", i, l.Count(i))
				}
				continue
			}
			if l.Count(i) != len(want) {
				t.Fatalf("there are %d keys equal to %d, want %d", l.Count(i), i, len(want))
			}
			for at, j := range want {
				next := 0
				if at+1 < len(want) {
					next = want[at+1]
				}
				if l.Next(j) != next {
					t.Fatalf("after key %d comes %d, want %d", j, l.Next(j), next)
				}
			}
		}
	}
}
