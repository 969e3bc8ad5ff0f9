package formula

import (
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
	type cellPower struct {
		*cell
		n int
	}
	var out []cellPower
	for _, p := range params(decl.Recv, decl.Type.Params) {
		for i, c := range r.variable(p).cells {
			at := scope[p.Name].cells[i]
			power[at.value] = scale.In[c.name]
			out = append(out, cellPower{at, scale.Out[c.name]})
		}
	}
	return func(steps []*Value) {
		// All terms of a sum are in the same class, and are multiplied by the same power.
		class := map[*Value]*Value{}
		for _, v := range steps {
			if class[v] = v; v.isSum() {
				for _, a := range v.operands() {
					old := class[a]
					for w, k := range class {
						if k == old {
							class[w] = v
						}
					}
				}
			}
		}
		known := func(v *Value) (n int, ok bool) {
			if k := class[v]; k != nil {
				n, ok = power[k]
				return n, ok
			}
			return power[v], true
		}
		for _, c := range out {
			if k := class[c.value]; k != nil {
				power[k] = c.n
			}
		}
		// Going backwards, a factor gets the exponent of the product minus the exponent of the other factor.
		for _, v := range slices.Backward(steps) {
			if _, ok := known(v); ok {
				continue
			}
			least := -1
			for _, w := range steps {
				n, ok := known(w)
				t := w.Terms[0]
				if !ok || t.B == nil {
					continue
				}
				a, _ := known(t.A)
				b, _ := known(t.B)
				switch isA, isB := class[t.A] == class[v], class[t.B] == class[v]; {
				case isA && isB:
					n /= 2
				case isA:
					n -= b
				case isB:
					n -= a
				default:
					continue
				}
				if least < 0 || n < least {
					least = n
				}
			}
			power[class[v]] = max(least, 0)
		}
		for _, v := range steps {
			for i, t := range v.Terms {
				n, _ := known(v)
				a, _ := known(t.A)
				if t.B != nil {
					b, _ := known(t.B)
					a += b
				}
				if n < a {
					r.fail(decl, "%s would have to be divided by 2", v.Name)
				}
				c := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n-a)))
				v.Terms[i].Coefficient = c.Mul(c, t.Coefficient)
			}
		}
	}
}
