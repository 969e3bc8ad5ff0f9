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
	one := func(name string, operands ...string) doubleStep {
		step := doubleStep{name: name, operands: map[string]memory{}}
		for _, p := range operands {
			step.operands[p] = element(p, 0)
		}
		return step
	}
	lanes := func(step doubleStep) doubleStep {
		step.mask = "k"
		return step
	}
	e.inDoubles("mul", "", []doubleStep{one("product", "r", "a", "b")})
	for i, name := range []string{"squareN", "squarePairN", "squareTripleN"} {
		var steps []doubleStep
		for j := range i + 1 {
			steps = append(steps, doubleStep{name: "square", operands: map[string]memory{"r": element("r", j), "a": element("a", j)}})
		}
		e.inDoubles(name, "n", append(steps, doubleStep{code: func(r *doubleRoutine) {
			r.comment("the next squares are those of the results")
			r.MOVQ(r.pointer("r"), r.pointer("a"))
		}}))
	}
	e.inDoubles("add", "", []doubleStep{one("sum", "r", "a", "b")})
	e.inDoubles("sub", "", []doubleStep{one("difference1", "r", "a", "b")})
	e.inDoubles("negate", "", []doubleStep{lanes(one("flip", "r", "a"))})
	e.inDoubles("blend", "", []doubleStep{lanes(one("merge", "r", "a", "b"))})
	e.inDoubles("pack", "", []doubleStep{{name: "toWords", operands: map[string]memory{"r": {"w", 0}, "a": element("a", 0)}}})
	for _, r := range pointsInLanes {
		e.formulaInDoubles(s, r)
	}
	m, t := func(i int) memory { return element("m", i) }, func(i int) memory { return element("", i) }
	call := func(name string, r memory, operands ...memory) doubleStep {
		l := doublesLowering{}
		l.call(name, r, operands...)
		return l.steps[0]
	}
	flip := func(r, a memory) doubleStep {
		step := call("flip", r, a)
		step.all = true
		return step
	}
	complete := []doubleStep{
		call("timesBeta", m(2), m(0)), call("sum", m(3), m(0), m(2)), flip(m(3), m(3)), call("carry2", m(1), m(1)), flip(m(4), m(1)),
	}
	z, ratio := element("z", 0), element("ratio", 0)
	e.inDoubles("complete", "", complete)
	e.inDoubles("completeRescaled", "", append([]doubleStep{
		call("product", z, z, ratio), call("square", t(0), z), call("product", m(0), m(0), t(0)), call("product", t(0), t(0), z), call("product", m(1), m(1), t(0)),
	}, complete...))
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
	{"difference2", "r = 2·(a − b)", func(d *doubles) laneElement { return d.carry(d.each(d.a, d.b, d.difference), 2) }},
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
	e.subroutine("fromWords", "fromWords sets r to the integers in the words a.", func(d *doubles) {
		d.begin("r", "")
		var w []*vec
		for k := range 4 {
			w = append(w, d.load(memory{"a", k}, 64, false))
		}
		d.keep(element("r", 0), d.ofWords(w))
	})
	e.subroutine("toWords", "toWords sets the words r to a, reduced modulo p.", func(d *doubles) {
		d.begin("r", "")
		for k, w := range d.toWords(d.a) {
			d.store(memory{"r", k}, w)
		}
	})
}

// transpose4 emits code that stores words of eight integers on the stack, from a vector on. row loads the integer of a
// lane.
func (r *doubleRoutine) transpose4(vector int, row func(lane int, result reg.VecPhysical)) {
	r.comment("words 0 to 3 of lanes 0 to 3, and then of lanes 4 to 7")
	for half := range 2 {
		for lane := range 4 {
			row(4*half+lane, ymm[lane])
		}
		for i := range 2 {
			r.VPUNPCKLQDQ(ymm[1+2*i], ymm[2*i], ymm[4+2*i])
			r.VPUNPCKHQDQ(ymm[1+2*i], ymm[2*i], ymm[5+2*i])
		}
		for i := range 4 {
			r.VPERM2I128(Imm(0x20+0x11*uint64(i/2)), ymm[6+i%2], ymm[4+i%2], ymm[i])
			m := r.address(memory{"", vector + i})
			r.VMOVDQU(ymm[i], m.Offset(32*half))
		}
	}
}

// loaded returns the steps that load an element by rows: code to the words on the stack, and a call.
func loaded(m memory, row func(r *doubleRoutine, lane int, result reg.VecPhysical)) doubleStep {
	return doubleStep{
		name: "fromWords", operands: map[string]memory{"r": m, "a": element("", 0)},
		code: func(r *doubleRoutine) {
			r.transpose4(0, func(lane int, result reg.VecPhysical) { row(r, lane, result) })
		},
	}
}

// loadInDoubles emits a routine that loads items with the given number of coordinates.
func (e *emitter) loadInDoubles(name string, coordinates int) {
	bytes := coordinates * coordinateBytes
	steps := []doubleStep{{code: func(r *doubleRoutine) {
		r.pointers["a"], r.pointers["n"] = r.get(), r.get()
		r.Load(r.Param("a").Base(), r.pointers["a"])
		r.Load(r.Param("a").Len(), r.pointers["n"])
	}}}
	for i := range coordinates {
		steps = append(steps, loaded(element("r", i), func(r *doubleRoutine, lane int, result reg.VecPhysical) {
			item := reg.RDX
			r.LEAQ(Mem{Base: r.pointers["a"], Disp: lane * bytes}, item)
			r.CMPQ(r.pointers["n"], Imm(uint64(lane)))
			r.CMOVQLE(r.pointers["a"], item) // lanes without an item get item 0
			r.VMOVDQU(Mem{Base: item, Disp: i * coordinateBytes}, result)
		}))
	}
	e.inDoubles(name, "", steps)
}

// gatherInDoubles emits the routine that loads points from arbitrary addresses.
func (e *emitter) gatherInDoubles() {
	var steps []doubleStep
	for i, param := range []string{"x", "y"} {
		steps = append(steps, loaded(element(param, 0), func(r *doubleRoutine, lane int, result reg.VecPhysical) {
			r.MOVQ(Mem{Base: r.pointer("p"), Disp: 8 * lane}, reg.RDX)
			r.VMOVDQU(Mem{Base: reg.RDX, Disp: i * coordinateBytes}, result)
		}))
	}
	e.inDoubles("gatherVartime", "", steps)
}

// gatherGeneratorInDoubles emits the look-up in the table of G.
func (e *emitter) gatherGeneratorInDoubles() {
	chosen := func(j int, a, b memory) doubleStep { // the factor a in the lanes of a set of lanes of the digit, b in the others
		return doubleStep{name: "merge", operands: map[string]memory{"r": element("", 1), "a": a, "b": b}, code: func(r *doubleRoutine) {
			r.MOVBQZX(Mem{Base: r.pointer("d"), Disp: generatorPlaces*vectorBytes + (j+1)*generatorPlaces, Index: r.pointer("i"), Scale: 1}, maskRegister)
		}}
	}
	var steps []doubleStep
	for i, param := range []string{"x", "ny"} {
		row := func(r *doubleRoutine, lane int, result reg.VecPhysical) {
			if lane == 0 {
				r.MOVQ(r.pointer("i"), reg.RSI)
				r.SHLQ(Imm(6), reg.RSI)
				r.ADDQ(r.pointer("d"), reg.RSI)
			}
			r.MOVQ(Mem{Base: reg.RSI, Disp: 8 * lane}, reg.RDX)
			r.VMOVDQU(Mem{Base: r.pointer("table"), Disp: i * coordinateBytes, Index: reg.RDX, Scale: 1}, result)
		}
		factor := func(j int) memory { return element("f", j) }
		steps = append(steps, loaded(element(param, 0), row))
		if i == 0 {
			steps = append(steps, chosen(1, factor(1), factor(0)), chosen(2, factor(2), element("", 1)))
		} else {
			steps = append(steps, chosen(0, factor(4), factor(3)))
		}
		m := element(param, 0)
		steps = append(steps, doubleStep{name: "product", operands: map[string]memory{"r": m, "a": m, "b": element("", 1)}})
	}
	e.inDoubles("gatherGeneratorVartime", "", steps)
}
