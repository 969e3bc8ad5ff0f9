package formula

import (
	"go/ast"
	"math/big"
	"slices"
)

// scaling returns what multiplies the steps of a function, once they are read, by
// powers of two, so that what its parameters point to is multiplied as the machine
// says. The values between are multiplied by as much as that leaves to them, which
// cancels the halves in a formula: nothing has to be halved.
//
// (X, Y, Z) times (4², 4³, 4) is the same point, with another denominator; and 2Y
// is as good as Y to a machine which has it everywhere.
func (r *reader) scaling(scope map[string]object, decl *ast.FuncDecl) func(steps []*Value) {
	scale, ok := r.Scale[decl.Name.Name]
	if !ok {
		return func([]*Value) {}
	}
	power := map[*Value]int{} // as far as it is known
	after := map[*cell]int{}
	for _, p := range params(decl.Recv, decl.Type.Params) {
		for i, c := range r.variable(p).cells {
			after[scope[p.Name].cells[i]] = scale[c.name]
			power[scope[p.Name].cells[i].value] = scale[c.name]
		}
	}
	return func(steps []*Value) {
		for _, v := range steps {
			for _, a := range v.operands() {
				if _, ok := power[a]; !ok && !slices.Contains(steps, a) {
					power[a] = 0
				}
			}
		}
		for c, n := range after {
			power[c.value] = n
		}
		for progress := true; progress; {
			progress = false
			set := func(v *Value, n int) {
				if _, ok := power[v]; !ok {
					power[v], progress = n, true
				}
			}
			for _, v := range slices.Backward(steps) {
				n, ok := power[v]
				switch a, b := v.Terms[0].A, v.Terms[0].B; {
				case b == nil: // all in a sum have the same
					for _, w := range append(v.operands(), v) {
						if n, ok := power[w]; ok {
							for _, w := range append(v.operands(), v) {
								set(w, n)
							}
						}
					}
				case !ok:
				case a == b:
					set(a, n>>v.Squarings)
				default:
					if m, ok := power[a]; ok {
						set(b, n-m)
					} else if m, ok := power[b]; ok {
						set(a, n-m)
					}
				}
			}
		}
		for _, v := range steps {
			for i, t := range v.Terms {
				n := power[v] - power[t.A]<<(v.Squarings-1)
				if t.B != nil {
					n -= power[t.B] << (v.Squarings - 1)
				}
				if _, ok := power[v]; !ok || n < 0 {
					r.fail(decl, "%s cannot be multiplied", v.Name)
				}
				c := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))
				v.Terms[i].Coefficient = c.Mul(c, t.Coefficient)
			}
		}
	}
}
