package recode

import (
	"math"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// precomputedForms returns both forms, each with the values a + b·λ of the table entries of a place.
func precomputedForms(t *testing.T) map[*PrecomputedForm][]integer {
	all := make(map[*PrecomputedForm][]integer)
	for _, f := range []*PrecomputedForm{&PrecomputedKey, &PrecomputedGenerator} {
		w := WindowsOf(f.Width)
		for i := range w.U {
			u, v := int64(w.U[i]), int64(w.V[i])
			all[f] = append(all[f], integer{u + v, v})
		}
		if f.Entries() != len(w.U) || f.Places > MaxPrecomputedPlaces {
			t.Fatalf("width %d: %d entries, %d pairs", f.Width, f.Entries(), len(w.U))
		}
	}
	return all
}

// TestPrecomputedDigits checks S20: the digits sum to the scalar, and the last digit in the form for keys is 0 or a
// unit.
func TestPrecomputedDigits(t *testing.T) {
	r := oracle.New(t)
	for f, table := range precomputedForms(t) {
		// At the last place, the remainder z must be inside the hexagon of digits. For keys the bound on ‖z‖ must be
		// below 3/2, so that ‖z‖ is 0 or 1 and the digit is 0 or a unit.
		m, most := float64(int(1)<<f.Width), float64(int(1)<<f.Width)/2-1
		if f == &PrecomputedKey {
			most = 1.5
		}
		if left := 0.867*math.Ldexp(1, 128-f.Width*(f.Places-1)) + m/2/(m-1); left >= most {
			t.Errorf("width %d: the last place may have ‖d‖ = %v", f.Width, left)
		}
		last := 0
		check := func(k *big.Int) {
			t.Helper()
			s := scalarOf(k)
			h1, h2 := s.Split()
			d := PrecomputedDigits{N: [6]int{5, 40, -1}}
			d.SetVartime(&s, f)
			a, b := new(big.Int), new(big.Int)
			places := make(map[int]bool)
			for unit := range d.Entry {
				for _, entry := range d.Entry[unit][:d.N[unit]] {
					place := int(entry) / f.Entries()
					if places[place] || int(entry) >= f.Table {
						t.Fatalf("%x has two digits at place %d, or no entry %d", k, place, entry)
					}
					places[place] = true
					v := table[int(entry)%f.Entries()]
					for range unit / 2 {
						v = v.timesLambda()
					}
					sign := int64(1 - 2*(unit%2))
					a.Add(a, new(big.Int).Lsh(big.NewInt(sign*v.a), uint(f.Width*place)))
					b.Add(b, new(big.Int).Lsh(big.NewInt(sign*v.b), uint(f.Width*place)))
				}
			}
			if a.Cmp(integerOf(h1)) != 0 || b.Cmp(integerOf(h2)) != 0 {
				t.Fatalf("width %d: the digits of %x sum to %x, %x, want %x, %x", f.Width, k, a, b, integerOf(h1), integerOf(h2))
			}
			if places[f.Places-1] {
				last++
			}
		}
		for _, edges := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges()} {
			for _, k := range edges {
				check(fn.Reduce(oracle.Int(k[:])))
			}
		}
		for range oracle.Cases(20000) {
			check(r.Scalar())
		}
		if last == 0 {
			t.Errorf("width %d: the last place never has a digit", f.Width)
		}
	}
}
