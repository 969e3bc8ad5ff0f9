package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file assigns the 32 vector registers. A vector that is not in a register is read from memory, as an operand of
// the instruction at its last use or if all registers hold values with sooner uses. When a register is needed, the
// value whose next use is latest gives up its register, and is stored on the stack unless it is already in memory.

// allocation records where a vector is.
type allocation struct {
	uses []int // positions in the code where the vector is still to be used
	in   bool  // whether it is in a register
	reg  int
	home Op   // memory that holds the vector, nil if none does
	each bool // the memory holds one word of 64 bits for all lanes
}

type allocator struct {
	*vectors
	holds    [32]*vec
	locked   []*vec // operands of the current instruction
	pointers map[string]gp
	masks    map[string]reg.OpmaskPhysical
	stack    gp // the aligned address of the spilled vectors, if there are any
	spills   int
	free     []Mem // free slots of the stack
	freed    []Mem // slots that the current instruction frees
	position int
}

const never = math.MaxInt

func (v *vec) next() int {
	if len(v.at.uses) == 0 {
		return never
	}
	return v.at.uses[0]
}

// constantData returns the memory that holds a constant.
func (e *emitter) constantData(n uint64) Mem {
	m, ok := e.data[n]
	if !ok {
		m = e.ConstData(fmt.Sprintf("constant%x", n), U64(n))
		e.data[n] = m
	}
	return m
}

// allocate emits the code. The inputs are in the first registers before the code, and the outputs after it.
func (a *allocator) allocate(inputs, outputs []*vec) {
	for i, v := range a.code {
		v.at = allocation{}
		for _, o := range v.of {
			o.at.uses = append(o.at.uses, i)
		}
	}
	for _, v := range outputs {
		v.at.uses = append(v.at.uses, len(a.code))
	}
	a.holds = [32]*vec{}
	for i, v := range inputs {
		v.at.in, v.at.reg, a.holds[i] = true, i, v
	}
	before, after := a.comments()
	for i, v := range a.code {
		a.position, a.locked = i, nil
		if lines := before[v]; len(lines) > 0 {
			a.Comment(lines...)
		}
		a.instruction(v)
		a.free, a.freed = append(a.free, a.freed...), nil
		for _, r := range after[v] {
			a.where(r)
		}
	}
	a.move(outputs)
}

// comments returns the comments on phases, by the instruction that they precede, and the results, by the instruction
// after which a comment says where they are.
func (a *allocator) comments() (before map[*vec][]string, after map[*vec][]result) {
	before, after = map[*vec][]string{}, map[*vec][]result{}
	position, last, begun := map[*vec]int{}, map[*phase]int{}, []*phase{{}}
	for i, v := range a.code {
		if position[v] = i + 1; !v.isFree() {
			last[v.phase] = i
		}
	}
	for i, v := range a.code {
		p := v.phase
		if p == nil || (v.isFree() && v.what != zero) || slices.Contains(begun, p) {
			continue
		}
		if !slices.ContainsFunc(begun, func(o *phase) bool { return o.step == p.step }) {
			before[v] = []string{p.equation}
		}
		line, others := strings.TrimPrefix(p.name+": "+p.text, ": "), []string{}
		for _, o := range begun {
			if last[o] > i && o.step != p.step && o.name != "" && !slices.Contains(others, o.name) {
				others = append(others, o.name)
			}
		}
		begun = append(begun, p)
		if line != "" && len(others) > 0 {
			line += "; interleaved with " + strings.Join(others, ", ")
		}
		before[v] = slices.DeleteFunc(append(before[v], line), func(line string) bool { return line == "" })
	}
	for _, r := range a.results {
		v := slices.MaxFunc(originals(r.limbs), func(v, w *vec) int { return position[v] - position[w] })
		after[v] = append(after[v], r)
	}
	return before, after
}

// where adds a comment that says where a value is, unless one of its limbs is no longer kept.
func (a *allocator) where(r result) {
	line := r.name + " is in"
	for _, v := range originals(r.limbs) {
		o := v.at.home
		if v.at.in {
			o = z(v.at.reg)
		}
		if o == nil {
			return
		}
		line += " " + o.Asm()
	}
	if !r.limbs[0].dirty {
		line += "; the columns are below " + below(r.limbs)
	}
	a.Comment(line)
}

// move moves vectors to the first registers.
func (a *allocator) move(outputs []*vec) {
	a.position, a.locked = len(a.code), nil
	if len(outputs) > 0 {
		a.Comment("move the elements to the first registers, five registers for each")
	}
	for _, v := range outputs {
		a.register(v)
	}
	for i, v := range outputs {
		if v.at.reg == i {
			continue
		}
		if other := a.holds[i]; other != nil && slices.Contains(outputs[i:], other) {
			free := slices.IndexFunc(a.holds[:], func(v *vec) bool { return v == nil || !slices.Contains(outputs, v) })
			a.VMOVDQA64(z(i), z(free))
			other.at.reg, a.holds[free] = free, other
		}
		a.VMOVDQA64(z(v.at.reg), z(i))
		a.holds[v.at.reg] = nil
		v.at.reg, a.holds[i] = i, v
	}
}

// used removes one use of each operand. Operands without further uses free their registers at once, and their slots on
// the stack after the instruction has been emitted.
func (a *allocator) used(list []*vec) {
	for _, v := range list {
		v.at.uses = v.at.uses[1:]
		if len(v.at.uses) > 0 {
			continue
		}
		if v.at.in {
			a.holds[v.at.reg], v.at.in = nil, false
		}
		if m, ok := v.at.home.(Mem); ok && a.stack != nil && m.Base == a.stack {
			a.freed = append(a.freed, m)
		}
	}
}

// room returns a free register. If there is none, it frees the register whose value is used latest.
func (a *allocator) room() int {
	best, last := -1, -1
	for i, v := range a.holds {
		if v == nil {
			return i
		}
		if !slices.Contains(a.locked, v) && v.next() > last {
			best, last = i, v.next()
		}
	}
	v := a.holds[best]
	if v.at.home == nil {
		var m Mem
		if n := len(a.free); n > 0 {
			m, a.free = a.free[n-1], a.free[:n-1]
		} else {
			m = Mem{Base: a.stack, Disp: 64 * a.spills}
			a.spills++
		}
		a.VMOVDQU64(z(best), m)
		v.at.home = m
	}
	v.at.in, a.holds[best] = false, nil
	return best
}

// place puts a vector into a register.
func (a *allocator) place(v *vec, r int) Op {
	v.at.in, v.at.reg, a.holds[r] = true, r, v
	return z(r)
}

// register returns the register of an operand, after loading the operand if necessary.
func (a *allocator) register(v *vec) Op {
	a.locked = append(a.locked, v)
	if v.at.in {
		return z(v.at.reg)
	}
	if v.at.home == nil {
		panic(fmt.Sprintf("%v at %d is neither in a register nor in memory", v.what, a.position))
	}
	r := a.room()
	if v.at.each {
		a.VPBROADCASTQ(v.at.home, z(r))
	} else {
		a.VMOVDQU64(v.at.home, z(r))
	}
	return a.place(v, r)
}

// operand returns the register or the memory that holds an operand. An operand in memory stays there if this is its
// last use, or if all registers hold values that are used again before it.
func (a *allocator) operand(v *vec) (o Op, each bool) {
	if !v.at.in {
		after := never
		if len(v.at.uses) > 1 {
			after = slices.Min(append([]int{never}, slices.DeleteFunc(slices.Clone(v.at.uses), func(i int) bool { return i == a.position })...))
		}
		later := func(w *vec) bool { return w == nil || (!slices.Contains(a.locked, w) && w.next() > after) }
		if after == never || !slices.ContainsFunc(a.holds[:], later) {
			return v.at.home, v.at.each
		}
	}
	return a.register(v), false
}

// commuted returns two operands in an order in which only the first may be in memory.
func (a *allocator) commuted(v, w *vec) (o Op, each bool, r Op) {
	if v.at.in && !w.at.in {
		v, w = w, v
	}
	if !v.at.in && !w.at.in && v.next() == w.next() { // neither operand is in a register: load the operand with more uses
		if len(v.at.uses) > len(w.at.uses) {
			v, w = w, v
		}
	}
	r = a.register(w)
	o, each = a.operand(v)
	return o, each, r
}

// result returns a register for a vector, after the uses of its operands.
func (a *allocator) result(v *vec) Op {
	a.used(v.of)
	a.locked = nil
	return a.place(v, a.room())
}

// over returns a register that holds an operand and that the result may overwrite: the operand's own register after its
// last use, and otherwise the register of a copy.
func (a *allocator) over(v, operand *vec) Op {
	from := a.register(operand)
	if len(operand.at.uses) > 1 {
		r := a.room()
		a.VMOVDQA64(from, z(r))
		a.used(v.of)
		return a.place(v, r)
	}
	r := operand.at.reg
	a.used(v.of)
	return a.place(v, r)
}

// withMemory returns the instruction with an operand that may be in memory. If each is true, the memory holds one word
// for all lanes.
func (a *allocator) withMemory(v *vec, each bool) func(...Op) {
	forms := map[instruction][2]func(...Op){
		productLo: {a.VPMADD52LUQ, a.VPMADD52LUQ_BCST},
		productHi: {a.VPMADD52HUQ, a.VPMADD52HUQ_BCST},
		add:       {a.VPADDQ, a.VPADDQ_BCST},
		subtract:  {a.VPSUBQ, a.VPSUBQ_BCST},
		and:       {a.VPANDQ, a.VPANDQ_BCST},
		or:        {a.VPORQ, a.VPORQ_BCST},
	}[v.what]
	if each {
		return forms[1]
	}
	return forms[0]
}

func (a *allocator) instruction(v *vec) {
	switch v.what {
	case load:
		v.at.home = Mem{Base: a.pointers[v.mem.param], Disp: v.mem.offset}
	case constant:
		v.at.home, v.at.each = a.constantData(v.n), true
	case zero:
		r := a.place(v, a.room())
		a.VPXORQ(r, r, r)
	case productLo, productHi:
		o, each, r := a.commuted(v.of[1], v.of[2])
		a.withMemory(v, each)(o, r, a.over(v, v.of[0]))
	case add, and, or:
		o, each, r := a.commuted(v.of[0], v.of[1])
		a.withMemory(v, each)(o, r, a.result(v))
	case subtract:
		r := a.register(v.of[0])
		o, each := a.operand(v.of[1])
		a.withMemory(v, each)(o, r, a.result(v))
	case subtractMasked:
		r := a.register(v.of[1])
		o := a.register(v.of[2])
		d := a.over(v, v.of[0])
		a.VPSUBQ(o, r, a.masks[v.mask], d)
	case blend:
		r := a.register(v.of[1])
		o, each := a.operand(v.of[0])
		if each {
			o = a.register(v.of[0])
		}
		a.VPBLENDMQ(o, r, a.masks[v.mask], a.result(v))
	case shiftRight:
		o := a.register(v.of[0])
		a.VPSRLQ(U8(v.n), o, a.result(v))
	case shiftLeft:
		o := a.register(v.of[0])
		a.VPSLLQ(U8(v.n), o, a.result(v))
	case store:
		m := Mem{Base: a.pointers[v.mem.param], Disp: v.mem.offset}
		r := a.register(v.of[0])
		for _, w := range a.code[:a.position] { // the earlier contents must have been read
			if home, ok := w.at.home.(Mem); ok && home == m && len(w.at.uses) > 0 {
				if w.at.home = nil; !w.at.in {
					panic(fmt.Sprintf("%v is overwritten before it is used", v.mem))
				}
			}
		}
		a.VMOVDQU64(r, m)
		a.used(v.of)
	}
}

// A block is straight-line code that runs once, or as often as the parameter count says. Its inputs are in the first
// registers before the code, and its outputs after it.
type block struct {
	count    string
	in       int
	describe func(v *vectors, in []laneElement) (out []laneElement)
}

// straight emits a routine without a loop.
func (e *emitter) straight(name, signature, doc string, describe func(v *vectors)) {
	e.vectorRoutine(name, signature, doc, block{describe: func(v *vectors, _ []laneElement) []laneElement {
		describe(v)
		return nil
	}})
}

// repeated emits a routine that repeats a step as often as the parameter count says. The n elements of the step are
// loaded from one parameter, stay in registers, and are stored in another parameter.
func (e *emitter) repeated(name, signature, doc, count, from, to string, n int, do func(v *vectors, in []laneElement) []laneElement) {
	e.vectorRoutine(name, signature, doc,
		block{describe: func(v *vectors, _ []laneElement) (in []laneElement) {
			for i := range n {
				in = append(in, v.element(memory{from, elementBytes * i}))
			}
			return in
		}},
		block{count: count, in: n, describe: do},
		block{in: n, describe: func(v *vectors, out []laneElement) []laneElement {
			for i, x := range out {
				v.keepElement(memory{to, elementBytes * i}, x)
			}
			return nil
		}})
}

// vectorRoutine emits a routine on vectors.
func (e *emitter) vectorRoutine(name, signature, doc string, blocks ...block) {
	spills := newEmitter("lanes").vectorWay(name, signature, doc, 0, blocks)
	e.vectorWay(name, signature, doc, spills, blocks)
}

// vectorWay emits one version of the routine with stack space for a number of spills, and returns how many spills it
// needs.
func (e *emitter) vectorWay(name, signature, doc string, spills int, blocks []block) int {
	e.ifma(name, signature, doc)
	a := &allocator{pointers: map[string]gp{}, masks: map[string]reg.OpmaskPhysical{}, stack: reg.RSP}
	if spills > 0 {
		e.Attributes(0) // without NOSPLIT, so that the stack can grow
		a.stack = e.get()
		e.LEAQ(e.AllocLocal(64*spills+56).Offset(56), a.stack)
		e.ANDQ(I8(-64), a.stack)
		e.note("From the address in %s on, the stack holds %d vectors for which there is no register.", a.stack, spills)
	}
	type part struct {
		code, in, out []*vec
		results       []result
	}
	var all []part
	var code []*vec
	count := ""
	for _, b := range blocks {
		v := newVectors(e)
		var in []laneElement
		for range b.in {
			in = append(in, v.given())
		}
		out := b.describe(v, in)
		for _, x := range out {
			v.check(x)
		}
		if b.count != "" && len(in) != len(out) {
			panic("a loop with different numbers of inputs and results")
		}
		s := part{ordered(needed(v.code, flat(out)), flat(out)), flat(in), flat(out), v.results}
		all, code = append(all, s), append(code, s.code...)
		if b.count != "" {
			count = b.count
		}
	}
	masks := []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4}
	for _, x := range code {
		if x.mem.param != "" && a.pointers[x.mem.param] == nil {
			a.pointers[x.mem.param] = e.param(x.mem.param)
			e.note("%s points to %s.", a.pointers[x.mem.param], x.mem.param)
		}
		if x.mask != "" && a.masks[x.mask] == nil {
			k := masks[0]
			masks = masks[1:]
			b, err := e.Param(strings.TrimPrefix(x.mask, "^")).Resolve()
			if err != nil {
				panic(err)
			}
			e.KMOVB(b.Addr, k)
			if x.mask[0] == '^' {
				e.KNOTB(k, k)
			}
			a.masks[x.mask] = k
			e.note("%s holds the mask %s.", k, strings.Replace(x.mask, "^", "of the lanes that are not in ", 1))
		}
	}
	var n Op
	if count != "" {
		n = e.param(count)
		e.note("%s holds the count.", n)
	}
	most := 0
	for i, b := range blocks {
		a.vectors = &vectors{emitter: e, code: all[i].code, results: all[i].results}
		a.spills, a.free = 0, nil
		if b.count != "" {
			e.loop("loop")
		}
		a.allocate(all[i].in, all[i].out)
		if b.count != "" {
			e.repeat(n, "loop")
		}
		most = max(most, a.spills)
	}
	e.endVectors()
	return most
}

// needed returns the code without instructions whose results nothing uses.
func needed(code, outputs []*vec) (list []*vec) {
	used := map[*vec]bool{}
	for _, v := range outputs {
		used[v] = true
	}
	for _, v := range slices.Backward(code) {
		if v.what == store || used[v] {
			list = append(list, v)
			for _, o := range v.of {
				used[o] = true
			}
		}
	}
	slices.Reverse(list)
	return list
}

func flat(list []laneElement) (all []*vec) {
	for _, l := range list {
		all = append(all, originals(l[:])...)
	}
	return all
}
