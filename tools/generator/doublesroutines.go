package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"p256k1.mleku.dev/v2/tools/generator/formula"
)

// This file lists the routines of package lanes that have a version in doubles, and emits those that are no formulas.

// lanesInDoubles emits the versions for processors with FMA.
func (e *emitter) lanesInDoubles(s *formula.Source) {
	e.subroutinesInDoubles()
	r, a, b := element("r", 0), element("a", 0), element("b", 0)
	e.inDoubles("mul", "", calling("product", r, a, b))
	next := func() {
		e.comment("the next squares are those of the results")
		e.MOVQ(e.pointer("r"), e.pointer("a"))
	}
	for i, name := range []string{"squareN", "squarePairN", "squareTripleN"} {
		var steps []doubleStep
		for j := range i + 1 {
			steps = append(steps, calling("square", element("r", j), element("a", j)))
		}
		e.inDoubles(name, "n", append(steps, doubleStep{code: next})...)
	}
	e.inDoubles("add", "", calling("sum", r, a, b))
	e.inDoubles("sub", "", calling("difference1", r, a, b))
	e.inDoubles("negate", "", calling("flip", r, a).masked("k"))
	e.inDoubles("blend", "", calling("merge", r, a, b).masked("k"))
	e.inDoubles("pack", "", calling("toWords", memory{"w", 0}, a))
	for _, r := range pointsInLanes {
		e.formulaInDoubles(s, r)
	}
	m, t := func(i int) memory { return element("m", i) }, element("", 0)
	complete := []doubleStep{
		calling("timesBeta", m(2), m(0)), calling("sum", m(3), m(0), m(2)),
		calling("flip", m(3), m(3)).masked(allLanes),
		calling("carry2", m(1), m(1)), calling("flip", m(4), m(1)).masked(allLanes),
	}
	e.inDoubles("complete", "", complete...)
	z, ratio := element("z", 0), element("ratio", 0)
	e.inDoubles("completeRescaled", "", append([]doubleStep{
		calling("product", z, z, ratio), calling("square", t, z), calling("product", m(0), m(0), t),
		calling("product", t, t, z), calling("product", m(1), m(1), t),
	}, complete...)...)
	e.loadInDoubles("loadElements", 1)
	e.loadInDoubles("loadPoints", 2)
	e.gatherInDoubles()
	e.gatherGeneratorInDoubles()
	e.doubleConstants()
}

// subroutines lists the subroutines that compute an element from elements, by equations.
var subroutines = []struct {
	name, equation string
	value          func(d *doubles) laneElement
}{
	{"product", "r = a·b", func(d *doubles) laneElement { return d.reduce(d.product(d.a, d.b), 0) }},
	{"productPlus", "r = a·b + y", func(d *doubles) laneElement { return d.reduce(d.product(d.a, d.b), 1) }},
	{"productMinus", "r = a·b − y", func(d *doubles) laneElement { return d.reduce(d.product(d.a, d.b), -1) }},
	{"square", "r = a²", func(d *doubles) laneElement { return d.reduce(d.product(d.a, d.a), 0) }},
	{"squareMinus", "r = a² − y", func(d *doubles) laneElement { return d.reduce(d.product(d.a, d.a), -1) }},
	{"timesBeta", "r = β·a", func(d *doubles) laneElement { return d.reduce(d.product(d.a, d.beta()), 0) }},
	{"carry2", "r = 2·a", func(d *doubles) laneElement { return d.carry(d.a, 2) }},
	{"carry3", "r = 3·a", func(d *doubles) laneElement { return d.carry(d.a, 3) }},
	{"sum", "r = a + b", func(d *doubles) laneElement { return d.carry(d.each(d.a, d.b, d.sum), 1) }},
	{"difference1", "r = a − b", func(d *doubles) laneElement { return d.carry(d.each(d.a, d.b, d.difference), 1) }},
	{"difference2", "r = 2·(a − b)", func(d *doubles) laneElement {
		return d.carry(d.each(d.a, d.b, d.difference), 2)
	}},
	{"twice", "r = 2·a, not carried", func(d *doubles) laneElement { return d.each(d.a, d.a, d.sum) }},
	{"plus", "r = a + b, not carried", func(d *doubles) laneElement { return d.each(d.a, d.b, d.sum) }},
	{"twicePlus", "r = 2·a + b, of which only limb 0 is carried", func(d *doubles) laneElement {
		return d.carry0(d.each(d.each(d.a, d.a, d.sum), d.b, d.sum))
	}},
	{"merge", "r = a in the lanes of the mask, and r = b in the others", func(d *doubles) laneElement {
		return d.each(d.a, d.b, func(a, b *vec) *vec { return d.op(merge, a, b, d.lanes()) })
	}},
	{"flip", "r = −a in the lanes of the mask, and r = a in the others", func(d *doubles) laneElement {
		minus := d.op(and, d.lanes(), d.constant(1<<63))
		return d.each(d.a, d.a, func(a, _ *vec) *vec { return d.op(exclusiveOr, a, minus) })
	}},
}

// subroutinesInDoubles emits the subroutines.
func (e *emitter) subroutinesInDoubles() {
	for _, s := range subroutines {
		e.subroutine(s.name, s.name+" sets "+s.equation, func(d *doubles) {
			d.begin("r", s.equation)
			d.keep(element("r", 0), s.value(d))
		})
	}
	e.subroutine("fromWords", "fromWords sets r to the integers in the words a", func(d *doubles) {
		d.begin("r", "")
		var w []*vec
		for k := range 4 {
			w = append(w, d.load(memory{"a", k}, 64, false))
		}
		d.keep(element("r", 0), d.ofWords(w))
	})
	e.subroutine("toWords", "toWords sets the words r to a, reduced modulo p", func(d *doubles) {
		d.begin("r", "")
		for k, w := range d.toWords(d.a) {
			d.store(memory{"r", k}, w)
		}
	})
}

// loaded returns the step that sets m to eight integers: code that stores their words on the stack, and a call. row
// loads the integer of a lane.
func (e *emitter) loaded(m memory, row func(lane int, result reg.VecPhysical)) doubleStep {
	words := element("", 0)
	s := calling("fromWords", m, words)
	s.code = func() {
		e.comment("words 0 to 3 of lanes 0 to 3, and then of lanes 4 to 7")
		for half := range 2 {
			for lane := range 4 {
				row(4*half+lane, ymm[lane])
			}
			for i := range 2 {
				e.VPUNPCKLQDQ(ymm[1+2*i], ymm[2*i], ymm[4+2*i])
				e.VPUNPCKHQDQ(ymm[1+2*i], ymm[2*i], ymm[5+2*i])
			}
			for i := range 4 {
				e.VPERM2I128(Imm(0x20+0x11*uint64(i/2)), ymm[6+i%2], ymm[4+i%2], ymm[i])
				e.VMOVDQU(ymm[i], e.location(words.plus(i)).Offset(vectorBytes/2*half))
			}
		}
	}
	return s
}

// loadInDoubles emits a routine that loads items with the given number of coordinates.
func (e *emitter) loadInDoubles(name string, coordinates int) {
	steps := []doubleStep{{code: func() {
		e.pointers["a"], e.pointers["n"] = e.get(), e.get()
		e.Load(e.Param("a").Base(), e.pointers["a"])
		e.Load(e.Param("a").Len(), e.pointers["n"])
	}}}
	for i := range coordinates {
		steps = append(steps, e.loaded(element("r", i), func(lane int, result reg.VecPhysical) {
			item := reg.RDX
			e.LEAQ(Mem{Base: e.pointers["a"], Disp: lane * coordinates * coordinateBytes}, item)
			if lane > 0 { // lanes without an item get item 0, which exists
				e.CMPQ(e.pointers["n"], Imm(uint64(lane)))
				e.CMOVQLE(e.pointers["a"], item)
			}
			e.VMOVDQU(Mem{Base: item, Disp: i * coordinateBytes}, result)
		}))
	}
	e.inDoubles(name, "", steps...)
}

// gatherInDoubles emits the routine that loads points from arbitrary addresses.
func (e *emitter) gatherInDoubles() {
	var steps []doubleStep
	for i, param := range []string{"x", "y"} {
		steps = append(steps, e.loaded(element(param, 0), func(lane int, result reg.VecPhysical) {
			e.MOVQ(Mem{Base: e.pointer("p"), Disp: 8 * lane}, reg.RDX)
			e.VMOVDQU(Mem{Base: reg.RDX, Disp: i * coordinateBytes}, result)
		}))
	}
	e.inDoubles("gatherVartime", "", steps...)
}

// gatherGeneratorInDoubles emits the look-up in the table of G.
func (e *emitter) gatherGeneratorInDoubles() {
	factor, chosen := func(j int) memory { return element("f", j) }, element("", 1)
	// choose sets chosen to a in lane set j of the digit, and to b in the other lanes.
	choose := func(j int, a, b memory) doubleStep {
		s := calling("merge", chosen, a, b)
		s.code = func() {
			lanes := generatorPlaces*vectorBytes + (j+1)*generatorPlaces
			e.MOVBQZX(Mem{Base: e.pointer("d"), Disp: lanes, Index: e.pointer("i"), Scale: 1}, maskRegister)
		}
		return s
	}
	load := func(i int, m memory) doubleStep {
		return e.loaded(m, func(lane int, result reg.VecPhysical) {
			if lane == 0 {
				e.MOVQ(e.pointer("i"), reg.RSI)
				e.SHLQ(Imm(6), reg.RSI)
				e.ADDQ(e.pointer("d"), reg.RSI)
			}
			e.MOVQ(Mem{Base: reg.RSI, Disp: 8 * lane}, reg.RDX)
			entry := Mem{Base: e.pointer("table"), Disp: i * coordinateBytes, Index: reg.RDX, Scale: 1}
			e.VMOVDQU(entry, result)
		})
	}
	x, ny := element("x", 0), element("ny", 0)
	e.inDoubles("gatherGeneratorVartime", "",
		load(0, x), choose(1, factor(1), factor(0)), choose(2, factor(2), chosen), calling("product", x, x, chosen),
		load(1, ny), choose(0, factor(4), factor(3)), calling("product", ny, ny, chosen))
}
