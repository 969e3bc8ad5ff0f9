package formula

import (
	"math/big"
	"slices"
)

// merge returns the steps of two formulas, where the second formula is called right after the first. The steps of the
// two alternate, unless a step would wait for a value that the other formula has just begun to compute. A product and
// the sums after it stay together.
func merge(first, second []*Value) (steps []*Value) {
	queues := [2][]*Value{first, second}
	// can reports whether the next step of a queue may come now. The step must need neither a value that is still to be
	// computed nor a value in avoid, and must not overwrite an input that another step still needs.
	can := func(q int, avoid []*Value) bool {
		if len(queues[q]) == 0 {
			return false
		}
		v := queues[q][0]
		collides := func(w *Value) bool { return overwrites(v, w) || overwrites(w, v) }
		return !v.uses(queues[0]) && !v.uses(queues[1]) && !v.uses(avoid) &&
			(q == 0 || !slices.ContainsFunc(queues[0], collides))
	}
	for turn, last := 0, []*Value(nil); len(queues[0])+len(queues[1]) > 0; turn = 1 - turn {
		if !can(turn, last) && (can(1-turn, last) || !can(turn, nil)) {
			turn = 1 - turn
		}
		avoid, begin := last, len(steps)
		for {
			steps = append(steps, queues[turn][0])
			queues[turn] = queues[turn][1:]
			if last = steps[begin:]; !can(turn, avoid) || !queues[turn][0].continues(last) {
				break
			}
		}
	}
	return steps
}

// continues reports whether v is a sum of elements with one of the values.
func (v *Value) continues(values []*Value) bool { return v.IsSum() && v.uses(values) }

// overwrites reports whether storing v may overwrite an input of w. It may if v and the input are the same coordinate
// of a point, whichever parameters point to it, because two parameters may point to the same point.
func overwrites(v, w *Value) bool {
	return v.Place != nil && slices.ContainsFunc(w.Operands(), func(a *Value) bool {
		return a.Terms == nil && a.Place.Index == v.Place.Index && a.Place.Param.Type == v.Place.Param.Type
	})
}

// fuse combines a step and the sums after it that use its value into one step, if the machine reduces the combined sum
// at once. A step that is a product times an integer stays unreduced if it is used only once, in a sum with another
// product, and if the machine supports such sums.
func fuse(steps []*Value, fits func([]Term) bool) (fused []*Value) {
	for i := 0; i < len(steps); i++ {
		first, terms := i, steps[i].Terms
		for j := i + 1; j < len(steps) && steps[j].continues(steps[first:j]); j++ {
			inner := steps[first:j]
			stay := slices.ContainsFunc(inner, func(v *Value) bool { return v.Place != nil }) ||
				slices.ContainsFunc(steps[j+1:], func(v *Value) bool { return v.uses(inner) })
			if sum := expand(steps[j], inner); !stay && fits(sum) {
				i, terms = j, sum
			}
		}
		steps[i].Terms = terms
		fused = append(fused, steps[i])
	}
	for i, v := range fused {
		t := v.Terms[0]
		if len(v.Terms) > 1 || t.B == nil || !t.Coefficient.IsInt() || v.Place != nil {
			continue
		}
		var users []*Value
		for _, w := range fused[i+1:] {
			if w.uses([]*Value{v}) {
				users = append(users, w)
			}
		}
		isV := func(t Term) bool { return t.A == v && t.B == nil }
		if len(users) == 1 && !users[0].IsSum() && slices.ContainsFunc(users[0].Terms, isV) {
			v.Unreduced = true
			v.Unreduced = fits(users[0].Terms)
		}
	}
	return fused
}

// expand returns the sum of v, with each of the given values replaced by its own sum.
func expand(v *Value, values []*Value) (sum []Term) {
	for _, t := range v.Terms {
		more := []Term{{one, t.A, t.B}}
		if t.B == nil && slices.Contains(values, t.A) {
			more = expand(t.A, values)
		}
		for _, u := range more {
			u.Coefficient = new(big.Rat).Mul(u.Coefficient, t.Coefficient)
			if i := slices.IndexFunc(sum, func(s Term) bool { return s.A == u.A && s.B == u.B }); i >= 0 {
				u.Coefficient.Add(u.Coefficient, sum[i].Coefficient)
				sum[i] = u
			} else {
				sum = append(sum, u)
			}
		}
	}
	return sum
}
