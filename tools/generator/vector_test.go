package main

import "testing"

// TestVectorBounds asks for operations that would lose bits.
func TestVectorBounds(t *testing.T) {
	whole := func(e *vectors, n uint) *vec { return e.load(memory{"a", int(n)}, n, false) }
	dirty := func(e *vectors) *vec { return e.load(element("a", 0), 64, true) }
	for _, c := range []struct {
		name    string
		refused bool
		do      func(e *vectors)
	}{
		{"a sum of 64 bits", false, func(e *vectors) { e.add(whole(e, 63), whole(e, 63)) }},
		{"a sum of more", true, func(e *vectors) { e.add(whole(e, 64), whole(e, 1)) }},
		{"a difference", false, func(e *vectors) { e.sub(1<<52-1, nil, whole(e, 52)) }},
		{"a negative difference", true, func(e *vectors) { e.sub(1<<52-2, nil, whole(e, 52)) }},
		{"a factor of 52 bits", false, func(e *vectors) { e.lo(nil, whole(e, 52), dirty(e)) }},
		{"a factor of 53 bits", true, func(e *vectors) { e.lo(nil, dirty(e), whole(e, 53)) }},
		{"a product added to 2⁶⁴ − 2⁵²", false, func(e *vectors) { e.lo(e.constant(1<<64-1<<52), dirty(e), dirty(e)) }},
		{"a product added to more", true, func(e *vectors) { e.lo(e.constant(1<<64-1<<52+1), dirty(e), dirty(e)) }},
		{"a sum with bits that do not count", true, func(e *vectors) { e.add(dirty(e), whole(e, 1)) }},
		{"a difference with such bits", true, func(e *vectors) { e.sub(1<<63, nil, dirty(e)) }},
		{"a product added to such bits", true, func(e *vectors) { e.hi(dirty(e), whole(e, 1), whole(e, 1)) }},
		{"a sum after such bits are cleared", false, func(e *vectors) { e.add(e.low(dirty(e), limb), whole(e, 63)) }},
		{"more bits than count", true, func(e *vectors) { e.low(dirty(e), limb+1) }},
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
			e.check(e.carry(e.fold(e.square(e.given(), c))))
		}},
		{"columns too large to double", true, func(e *vectors) {
			c := laneSum{}
			for k := range c {
				c[k] = whole(e, 63)
			}
			e.square(e.given(), c)
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
			if refused := refuses(func() { c.do(newVectors(newEmitter("lanes"))) }); refused != c.refused {
				t.Errorf("refused: %t", refused)
			}
		})
	}
}

// refuses reports whether emit panics.
func refuses(emit func()) (refused bool) {
	defer func() { refused = recover() != nil }()
	emit()
	return false
}
