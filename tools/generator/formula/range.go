package formula

import (
	"fmt"
	"math/big"
)

// A Range is the integers from Least to Most.
type Range struct{ Least, Most *big.Int }

// Below returns the range from 0 to below 2ⁿ.
func Below(n uint) Range {
	most := new(big.Int).Lsh(big.NewInt(1), n)
	return Range{new(big.Int), most.Sub(most, big.NewInt(1))}
}

// Plus is the range of sums.
func (r Range) Plus(s Range) Range {
	return Range{new(big.Int).Add(r.Least, s.Least), new(big.Int).Add(r.Most, s.Most)}
}

// Times is the range of products.
func (r Range) Times(s Range) Range {
	var p Range
	for _, a := range []*big.Int{r.Least, r.Most} {
		for _, b := range []*big.Int{s.Least, s.Most} {
			ab := new(big.Int).Mul(a, b)
			if p.Least == nil || ab.Cmp(p.Least) < 0 {
				p.Least = ab
			}
			if p.Most == nil || ab.Cmp(p.Most) > 0 {
				p.Most = ab
			}
		}
	}
	return p
}

// Within reports whether all of r is in s.
func (r Range) Within(s Range) bool { return r.Least.Cmp(s.Least) >= 0 && r.Most.Cmp(s.Most) <= 0 }

// denominator is what makes integers of the coefficients, which are multiples of
// powers of 1/2.
func (v *Value) denominator() *big.Rat {
	most := new(big.Int)
	for _, t := range v.Terms {
		if d := t.Coefficient.Denom(); d.Cmp(most) > 0 {
			most = d
		}
	}
	return new(big.Rat).SetInt(most)
}

// Ranges follows the integers through the steps, for inputs of a range. The machine
// says to which range it reduces a sum, or that it cannot. A sum with halves comes
// as twice that, before it is halved.
func (f *Formula) Ranges(input Range, reduce func(v *Value, sum Range) (Range, error)) error {
	of := map[*Value]Range{}
	get := func(v *Value) Range {
		if v.Terms == nil {
			return input
		}
		return of[v]
	}
	for _, v := range f.Steps {
		total := Range{new(big.Int), new(big.Int)}
		for _, t := range v.Terms {
			r := get(t.A)
			if t.B != nil {
				r = r.Times(get(t.B))
			}
			n := new(big.Rat).Mul(t.Coefficient, v.denominator()).Num()
			total = total.Plus(r.Times(Range{n, n}))
		}
		r, err := reduce(v, total)
		if err != nil {
			return fmt.Errorf("%s: %s = %s: %w", f.Name, v.Name, v, err)
		}
		of[v] = r
	}
	return nil
}
