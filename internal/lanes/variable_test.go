package lanes

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
)

// TestVariableException checks S24 of docs/digits.md: among the candidates for exceptional scalars, only 0 and
// variableException have digits that make an addition exceptional. The digits of −variableException do not.
func TestVariableException(t *testing.T) {
	const w, most = recode.VariableWidth, 1<<recode.VariableWidth - 1
	fn := oracle.Fn
	lambda := func(x int64) *big.Int { return fn.Mul(big.NewInt(x), oracle.Lambda) }
	exceptions := map[string]bool{}
	check := func(k *big.Int) {
		s := scalarOf(k)
		d1, d2 := recode.Variable(&s)
		last1, last2 := 2*int64(d1.VariableWindow(0))-most, 2*int64(d2.VariableWindow(0))-most
		before := fn.Sub(fn.Sub(k, lambda(last2)), big.NewInt(last1))
		for _, added := range []*big.Int{big.NewInt(last1), lambda(last2)} {
			if fn.Sub(before, added).Sign() == 0 || fn.Add(before, added).Sign() == 0 {
				exceptions[k.String()] = true
			}
			before = fn.Add(before, added)
		}
	}
	for d2 := int64(-most); d2 <= most; d2 += 2 {
		check(lambda(d2))
		check(lambda(2 * d2))
		for d1 := int64(-most); d1 <= most; d1 += 2 {
			check(fn.Add(big.NewInt(2*d1), lambda(d2)))
		}
	}
	check(new(big.Int))
	want := oracle.FromLimbs(variableException.Limbs())
	if len(exceptions) != 2 || !exceptions["0"] || !exceptions[want.String()] || want.Cmp(lambda(26)) != 0 {
		t.Errorf("the exceptions are %v, want 0 and %v", exceptions, want)
	}
}

// jacobian returns p with a random Z, or with Z = 1. For infinity, X and Y are random and Z = 0.
func jacobian(r *oracle.Rand, p oracle.Point) *group.Jacobian {
	j := new(group.Jacobian)
	if p.IsInfinity() {
		x, y := oracle.Limbs(r.Field()), oracle.Limbs(r.Field())
		j.X, j.Y = field.FromLimbs(x[0], x[1], x[2], x[3]), field.FromLimbs(y[0], y[1], y[2], y[3])
		return j
	}
	x, y, z := oracle.Limbs(p.X), oracle.Limbs(p.Y), r.Limbs()
	j.SetAffine(&group.Affine{X: field.FromLimbs(x[0], x[1], x[2], x[3]), Y: field.FromLimbs(y[0], y[1], y[2], y[3])})
	if e := field.FromLimbs(z[0], z[1], z[2], z[3]); r.IntN(2) == 0 && e.IsZero() == 0 {
		j.Rescale(j, &e)
	}
	return j
}

// TestVariable multiplies by the scalars of baseScalars, each time in a list of another length, from 0 to 35 points.
// Some points are infinity, equal or opposite.
func TestVariable(t *testing.T) {
	r := oracle.New(t)
	n := 0
	for _, k := range append([]*big.Int{new(big.Int)}, baseScalars(r)...) {
		n = (n + 1) % (variableBlocks*N + N/2)
		s := scalarOf(k)
		points := []oracle.Point{{}, r.Point(), r.Point()}
		points = append(points, points[1].Neg())
		var products []oracle.Point
		for _, q := range points[:3] {
			products = append(products, q.Mul(k))
		}
		products = append(products, products[1].Neg())
		var owners []int
		var p, a []*group.Jacobian
		for range n {
			i := r.IntN(len(points))
			owners, a, p = append(owners, i), append(a, jacobian(r, points[i])), append(p, jacobian(r, oracle.G))
		}
		if r.IntN(2) == 0 {
			p = a
		}
		Variable(p, &s, a)
		for i := range p {
			normal := p[i].Z.Equal(&field.Element{}) | p[i].Z.Equal(&one)
			if q := points[owners[i]]; p[i].Equal(jacobian(r, products[owners[i]])) == 0 || normal == 0 {
				t.Fatalf("%d of %d: %x·(%x, %x) is wrong", i, n, k, q.X, q.Y)
			}
		}
	}
}

// TestVariableLookup looks up every entry, in assembly and in Go, with random bits above the index.
func TestVariableLookup(t *testing.T) {
	r := oracle.New(t)
	s := &new(secretWorkspace).variable
	for i := range s.table {
		s.table[i].X.extreme(r)
		s.table[i].Y.extreme(r)
	}
	for i := range s.table {
		index := uint64(i) | r.Limbs()[0]<<4
		for what, f := range map[string]func(x, y *Element, table *variableTable, index uint64){
			"variableLookup": variableLookup, "variableLookupGeneric": variableLookupGeneric,
		} {
			s.x.random(r)
			s.y.random(r)
			f(&s.x, &s.y, &s.table, index)
			if s.x != s.table[i].X || s.y != s.table[i].Y {
				t.Errorf("%s: entry %d is wrong", what, i)
			}
		}
	}
}

func BenchmarkVariable(b *testing.B) {
	r := oracle.New(b)
	k := scalarOf(r.Scalar())
	var p []*group.Jacobian
	for range variableBlocks * N {
		p = append(p, jacobian(r, r.Point()))
	}
	for b.Loop() {
		Variable(p, &k, p)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(len(p)*b.N), "ns/point")
}
