package main

import "slices"

// This file orders the instructions of a routine. A processor looks ahead by a few hundred instructions, and some of
// these instructions should be ready to run. The instructions are put in the order in which a model machine would begin
// them, with one product and one other instruction in every cycle. Among the instructions that are ready, the model
// chooses the instruction with the longest path to the end. When many registers are full, it avoids instructions that
// need another register, because storing a value on the stack costs a cycle.

const (
	ahead          = 30 // number of instructions among which the model chooses
	pressure       = 20 // number of full registers above which the order saves registers
	productLatency = 4  // cycles
	otherLatency   = 1
)

// isProduct reports whether v is a multiplication. Only one multiplication can begin in each cycle.
func (v *vec) isProduct() bool { return v.what == productLo || v.what == productHi }

// isFree reports whether v takes no time. Such a v is placed right before its first use.
func (v *vec) isFree() bool {
	return v.what == present || v.what == load || v.what == constant || v.what == zero
}

func (v *vec) latency() int {
	if v.isProduct() {
		return productLatency
	}
	return otherLatency
}

// ordering is code that is being ordered.
type ordering struct {
	rest   []*vec          // the instructions still to be placed, except instructions that take no time
	waits  map[*vec][]*vec // the operands for which an instruction waits
	height map[*vec]int    // the number of cycles from an instruction to the end
	uses   map[*vec]int    // the number of uses that remain
	done   map[*vec]int    // the cycle in which a result is ready
	live   int             // the number of results in use
	list   []*vec
}

// ordered returns the code in a new order with the same outputs.
func ordered(code, outputs []*vec) []*vec {
	o := &ordering{waits: map[*vec][]*vec{}, height: map[*vec]int{}, uses: map[*vec]int{}, done: map[*vec]int{}}
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
		o.height[v] += v.latency()
		for _, x := range o.waits[v] {
			o.height[x] = max(o.height[x], o.height[v])
		}
	}
	for cycle := 0; len(o.rest) > 0; cycle++ {
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
	for i, v := range o.rest[:min(ahead, len(o.rest))] {
		if v.isProduct() == product && o.ready(v, cycle) && (best < 0 || o.better(v, o.rest[best])) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	v := o.rest[best]
	o.rest = slices.Delete(o.rest, best, best+1)
	o.live += o.grows(v)
	for _, x := range v.operands {
		o.uses[x]--
		o.free(x)
	}
	o.done[v] = cycle + v.latency()
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
	if o.live < pressure {
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
