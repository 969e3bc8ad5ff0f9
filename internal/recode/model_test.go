package recode

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestModel compares the digits in all forms with the definitions of tools/evidence/grouplaw about which S3 to S22 are
// proved. A digit a + b·λ is in two integers, or in three with its place before it if a scalar's places differ.
func TestModel(t *testing.T) {
	rows := oracle.Rows(t, "testdata/digits.txt")
	for _, row := range rows {
		k := scalarOf(row[0][0])
		var got [][]int64
		odd := func(n, width int, window func(int) uint64) {
			var list []int64
			for i := range n {
				list = append(list, 2*int64(window(i))-(1<<width-1))
			}
			got = append(got, list)
		}
		base, lanes := Base(&k), Lanes(&k)
		first, second := Variable(&k)
		odd(BaseDigits, BaseWidth, base.BaseWindow)
		odd(LanesDigits, LanesWidth, lanes.LanesWindow)
		odd(VariableDigits, VariableWidth, first.VariableWindow)
		odd(VariableDigits, VariableWidth, second.VariableWindow)
		for i := range VariableDigits {
			for n := 1; n <= min(8, VariableDigits-i); n++ {
				together := uint64(0)
				for j := range n {
					together |= first.VariableWindow(i+j) << (j * VariableWidth)
				}
				if first.VariableWindows(i, n) != together {
					t.Fatalf("%d digits of %x from %d on: %x, want %x", n, row[0][0], i, first.VariableWindows(i, n), together)
				}
			}
		}
		for i, f := range forms() {
			var digits Digits
			if i == 0 {
				digits.SetPointVartime(&k)
			} else {
				digits.SetGeneratorVartime(&k)
			}
			var list []int64
			var marked, want [3]uint64
			digits.Mark(&marked)
			for place := range 64 * len(marked) {
				last, ok := digits.Last(place)
				if (digits.N > 0 && int(digits.Digit[digits.N-1].At) == place) != ok || (ok && last != &digits.Digit[digits.N-1]) {
					t.Fatalf("%x: last digit at %d: %v, %t", row[0][0], place, last, ok)
				}
			}
			for j := range digits.Digit[:digits.N] {
				want[digits.Digit[j].At/64] += 1 << (digits.Digit[j].At % 64)
				v := f.value(&digits.Digit[j])
				list = append(list, int64(digits.Digit[j].At), v.a, v.b)
			}
			if marked != want {
				t.Fatalf("%x: marked places %x, want %x", row[0][0], marked, want)
			}
			got = append(got, list)
		}
		k1, k2 := k.Split()
		for _, f := range regularForms() {
			digits, fits := f.digits(k1, k2)
			if !fits {
				t.Fatalf("the digits of %x do not fit", row[0][0])
			}
			var list []int64
			for i := range digits {
				v := f.value(&digits[i])
				list = append(list, v.a, v.b)
			}
			got = append(got, list)
		}
		for width := MinWindow; width <= MaxWindow; width++ {
			w := WindowsOf(width)
			digits := make([]WindowDigit, MaxWindows)
			w.DigitsVartime(digits, 1, k1, k2)
			var list []int64
			for _, d := range digits[:len(row[len(got)+1])/2] {
				v := integer{}
				if d != 0 {
					u := int64(w.V[d.Pair()])
					v = integer{int64(w.U[d.Pair()]) + u, u}
				}
				for range d.Power() {
					v = v.timesLambda()
				}
				if d.Sign() != 0 {
					v = integer{-v.a, -v.b}
				}
				list = append(list, v.a, v.b)
			}
			got = append(got, list)
		}
		if len(row) != len(got)+1 {
			t.Fatalf("a row has %d lists", len(row))
		}
		for i, list := range got {
			want := row[i+1]
			for j := range max(len(list), len(want)) {
				if j >= min(len(list), len(want)) || want[j].Cmp(big.NewInt(list[j])) != 0 {
					t.Fatalf("list %d of %x differs at %d: %d, want %d", i+1, row[0][0], j, list, want)
				}
			}
		}
	}
	if len(rows) != 51 {
		t.Errorf("%d rows", len(rows))
	}
}
