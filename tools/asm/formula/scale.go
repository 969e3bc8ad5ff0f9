package formula

import (
	"go/ast"
	"math/big"
	"slices"
)

// scale multiplies the values of a function by powers of two, so that coordinates
// at its parameters come out, and go in, multiplied as powers says. The powers of
// those between are as large as they can be without a fraction: as the halves in
// a formula then cancel, nothing has to be halved.
//
// A point may have any denominator. So (X, Y, Z) times (4², 4³, 4) is the same point,
// and 2·Y is as good as Y to a machine that has it everywhere.
func (r *reader) scale(decl *ast.FuncDecl, steps []*Value, args []object, before map[*cell]*Value, powers map[string]int) {
	// What is added up has one power. A class is those values, by one of them.
	class := map[*Value]*Value{}
	find := func(v *Value) *Value {
		for class[v] != nil {
			v = class[v]
		}
		return v
	}
	for _, v := range steps {
		if v.isSum() {
			v.uses(func(a *Value) {
				if a, v := find(a), find(v); a != v {
					class[a] = v
				}
			})
		}
	}
	power := map[*Value]int{} // of a class
	set := func(v *Value, n int) {
		if old, ok := power[find(v)]; ok && old != n {
			r.fail(decl, "%s would have to be multiplied by 2^%d and by 2^%d", v.Name, old, n)
		}
		power[find(v)] = n
	}
	params := r.params(decl)
	for i, o := range args {
		for j, c := range o.cells {
			name := params[i].Name
			if o.kind != "Element" {
				name += "." + r.points[o.kind][j]
			}
			if n, ok := powers[name]; ok || c.value != before[c] {
				set(c.value, n)
			}
		}
	}
	for _, v := range steps {
		v.uses(func(a *Value) {
			if _, ok := power[find(a)]; !ok && !slices.Contains(steps, a) {
				set(a, 0)
			}
		})
	}
	// From the end, a factor takes what its products leave to it.
	for i := len(steps) - 1; i >= 0; i-- {
		v := find(steps[i])
		if _, ok := power[v]; ok {
			continue
		}
		most, found := 0, false
		for _, s := range steps {
			n, ok := power[find(s)]
			if t := s.Terms[0]; ok && t.B != nil {
				a, b := find(t.A), find(t.B)
				other, known := power[a]
				if a == v {
					other, known = power[b]
				}
				switch {
				case a != v && b != v:
					continue
				case a == b:
					n >>= 1
				case known:
					n -= other
				default:
					continue
				}
				if !found || n < most {
					most, found = n, true
				}
			}
		}
		power[v] = most
	}
	for _, v := range steps {
		for i, t := range v.Terms {
			n := power[find(v)] - power[find(t.A)]
			if t.B != nil {
				if n -= power[find(t.B)]; n < 0 {
					r.fail(decl, "%s would have to be divided by 2", v.Name)
				}
			}
			v.Terms[i].Coefficient = new(big.Rat).Mul(t.Coefficient, power2(n))
		}
	}
}

// power2 returns 2ⁿ.
func power2(n int) *big.Rat {
	if n < 0 {
		return new(big.Rat).Inv(power2(-n))
	}
	return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))
}
