package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file assigns vector registers. A vector that is not in a register is read from memory, as an operand of the
// instruction at its last use or if all registers hold values with sooner uses. When a register is needed, the value
// whose next use is latest gives up its register, and is stored on the stack unless it is already in memory.

// vectorTarget emits the instructions of one vector extension: avx512 in ifma.go, or fma in fma.go.
type vectorTarget interface {
	registers() []reg.VecPhysical // as large as a vector in memory
	move(source, result Op)
	load(m Op, each bool, result Op) // each means that the memory holds one word for all lanes
	store(source, m Op)
	constant(n uint64) (home Op, each bool)
	reload() int // how much longer a vector stays in a register if it is in no memory, for the same next use
	// forms returns instructions with two operands, the first of which may be in memory. A second form reads one word
	// for all lanes from memory.
	forms() map[instruction][]func(...Op)
	instruction(a *allocator, v *vec) // emits other instructions
}

type allocator struct {
	*vectors
	target   vectorTarget
	holds    []*vec // by register
	locked   []*vec // operands of the current instruction
	stack    gp     // the aligned address of the spilled vectors, if there are any
	spills   int
	nearby   int   // the distance from operands to where registers point
	free     []Mem // free slots of the stack
	freed    []Mem // slots that the current instruction frees
	position int
}

const never = math.MaxInt

// next returns the next use of a vector that is still in use.
func (v *vec) next() int { return v.uses[0] }

// index returns the register that holds v, or −1.
func (a *allocator) index(v *vec) int { return slices.Index(a.holds, v) }

func (a *allocator) holdsAny(v ...*vec) bool {
	return slices.ContainsFunc(v, func(v *vec) bool { return a.index(v) >= 0 })
}

func (a *allocator) size() int { return int(a.target.registers()[0].Size()) }

func (a *allocator) address(m memory) Mem {
	return Mem{Base: a.pointers[m.param], Disp: vectorBytes*m.vector - a.nearby}
}

// allocate emits the code. The inputs are in the first registers before the code, and the outputs after it.
func (a *allocator) allocate(inputs, outputs []*vec) {
	for i, v := range a.code {
		for _, o := range v.operands {
			o.uses = append(o.uses, i)
		}
	}
	for _, v := range outputs {
		v.uses = append(v.uses, len(a.code))
	}
	a.holds = make([]*vec, len(a.target.registers()))
	copy(a.holds, inputs)
	before, after := a.comments()
	for i, v := range a.code {
		a.position, a.locked = i, nil
		if len(before[v]) > 0 {
			a.Comment(before[v]...)
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
		position[v] = i + 1
		if !v.isFree() {
			last[v.phase] = i
		}
	}
	for i, v := range a.code {
		p := v.phase
		if p == nil || (v.isFree() && v.what != zero) || slices.Contains(begun, p) {
			continue
		}
		if p.equation != "" && !slices.ContainsFunc(begun, func(o *phase) bool { return o.step == p.step }) {
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
		if line != "" {
			before[v] = append(before[v], line)
		}
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
		place := v.home
		if a.holdsAny(v) {
			place = a.target.registers()[a.index(v)]
		}
		if place == nil {
			return
		}
		line += " " + place.Asm()
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
	move := func(from, to int) {
		a.target.move(a.target.registers()[from], a.target.registers()[to])
		a.holds[to], a.holds[from] = a.holds[from], nil
	}
	for i, v := range outputs {
		if a.holds[i] == v {
			continue
		}
		if slices.Contains(outputs[i:], a.holds[i]) {
			move(i, slices.IndexFunc(a.holds, func(v *vec) bool { return !slices.Contains(outputs, v) }))
		}
		move(a.index(v), i)
	}
}

// used removes one use of each operand. Operands without further uses free their registers at once, and their slots on
// the stack after the instruction has been emitted.
func (a *allocator) used(list []*vec) {
	for _, v := range list {
		v.uses = v.uses[1:]
		if len(v.uses) > 0 {
			continue
		}
		if a.holdsAny(v) {
			a.holds[a.index(v)] = nil
		}
		m, ok := v.home.(Mem)
		if ok && a.stack != nil && m.Base == a.stack {
			a.freed = append(a.freed, m)
		}
	}
}

// room returns a free register. If there is none, it frees the register whose value is used latest.
func (a *allocator) room() int {
	best, last := a.index(nil), -1
	if best >= 0 {
		return best
	}
	for i, v := range a.holds {
		distance := v.next() - a.position
		if v.home != nil {
			distance *= a.target.reload()
		}
		if !slices.Contains(a.locked, v) && distance > last {
			best, last = i, distance
		}
	}
	v := a.holds[best]
	if v.home == nil {
		if len(a.free) == 0 {
			a.free = []Mem{{Base: a.stack, Disp: a.size()*a.spills - a.nearby}}
			a.spills++
		}
		v.home = a.free[len(a.free)-1]
		a.free = a.free[:len(a.free)-1]
		a.target.store(a.target.registers()[best], v.home)
	}
	a.holds[best] = nil
	return best
}

// place puts a vector into a register.
func (a *allocator) place(v *vec, r int) Op {
	a.holds[r] = v
	return a.target.registers()[r]
}

// register returns the register of an operand, after loading the operand if necessary.
func (a *allocator) register(v *vec) Op {
	a.locked = append(a.locked, v)
	if a.holdsAny(v) {
		return a.target.registers()[a.index(v)]
	}
	if v.home == nil {
		panic(fmt.Sprintf("%v at %d is neither in a register nor in memory", v.what, a.position))
	}
	r := a.room()
	a.target.load(v.home, v.each, a.target.registers()[r])
	return a.place(v, r)
}

// operand returns the register or the memory that holds an operand. An operand in memory stays there if this is its
// last use, or if all registers hold values that are used again before it.
func (a *allocator) operand(v *vec) (o Op, each bool) {
	if !a.holdsAny(v) {
		after := never
		for _, i := range v.uses {
			if i != a.position {
				after = min(after, i)
			}
		}
		later := func(w *vec) bool { return w == nil || (!slices.Contains(a.locked, w) && w.next() > after) }
		soon := slices.ContainsFunc(a.holds, later)
		if a.target.reload() > 1 {
			soon = after-a.position <= 6
		}
		if after == never || !soon {
			return v.home, v.each
		}
	}
	return a.register(v), false
}

// commuted returns two operands in an order in which only the first may be in memory.
func (a *allocator) commuted(v, w *vec) (o Op, each bool, r Op) {
	// If neither operand is in a register, the operand with more uses is loaded.
	more := !a.holdsAny(v, w) && v.next() == w.next() && len(v.uses) > len(w.uses)
	if more || (a.holdsAny(v) && !a.holdsAny(w)) {
		v, w = w, v
	}
	r = a.register(w)
	o, each = a.operand(v)
	return o, each, r
}

// result returns a register for a vector, after the uses of its operands.
func (a *allocator) result(v *vec) Op {
	a.used(v.operands)
	a.locked = nil
	return a.place(v, a.room())
}

// over returns a register that holds an operand and that the result may overwrite: the operand's own register after its
// last use, and otherwise the register of a copy. If registers are few, an operand in memory stays there.
func (a *allocator) over(v, operand *vec) Op {
	if !a.holdsAny(operand) && operand.home != nil && a.target.reload() > 1 {
		r := a.room()
		a.target.load(operand.home, operand.each, a.target.registers()[r])
		a.used(v.operands)
		return a.place(v, r)
	}
	source := a.register(operand)
	r := a.index(operand)
	if len(operand.uses) > 1 {
		r = a.room()
		a.target.move(source, a.target.registers()[r])
	}
	a.used(v.operands)
	return a.place(v, r)
}

func (a *allocator) instruction(v *vec) {
	switch v.what {
	case load:
		v.home = a.address(v.mem)
	case constant:
		v.home, v.each = a.target.constant(v.n)
	case store:
		m := a.address(v.mem)
		r := a.register(v.operands[0])
		for _, w := range a.code[:a.position] { // the earlier contents must have been read
			if w.home == Op(m) && len(w.uses) > 0 {
				panic(fmt.Sprintf("%v is overwritten before it is used", v.mem))
			}
		}
		a.target.store(r, m)
		a.used(v.operands)
	case add, and, or, exclusiveOr, plusDouble, timesDouble:
		o, each, r := a.commuted(v.operands[0], v.operands[1])
		a.form(v, each)(o, r, a.result(v))
	case subtract, minusDouble:
		r := a.register(v.operands[0])
		o, each := a.operand(v.operands[1])
		a.form(v, each)(o, r, a.result(v))
	case shiftRight, shiftLeft:
		a.form(v, false)(Imm(v.n), a.register(v.operands[0]), a.result(v))
	default:
		a.target.instruction(a, v)
	}
}

// form returns the instruction for v. each means that its first operand is one word in memory for all lanes.
func (a *allocator) form(v *vec, each bool) func(...Op) {
	forms := a.target.forms()[v.what]
	if each {
		return forms[1]
	}
	return forms[0]
}

// A block is straight-line code that runs once, or as often as the parameter count says. Its inputs are in the first
// registers before the code, and its outputs after it.
type block struct {
	count    string
	inputs   int
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
// loaded from the parameter source, stay in registers, and are stored in the parameter result.
func (e *emitter) repeated(name, signature, doc, count, source, result string, n int, do func(v *vectors, in []laneElement) []laneElement) {
	e.vectorRoutine(name, signature, doc,
		block{describe: func(v *vectors, _ []laneElement) (in []laneElement) {
			for i := range n {
				in = append(in, v.element(element(source, i)))
			}
			return in
		}},
		block{count: count, inputs: n, describe: do},
		block{inputs: n, describe: func(v *vectors, out []laneElement) []laneElement {
			for i, x := range out {
				v.keepElement(element(result, i), x)
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
func (e *emitter) vectorWay(name, signature, doc string, spills int, blocks []block) (most int) {
	e.ifma(name, signature, doc)
	target := &avx512{e, map[string]reg.OpmaskPhysical{}}
	a := &allocator{target: target, stack: reg.RSP}
	if spills > 0 {
		e.Attributes(0) // without NOSPLIT, so that the stack can grow
		a.stack = e.get()
		e.LEAQ(e.AllocLocal(a.size()*spills+a.size()-8).Offset(a.size()-8), a.stack)
		e.ANDQ(I8(-a.size()), a.stack)
		e.note("From the address in %s on, the stack holds %d vectors for which there is no register.", a.stack, spills)
	}
	type part struct {
		*vectors
		in, out []*vec
		count   Op
	}
	var parts []*part
	for _, b := range blocks {
		p := &part{vectors: newVectors(e)}
		var in []laneElement
		for range b.inputs {
			in = append(in, p.given())
		}
		out := b.describe(p.vectors, in)
		for _, x := range out {
			p.check(x)
		}
		if b.count != "" && len(in) != len(out) {
			panic("a loop with different numbers of inputs and results")
		}
		p.in, p.out = flat(in), flat(out)
		p.code = ifmaSchedule.ordered(needed(p.code, p.out), p.out)
		parts = append(parts, p)
		for _, v := range p.code {
			if v.mem.param != "" {
				e.pointer(v.mem.param)
			}
			if v.mask != "" {
				target.loadMask(v.mask)
			}
		}
	}
	for i, b := range blocks {
		if b.count != "" {
			parts[i].count = e.param(b.count)
			e.note("%s holds the count.", parts[i].count)
		}
	}
	for _, p := range parts {
		a.vectors, a.spills, a.free = p.vectors, 0, nil
		if p.count != nil {
			e.loop("loop")
		}
		a.allocate(p.in, p.out)
		if p.count != nil {
			e.repeat(p.count, "loop")
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
			for _, o := range v.operands {
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
