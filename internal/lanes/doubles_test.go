package lanes

import (
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
)

// limbBound returns the largest absolute value of limb k of a reduced element.
func limbBound(k int) int64 {
	if k == 0 {
		return 1<<51 + 1<<36
	}
	return 1<<50 + 16
}

// randomDoubles sets all lanes to reduced elements: to random limbs, to limbs at and near powers of two, or to limbs at
// their bounds with equal or random signs.
func (e *Element) randomDoubles(r *oracle.Rand) {
	for i := range N {
		var x doubles
		kind, minus := r.IntN(5), r.IntN(2)
		for k := range x {
			limb := limbBound(k)
			switch kind {
			case 0:
				limb = []int64{0, 1, 1 << 50, 1<<50 - 1, limb - 1, limb}[r.IntN(6)]
			case 1:
				limb = r.Int64N(2 << r.IntN(50))
			case 2:
				limb = r.Int64N(limb + 1)
			}
			x[k] = float64(limb)
			if kind < 4 {
				minus = r.IntN(2)
			}
			if minus != 0 {
				x[k] = -x[k]
			}
		}
		e.setDoubles(i, x)
	}
}

// doublesValue returns the integer in lane i, modulo p. It fails the test if the lane is not reduced.
func (e *Element) doublesValue(t *testing.T, name string, i int) *big.Int {
	t.Helper()
	v := new(big.Int)
	for k, place := range [5]uint{0, 52, 103, 154, 205} {
		limb := math.Float64frombits(e[k][i])
		if math.Trunc(limb) != limb || math.Abs(limb) > float64(limbBound(k)) {
			t.Fatalf("%s: limb %d of lane %d is %.1f", name, k, i, limb)
		}
		v.Add(v, new(big.Int).Lsh(big.NewInt(int64(limb)), place))
	}
	return oracle.Fp.Reduce(v)
}

// TestDoublesWords loads and packs integers below 2²⁵⁶, and packs reduced elements.
func TestDoublesWords(t *testing.T) {
	r, e := oracle.New(t), elements()
	for range oracle.Cases(3000) {
		n := 1 + r.IntN(N)
		a, p, addresses := make([]laneElement, n), make([]lanePoint, N), new(pointers)
		random := func() field.Element {
			l := r.Limbs()
			return field.FromLimbs(l[0], l[1], l[2], l[3])
		}
		for i := range p {
			p[i] = group.Affine{X: random(), Y: random()}
			a[i%n] = p[i].X
			addresses[i] = &p[i]
		}
		var loaded Affine
		loadElementsDoubles(&e[0], a)
		loadPointsDoubles(&loaded, p[:n])
		e[1], e[2] = loaded.X, loaded.Y
		gatherDoubles(&e[3], &e[4], addresses)
		e[5].randomDoubles(r)
		for j := range 6 {
			var w Words
			packDoubles(&w, &e[j])
			for i := range N {
				got := e[j].doublesValue(t, "loaded element", i)
				item := [6]*field.Element{&a[inLane(i, n)], &p[inLane(i, n)].X, &p[inLane(i, n)].Y, &p[i].X, &p[i].Y}[j]
				if item != nil && got.Cmp(oracle.Fp.Reduce(oracle.FromLimbs(item.Limbs()))) != 0 {
					t.Fatalf("load %d of %d items: %x in lane %d, want %x", j, n, got, i, item.Limbs())
				}
				if packed := oracle.FromLimbs([4]uint64{w[0][i], w[1][i], w[2][i], w[3][i]}); packed.Cmp(got) != 0 {
					t.Fatalf("%x is packed as %x", got, packed)
				}
			}
		}
	}
	t.Logf("result: %d cases of each conversion on lanes with math/big", N*oracle.Cases(3000))
}

// A version of the routines for public data: the integer twins, the twins in doubles, or assembly.
type version struct {
	mul, add, sub     func(r, a, b *Element)
	squareN           func(r, a *Element, n int)
	squarePairN       func(r, a *[2]Element, n int)
	squareTripleN     func(r, a *[3]Element, n int)
	negate            func(r, a *Element, k uint8)
	blend             func(r, a, b *Element, k uint8)
	pack              func(w *Words, a *Element)
	doubleNegateN     func(p *Jacobian2Y, n int)
	doubleNegatePairN func(p *[2]Jacobian2Y, n int)
	addMixed          func(p *Jacobian2Y, x, ny *Element, k uint8)
	addCoZ            func(p, u, q *Affine, ratio *Element)
	addAffinePair     func(a, b *[2]Affine, before, inverse *[2]Element)
	addMixedXYZZ      func(p *XYZZ, x, y *Element, minus, k uint8)
	addXYZZ           func(p, q *XYZZ)
	complete          func(m *multiple)
	completeRescaled  func(m *multiple, z, ratio *Element)
	gatherPoint       func(x, ny *Element, table *multiples, d *pointDigits, i int)
	gatherGenerator   func(x, ny *Element, table *tables.Generator, d *generatorDigits, i int, f *isomorphism)
	gather            func(x, y *Element, p *pointers)
	loadElements      func(r *Element, a []laneElement)
	loadPoints        func(r *Affine, a []lanePoint)
}

var (
	inIntegers = version{
		mulGeneric, addGeneric, subGeneric, squareNGeneric, squarePairNGeneric, squareTripleNGeneric, negateGeneric, blendGeneric,
		packGeneric, doubleNegateNGeneric, doubleNegatePairNGeneric, addMixedGeneric, addCoZGeneric, addAffinePairGeneric,
		addMixedXYZZGeneric, addXYZZGeneric, completeGeneric, completeRescaledGeneric, gatherPointVartimeGeneric,
		gatherGeneratorVartimeGeneric, gatherVartimeGeneric, loadElementsGeneric, loadPointsGeneric,
	}
	inGoDoubles = version{
		mulDoubles, addDoubles, subDoubles, squareNDoubles, squarePairNDoubles, squareTripleNDoubles, negateDoubles, blendDoubles,
		packDoubles, doubleNegateNDoubles, doubleNegatePairNDoubles, addMixedDoubles, addCoZDoubles, addAffinePairDoubles,
		addMixedXYZZDoubles, addXYZZDoubles, completeDoubles, completeRescaledDoubles, gatherPointVartimeGeneric,
		gatherGeneratorDoubles, gatherDoubles, loadElementsDoubles, loadPointsDoubles,
	}
)

// operands holds operands of the routines.
type operands struct {
	r, a, b        *Element
	r2, a2         *[2]Element
	r3, a3         *[3]Element
	j              *Jacobian2Y
	jj             *[2]Jacobian2Y
	p, u, q        *Affine
	pp, qq         *[2]Affine
	s, t           *XYZZ
	m              *multiple
	table          *multiples
	f              *isomorphism
	w              *Words
	pointDigits    *pointDigits
	generatorDigit *generatorDigits
	items          *[N]laneElement
	points         *[N]lanePoint

	generator *tables.Generator
	chosen    pointers // of points
	memory    [][]uint64
	elements  []*Element // all elements before w
}

// newOperands returns operands in memory from a function that returns n zeros.
func newOperands(zeros func(n int) []uint64) *operands {
	o := &operands{generator: tables.RegularGeneratorVartime()}
	for _, pointer := range []any{
		&o.r, &o.a, &o.b, &o.r2, &o.a2, &o.r3, &o.a3, &o.j, &o.jj, &o.p, &o.u, &o.q, &o.pp, &o.qq, &o.s, &o.t, &o.m, &o.table, &o.f,
		&o.w, &o.pointDigits, &o.generatorDigit, &o.items, &o.points,
	} {
		v := reflect.ValueOf(pointer).Elem()
		m := zeros(int(v.Type().Elem().Size()+7) / 8)
		v.Set(reflect.NewAt(v.Type().Elem(), unsafe.Pointer(&m[0])))
		o.memory = append(o.memory, m)
		if o.w == nil {
			for ; len(m) > 0; m = m[5*N:] {
				o.elements = append(o.elements, (*Element)(unsafe.Pointer(&m[0])))
			}
		}
	}
	return o
}

// zerosOnHeap returns n zeros.
func zerosOnHeap(n int) []uint64 { return make([]uint64, n) }

// set copies all operands.
func (o *operands) set(from *operands) {
	for i, m := range from.memory {
		copy(o.memory[i], m)
	}
	for i, p := range from.chosen {
		for j := range from.points {
			if p == &from.points[j] {
				o.chosen[i] = &o.points[j]
			}
		}
	}
}

// random sets all operands.
func (o *operands) random(r *oracle.Rand, scalars []halves) {
	halfway := r.IntN(3) == 0
	for _, e := range o.elements {
		e.randomDoubles(r)
		for i := 0; halfway && i < N; i++ { // many products halfway between two multiples of 2⁵¹
			x := e.doubles(i)
			for k := range x {
				x[k] = math.Copysign(float64(uint64(1)<<(24+r.IntN(4))), x[k])
			}
			e.setDoubles(i, x)
		}
	}
	item := func() field.Element {
		l := r.Limbs()
		if r.IntN(8) == 0 {
			l = [4]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
		}
		return field.FromLimbs(l[0], l[1], l[2], l[3])
	}
	for i := range N {
		o.items[i], o.points[i] = item(), group.Affine{X: item(), Y: item()}
		o.chosen[i] = &o.points[r.IntN(N)]
	}
	recodePointVartimeGeneric(o.pointDigits, &scalars[r.IntN(len(scalars))], &digitClasses)
	recodeGeneratorVartimeGeneric(o.generatorDigit, &scalars[r.IntN(len(scalars))], nil)
	if r.IntN(8) == 0 { // the first and the last entries
		for i := range N {
			o.generatorDigit.offset[0][i] = uint64(i%2) * 64 * (recode.RegularGeneratorEntries - 1)
			last := uint64((entryRows*recode.RegularPointEntries - 1) * rowBytes)
			o.pointDigits.x[0][i], o.pointDigits.y[0][i] = uint64(i%2)*last+8*uint64(i), uint64(1-i%2)*last+8*uint64(i)
		}
	}
}

// A run calls a routine of a version.
type run struct {
	name, how string
	call      func(v *version, o *operands)
}

// runs returns calls of all routines, with the masks k and minus, n repetitions or items, and digit i.
func runs(k, minus uint8, n, i int) (all []run) {
	add := func(name, how string, call func(v *version, o *operands)) { all = append(all, run{name, how, call}) }
	for _, c := range []struct {
		how      string
		operands func(o *operands) (r, a, b *Element)
	}{
		{"", func(o *operands) (r, a, b *Element) { return o.r, o.a, o.b }},
		{" over a", func(o *operands) (r, a, b *Element) { return o.a, o.a, o.b }},
		{" over b", func(o *operands) (r, a, b *Element) { return o.b, o.a, o.b }},
		{" with b = a", func(o *operands) (r, a, b *Element) { return o.r, o.a, o.a }},
		{" over a, with b = a", func(o *operands) (r, a, b *Element) { return o.a, o.a, o.a }},
	} {
		element := func(name string, call func(v *version, r, a, b *Element)) {
			add(name, c.how, func(v *version, o *operands) {
				r, a, b := c.operands(o)
				call(v, r, a, b)
			})
		}
		element("mul", func(v *version, r, a, b *Element) { v.mul(r, a, b) })
		element("add", func(v *version, r, a, b *Element) { v.add(r, a, b) })
		element("sub", func(v *version, r, a, b *Element) { v.sub(r, a, b) })
		element("squareN", func(v *version, r, a, _ *Element) { v.squareN(r, a, n) })
		element("negate", func(v *version, r, a, _ *Element) { v.negate(r, a, k) })
		element("blend", func(v *version, r, a, b *Element) { v.blend(r, a, b, k) })
	}
	add("squarePairN", "", func(v *version, o *operands) { v.squarePairN(o.r2, o.a2, n) })
	add("squarePairN", " over a", func(v *version, o *operands) { v.squarePairN(o.a2, o.a2, n) })
	add("squareTripleN", "", func(v *version, o *operands) { v.squareTripleN(o.r3, o.a3, n) })
	add("squareTripleN", " over a", func(v *version, o *operands) { v.squareTripleN(o.a3, o.a3, n) })
	add("pack", "", func(v *version, o *operands) { v.pack(o.w, o.a) })
	add("doubleNegateN", "", func(v *version, o *operands) { v.doubleNegateN(o.j, n) })
	add("doubleNegatePairN", "", func(v *version, o *operands) { v.doubleNegatePairN(o.jj, n) })
	add("addMixed", "", func(v *version, o *operands) { v.addMixed(o.j, o.a, o.b, k) })
	add("addCoZ", "", func(v *version, o *operands) { v.addCoZ(o.p, o.u, o.q, o.r) })
	add("addAffinePair", "", func(v *version, o *operands) { v.addAffinePair(o.pp, o.qq, o.a2, o.r2) })
	add("addMixedXYZZ", "", func(v *version, o *operands) { v.addMixedXYZZ(o.s, o.a, o.b, minus, k) })
	add("addXYZZ", "", func(v *version, o *operands) { v.addXYZZ(o.s, o.t) })
	add("complete", "", func(v *version, o *operands) { v.complete(o.m) })
	add("completeRescaled", "", func(v *version, o *operands) { v.completeRescaled(o.m, o.r, o.a) })
	add("gatherPoint", "", func(v *version, o *operands) { v.gatherPoint(o.r, o.a, o.table, o.pointDigits, i) })
	add("gatherGenerator", "", func(v *version, o *operands) {
		v.gatherGenerator(o.r, o.a, o.generator, o.generatorDigit, i%recode.RegularGeneratorDigits, o.f)
	})
	add("gather", "", func(v *version, o *operands) { v.gather(o.r, o.a, &o.chosen) })
	add("loadElements", " of first items", func(v *version, o *operands) { v.loadElements(o.r, o.items[:n]) })
	add("loadElements", " of last items", func(v *version, o *operands) { v.loadElements(o.r, o.items[N-n:]) })
	add("loadPoints", " of first points", func(v *version, o *operands) { v.loadPoints(o.p, o.points[:n]) })
	add("loadPoints", " of last points", func(v *version, o *operands) { v.loadPoints(o.p, o.points[N-n:]) })
	return all
}

// TestDoublesRuns calls each routine of the table with a twin in doubles.
func TestDoublesRuns(t *testing.T) {
	var want, got []string
	for _, r := range platform.Routines {
		if r.AMD64 == platform.WithLanes {
			want = append(want, strings.TrimSuffix(r.Name, "Vartime"))
		}
	}
	for _, r := range runs(0, 0, 1, 0) {
		got = append(got, r.name)
	}
	slices.Sort(want)
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("runs calls %v, want %v", got, want)
	}
}

// TestDoublesIntegers compares the twins in doubles with the twins that compute with integers, for every mask of lanes
// and random coordinates, which belong to no point. It also computes each lane with other lanes beside it, which must
// not change the lane.
func TestDoublesIntegers(t *testing.T) {
	r := oracle.New(t)
	all, _ := numbers(r)
	classesOnce.Do(buildClasses)
	start, w, again := newOperands(zerosOnHeap), newOperands(zerosOnHeap), newOperands(zerosOnHeap)
	integers, v := newOperands(zerosOnHeap), newOperands(zerosOnHeap)
	rounds := max(256, oracle.Cases(600))
	for round := range rounds {
		k := uint8(round)
		changed := r.IntN(N)
		start.random(r, all)
		integers.set(start)
		var packed, want Words
		for j, e := range start.elements {
			packDoubles(&packed, e)
			unpackGeneric(integers.elements[j], &packed)
		}
		for _, f := range runs(k, uint8(r.Uint64()), 1+r.IntN(4), r.IntN(recode.RegularPointDigits)) {
			w.set(start)
			v.set(integers)
			again.set(start)
			for _, e := range again.elements {
				e[r.IntN(5)][changed] = math.Float64bits(3)
			}
			f.call(&inGoDoubles, w)
			f.call(&inIntegers, v)
			f.call(&inGoDoubles, again)
			if *w.w != *v.w {
				t.Fatalf("%s: %x, want %x", f.name, *w.w, *v.w)
			}
			for j, got := range w.elements {
				if *got == *start.elements[j] && *v.elements[j] == *integers.elements[j] {
					continue
				}
				packDoubles(&packed, got)
				packGeneric(&want, v.elements[j])
				if packed != want {
					t.Fatalf("%s%s, lanes %08b: element %d is %x, want %x", f.name, f.how, k, j, packed, want)
				}
				for lane := range N {
					got.doublesValue(t, f.name, lane)
					if lane != changed && got.doubles(lane) != again.elements[j].doubles(lane) {
						t.Fatalf("%s%s: element %d, lane %d depends on lane %d", f.name, f.how, j, lane, changed)
					}
				}
			}
		}
	}
	t.Logf("result: %d cases of each routine in doubles on lanes with integers", N*rounds)
}
