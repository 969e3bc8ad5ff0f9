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

	// patient means that an instruction that needs another register waits for instructions that do not, even if these
	// are not ready yet. It pays with few registers. The patient model begins two products and two other instructions
	// in a cycle, and the other model one of each.
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
		if m.patient {
			o.beginPatiently(cycle)
			continue
		}
		o.begin(true, cycle)
		o.begin(false, cycle)
	}
	for _, v := range outputs {
		o.free(v)
	}
	return o.list
}

// begin takes the best product, or the best other instruction, that is ready.
func (o *ordering) begin(product bool, cycle int) {
	best := -1
	for i, v := range o.rest[:min(o.ahead, len(o.rest))] {
		if v.isProduct() == product && o.ready(v, cycle) && (best < 0 || o.better(v, o.rest[best])) {
			best = i
		}
	}
	if best >= 0 {
		o.take(best, cycle)
	}
}

// beginPatiently takes the instructions that begin in a cycle.
func (o *ordering) beginPatiently(cycle int) {
	left := map[bool]int{true: 2, false: 2}
	for len(o.rest) > 0 {
		best, least := -1, []int{}
		for i, v := range o.rest[:min(o.ahead, len(o.rest))] {
			late, known := o.late(v, cycle)
			if !known {
				continue
			}
			over, full, grows := 0, 0, o.grows(v)
			if grows > 0 && o.live+grows > o.pressure {
				over = 1
			}
			if v.what != store && left[v.isProduct()] == 0 {
				full = 1
			}
			saves := 0
			if o.live >= o.pressure-1 {
				saves = grows
			}
			key := []int{over, full, late, saves, -o.height[v]}
			if best < 0 || slices.Compare(key, least) < 0 {
				best, least = i, key
			}
		}
		if best < 0 || least[1] > 0 || least[2] > 0 {
			return
		}
		if v := o.rest[best]; v.what != store {
			left[v.isProduct()]--
		}
		o.take(best, cycle)
	}
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
	best := i
	o.rest = slices.Delete(o.rest, best, best+1)
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

func (o *ordering) ready(v *vec, cycle int) bool {
	return !slices.ContainsFunc(o.waits[v], func(x *vec) bool {
		ready, is := o.done[x]
		return !is || ready > cycle
	})
}

// better reports whether v should be taken before w, which precedes v in the original order.
func (o *ordering) better(v, w *vec) bool {
	if o.live < o.pressure {
		return o.height[v] > o.height[w]
	}
	m, n := o.grows(v), o.grows(w)
	return m < n || (m == n && m <= 0 && o.height[v] > o.height[w])
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
