package lanes

import (
	"fmt"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// baseScalars returns edge cases, the three exceptional scalars and their negatives, and random scalars.
func baseScalars(r *oracle.Rand) (all []*big.Int) {
	for _, edges := range [][][32]byte{oracle.RangeEdges(), oracle.LambdaSplitEdges(), oracle.ScalarEdges()} {
		for i, k := range edges {
			if !testing.Short() || i%8 == 0 {
				all = append(all, oracle.Fn.Reduce(oracle.Int(k[:])))
			}
		}
	}
	for _, e := range []*scalar.Scalar{&baseException, &baseOneException, &variableException} {
		k := oracle.FromLimbs(e.Limbs())
		all = append(all, k, oracle.Fn.Neg(k))
	}
	for range 100 {
		all = append(all, r.Scalar())
	}
	return all
}

// checkBase fails unless p is the point k·G.
func checkBase(t *testing.T, what string, p *group.Jacobian, k *big.Int) {
	t.Helper()
	want := oracle.G.Mul(k)
	var j group.Jacobian
	if !want.IsInfinity() {
		x, y := oracle.Limbs(want.X), oracle.Limbs(want.Y)
		j.SetAffine(&group.Affine{X: field.FromLimbs(x[0], x[1], x[2], x[3]), Y: field.FromLimbs(y[0], y[1], y[2], y[3])})
	}
	if p.Equal(&j) == 0 {
		t.Fatalf("%s: %x·G is wrong", what, k)
	}
}

// oddDigits returns the n odd digits of w bits that represent x (docs/digits.md, S10), and whether such digits exist.
func oddDigits(x *big.Int, w, n uint) (d []int64, ok bool) {
	bits := new(big.Int).Lsh(big.NewInt(1), w*n)
	bits.Add(bits, x).Sub(bits, big.NewInt(1)) // x + 2ᵐ − 1
	if bits.Sign() < 0 || bits.Bit(0) != 0 || bits.BitLen() > int(w*n)+1 {
		return nil, false
	}
	bits.Rsh(bits, 1)
	for i := range n {
		d = append(d, 2*int64(new(big.Int).Rsh(bits, w*i).Uint64()%(1<<w))-(1<<w-1))
	}
	return d, true
}

// alternating returns d₀ − d₁·2ʷ + d₂·2²ʷ − …, the sum of the digits with alternating signs.
func alternating(d []int64, w uint) *big.Int {
	sum := new(big.Int)
	for i, digit := range d {
		if i%2 != 0 {
			digit = -digit
		}
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(digit), w*uint(i)))
	}
	return sum
}

// TestBaseOneExceptions checks S21 of docs/digits.md: the last addition of BaseOne has equal points if the difference
// of the even and the odd windows is a multiple of n. Exactly one scalar has such windows, and the negative of this
// scalar does not.
func TestBaseOneExceptions(t *testing.T) {
	const w, n = recode.VariableWidth, recode.VariableDigits
	var found []*big.Int
	candidates := 0
	for x := int64(-20); x <= 20; x++ {
		for y := int64(-20); y <= 20; y++ {
			// a + b·λ = (x + y·λ)·(A1 + B1·λ).
			term := func(m int64, c *big.Int) *big.Int { return new(big.Int).Mul(big.NewInt(m), c) }
			a := new(big.Int).Sub(term(x, oracle.A1), term(y, oracle.B1))
			b := new(big.Int).Add(term(x-y, oracle.B1), term(y, oracle.A1))
			if oracle.Fn.Add(a, oracle.Fn.Mul(b, oracle.Lambda)).Sign() != 0 {
				t.Fatal("not a multiple of n")
			}
			da, okA := oddDigits(a, w, n)
			db, okB := oddDigits(b, w, n)
			if !okA || !okB {
				continue
			}
			candidates++
			if max(x, -x, y, -y) > 8 {
				t.Error("there may be more of them")
			}
			k1, k2 := alternating(da, w), alternating(db, w)
			k := oracle.Fn.Add(k1, oracle.Fn.Mul(k2, oracle.Lambda))
			s := scalarOf(k)
			d1, d2 := recode.Variable(&s)
			if sumOf(&d1).Cmp(k1) == 0 && sumOf(&d2).Cmp(k2) == 0 {
				found = append(found, k)
			}
		}
	}
	if want := oracle.FromLimbs(baseOneException.Limbs()); len(found) != 1 || found[0].Cmp(want) != 0 {
		t.Errorf("the exceptions are %x, want %x", found, want)
	}
	t.Logf("%d candidates", candidates)
}

// sumOf returns the integer that the digits of d represent, where d is a result of recode.Variable.
func sumOf(d *recode.Odd) *big.Int {
	sum := new(big.Int)
	for i := range recode.VariableDigits {
		digit := 2*int64(d.VariableWindow(i)) - (1<<recode.VariableWidth - 1)
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(digit), recode.VariableWidth*uint(i)))
	}
	return sum
}

// TestBaseException finds the scalars for which the last addition of Base has equal points (docs/digits.md, S11).
func TestBaseException(t *testing.T) {
	top := new(big.Int).Lsh(big.NewInt(1), recode.LanesWidth*(recode.LanesDigits-1))
	if top.Cmp(oracle.N) >= 0 { // then earlier additions could have equal points too
		t.Error("the sums before the last window exceed n")
	}
	var found []*big.Int
	for digit := int64(1 - 1<<recode.LanesWidth); digit < 1<<recode.LanesWidth; digit += 2 {
		added := oracle.Fn.Mul(big.NewInt(digit), top)
		k := oracle.Fn.Add(added, added)
		s := scalarOf(k)
		d := recode.Lanes(&s)
		if 2*int64(d.LanesWindow(recode.LanesDigits-1))-(1<<recode.LanesWidth-1) == digit {
			found = append(found, k)
		}
	}
	want := oracle.FromLimbs(baseException.Limbs())
	if len(found) != 1 || found[0].Cmp(want) != 0 || oracle.Fn.Neg(want).Cmp(want) == 0 {
		t.Errorf("the exceptions are %x, want %x", found, want)
	}
}

func TestBaseOne(t *testing.T) {
	for _, k := range baseScalars(oracle.New(t)) {
		var p group.Jacobian
		s := scalarOf(k)
		BaseOne(&p, &s)
		checkBase(t, "BaseOne", &p, k)
	}
}

func TestBase(t *testing.T) {
	r := oracle.New(t)
	all := baseScalars(r)
	for n := 0; len(all) > 0; n++ {
		n := min(n, len(all))
		p, k := make([]*group.Jacobian, n), make([]*scalar.Scalar, n)
		for i := range k {
			s := scalarOf(all[i])
			k[i], p[i] = &s, new(group.Jacobian)
		}
		Base(p, k)
		for i := range k {
			checkBase(t, "Base", p[i], all[i])
		}
		all = all[n:]
	}
}

// checkLookup fails the test unless the lane holds the multiple of G that the window of w bits stands for.
func checkLookup(t *testing.T, what string, row []group.Affine, w uint, lane int, window uint64, s *baseStep) {
	t.Helper()
	digit := 2*int64(window) - (1<<w - 1)
	want := &row[max(digit, -digit)/2]
	x, y := s.x.get(lane), s.y.get(lane)
	if x.Equal(&want.X)&y.Equal(&want.Y) == 0 || has(s.minus, lane) != (digit < 0) {
		t.Fatalf("%s: window %d in lane %d: not %d times the point of the row", what, window, lane, digit)
	}
}

// TestBaseLookup looks up every entry of every row in every lane, in assembly and in Go, with random bits around the
// windows.
func TestBaseLookup(t *testing.T) {
	r := oracle.New(t)
	s := &new(secretWorkspace).base
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	for i, row := range tables.OddMultiplesVartime(recode.LanesDigits, recode.LanesEntries) {
		for first := range uint64(1 << recode.LanesWidth) {
			shift := uint(r.IntN(64))
			var windows [N]uint64
			var words baseWords
			for lane := range windows {
				windows[lane] = (first + 9*uint64(lane)) % (1 << recode.LanesWidth)
				around := oracle.FromLimbs(r.Limbs())
				below := new(big.Int).And(around, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), shift), big.NewInt(1)))
				bits := new(big.Int).Lsh(around, recode.LanesWidth)
				bits.Or(bits, new(big.Int).SetUint64(windows[lane])).Lsh(bits, shift).Or(bits, below)
				l := oracle.Limbs(bits.And(bits, mask))
				words[0][lane], words[1][lane] = l[0], l[1]
			}
			for what, f := range map[string]func(x, y *Element, minus *uint8, row *baseRow, words *baseWords, shift int){
				"baseLookup": baseLookup, "baseLookupGeneric": baseLookupGeneric,
			} {
				f(&s.x, &s.y, &s.minus, &tables.BaseLanes()[i], &words, int(shift))
				s.x.bounded(t, what)
				s.y.bounded(t, what)
				for lane, window := range windows {
					checkLookup(t, what, row, recode.LanesWidth, lane, window, s)
				}
			}
		}
	}
}

// TestBaseLookupOne looks up every entry of every row that BaseOne uses, in assembly and in Go.
func TestBaseLookupOne(t *testing.T) {
	r := oracle.New(t)
	s := &new(secretWorkspace).base
	rows := tables.OddMultiplesVartime(recode.VariableDigits, recode.VariableEntries)
	for i := 0; i < len(rows); i += N / 2 {
		n := min(N/2, len(rows)-i)
		for first := range uint64(1 << recode.VariableWidth) {
			windows := first
			for lane := 1; lane < N; lane++ {
				windows |= (first + 5*uint64(lane)) % (1 << recode.VariableWidth) << (recode.VariableWidth * lane)
			}
			windows |= r.Limbs()[0] << (recode.VariableWidth * N)
			for what, f := range map[string]func(x, y *Element, minus *uint8, rows *baseOneRows, windows uint64, n int){
				"baseLookupOne": baseLookupOne, "baseLookupOneGeneric": baseLookupOneGeneric,
			} {
				s.x.random(r)
				s.y.random(r)
				f(&s.x, &s.y, &s.minus, (*baseOneRows)(tables.BaseLanesOne()[i:]), windows, n)
				s.x.bounded(t, what)
				s.y.bounded(t, what)
				for lane := range N {
					if row := lane % (N / 2); row < n {
						checkLookup(t, what, rows[i+row], recode.VariableWidth, lane, windows>>(recode.VariableWidth*lane)%(1<<recode.VariableWidth), s)
					} else if x, y := s.x.get(lane), s.y.get(lane); x.IsZero()&y.IsZero() == 0 {
						t.Fatalf("%s: something in lane %d of %d", what, lane, n)
					}
				}
			}
		}
	}
}

// TestTurn checks turn for every number of lanes.
func TestTurn(t *testing.T) {
	r := oracle.New(t)
	w := new(secretWorkspace)
	p, q := &w.base.p, &w.base.q
	for n := range N {
		for _, f := range []func(q, p *XYZZ, n int){turn, turnGeneric} {
			for _, e := range []*Element{&p.X, &p.Y, &p.ZZ, &p.ZZZ, &q.X, &q.Y, &q.ZZ, &q.ZZZ} {
				e.random(r)
			}
			before := *p
			f(q, p, n)
			for i := range N {
				for k := range 5 {
					from := (i + n) % N
					if q.X[k][i] != p.X[k][from] || q.Y[k][i] != p.Y[k][from] || q.ZZ[k][i] != p.ZZ[k][from] || q.ZZZ[k][i] != p.ZZZ[k][from] {
						t.Fatalf("by %d: lane %d is wrong", n, i)
					}
				}
			}
			if *p != before {
				t.Fatal("p changed")
			}
		}
	}
}

func BenchmarkBaseOne(b *testing.B) {
	var p group.Jacobian
	k, one := baseException, scalar.FromLimbs(1, 0, 0, 0)
	for b.Loop() {
		BaseOne(&p, &k)
		k.Add(&k, &one)
	}
}

func BenchmarkBase(b *testing.B) {
	for _, n := range []int{8, 32, 256} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, k := make([]*group.Jacobian, n), make([]*scalar.Scalar, n)
			for i := range k {
				s := baseException
				k[i], p[i] = &s, new(group.Jacobian)
			}
			for b.Loop() {
				Base(p, k)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/point")
		})
	}
}

// BenchmarkBaseRoutines measures the look-up of one window, for eight scalars and for one scalar that is spread over
// eight lanes, and the routine that moves sums to other lanes.
func BenchmarkBaseRoutines(b *testing.B) {
	w := new(secretWorkspace)
	s, words := &w.base, (*baseWords)(w.bases.words[0][:])
	for _, c := range []struct {
		name string
		run  func(i int)
	}{
		{"baseLookup", func(i int) {
			baseLookup(&s.x, &s.y, &s.minus, &tables.BaseLanes()[i%recode.LanesDigits], words, i%64)
		}},
		{"baseLookupOne", func(i int) {
			baseLookupOne(&s.x, &s.y, &s.minus, (*baseOneRows)(tables.BaseLanesOne()[i*N/2%24:]), uint64(i)*0x9e3779b97f4a7c15, N/2)
		}},
		{"turn", func(int) { turn(&s.q, &s.p, 4) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				c.run(i)
				i++
			}
		})
	}
}

// TestBaseWipes checks that no secrets remain in the workspace that a multiplication has used.
func TestBaseWipes(t *testing.T) {
	r := oracle.New(t)
	s := scalarOf(r.Scalar())
	var p [20]group.Jacobian
	var to []*group.Jacobian
	var scalars []*scalar.Scalar
	for i := range p {
		to, scalars = append(to, &p[i]), append(scalars, &s)
	}
	for name, multiply := range map[string]func(){
		"BaseOne": func() { BaseOne(&p[0], &s) },
		"Base":    func() { Base(to, scalars) },
	} {
		seen := 0
		for range 100 { // try again, because the pool may return another workspace
			w := secretWorkspaces.Get().(*secretWorkspace)
			secretWorkspaces.Put(w)
			multiply()
			again := secretWorkspaces.Get().(*secretWorkspace)
			if again == w {
				seen++
				if again.base != (baseStep{}) || again.bases != (baseSums{}) {
					t.Fatalf("%s leaves secrets behind", name)
				}
			}
			secretWorkspaces.Put(again)
		}
		if seen == 0 {
			t.Errorf("%s: no workspace was seen again", name)
		}
	}
}
