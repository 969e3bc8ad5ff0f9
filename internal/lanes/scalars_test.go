package lanes

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// valueN is what lane i stands for, modulo n.
func (e *Element) valueN(i int) *big.Int {
	v := new(big.Int)
	for k := 4; k >= 0; k-- {
		limb := e[k][i]
		if k < 4 {
			limb &= limbMask
		}
		v.Lsh(v, limbBits).Add(v, new(big.Int).SetUint64(limb))
	}
	return oracle.Fn.Reduce(v)
}

// scalarElements returns elements with all named scalars, and then with any limbs.
func scalarElements(r *oracle.Rand, n int) []*Element {
	edges := append(oracle.ScalarEdges(), oracle.LambdaSplitEdges()...)
	var all []*Element
	for i := 0; i < len(edges) || len(all) < n; i += N {
		e := garbage[Element]()
		e.random(r)
		for lane := range N {
			if i+lane < len(edges) {
				w := oracle.Limbs(oracle.Int(edges[i+lane][:]))
				e.setLane(lane, &w)
			}
		}
		all = append(all, e)
	}
	return all
}

// TestMulN multiplies scalars of all kinds.
func TestMulN(t *testing.T) {
	r, e := oracle.New(t), elements()
	all := scalarElements(r, rounds(1000))
	for i, a := range all {
		for _, b := range []*Element{a, all[r.IntN(len(all))], all[len(all)-1-i]} {
			got, want := &e[0], &e[1]
			*got = *garbage[Element]()
			mulN(got, a, b)
			got.bounded(t, "mulN")
			mulNGeneric(want, a, b)
			for lane := range N {
				product := oracle.Fn.Mul(a.valueN(lane), b.valueN(lane))
				if got.valueN(lane).Cmp(product) != 0 || want.valueN(lane).Cmp(product) != 0 {
					t.Fatalf("%x · %x: %x and %x in Go, want %x", a.valueN(lane), b.valueN(lane), got.valueN(lane), want.valueN(lane), product)
				}
			}
		}
		e[2] = *a
		mulN(&e[2], &e[2], &e[2])
		mulN(&e[3], a, a)
		if e[2] != e[3] {
			t.Fatal("mulN in place is another")
		}
	}
}

// TestSplitTwins compares splitting with that in Go, which is scalar.Split.
func TestSplitTwins(t *testing.T) {
	r := oracle.New(t)
	for _, a := range scalarElements(r, rounds(3000)) {
		got, want := garbage[halves](), new(halves)
		split(got, a)
		splitGeneric(want, a)
		if *got != *want {
			t.Fatalf("%x: %x, want %x", *a, *got, *want)
		}
	}
}

// TestSplitVartime splits slices of all lengths, and writes nothing behind them.
func TestSplitVartime(t *testing.T) {
	r := oracle.New(t)
	for n := 1; n <= N; n++ {
		for range rounds(100) {
			a := make([]scalar.Scalar, n)
			for i := range a {
				a[i] = scalarOf(r.Scalar())
			}
			var k1, k2 [N + 1]scalar.Signed128
			SplitVartime(k1[:n], k2[:n], a)
			for i := range k1 {
				var want [2]scalar.Signed128
				if i < n {
					want[0], want[1] = a[i].Split()
				}
				l0, l1, l2 := k1[i].Limbs()
				m0, m1, m2 := want[0].Limbs()
				if l0 != m0 || l1 != m1 || l2 != m2 {
					t.Fatalf("k1 of %d of %d: %v, want %v", i, n, k1[i], want[0])
				}
				l0, l1, l2 = k2[i].Limbs()
				m0, m1, m2 = want[1].Limbs()
				if l0 != m0 || l1 != m1 || l2 != m2 {
					t.Fatalf("k2 of %d of %d: %v, want %v", i, n, k2[i], want[1])
				}
			}
		}
	}
}

// TestInvertVartimeN inverts any scalars but 0.
func TestInvertVartimeN(t *testing.T) {
	r, e := oracle.New(t), elements()
	for range rounds(50) {
		a := &e[0]
		a.random(r)
		for lane := range N {
			if a.valueN(lane).Sign() == 0 {
				a.setLane(lane, &[4]uint64{5})
			}
		}
		e[1] = *a
		invertVartimeN(&e[1])
		for lane := range N {
			if want := oracle.Fn.Inv(a.valueN(lane)); e[1].valueN(lane).Cmp(want) != 0 {
				t.Fatalf("1/%x: %x, want %x", a.valueN(lane), e[1].valueN(lane), want)
			}
		}
	}
}

func BenchmarkScalars(b *testing.B) {
	r, e := oracle.NewSeeded("scalars"), elements()
	e[0].random(r)
	e[1].random(r)
	k := garbage[halves]()
	b.Run("mulN", func(b *testing.B) {
		for b.Loop() {
			mulN(&e[0], &e[0], &e[1])
		}
	})
	b.Run("split", func(b *testing.B) {
		for b.Loop() {
			split(k, &e[0])
		}
	})
	b.Run("invertVartimeN", func(b *testing.B) {
		for b.Loop() {
			invertVartimeN(&e[0])
		}
	})
}
