package main

import "slices"

// This file orders the instructions of a routine. A processor looks ahead by a few hundred instructions, and some of
// these instructions should be ready to run. The instructions are put in the order in which a model machine would begin
// them, with one product and one other instruction in every cycle. Among the instructions that are ready, the model
// chooses the instruction with the longest path to the end. When many registers are full, it avoids instructions that
// need another register, because storing a value on the stack costs a cycle.

// schedule describes the model machine.
type schedule struct {
	ahead          int // number of instructions among which the model chooses
	pressure       int // number of full registers above which the order saves registers
	product, other int // latencies in cycles

	width int // the number of products, and of other instructions, that begin in a cycle

	// patient means that an instruction that needs another register waits for instructions that do not, even if these
	// are not ready yet. It pays with few registers. The patient model stores vectors without taking the place of
	// another instruction.
	patient bool
}

// isProduct reports whether v is a multiplication.
func (v *vec) isProduct() bool {
	switch v.what {
	case productLo, productHi, timesDouble, fusedPlus, fusedMinus:
		return true
	}
	return false
}

// isFree reports whether v takes no time. Such a v is placed right before its first use.
func (v *vec) isFree() bool {
	return v.what == present || v.what == load || v.what == constant || v.what == zero
}

func (m schedule) latency(v *vec) int {
	if v.isProduct() {
		return m.product
	}
	return m.other
}

// ordering is code that is being ordered.
type ordering struct {
	schedule
	rest   []*vec          // the instructions still to be placed, except instructions that take no time
	waits  map[*vec][]*vec // the operands for which an instruction waits
	height map[*vec]int    // the number of cycles from an instruction to the end
	uses   map[*vec]int    // the number of uses that remain
	done   map[*vec]int    // the cycle in which a result is ready
	live   int             // the number of results in use
	list   []*vec
}

// ordered returns the code in a new order with the same outputs.
func (m schedule) ordered(code, outputs []*vec) []*vec {
	o := &ordering{schedule: m, waits: map[*vec][]*vec{}, height: map[*vec]int{}, uses: map[*vec]int{}, done: map[*vec]int{}}
	var readers []*vec // the loads from memory
	for _, v := range code {
		for _, x := range v.operands {
			o.uses[x]++
		}
		if v.isFree() {
			continue
		}
		o.rest = append(o.rest, v)
		if v.what == store { // a store may overwrite memory that other instructions read
			o.waits[v] = append(o.waits[v], readers...)
		}
		for _, x := range v.operands {
			if x.what == load {
				readers = append(readers, v)
			} else if !x.isFree() {
				o.waits[v] = append(o.waits[v], x)
			}
		}
	}
	for _, v := range outputs {
		o.uses[v]++
	}
	for _, v := range slices.Backward(o.rest) {
		o.height[v] += o.latency(v)
		for _, x := range o.waits[v] {
			o.height[x] = max(o.height[x], o.height[v])
		}
	}
	for cycle := 0; len(o.rest) > 0; cycle++ {
		o.begin(cycle)
	}
	for _, v := range outputs {
		o.free(v)
	}
	return o.list
}

// begin takes the instructions that begin in a cycle.
func (o *ordering) begin(cycle int) {
	left := map[bool]int{true: o.width, false: o.width}
	takesPlace := func(v *vec) bool { return !o.patient || v.what != store }
	for {
		best, wait, least := -1, 0, []int(nil)
		for i, v := range o.rest[:min(o.ahead, len(o.rest))] {
			late, known := o.late(v, cycle)
			if !known {
				continue
			}
			if left[v.isProduct()] == 0 && takesPlace(v) {
				late++
			}
			cost := o.cost(v, min(late, 1))
			if best < 0 || slices.Compare(cost, least) < 0 {
				best, wait, least = i, late, cost
			}
		}
		if best < 0 || wait > 0 {
			return
		}
		v := o.rest[best]
		o.take(best, cycle)
		if takesPlace(v) {
			left[v.isProduct()]--
		}
		if !o.patient && !v.isProduct() {
			return
		}
	}
}

// cost returns numbers that are compared one after the other. The instruction with the least numbers begins, unless it
// has to wait: wait is 1 if it has to, and otherwise 0.
func (o *ordering) cost(v *vec, wait int) []int {
	product, grows, height := 0, o.grows(v), o.height[v]
	if v.isProduct() {
		product = -1
	}
	switch {
	case o.patient && grows > 0 && o.live+grows > o.pressure:
		return []int{1, wait, grows, -height}
	case o.patient && o.live < o.pressure-1:
		return []int{0, wait, 0, -height}
	case o.patient:
		return []int{0, wait, grows, -height}
	case o.live < o.pressure:
		return []int{wait, product, -height}
	case grows > 0:
		return []int{wait, product, grows, 0}
	}
	return []int{wait, product, grows, -height}
}

// late returns how many cycles after the given one v is ready, if all instructions for which it waits have begun.
func (o *ordering) late(v *vec, cycle int) (n int, known bool) {
	for _, x := range o.waits[v] {
		ready, is := o.done[x]
		if !is {
			return 0, false
		}
		n = max(n, ready-cycle)
	}
	return n, true
}

// take moves instruction i to the list.
func (o *ordering) take(i, cycle int) {
	v := o.rest[i]
	o.rest = slices.Delete(o.rest, i, i+1)
	o.live += o.grows(v)
	for _, x := range v.operands {
		o.uses[x]--
		o.free(x)
	}
	o.done[v] = cycle + o.latency(v)
	o.list = append(o.list, v)
}

// free appends v to the list if v takes no time and is not yet in the list.
func (o *ordering) free(v *vec) {
	if _, is := o.done[v]; v.isFree() && v.what != present && !is {
		o.done[v] = 0
		o.list = append(o.list, v)
	}
}

// grows returns the change in the number of full registers that an instruction causes.
func (o *ordering) grows(v *vec) (n int) {
	if v.what != store {
		n = 1
	}
	seen := map[*vec]int{}
	for _, x := range v.operands {
		if seen[x]++; !x.isFree() && seen[x] == o.uses[x] {
			n--
		}
	}
	return n
}
