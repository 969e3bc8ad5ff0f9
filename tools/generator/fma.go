package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file has the vector instructions of AVX2 and FMA3, and the frame of routines in doubles.
//
// A routine in doubles is a list of calls of subroutines, such as a product or a carry. Written without calls, a point
// addition has 17 KB, more than the processors keep decoded, and takes 1.7 times as long. A subroutine runs twice: for
// lanes 0 to 3, and for lanes 4 to 7, which are 32 bytes further. Its operands are elements in memory. Registers point
// 128 bytes behind their beginnings, because distances from −128 to 127 make instructions shorter.

// fma has 16 vector registers.
type fma struct{ *emitter }

// The registers of a subroutine.
var (
	operandRegisters = map[string]gp{"r": reg.RDI, "a": reg.RSI, "b": reg.RDX, "y": reg.R8}
	maskRegister     = reg.R9  // the lanes, in the subroutines that take lanes
	constants        = reg.R10 // constants
	scratch          = reg.R11 // elements on the stack
	counter          = reg.RCX // counts the halves
)

// nearby is the distance from an operand to where a register points.
const nearby = 128

var ymm = []reg.VecPhysical{
	reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
	reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
}

// fmaSchedule describes a processor that begins two products and two sums in every cycle.
var fmaSchedule = schedule{ahead: 100, pressure: 13, product: 4, other: 3, width: 2, patient: true}

func (t *fma) registers() []reg.VecPhysical        { return ymm }
func (t *fma) move(source, result Op)              { t.VMOVAPD(source, result) }
func (t *fma) load(m Op, _ bool, result Op)        { t.VMOVUPD(m, result) }
func (t *fma) store(source, m Op)                  { t.VMOVUPD(source, m) }
func (t *fma) reload() int                         { return 3 }
func (t *fma) constant(n uint64) (home Op, _ bool) { return t.fourWords([4]uint64{n, n, n, n}), false }

// fourWords returns the memory that holds four words.
func (t *fma) fourWords(words [4]uint64) Mem {
	i := slices.Index(t.four, words)
	if i < 0 {
		i, t.four = len(t.four), append(t.four, words)
	}
	return Mem{Base: constants, Disp: 32*i - nearby}
}

func (t *fma) forms() map[instruction][]func(...Op) {
	three := func(form func(o, r, x Op)) []func(...Op) {
		return []func(...Op){func(list ...Op) { form(list[0], list[1], list[2]) }}
	}
	return map[instruction][]func(...Op){
		plusDouble:  {t.VADDPD},
		minusDouble: {t.VSUBPD},
		timesDouble: {t.VMULPD},
		add:         {t.VPADDQ},
		subtract:    {t.VPSUBQ},
		and:         three(t.VPAND),
		or:          three(t.VPOR),
		exclusiveOr: three(t.VPXOR),
		shiftRight:  {t.VPSRLQ},
		shiftLeft:   {t.VPSLLQ},
		// The digits in these names say which operands are multiplied: see fused.
		fusedPlus:  {t.VFMADD231PD, t.VFMADD132PD},
		fusedMinus: {t.VFMSUB231PD, t.VFMSUB132PD},
	}
}

func (t *fma) instruction(a *allocator, v *vec) {
	switch v.what {
	case merge:
		r, mask := a.register(v.operands[1]), a.register(v.operands[2])
		o, _ := a.operand(v.operands[0])
		t.VBLENDVPD(mask, o, r, a.result(v))
	case lanesOf:
		bits, r := t.fourWords([4]uint64{1, 2, 4, 8}), a.place(v, a.room())
		low := r.(reg.VecPhysical).AsX()
		t.VMOVQ(maskRegister, low)
		t.VPBROADCASTQ(low, r)
		t.VPAND(bits, r, r)
		t.VPCMPEQQ(bits, r, r)
	default:
		t.fused(a, v)
	}
}

// fused emits a product and a sum with one rounding. The result takes the register of an operand that is used for the
// last time or, if there is none, of a copy of the summand. The digits in the names of the instructions say which
// operands are multiplied: in 231 the second and the third, in 132 the first and the third, where the first operand is
// the result, which is last here, and the third is first here and may be in memory.
func (t *fma) fused(a *allocator, v *vec) {
	forms := t.forms()[v.what]
	x, y, s := v.operands[0], v.operands[1], v.operands[2]
	dies := func(w *vec) bool { return a.holdsAny(w) && w.uses[len(w.uses)-1] == a.position }
	if !dies(x) && (dies(y) || (a.holdsAny(x) && !a.holdsAny(y))) {
		x, y = y, x
	}
	if dies(s) || x == y || !a.holdsAny(s) || (a.holdsAny(x) && !dies(x)) {
		a.locked = append(a.locked, s)
		o, _, r := a.commuted(x, y)
		forms[0](o, r, a.over(v, s))
		return
	}
	a.locked = append(a.locked, x)
	r := a.register(s)
	o, _ := a.operand(y)
	forms[1](o, r, a.over(v, x))
}

// A subroutine has a comment, and needs some of the following of the routines in doubles that call it.
type subroutine struct {
	doc   string
	needs int
}

const (
	needsRounding  = 1 << iota // the processor rounds to nearest
	needsConstants             // a register points to the constants
	needsStack                 // a register points to vectors on the stack
)

// subroutine emits a subroutine.
func (e *emitter) subroutine(name, doc string, describe func(d *doubles)) {
	e.current = name
	e.Function(name)
	e.Attributes(attr.NOSPLIT | attr.NOFRAME)
	e.pointers = operandRegisters
	d := &doubles{vectors: newVectors(e)}
	d.a, d.b, d.added = d.element(element("a", 0)), d.element(element("b", 0)), d.element(element("y", 0))
	describe(d)
	d.code = fmaSchedule.ordered(needed(d.code, nil), nil)
	a := &allocator{vectors: d.vectors, target: &fma{e}, stack: scratch, nearby: nearby}
	e.MOVL(U32(2), counter.As32())
	e.Label("half")
	a.allocate(nil, nil)
	needs, moved := 0, map[string]bool{"": true}
	if a.spills > 0 {
		needs = needsStack
	}
	for _, v := range d.code {
		switch v.what {
		case constant, lanesOf:
			needs |= needsConstants
		case plusDouble, minusDouble, timesDouble, fusedPlus, fusedMinus:
			needs |= needsRounding
		}
		if p := v.mem.param; !moved[p] {
			moved[p] = true
			e.ADDQ(Imm(uint64(a.size())), operandRegisters[p])
		}
	}
	if d.known[content{what: lanesOf}] != nil {
		e.SHRQ(Imm(4), maskRegister)
	}
	e.repeat(counter, "half")
	e.RET()
	e.subroutines[name] = subroutine{doc, needs}
	e.spilled = max(e.spilled, a.spills)
}

// doubleStep is a step of a routine: a call of a subroutine, with its operands by register, or other code.
type doubleStep struct {
	comment  string
	name     string
	operands map[string]memory // memory without a parameter is on the stack
	mask     string            // the mask parameter, or allLanes, or "" if the subroutine has no mask
	code     func()            // emits code before the call, or instead of it
}

const allLanes = "all lanes"

// calling returns the step that calls a subroutine.
func calling(name string, r memory, operands ...memory) doubleStep {
	s := doubleStep{name: name, operands: map[string]memory{"r": r}}
	for i, m := range operands {
		s.operands[[]string{"a", "b", "y"}[i]] = m
	}
	return s
}

// masked returns the step with a mask.
func (s doubleStep) masked(mask string) doubleStep {
	s.mask = mask
	return s
}

// location returns the address of an operand. The stack has the vectors of the subroutines first.
func (e *emitter) location(m memory) Mem {
	if m.param != "" {
		return Mem{Base: e.pointer(m.param), Disp: vectorBytes * m.vector}
	}
	return Mem{Base: scratch, Disp: vectorBytes*(e.reserved+m.vector) - nearby}
}

// inDoubles emits the version of a routine for public data for processors with FMA. The steps are repeated as often as
// the parameter count says, unless it is "".
func (e *emitter) inDoubles(name, count string, steps ...doubleStep) {
	d := e.find(strings.TrimSuffix(name, "Vartime") + "Vartime")
	d.ways, e.current = append(d.ways, "FMA"), d.name+"FMA"
	e.function(e.current, d.signature)
	e.Attributes(0) // without NOSPLIT, so that the stack can grow
	e.free = []gp{reg.RAX, reg.RBX, reg.R12, reg.R13, reg.R14, reg.R15}
	needs, vectors := 0, 0
	for _, s := range steps {
		needs |= e.subroutines[s.name].needs
		for _, m := range s.operands {
			if m.param == "" {
				vectors = max(vectors, m.vector+5)
			}
		}
	}
	e.reserved = 0
	if needs&needsStack != 0 {
		e.reserved = (e.spilled + 1) / 2
	}
	vectors += e.reserved
	control := e.AllocLocal(8)
	if vectors > 0 {
		e.comment("%s points %d bytes behind the beginning of vectors on the stack, which is aligned", scratch, nearby)
		e.LEAQ(e.AllocLocal(vectorBytes*(vectors+1)-8).Offset(vectorBytes-8), scratch)
		e.ANDQ(I8(-vectorBytes), scratch)
		e.SUBQ(I8(-nearby), scratch)
	}
	if needs&needsConstants != 0 {
		e.LEAQ(NewDataAddr(NewStaticSymbol("constants"), nearby), constants)
	}
	// ifDefault jumps if the control bits of MXCSR, of which the stack holds a copy, are as a Go program finds them.
	ifDefault := func(label string) {
		w := counter.As32()
		e.MOVL(control, w)
		e.ANDL(U32(controlBits), w)
		e.CMPL(w, U32(defaultMXCSR))
		e.JEQ(LabelRef(label))
	}
	if needs&needsRounding != 0 {
		e.comment("other code of the process may have changed how results are rounded, or which exceptions trap")
		e.STMXCSR(control)
		ifDefault("default")
		e.LDMXCSR(NewDataAddr(NewStaticSymbol("mxcsr"), 0))
		e.Label("default")
	}
	for _, s := range steps {
		for _, p := range slices.Sorted(maps.Keys(s.operands)) {
			e.location(s.operands[p]) // loads the pointer
		}
	}
	var times gp
	if count != "" {
		times = e.param(count)
		e.note("%s holds the count.", times)
		e.Label("loop")
	}
	for _, s := range steps {
		e.doubleStep(s)
	}
	if count != "" {
		e.repeat(times, "loop")
	}
	if needs&needsRounding != 0 {
		ifDefault("done")
		e.LDMXCSR(control)
		e.Label("done")
	}
	e.endVectors()
}

func (e *emitter) doubleStep(s doubleStep) {
	if s.comment != "" {
		e.comment("%s", s.comment)
	}
	if s.code != nil {
		s.code()
	}
	if s.name == "" {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(s.operands)) {
		e.LEAQ(e.location(s.operands[p]).Offset(nearby), operandRegisters[p])
	}
	switch s.mask {
	case "":
	case allLanes:
		e.MOVL(U32(0xFF), maskRegister.As32())
	default:
		e.Load(e.Param(s.mask), maskRegister)
	}
	e.CALL(LabelRef(s.name + "<>(SB)"))
}

// doubleConstants emits the constants of all subroutines, and the default value of MXCSR.
func (e *emitter) doubleConstants() {
	e.StaticGlobal("constants")
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, words := range e.four {
		for _, w := range words {
			e.AppendDatum(U64(w))
		}
	}
	e.ConstData("mxcsr", U32(defaultMXCSR))
}

// The control bits of MXCSR, and their values when a Go program begins: all exceptions are masked, numbers are rounded
// to nearest, and denormal numbers are not flushed to zero.
const (
	controlBits  = 0xFFC0
	defaultMXCSR = 0x1F80
)
