package lanes

import (
	"math/big"
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// numbers returns the halves of edge cases and of random scalars, followed by pairs of random integers below 2¹²⁸. The
// first elements of all, as many as scalars says, hold only halves of scalars.
func numbers(r *oracle.Rand) (all []halves, scalars int) {
	var edges [][32]byte
	edges = append(append(edges, oracle.ScalarEdges()...), oracle.LambdaSplitEdges()...)
	lane := 0
	add := func(k1, k2 scalar.Signed128) {
		if lane == 0 {
			all = append(all, halves{})
		}
		all[len(all)-1].set(lane, k1, k2)
		lane = (lane + 1) % N
	}
	for _, b := range edges {
		k := scalarOf(oracle.Int(b[:]))
		add(k.Split())
	}
	for range oracle.Cases(2000) {
		k := scalarOf(r.Scalar())
		add(k.Split())
	}
	scalars = len(all) - 1 // the last element may also hold random integers
	for range oracle.Cases(3000) {
		l := limbs(r)
		add(scalar.Signed128{Lo: l[0], Hi: l[1], Neg: -(l[4] & 1)}, scalar.Signed128{Lo: l[2], Hi: l[3], Neg: -(l[4] >> 1 & 1)})
	}
	return all, scalars
}

// garbage returns a value whose bits are all ones, which routines must overwrite.
func garbage[T any]() *T {
	e := new(struct {
		v    T
		more [32 << 10]byte // makes the object large enough for alignment to 64 bytes
	})
	for i := range unsafe.Sizeof(e.v) {
		*(*byte)(unsafe.Add(unsafe.Pointer(&e.v), i)) = 0xFF
	}
	return &e.v
}

// setByLane sets d to the digits of the scalars k, which package recode finds lane by lane.
func (d *pointDigits) setByLane(k *halves) {
	var digits [recode.RegularPointDigits]recode.RegularDigit
	for lane := range N {
		k1, k2 := k.get(lane)
		setBit(&d.fits, lane, recode.RegularPointVartime(&digits, k1, k2))
		for i := range digits {
			g := &digits[i]
			row, y := entryRows*uint64(g.Entry), uint64(rowMinus)
			if g.Minus != (i&1 != 0) {
				y = rowPlus
			}
			d.x[i][lane] = (row+uint64(rowX[g.Power]))*rowBytes + 8*uint64(lane)
			d.y[i][lane] = (row+y)*rowBytes + 8*uint64(lane)
			setBit(&d.nonzero[i], lane, !g.IsZero())
		}
	}
}

// setByLane sets d to the digits of the scalars k, which package recode finds lane by lane.
func (d *generatorDigits) setByLane(k *halves) {
	var digits [recode.RegularGeneratorDigits]recode.RegularDigit
	for lane := range N {
		k1, k2 := k.get(lane)
		setBit(&d.fits, lane, recode.RegularGeneratorVartime(&digits, k1, k2))
		for i := range digits {
			g := &digits[i]
			d.offset[i][lane] = 64 * uint64(g.Entry)
			setBit(&d.nonzero[i], lane, !g.IsZero())
			setBit(&d.minus[i], lane, g.Minus)
			setBit(&d.power[0][i], lane, g.Power == 1)
			setBit(&d.power[1][i], lane, g.Power == 2)
		}
	}
}

// TestDigits compares recoding, in assembly and in Go, with package recode, and checks that the digits of halves of
// scalars fit.
func TestDigits(t *testing.T) {
	r := oracle.New(t)
	all, scalars := numbers(r)
	unfit := false
	for i := range 2 * len(all) {
		k := &all[i/2]
		p, g := garbage[pointDigits](), garbage[generatorDigits]()
		wantP, wantG := new(pointDigits), new(generatorDigits)
		p.setVartime(k)
		g.setVartime(k)
		if i%2 == 1 {
			recodePointVartimeGeneric(p, k, &digitClasses)
			recodeGeneratorVartimeGeneric(g, k, &digitClasses)
		}
		wantP.setByLane(k)
		wantG.setByLane(k)
		for place := range p.x {
			if p.x[place] != wantP.x[place] || p.y[place] != wantP.y[place] || p.nonzero[place] != wantP.nonzero[place] {
				t.Fatalf("digit %d of %x is at %d, %d, in lanes %b; want %d, %d, %b", place, *k,
					p.x[place], p.y[place], p.nonzero[place], wantP.x[place], wantP.y[place], wantP.nonzero[place])
			}
		}
		if *p != *wantP {
			t.Fatalf("the digits of a point for %x fit in lanes %b, want %b", *k, p.fits, wantP.fits)
		}
		for place := range g.offset {
			if g.offset[place] != wantG.offset[place] {
				t.Fatalf("digit %d of %x for G is at %d, want %d", place, *k, g.offset[place], wantG.offset[place])
			}
		}
		if *g != *wantG {
			t.Fatalf("the digits of G for %x are %v, want %v", *k, *g, *wantG)
		}
		if g.fits != 0xFF || (i/2 < scalars && p.fits != 0xFF) {
			t.Fatalf("%x fits in lanes %b, and for G %b", *k, p.fits, g.fits)
		}
		unfit = unfit || p.fits != 0xFF
	}
	if !unfit {
		t.Error("every pair of halves fits the digits of a point")
	}
}

// TestCompleteTwins compares complete and completeRescaled with their twins, for random coordinates and denominators.
func TestCompleteTwins(t *testing.T) {
	r, e := oracle.New(t), elements()
	got, want := garbage[multiple](), garbage[multiple]()
	for range oracle.Cases(500) {
		z, again, ratio := &e[0], &e[1], &e[2]
		z.randomVartime(r)
		ratio.randomVartime(r)
		*again, e[3] = z.plain(), ratio.plain()
		for _, rescaled := range []bool{false, true} {
			got.X.randomVartime(r)
			got.Y.randomVartime(r)
			want.X, want.Y = got.X.plain(), got.Y.plain()
			if rescaled {
				completeRescaledVartime(got, z, ratio)
				completeRescaledGeneric(want, again, &e[3])
			} else {
				completeVartime(got)
				completeGeneric(want)
			}
			for lane := range N {
				for i := range uint64(entryRows) {
					got.row(i).boundedVartime(t, "completeVartime")
					if x, y := got.row(i).valueVartime(lane), want.row(i).value(lane); x.Cmp(y) != 0 {
						t.Fatalf("row %d is %x, want %x; rescaled: %t", i, x, y, rescaled)
					}
				}
				if z.valueVartime(lane).Cmp(again.value(lane)) != 0 {
					t.Fatalf("z is %x, want %x", z.valueVartime(lane), again.value(lane))
				}
			}
		}
	}
}

// TestGatherPointTwins compares the look-up of points with its twin in Go, for random rows.
func TestGatherPointTwins(t *testing.T) {
	asmtest.Need(t, platform.IFMA, asmtest.AVX512)
	r, e := oracle.New(t), elements()
	table, d := garbage[multiples](), new(pointDigits)
	for i := range table {
		for j := range uint64(entryRows) {
			table[i].row(j).random(r)
		}
	}
	for range oracle.Cases(100) {
		i := r.IntN(recode.RegularPointDigits)
		for lane := range N {
			d.x[i][lane] = uint64(r.IntN(entryRows*recode.RegularPointEntries)*rowBytes + 8*lane)
			d.y[i][lane] = uint64(r.IntN(entryRows*recode.RegularPointEntries)*rowBytes + 8*lane)
		}
		gatherPointVartime(&e[0], &e[1], table, d, i)
		gatherPointVartimeGeneric(&e[2], &e[3], table, d, i)
		if e[0] != e[2] || e[1] != e[3] {
			t.Fatalf("digit %d: %x, %x, want %x, %x", i, e[0], e[1], e[2], e[3])
		}
	}
}

// TestGatherGeneratorTwins compares the look-up of multiples of G with its twin in Go, for all digits of some scalars.
func TestGatherGeneratorTwins(t *testing.T) {
	r, e := oracle.New(t), elements()
	all, _ := numbers(r)
	f, plain, d := garbage[isomorphism](), new(isomorphism), new(generatorDigits)
	for range oracle.Cases(50) {
		for i := range f.x {
			f.x[i].randomVartime(r)
			plain.x[i] = f.x[i].plain()
		}
		for i := range f.y {
			f.y[i].randomVartime(r)
			plain.y[i] = f.y[i].plain()
		}
		d.setVartime(&all[r.IntN(len(all))])
		for i := range d.offset {
			gatherGeneratorVartime(&e[0], &e[1], tables.RegularGeneratorVartime(), d, i, f)
			gatherGeneratorVartimeGeneric(&e[2], &e[3], tables.RegularGeneratorVartime(), d, i, plain)
			for j, name := range []string{"x", "−2y"} {
				e[j].boundedVartime(t, name)
				for lane := range N {
					if got, want := e[j].valueVartime(lane), e[2+j].value(lane); got.Cmp(want) != 0 {
						t.Fatalf("%s of digit %d is %x in lane %d, want %x", name, i, got, lane, want)
					}
				}
			}
		}
	}
}

func BenchmarkDigits(b *testing.B) {
	r := oracle.NewSeeded("digits")
	all, _ := numbers(r)
	e := elements()
	b.Run("point", func(b *testing.B) {
		d := garbage[pointDigits]()
		for b.Loop() {
			d.setVartime(&all[0])
		}
	})
	b.Run("generator", func(b *testing.B) {
		d := garbage[generatorDigits]()
		for b.Loop() {
			d.setVartime(&all[0])
		}
	})
	b.Run("gatherPoint", func(b *testing.B) {
		d, table := garbage[pointDigits](), garbage[multiples]()
		d.setVartime(&all[0])
		i := 0
		for b.Loop() {
			gatherPointVartime(&e[0], &e[1], table, d, i)
			if i++; i == len(d.x) {
				i = 0
			}
		}
	})
	b.Run("gatherGenerator", func(b *testing.B) {
		d, f := garbage[generatorDigits](), garbage[isomorphism]()
		d.setVartime(&all[0])
		table := tables.RegularGeneratorVartime()
		i := 0
		for b.Loop() {
			gatherGeneratorVartime(&e[0], &e[1], table, d, i, f)
			if i++; i == len(d.offset) {
				i = 0
			}
		}
	})
}

// valueN returns the integer in lane i, modulo n.
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

// scalarElements returns elements with all edge cases of scalars, and then elements with random limbs.
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

// TestMulN compares products modulo n with math/big.
func TestMulN(t *testing.T) {
	r, e := oracle.New(t), elements()
	all := scalarElements(r, oracle.Cases(1000))
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
			t.Fatal("mulN in place has another result")
		}
	}
}

// TestSplitTwins compares split with its twin, which calls scalar.Split.
func TestSplitTwins(t *testing.T) {
	r := oracle.New(t)
	for _, a := range scalarElements(r, oracle.Cases(3000)) {
		got, want := garbage[halves](), new(halves)
		split(got, a)
		splitGeneric(want, a)
		if *got != *want {
			t.Fatalf("%x: %x, want %x", *a, *got, *want)
		}
	}
}

// TestSplitVartime splits one to eight scalars, and checks that nothing is written beyond the slices.
func TestSplitVartime(t *testing.T) {
	r := oracle.New(t)
	for n := 1; n <= N; n++ {
		for range oracle.Cases(100) {
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

// TestInvertVartimeN inverts nonzero scalars modulo n.
func TestInvertVartimeN(t *testing.T) {
	r, e := oracle.New(t), elements()
	for range oracle.Cases(50) {
		a := &e[0]
		a.random(r)
		for lane := range N {
			if a.valueN(lane).Sign() == 0 {
				a.setLane(lane, &[4]uint64{5})
			}
		}
		e[1] = *a
		invertVartime(modN, &e[1])
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
			invertVartime(modN, &e[0])
		}
	})
}
