package modinv

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestModel compares ζ or η, f and g after some batches with the divsteps of tools/evidence/grouplaw/Divsteps.v, about
// which I1, I4 and I5 are proved. It also compares the numbers of batches until g = 0, and the inverses with math/big.
func TestModel(t *testing.T) {
	rows := oracle.Rows(t, "testdata/divsteps.txt")
	events := make(map[string]int)
	for _, row := range rows {
		p, x := row[0][0], row[0][1]
		m, l := primes["P"], oracle.Limbs(x)
		switch {
		case p.Cmp(oracle.N) == 0:
			m = primes["N"]
		case p.Cmp(oracle.P) != 0:
			m = newPrime(p)
		}
		seen := func(event string, a, b int64) { events[fmt.Sprint(event, a, b)]++ }
		place := func(d *big.Int) int64 { // −2 in (−2m, −m), −1 in [−m, 0), and 0 in [0, m)
			return new(big.Int).Div(d, p).Int64()
		}
		within := func(name string, d, e *big.Int) { // (I8)
			t.Helper()
			if d, e := place(d), place(e); min(d, e) < -2 || max(d, e) > 0 {
				t.Fatalf("%s of %x modulo %x: d or e is outside of (−2m, m)", name, x, p)
			}
			seen("signs", place(d)>>1, place(e)>>1)
		}
		same := func(name string, i int, counter int64, f, g *big.Int) {
			t.Helper()
			for j, v := range []*big.Int{big.NewInt(counter), f, g} {
				if v.Cmp(row[i][j]) != 0 {
					t.Fatalf("%s of %x modulo %x: %s of state %d is %x, want %x", name, x, p, []string{"the counter", "f", "g"}[j], i, v, row[i][j])
				}
			}
		}
		want := oracle.Limbs(oracle.Ring{M: p}.Inv(x))
		inverse := func(name string, got [4]uint64) {
			t.Helper()
			if got != want {
				t.Fatalf("%s of %x modulo %x: the inverse is %x, want %x", name, x, p, got, want)
			}
		}
		enough := func(name string, i, batches, divsteps int) {
			t.Helper()
			if needed := int(row[8][i].Int64()); batches != (needed+divsteps-1)/divsteps {
				t.Fatalf("%s of %x modulo %x: %d batches for %d divsteps", name, x, p, batches, needed)
			}
		}

		for name, run := range map[string]func(*state, *modulus62){"batch": batch, "batchGeneric": batchGeneric} {
			var s state
			s.start(&l, m.m62)
			for i := range Batches {
				run(&s, m.m62)
				within(name, s.d.integer(), s.e.integer())
				if state, ok := map[int]int{0: 2, 4: 3, Batches - 1: 4}[i]; ok {
					same(name, state, s.zeta, s.f.integer(), s.g.integer())
				}
			}
			s.d.normalize(s.f[4]>>63, m.m62)
			inverse(name, s.d.limbs())
		}
		var s state30
		s.start(&l, m.m30)
		for i := range Batches30 {
			batch30(&s, m.m30)
			within("batch30", s.d.integer(), s.e.integer())
			if state, ok := map[int]int{0: 1, 9: 3, Batches30 - 1: 4}[i]; ok {
				same("batch30", state, int64(s.zeta), s.f.integer(), s.g.integer())
			}
		}

		// Digits are dropped exactly if the highest digits of f and of g only hold a sign (I11).
		var v state
		v.start(&l, m.m62)
		batches, n := 0, 5
		for v.g != (signed62{}) && batches < 12 {
			old := n
			n = batch62Vartime(&v, n, m.m62)
			if fn, gn := v.f[old-1], v.g[old-1]; old > 1 {
				if drop := -1 <= fn && fn <= 0 && -1 <= gn && gn <= 0; drop != (n == old-1) {
					t.Fatalf("batch62Vartime of %x modulo %x: %d digits of %d, the highest %d and %d", x, p, n, old, fn, gn)
				}
				seen("digits", max(-3, min(fn, 2)), max(-3, min(gn, 2)))
			}
			clear(v.f[n:])
			clear(v.g[n:])
			within("batch62Vartime", v.d.integer(), v.e.integer())
			batches++
			if state, ok := map[int]int{1: 6, 5: 7}[batches]; ok {
				same("batch62Vartime", state, v.zeta, v.f.integer(), v.g.integer())
			}
			if n > 1 && v.g != (signed62{}) && slices.Max(v.g[:n-1]) == 0 {
				seen("last digit", 0, 0)
			}
		}
		seen("end 62", v.f[n-1], place(v.d.integer()))
		enough("batch62Vartime", 1, batches, DivstepsVartime)
		v.d.normalize(v.f[n-1]>>63, m.m62)
		inverse("batch62Vartime", v.d.limbs())

		s = state30{}
		s.start(&l, m.m30)
		for batches = 0; s.g != (signed30{}) && batches < 25; batches++ {
			var c matrix30
			s.zeta = divsteps30Vartime(s.zeta, uint32(s.f[0]), uint32(s.g[0]), &c)
			updateFG30(&s.f, &s.g, &c)
			updateDE30(&s.d, &s.e, &c, m.m30)
			within("divsteps30Vartime", s.d.integer(), s.e.integer())
			if batches == 0 {
				same("divsteps30Vartime", 5, int64(s.zeta), s.f.integer(), s.g.integer())
			}
		}
		enough("divsteps30Vartime", 1, batches, Divsteps30)
		seen("end 30", s.f.integer().Int64(), place(s.d.integer()))
		inverts(t, m, x)
	}
	for event, c := range map[string]int{"signs": 4, "digits": 25, "end 62": 6, "end 30": 6, "last digit": 1} {
		kinds := 0
		for name := range events {
			if strings.HasPrefix(name, event) {
				kinds++
			}
		}
		if kinds != c {
			t.Errorf("%s: the stored inputs meet %d cases, want %d", event, kinds, c)
		}
	}
	if len(rows) != 63 {
		t.Errorf("%d rows", len(rows))
	}
}
