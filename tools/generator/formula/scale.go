package formula

import (
	"cmp"
	"go/ast"
	"math/big"
	"slices"
)

// Scale holds, for the elements that the parameters of a function point to ("p.X"), the exponents of the powers of two
// by which a machine multiplies them, on input and on output.
type Scale struct{ In, Out map[string]int }

// scaling computes the factors for the steps of a function, so that its parameters have the factors that Scale gives.
// These factors determine the factors of intermediate values, and they cancel the halves in a formula, so nothing has
// to be halved.
//
// For example, a machine that stores 2Y everywhere in place of Y needs no halving.
func (r *reader) scaling(scope map[string]object, decl *ast.FuncDecl) func(steps []*Value) {
	scale, ok := r.Scale[decl.Name.Name]
	if !ok {
		return func([]*Value) {}
	}
	power := map[*Value]int{} // the exponent of each input and, once it is known, of each class
	out := map[*cell]int{}
	for _, p := range params(decl.Recv, decl.Type.Params) {
		for i, c := range r.variable(p).cells {
			argument := scope[p.Name].cells[i]
			power[argument.value], out[argument] = scale.In[c.name], scale.Out[c.name]
		}
	}
	return func(steps []*Value) {
		// All terms of a sum are in the same class, and are multiplied by the same power.
		class := map[*Value]*Value{}
		for _, v := range steps {
			class[v] = v
			if !v.IsSum() {
				continue
			}
			for _, a := range v.Operands() {
				old := class[a]
				for w, k := range class {
					if k == old {
						class[w] = v
					}
				}
			}
		}
		for c, n := range out {
			if class[c.value] != nil {
				power[class[c.value]] = n
			}
		}
		// An input has no class.
		key := func(v *Value) *Value { return cmp.Or(class[v], v) }
		// Going backwards, a factor gets the exponent of the product minus the exponent of the other factor.
		for _, v := range slices.Backward(steps) {
			_, known := power[key(v)]
			if known {
				continue
			}
			least := -1
			for _, w := range steps {
				n, known := power[key(w)]
				a, b := w.Terms[0].A, w.Terms[0].B
				switch {
				case !known || b == nil || (key(a) != key(v) && key(b) != key(v)):
					continue
				case key(a) == key(b):
					n /= 2
				case key(a) == key(v):
					n -= power[key(b)]
				default:
					n -= power[key(a)]
				}
				if least < 0 || n < least {
					least = n
				}
			}
			power[key(v)] = max(least, 0)
		}
		for _, v := range steps {
			for i, t := range v.Terms {
				n := power[key(v)] - power[key(t.A)]
				if t.B != nil {
					n -= power[key(t.B)]
				}
				if n < 0 {
					r.fail(decl, "%s would have to be divided by 2", v.Name)
				}
				c := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))
				v.Terms[i].Coefficient = c.Mul(c, t.Coefficient)
			}
		}
	}
}
