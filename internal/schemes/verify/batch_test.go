package verify

import (
	"crypto/sha256"
	"math/big"
	mathrand "math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// judge sets has to the verdicts of an ECDSA batch on claims about points or, if a is nil, about encodings. It judges
// the batch after a third of the claims have been added, and again after all have been added. If d is nil, the divisor
// of all claims is 1.
func judge(has []bool, x, k []curve.Scalar, a []curve.Point, encoded [][33]byte, g, d []curve.Scalar) {
	var b ECDSA
	divisor := new(curve.Scalar).SetUint64(1)
	for i := range has {
		if d != nil {
			divisor = &d[i]
		}
		if a != nil {
			b.AddPoint(&x[i], &k[i], &a[i], &g[i], divisor)
		} else {
			b.Add(&x[i], &k[i], &encoded[i], &g[i], divisor)
		}
		if i == len(has)/3 {
			b.JudgeVartime()
		}
	}
	copy(has, b.JudgeVartime())
}

// TestECDSAEdges judges sums whose x coordinates are edge cases, some of them n or more. The claim r = x mod n must be
// accepted, and r + p − n must be refused, because r + n must not wrap modulo p.
func TestECDSAEdges(t *testing.T) {
	r := oracle.New(t)
	sums := oracle.EdgePoints()
	n := len(sums)
	k, ks := scalarsOf(r, n)
	d, ds := scalarsOf(r, n)
	g, gs := scalarsOf(r, n)
	a, x, other := make([]curve.Point, n), make([]curve.Scalar, n), make([]curve.Scalar, n)
	gap := new(big.Int).Sub(oracle.P, oracle.N)
	for i := range sums {
		for ks[i].Sign() == 0 || ds[i].Sign() == 0 {
			ks[i], ds[i] = r.Scalar(), r.Scalar()
		}
		k[i].Set(toScalar(ks[i]))
		d[i].Set(toScalar(ds[i]))
		a[i].Set(toPoint(r, sums[i].Mul(ds[i]).Add(oracle.G.Mul(fn.Neg(gs[i]))).Mul(fn.Inv(ks[i]))))
		x[i].Set(toScalar(fn.Reduce(sums[i].X)))
		other[i].Set(toScalar(fn.Add(sums[i].X, gap)))
	}
	equal, has, encoded := make([]bool, n), make([]bool, n), make([][33]byte, n)
	for i := range encoded {
		encoded[i] = [33]byte(a[i].Bytes())
	}
	for i, claimed := range [][]curve.Scalar{x, other} {
		want := i == 0
		judge(equal, claimed, k, a, nil, g, d)
		judge(has, claimed, k, nil, encoded, g, d)
		if !slices.Equal(has, equal) {
			t.Errorf("with encoded points %v, want %v", has, equal)
		}
		for i := range equal {
			if equal[i] != want {
				t.Errorf("%x is the x coordinate of %x: %v", claimed[i].Bytes(), sums[i], equal[i])
			}
		}
	}
}

// TestECDSAOfBytes judges batches of 0 to 19 claims, and a large batch, about valid and invalid encodings, with many or
// with few different points. Some divisors and scalars are 0, some batches have no divisors, and some sums are
// infinity.
func TestECDSAOfBytes(t *testing.T) {
	r := oracle.New(t)
	logs := []*big.Int{big.NewInt(1), oracle.Lambda, r.ValidScalar(), r.ValidScalar()}
	for round := range 40 {
		n := round / 2
		if round == 39 {
			n = parts.Sums + 30
		}
		k, ks := scalarsOf(r, n)
		d, ds := scalarsOf(r, n)
		if n%3 == 2 {
			d = nil
			for i := range ds {
				ds[i] = big.NewInt(1)
			}
		}
		g, gs := scalarsOf(r, n)
		x, a, has, want := make([]curve.Scalar, n), make([][33]byte, n), make([]bool, n), make([]bool, n)
		for i := range n {
			p := r.Point()
			if p.IsInfinity() {
				p = oracle.G
			}
			few := round%2 != 0
			e := logs[r.IntN(len(logs))]
			if few {
				p = oracle.G.Mul(e)
			}
			a[i] = [33]byte(p.Compressed())
			switch r.IntN(12) {
			case 0:
				a[i][0] ^= 1
				p = p.Neg()
			case 1:
				if !few {
					e = r.ValidScalar()
				}
				gs[i] = fn.Neg(fn.Mul(ks[i], e)) // −k·e for p = e·G
				if ks[i].Sign() != 0 {
					p = oracle.G.Mul(e)
					a[i] = [33]byte(p.Compressed())
				}
				g[i].Set(toScalar(gs[i]))
			}
			sum := p.Mul(fn.Mul(ks[i], fn.Inv(ds[i]))).Add(oracle.G.Mul(fn.Mul(gs[i], fn.Inv(ds[i]))))
			if want[i] = !sum.IsInfinity(); want[i] {
				x[i].Set(toScalar(fn.Reduce(sum.X)))
			}
			switch r.IntN(8) {
			case 0:
				x[i].Add(&x[i], new(curve.Scalar).SetUint64(1))
				want[i] = false
			case 1:
				if few {
					a[i][0] |= 4
				} else {
					a[i][0] = []byte{0, 1, 4, 6, 7, 0x82}[r.IntN(6)]
				}
				want[i] = false
			case 2:
				bad := oracle.BadX()
				if few {
					bad = bad[:2]
				}
				*(*[32]byte)(a[i][1:]) = bad[r.IntN(len(bad))]
				want[i] = false
			}
		}
		judge(has, x, k, nil, a, g, d)
		if !slices.Equal(has, want) {
			t.Fatalf("%v, want %v", has, want)
		}
	}
}

// claim is the claim that k·A + g·G = R, where a and r are the x coordinates of A and R, and both points have even y.
type claim struct {
	k, g curve.Scalar
	a, r [32]byte
}

// claims returns n true claims about the given number of different points A.
func claims(r *oracle.Rand, n, keys int) []claim {
	all := make([]claim, n)
	for i := range all {
		c := &all[i]
		e := big.NewInt(int64(i%keys + 2)) // the logarithm of A
		A := oracle.G.Mul(e)
		if A.Y.Bit(0) == 1 {
			e = fn.Neg(e)
		}
		k, t := r.ValidScalar(), r.ValidScalar() // R = t·G
		R := oracle.G.Mul(t)
		if R.Y.Bit(0) == 1 {
			t = fn.Neg(t)
		}
		c.k.Set(toScalar(k))
		c.g.Set(toScalar(fn.Sub(t, fn.Mul(k, e))))
		c.a, c.r = oracle.Bytes(A.X), oracle.Bytes(R.X)
	}
	return all
}

func (b *Schnorr) addClaims(all []claim) {
	for i := range all {
		c := &all[i]
		b.Add(&c.k, &c.a, &c.g, &c.r)
	}
}

// TestSchnorr makes few or many claims of a batch false, each in one of several ways. The sizes of the batches are near
// the numbers from which on claims are combined.
func TestSchnorr(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{0, 1, 2, 3, 8, 9, 10, 47, 48, 49, 120, 257} {
		for _, broken := range []int{0, 1, n / 4, n} {
			all := claims(r, n, 1+r.IntN(n+1))
			var want []int
			var b Schnorr
			for i := range all {
				c := &all[i]
				if i < n-broken {
					continue
				}
				want = append(want, i)
				switch bad := oracle.BadX(); r.IntN(6) {
				case 0:
					c.g.Add(&c.g, &c.k)
				case 1:
					c.k.Negate(&c.k)
				case 2:
					c.r = bad[r.IntN(len(bad))]
				case 3:
					c.a = bad[r.IntN(len(bad))]
				case 4: // −R
					c.k.Negate(&c.k)
					c.g.Negate(&c.g)
				case 5: // infinity
					c.k, c.g = curve.Scalar{}, curve.Scalar{}
				}
			}
			b.addClaims(all[:n/2])
			b.AllVartime()
			b.addClaims(all[n/2:])
			for range 2 {
				if got := b.InvalidVartime(nil); !slices.Equal(got, want) || b.AllVartime() != (len(want) == 0) {
					t.Fatalf("of %d claims these are not true: %v, want %v", n, got, want)
				}
			}
		}
	}
}

// TestFlood checks when a batch of 600 claims combines them, by whether it draws weights: not after a call that found
// many false claims, even if Reset came between, but again after as many claims of which none was false. Malformed
// items are no flood. The sample of the first call consists of other items in each batch.
func TestFlood(t *testing.T) {
	r := oracle.New(t)
	good := claims(r, 600, 600)
	bad := slices.Clone(good)
	for i := range 100 {
		bad[i].g.Add(&bad[i].g, &bad[i].k)
	}
	noPoint := slices.Clone(good)
	for i := range 100 {
		noPoint[i].r = [32]byte{31: 5} // no point has x = 5
		noPoint[100+i].a = [32]byte{31: 5}
	}
	var b Schnorr
	for i, call := range []struct {
		all      []claim
		combines bool
		verify   bool
	}{
		{bad, true, false}, {bad, false, false}, {good, false, false}, {good, true, false}, {noPoint, true, false}, {good, true, false},
		{bad, true, true}, {bad, false, true}, {good, false, true}, {good, true, true}, {bad, true, false}, {nil, false, false},
		{bad[:3], false, false}, {good[:8], false, false}, {good, false, true}, {good, true, true},
		{bad, true, false}, {good[:300], false, false}, {good[:299], false, false}, {good, false, false}, {good, true, false},
		{bad, true, false}, {good[:300], false, false}, {good[:300], false, false}, {good, true, false},
		{bad, true, false}, {good[:300], false, false}, {bad[:300], false, false}, {good[:300], false, false}, {good, true, false},
		{bad, true, false}, {bad[:300], false, false}, {good[:300], false, false}, {good[:300], false, false}, {good, true, false},
	} {
		b.Reset()
		b.addClaims(call.all)
		b.weight = nil
		if call.verify {
			b.AllVartime()
			if finds := call.combines && &call.all[0] == &bad[0]; finds != (b.judged == 0) {
				t.Errorf("call %d: AllVartime judges %d items", i, b.judged)
			}
		}
		weight := slices.Clone(b.weight)
		invalid := b.InvalidVartime(nil)
		if len(weight) > 0 && weight[0].Limbs() != b.weight[0].Limbs() {
			t.Errorf("call %d: the sum of all items is computed again", i)
		}
		if combined := b.weight != nil; combined != call.combines {
			t.Errorf("call %d: combines: %v, want %v", i, combined, call.combines)
		}
		if (len(invalid) == 0) != (len(call.all) == 0 || &call.all[0] == &good[0]) {
			t.Errorf("call %d: %d items are not valid", i, len(invalid))
		}
	}
	var samples [3][]int32
	for i := range samples {
		var b Schnorr
		b.addClaims(good)
		b.InvalidVartime(nil)
		samples[i] = slices.Sorted(slices.Values(b.items[:platform.Sample(len(good))]))
		if len(samples[i]) == 0 || (i > 0 && slices.Equal(samples[i], samples[i-1])) {
			t.Errorf("two samples are %v", samples[i])
		}
	}
}

// TestNarrow checks the verdicts on 450 claims of which one is false, or one of each half, with and without AllVartime
// before.
func TestNarrow(t *testing.T) {
	good := claims(oracle.New(t), 450, 450)
	for _, want := range [][]int{{0}, {224}, {225}, {449}, {0, 449}} {
		all := slices.Clone(good)
		for _, i := range want {
			all[i].g.Add(&all[i].g, &all[i].k)
		}
		for _, verify := range []bool{false, true} {
			var b Schnorr
			b.addClaims(all)
			if verify && b.AllVartime() {
				t.Errorf("all are valid, want all but %v", want)
			}
			if invalid := b.InvalidVartime(nil); !slices.Equal(invalid, want) {
				t.Errorf("%v are not valid, want %v", invalid, want)
			}
		}
	}
}

// TestSample checks that the first call of a batch of false claims computes only the points R of its sample, and a call
// after one without false claims all points R.
func TestSample(t *testing.T) {
	r := oracle.New(t)
	good := claims(r, 300, 300)
	bad := slices.Clone(good)
	for i := range bad {
		bad[i].g.Add(&bad[i].g, &bad[i].k)
	}
	var b Schnorr
	for i, all := range [][]claim{bad, good, bad} {
		b.Reset()
		b.addClaims(all)
		b.InvalidVartime(nil)
		n := 0
		for _, s := range b.stateR {
			if s == lifted {
				n++
			}
		}
		if want := [...]int{platform.Sample(300), 0, 300}[i]; i != 1 && n != want {
			t.Errorf("call %d lifts %d points, want %d", i, n, want)
		}
	}
}

// TestGarbage checks, with 60 claims by 10 keys, that malformed items neither make a combination of few claims nor
// leave work to AllVartime, and that the point of each R is computed once.
func TestGarbage(t *testing.T) {
	r := oracle.New(t)
	all := claims(r, 60, 10)
	var b Schnorr
	b.addClaims(all)
	b.AddMalformed()
	if b.AllVartime() || b.stateR[0] != encoded {
		t.Error("a malformed item is valid, or leaves work to do")
	}
	b.Reset()
	b.addClaims(all[:7])
	for range 1000 {
		b.AddMalformed()
	}
	if invalid := b.InvalidVartime(nil); len(invalid) != 1000 || invalid[0] != 7 || b.weight != nil {
		t.Errorf("%d items are not valid, want 1000, without weights", len(invalid))
	}
	b.Reset()
	all[58].a, all[59].r = [32]byte{31: 5}, [32]byte{31: 5} // no point has x = 5
	b.addClaims(all)
	for range 2 {
		if b.AllVartime() || b.combined > 0 {
			t.Error("a claim about no point is valid, or summed")
		}
		clear(b.rx) // no point has x = 0
	}
	if invalid := b.InvalidVartime(nil); !slices.Equal(invalid, []int{58, 59}) {
		t.Errorf("%v are not valid, want 58 and 59", invalid)
	}
	b.countVartime([]int32{58, 59})
	if b.bad > 0 {
		t.Errorf("%d claims about no point count as false", b.bad)
	}
}

// TestSchnorrWeights adds each power of two to each scalar in turn, and checks that all weights change, even if the
// random bytes stay the same.
func TestSchnorrWeights(t *testing.T) {
	r := oracle.New(t)
	all := claims(r, 5, 2)
	weightsAfter := func(set func(*Schnorr)) (weights [][4]uint64) {
		var b Schnorr
		b.addClaims(all)
		set(&b)
		for i := range all {
			weights = append(weights, b.weight[i].Limbs())
		}
		return weights
	}
	weights := func(fresh [32]byte) [][4]uint64 { return weightsAfter(func(b *Schnorr) { b.setWeights(fresh) }) }
	drawn := func() [][4]uint64 { return weightsAfter((*Schnorr).drawWeights) }
	base := weights([32]byte{})
	if !slices.Equal(base, weights([32]byte{})) {
		t.Error("the weights of the same items differ")
	}
	differ := func(what string, all [][4]uint64) {
		t.Helper()
		for i, w := range all {
			if slices.Contains(base, w) {
				t.Fatalf("%s: weight %d did not change", what, i)
			}
		}
	}
	differ("randomness", weights([32]byte{31: 1}))
	differ("drawing weights", drawn())
	base = drawn()
	differ("drawing them again", drawn())
	base = weights([32]byte{})
	for i := range all {
		for name, s := range map[string]*curve.Scalar{"k": &all[i].k, "g": &all[i].g} {
			for bit := range 256 {
				was := *s
				s.Add(s, toScalar(new(big.Int).Lsh(one, uint(bit))))
				differ(name, weights([32]byte{}))
				*s = was
			}
		}
	}
	all[0], all[1] = all[1], all[0]
	differ("two items exchanged", weights([32]byte{}))
	all = all[:4]
	differ("an item less", weights([32]byte{}))
	for i, w := range base {
		if i > 0 && w == base[0] {
			t.Error("two weights are the same")
		}
	}
}

// TestSchnorrWeightsStream computes the weights of many items again: the bytes of the stream, 16 for each weight a + 1
// + b·λ. So no part of a weight is shorter than it should be.
func TestSchnorrWeightsStream(t *testing.T) {
	r := oracle.New(t)
	distinct := claims(r, 300, 3)
	for _, n := range []int{1, 17, 300, 20_000} {
		var b Schnorr
		for i := 0; i < n; i += len(distinct) {
			b.addClaims(distinct[:min(len(distinct), n-i)])
		}
		fresh := [32]byte(r.Bytes(32))
		h := sha256.New()
		h.Write(fresh[:])
		for i := range n {
			for _, s := range []*scalar.Scalar{&b.k[i], &b.g[i]} {
				var text [32]byte
				s.FillBytes(&text)
				h.Write(text[:])
			}
		}
		stream := mathrand.NewChaCha8([32]byte(h.Sum(nil)))
		b.setWeights(fresh)
		for i := range n {
			var w [16]byte
			stream.Read(w[:])
			want := fn.Add(fn.Add(oracle.Int(w[:8]), one), fn.Mul(oracle.Int(w[8:]), oracle.Lambda))
			if got := b.weight[i].Limbs(); got != scalarOf(toScalar(want)).Limbs() {
				t.Fatalf("%d items: weight %d is %x, want %x", n, i, got, want)
			}
		}
	}
}

// TestSchnorrWeightsAnew uses one Schnorr for as many items again and again, after Reset and without it. Each call that
// combines items must draw all weights anew: AllVartime, the first search, which has a sample, and later searches. In
// call 0 a claim is false, so that no search follows.
func TestSchnorrWeightsAnew(t *testing.T) {
	var b Schnorr
	all, seen := claims(oracle.New(t), 300, 3), make(map[[4]uint64]bool)
	search := func() bool { return b.InvalidVartime(nil) == nil }
	verdict := b.AllVartime
	for call, judge := range []func() bool{verdict, search, search, verdict, verdict, verdict, search, verdict, search} {
		if call < 6 {
			b.Reset()
		}
		if call == 0 {
			wrong := slices.Clone(all)
			wrong[0].g = wrong[1].g
			b.addClaims(wrong)
		} else {
			b.addClaims(all)
		}
		if judge() != (call > 0) {
			t.Errorf("call %d: a wrong verdict", call)
		}
		if len(b.weight) != b.Len() {
			t.Errorf("call %d: %d weights for %d claims", call, len(b.weight), b.Len())
		}
		for i := range b.weight {
			w := b.weight[i].Limbs()
			if seen[w] {
				t.Fatalf("call %d: weight %d occurred before", call, i)
			}
			seen[w] = true
		}
	}
}

// TestJudgesOnce checks, with few items, that no item is judged twice, even if further items are added between two
// calls.
func TestJudgesOnce(t *testing.T) {
	r := oracle.New(t)
	all := claims(r, 6, 6)
	all[1].r = all[2].r
	var b Schnorr
	b.addClaims(all[:4])
	if b.AllVartime() {
		t.Fatal("true with another R")
	}
	clear(b.k) // if items were judged again, all verdicts would be false
	b.addClaims(all[4:])
	for range 2 {
		if got := b.InvalidVartime(nil); !slices.Equal(got, []int{1}) || b.AllVartime() {
			t.Errorf("%v are not true, want 1 alone", got)
		}
	}
	b.Reset()
	if !b.AllVartime() || b.InvalidVartime(nil) != nil {
		t.Error("an empty batch has items that are not valid")
	}

	var e ECDSA
	x := toScalar(fn.Reduce(oracle.G.Mul(big.NewInt(2)).X))
	unit := new(curve.Scalar).SetUint64(1)
	e.AddPoint(x, unit, new(curve.Point).SetGenerator(), unit, unit)
	if !e.JudgeVartime()[0] {
		t.Fatal("G + G is not 2G")
	}
	clear(e.k)
	e.AddMalformed()
	e.AddPoint(x, unit, new(curve.Point), unit, unit)
	if got := e.JudgeVartime(); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("%v", got)
	}
}

// TestKeys adds keys as encodings and as points, with and without tables, and checks that Reset removes all of them.
func TestKeys(t *testing.T) {
	r := oracle.New(t)
	var s keys
	want := make(map[[33]byte]int32)
	for i := range 500 {
		p := r.Point()
		if p.IsInfinity() || i%3 == 0 {
			p = oracle.G.Mul(big.NewInt(int64(1 + r.IntN(9))))
		}
		b := [33]byte(p.Compressed())
		place, ok := want[b]
		if !ok {
			place = int32(len(want))
			want[b] = place
		}
		got := int32(0)
		if byPoint := r.IntN(2) == 0; byPoint {
			got = s.numberOfPoint(valueOf(toPoint(r, p)))
		} else {
			got = s.numberOf(&b)
		}
		if got != place || len(s.all) != len(want) {
			t.Fatalf("key %x has the index %d of %d, want %d of %d", b, got, len(s.all), place, len(want))
		}
	}
	s.reset()
	if s.numberOfPoint(valueOf(new(curve.Point))) >= 0 {
		t.Error("infinity has a number")
	}
	G := new(curve.Point).SetGenerator().PrecomputeVartime()
	encoding := [33]byte(G.Bytes())
	s.numberOf(&encoding)
	if s.all[0].table.Multiples != nil || s.all[0].state != encoded {
		t.Error("more is known than the encoding")
	}
	s.numberOfPoint(valueOf(G))
	s.numberOfPoint(valueOf(new(curve.Point).SetGenerator()))
	if s.all[0].table.Multiples == nil || s.all[0].state != lifted {
		t.Error("a table is lost")
	}
	s.reset()
	if s.all[:1][0].table.Multiples != nil {
		t.Error("a table is kept")
	}
}

// TestChunkForgetsTables checks that a chunk refers to no table after it has judged its items.
func TestChunkForgetsTables(t *testing.T) {
	one := new(curve.Scalar).SetUint64(1)
	var b ECDSA
	b.AddPoint(one, one, new(curve.Point).SetGenerator(), one, one)
	b.AddPoint(one, one, new(curve.Point).SetGenerator().PrecomputeVartime(), one, one)
	w := new(chunk)
	w.load(&b.sums, 0, &b.keys.all[b.key[0]])
	w.load(&b.sums, 1, &b.keys.all[b.key[1]])
	if w.items[1].Table.Multiples == nil {
		t.Fatal("a table is not loaded")
	}
	w.judgeVartime(&b.sums, lifted)
	for i := range w.items {
		if w.items[i].Table.Multiples != nil {
			t.Errorf("the table of item %d is kept", i)
		}
	}
}

// TestSumsOfBytes compares sums with the oracle. Some encodings are invalid, and some sums are infinity.
func TestSumsOfBytes(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{0, 1, 2, 9, 40, parts.Sums, parts.Sums + 3} {
		k, ks := scalarsOf(r, n)
		g, gs := scalarsOf(r, n)
		d, ds := scalarsOf(r, n)
		p, a, want := make([]curve.Point, n), make([][33]byte, n), make([]oracle.Point, n)
		for i := range n {
			e := r.ValidScalar()
			A := oracle.G.Mul(e)
			a[i] = [33]byte(A.Compressed())
			p[i].SetGenerator()
			if i%5 == 0 {
				gs[i] = fn.Neg(fn.Mul(ks[i], e))
				g[i].Set(toScalar(gs[i]))
			}
			want[i] = A.Mul(ks[i]).Add(oracle.G.Mul(gs[i])).Mul(fn.Inv(ds[i]))
			switch bad := oracle.BadX(); r.IntN(12) {
			case 0:
				a[i][0] ^= 4
				want[i] = oracle.Point{}
			case 1:
				copy(a[i][1:], bad[r.IntN(len(bad))][:])
				want[i] = oracle.Point{}
			}
		}
		sumsOfBytes(p, k, a, g, d)
		for i := range p {
			if !is(&p[i], want[i]) || valueOf(&p[i]).Known.Normalized == want[i].IsInfinity() {
				t.Fatalf("%d of %d: %x, want %x", i, n, p[i].Bytes(), want[i])
			}
		}
	}
}

// sumsOfBytes sets p[i] = (k[i]·A + g[i]·G)/d[i] for the point A that a[i] encodes.
func sumsOfBytes(p []curve.Point, k []curve.Scalar, a [][33]byte, g, d []curve.Scalar) {
	clear(p)
	SumsOfBytesVartime(len(p), func(i int, ki *curve.Scalar, ai *[33]byte, gi, di *curve.Scalar) bool {
		ki.Set(&k[i])
		gi.Set(&g[i])
		di.Set(&d[i])
		*ai = a[i]
		return true
	}, func(i int, sum *curve.Point) { p[i].Set(sum) })
}

// TestAllocations checks that judging a single claim allocates nothing, and that a batch that is reused for equally
// many claims allocates nothing.
func TestAllocations(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a garbage collection allocates
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))  // a change of GOMAXPROCS empties pools
	r := oracle.New(t)
	c := claims(r, 120, 20)
	encodings, p, s := make([][33]byte, len(c)), make([]curve.Point, len(c)), make([]curve.Scalar, len(c))
	for i := range c {
		encodings[i] = [33]byte(append([]byte{2}, c[i].a[:]...))
		s[i].Set(&c[i].g)
	}
	point := toPoint(r, oracle.G)
	k, g := &c[0].k, &c[0].g
	var schnorr Schnorr
	var ecdsa ECDSA
	for name, f := range map[string]func(){
		"XModNVartime":        func() { XModNVartime(k, point, g, g) },
		"XModNOfBytesVartime": func() { XModNOfBytesVartime(k, encodings[0][:], g, g) },
		"EvenYVartime":        func() { EvenYVartime(k, point, g, c[0].r[:]) },
		"EvenYOfBytesVartime": func() { EvenYOfBytesVartime(k, c[0].a[:], g, c[0].r[:]) },
		"SumOfBytesVartime":   func() { SumOfBytesVartime(&p[0], k, encodings[0][:], g) },
		"SumsOfBytesVartime":  func() { sumsOfBytes(p, s, encodings, s, s) },
		"Schnorr": func() {
			schnorr.Reset()
			schnorr.addClaims(c)
			schnorr.AllVartime()
		},
		"few of Schnorr": func() {
			schnorr.Reset()
			schnorr.addClaims(c[:7])
			schnorr.AllVartime()
		},
		"ECDSA": func() {
			ecdsa.Reset()
			for i := range c {
				ecdsa.Add(&c[i].k, &c[i].k, &encodings[i], &c[i].g, &c[i].g)
			}
			ecdsa.JudgeVartime()
		},
	} {
		for range 30 { // sums need slightly different amounts of memory
			f()
		}
		if n := testing.AllocsPerRun(3, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
