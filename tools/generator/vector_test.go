package main

import (
	"math/big"
	"os"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/tools/generator/formula"
)

func newVectors() *vectors {
	return &vectors{emitter: newEmitter("lanes"), constants: map[uint64]*vec{}, loads: map[memory]*vec{}}
}

// TestVectorBounds asks for what would lose bits.
func TestVectorBounds(t *testing.T) {
	whole := func(e *vectors, n uint) *vec { return e.load(memory{"a", 64 * int(n)}, n, false) }
	dirty := func(e *vectors) *vec { return e.load(memory{"a", 0}, 64, true) }
	for _, c := range []struct {
		name    string
		refused bool
		do      func(e *vectors)
	}{
		{"a sum of 64 bits", false, func(e *vectors) { e.add(whole(e, 63), whole(e, 63)) }},
		{"a sum of more", true, func(e *vectors) { e.add(whole(e, 64), whole(e, 1)) }},
		{"a difference", false, func(e *vectors) { e.sub(1<<52-1, nil, whole(e, 52)) }},
		{"a negative one", true, func(e *vectors) { e.sub(1<<52-2, nil, whole(e, 52)) }},
		{"a factor of 52 bits", false, func(e *vectors) { e.lo(nil, whole(e, 52), dirty(e)) }},
		{"a factor of 53", true, func(e *vectors) { e.lo(nil, dirty(e), whole(e, 53)) }},
		{"a product on 2⁶⁴ − 2⁵²", false, func(e *vectors) { e.lo(e.constant(1<<64-1<<52), dirty(e), dirty(e)) }},
		{"a product on more", true, func(e *vectors) { e.lo(e.constant(1<<64-1<<52+1), dirty(e), dirty(e)) }},
		{"a sum with bits that do not count", true, func(e *vectors) { e.add(dirty(e), whole(e, 1)) }},
		{"a difference with them", true, func(e *vectors) { e.sub(1<<63, nil, dirty(e)) }},
		{"a product on them", true, func(e *vectors) { e.hi(dirty(e), whole(e, 1), whole(e, 1)) }},
		{"a sum without them", false, func(e *vectors) { e.add(e.low(dirty(e), limb), whole(e, 63)) }},
		{"more than they leave", true, func(e *vectors) { e.low(dirty(e), limb+1) }},
		{"a shift out of the word", true, func(e *vectors) { e.shl(whole(e, 63), 2) }},
		{"an element", false, func(e *vectors) { e.check(e.given()) }},
		{"limb 4 of 50 bits", true, func(e *vectors) {
			x := e.given()
			x[4] = whole(e, 50)
			e.check(x)
		}},
		{"a square of limbs and 2⁶¹ in every column", false, func(e *vectors) {
			c := laneSum{}
			for k := range c {
				c[k] = whole(e, 61)
			}
			e.check(e.carry(e.fold(e.square(e.given(), &c))))
		}},
		{"more in every column than has room twice", true, func(e *vectors) {
			c := laneSum{}
			for k := range c {
				c[k] = whole(e, 63)
			}
			e.square(e.given(), &c)
		}},
		{"five products before one reduction", false, func(e *vectors) {
			var w laneProduct
			for range 5 {
				e.accumulate(&w, e.given(), e.given())
			}
			e.check(e.carry(e.fold(w)))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if r := recover(); (r != nil) != c.refused {
					t.Errorf("refused: %v", r)
				}
			}()
			c.do(newVectors())
		})
	}
}

// TestBias holds that what is added before a subtraction is a multiple of p, column by column larger, and not by much.
func TestBias(t *testing.T) {
	p := new(big.Int).Sub(pow2(256), big.NewInt(c))
	for n := uint(1); n < 63; n++ {
		e := newVectors()
		var x laneSum
		for k := range x {
			x[k] = e.load(memory{"a", 64 * k}, n, false)
		}
		sum := new(big.Int)
		for k, b := range bias(x) {
			if b < x[k].most || b >= max(1<<53, uint64(3)<<n) {
				t.Errorf("%#x for columns of %d bits", b, n)
			}
			sum.Add(sum, new(big.Int).Lsh(new(big.Int).SetUint64(b), limb*uint(k)))
		}
		if sum.Mod(sum, p).Sign() != 0 {
			t.Errorf("no multiple of p for columns of %d bits", n)
		}
	}
}

// TestOrder holds that all instructions come once, after those that they wait for, and stores after the loads before them.
func TestOrder(t *testing.T) {
	e := newVectors()
	x := e.element(memory{"a", 0})
	y := e.carry(e.fold(e.square(x, nil)))
	e.keepElement(memory{"a", 0}, y)
	var w laneProduct
	e.accumulate(&w, y, x) // as it was before
	e.keepElement(memory{"b", 0}, e.carry(e.fold(w)))
	code := needed(e.code, nil)
	list := ordered(code, nil)
	if len(list) != len(code) || slices.Equal(list, code) {
		t.Fatalf("%d instructions of %d, or nothing in another order", len(list), len(code))
	}
	at := map[*vec]int{}
	for i, v := range list {
		at[v] = i
	}
	for i, v := range list {
		for _, o := range v.of {
			if j, is := at[o]; !is || j >= i {
				t.Fatalf("instruction %d is before what it needs", i)
			}
		}
	}
	for _, v := range code {
		for _, s := range code[slices.Index(code, v):] {
			if s.what == store && slices.ContainsFunc(v.of, func(o *vec) bool { return o.what == load }) && at[s] < at[v] {
				t.Fatal("a store before what has to be read")
			}
		}
	}
}

// TestSigns looks at the signs of doubling and of mixed addition, each of which has one subtraction of a product.
func TestSigns(t *testing.T) {
	s, err := formula.Read(os.DirFS("../../internal/group"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		formula      string
		negated      []string
		subtractions int
	}{
		{"doubleNGeneric", []string{"p.Y"}, 1},
		{"doubleNGeneric", nil, 2},
		{"addMixedGeneric", []string{"y"}, 2},
		{"addMixedGeneric", nil, 3},
	} {
		r := inLanes{formula: c.formula, negated: c.negated}
		f, err := s.Formula(c.formula, formula.Machine{
			Fits: func([]formula.Term) bool { return true },
			Scale: map[string]formula.Scale{
				"double":          {In: map[string]int{"a.Y": 1}, Out: map[string]int{"p.X": 2, "p.Y": 4, "p.Z": 1}},
				"addMixedGeneric": {In: map[string]int{"a.Y": 1, "y": 1}, Out: map[string]int{"p.X": 2, "p.Y": 4, "p.Z": 1}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		keepProducts(f)
		l := &lowering{inLanes: r, f: f}
		l.chooseSigns()
		if n := l.subtractions(); n != c.subtractions {
			t.Errorf("%s with −%v: %d subtractions, want %d", c.formula, c.negated, n, c.subtractions)
		}
	}
}
