package formula

import (
	"math/big"
	"slices"
)

// merge returns the steps of two formulas of which the second is called right after
// the first. They take turns, for as long as neither waits for what the other has
// just begun; sums go together with the product that they begin with.
func merge(first, second []*Value) (steps []*Value) {
	queues := [2][]*Value{first, second}
	pending := map[*Value]bool{}
	for _, v := range slices.Concat(first, second) {
		pending[v] = true
	}
	var last []*Value // what the latest turn began
	ready := func(v *Value, avoid []*Value) bool {
		ok := true
		v.uses(func(a *Value) { ok = ok && !pending[a] && !slices.Contains(avoid, a) })
		return ok
	}
	can := func(q int, avoid []*Value) bool {
		if len(queues[q]) == 0 {
			return false
		}
		v := queues[q][0]
		return ready(v, avoid) && (q == 0 || !slices.ContainsFunc(queues[0], func(w *Value) bool { return collide(v, w) || collide(w, v) }))
	}
	for turn := 0; len(queues[0])+len(queues[1]) > 0; turn = 1 - turn {
		if !can(turn, last) {
			turn = 1 - turn
		}
		if !can(turn, last) && !can(turn, nil) {
			turn = 1 - turn
		}
		previous := last
		last = nil
		for {
			v := queues[turn][0]
			queues[turn] = queues[turn][1:]
			delete(pending, v)
			steps, last = append(steps, v), append(last, v)
			if !can(turn, previous) || !continues(queues[turn][0], last) {
				break
			}
		}
	}
	return steps
}

// continues reports whether v is a sum with one of the values.
func continues(v *Value, values []*Value) bool {
	found := false
	v.uses(func(a *Value) { found = found || slices.Contains(values, a) })
	return found && v.isSum()
}

// collide reports whether w reads what v may overwrite: the same coordinate of a
// point that may be the same one.
func collide(v, w *Value) bool {
	found := false
	w.uses(func(a *Value) {
		if v.target != nil && a.Place != nil && a.Terms == nil {
			found = found || a.Place.Index == v.target.Index && a.Place.Param.Type == v.target.Param.Type && a.Place.Param != v.target.Param
		}
	})
	return found
}

// fuse makes one step of a step and the sums that follow it at once and lead to one
// value, if that sum fits. A product that is for one such sum only is not reduced
// before, if that fits.
func fuse(steps []*Value, fits func([]Term) bool) (fused []*Value) {
	for i := 0; i < len(steps); {
		end, terms := i, steps[i].Terms
		for j := i + 1; j < len(steps) && continues(steps[j], steps[i:j]); j++ {
			if sum := expand(steps[j], steps[i:j]); inner(steps, i, j) && fits(sum) {
				end, terms = j, sum
			}
		}
		v := steps[end]
		v.Terms = terms
		fused = append(fused, v)
		i = end + 1
	}
	for i, v := range fused {
		if t := v.Terms[0]; len(v.Terms) > 1 || t.B == nil || v.Squared > 1 || v.Place != nil || t.Coefficient.Cmp(one) != 0 {
			continue
		}
		var users []*Value
		for _, w := range fused[i+1:] {
			w.uses(func(a *Value) {
				if a == v {
					users = append(users, w)
				}
			})
		}
		if len(users) == 1 && !users[0].isSum() {
			v.Unreduced = slices.ContainsFunc(users[0].Terms, func(t Term) bool { return t.A == v && t.B == nil })
			v.Unreduced = v.Unreduced && fits(users[0].Terms)
		}
	}
	return fused
}

// inner reports whether the steps from i on are for those up to j only.
func inner(steps []*Value, i, j int) bool {
	for _, v := range steps[i:j] {
		if v.Place != nil {
			return false
		}
		for _, w := range steps[j+1:] {
			used := false
			if w.uses(func(a *Value) { used = used || a == v }); used {
				return false
			}
		}
	}
	return true
}

// expand returns the sum v with those of the values in place of these.
func expand(v *Value, values []*Value) (sum []Term) {
	add := func(t Term) {
		for i, s := range sum {
			if s.A == t.A && s.B == t.B {
				sum[i].Coefficient = new(big.Rat).Add(s.Coefficient, t.Coefficient)
				return
			}
		}
		sum = append(sum, t)
	}
	for _, t := range v.Terms {
		if t.B != nil || !slices.Contains(values, t.A) {
			add(t)
			continue
		}
		for _, u := range expand(t.A, values) {
			u.Coefficient = new(big.Rat).Mul(u.Coefficient, t.Coefficient)
			add(u)
		}
	}
	return sum
}

var one = big.NewRat(1, 1)
