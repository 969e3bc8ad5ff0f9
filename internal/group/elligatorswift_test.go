package group

import (
	"encoding/csv"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// lifted returns the point with the given x and parity of y.
func lifted(t *testing.T, x *big.Int, odd uint) oracle.Point {
	t.Helper()
	p, ok := oracle.LiftX(x)
	if !ok {
		t.Fatalf("%x is not an x coordinate", x)
	}
	if odd == 1 {
		p = p.Neg()
	}
	return p
}

func checkDecode(t *testing.T, r *oracle.Rand, u, v *big.Int) {
	t.Helper()
	eu, ev := elem(r, u), elem(r, v)
	var p Affine
	p.SetElligatorSwiftVartime(&eu, &ev)
	if want := lifted(t, oracle.XSwiftEC(u, v), fp.Reduce(v).Bit(0)); !p.is(want) {
		t.Fatalf("(%x, %x) is %x, %x, want %x", u, v, value(&p.X), value(&p.Y), want)
	}

	// The isomorphism of E7 must lead to the same point, up to its sign.
	var q Affine
	var ew field.Element
	q.SetElligatorSwiftIsomorphicVartime(&ew, &eu, &ev)
	x, y, w := value(&q.X), value(&q.Y), value(&ew)
	cube := func(a *big.Int) *big.Int { return fp.Mul(a, fp.Mul(a, a)) }
	if w.Sign() == 0 || x.Cmp(fp.Mul(w, value(&p.X))) != 0 || fp.Mul(y, y).Cmp(fp.Add(cube(x), fp.Mul(oracle.B, cube(w)))) != 0 {
		t.Fatalf("(%x, %x) is %x, %x where w is %x", u, v, x, y, w)
	}
}

// degenerate returns the two values t ≠ 0 with u³ + t² + 7 = 0, or nothing if there are none.
func degenerate(u *big.Int) []*big.Int {
	g := fp.Add(fp.Mul(u, fp.Mul(u, u)), oracle.B)
	if t, ok := oracle.Sqrt(fp.Neg(g)); ok {
		return []*big.Int{t, fp.Neg(t)}
	}
	return nil
}

func TestElligatorSwiftDecode(t *testing.T) {
	r := oracle.New(t)
	var edges []*big.Int
	for _, b := range oracle.FieldEdges() { // 0 and p among them
		edges = append(edges, oracle.Int(b[:]))
	}
	met := 0
	for i, u := range edges {
		checkDecode(t, r, u, new(big.Int))
		checkDecode(t, r, u, edges[(i*7+3)%len(edges)])
		checkDecode(t, r, new(big.Int), u)
		checkDecode(t, r, u, r.Field())
		for _, v := range degenerate(u) {
			checkDecode(t, r, u, v)
			met++
		}
	}
	for _, v := range degenerate(one) { // u = 0 is replaced by 1
		checkDecode(t, r, new(big.Int), v)
	}
	for range oracle.Cases(1000) {
		u := r.Field()
		checkDecode(t, r, u, r.Field())
		checkDecode(t, r, oracle.FromLimbs(r.Limbs()), oracle.FromLimbs(r.Limbs()))
		for _, v := range degenerate(u) {
			checkDecode(t, r, u, v)
			met++
		}
	}
	if met < 100 {
		t.Errorf("only %d pairs with u³ + t² + 7 = 0", met)
	}
}

// checkEncode looks for encodings of p with the given u in all three ways, and compares them with the eight cases of
// BIP-324. It returns the number of encodings that it finds.
func checkEncode(t *testing.T, r *oracle.Rand, p oracle.Point, u *big.Int) (found int) {
	t.Helper()
	point := affine(r, p)
	try := func(way int, random *big.Int, want ...*big.Int) bool {
		t.Helper()
		e := elem(r, random)
		var gotU, gotT field.Element
		if !point.ElligatorSwiftVartime(&gotU, &gotT, &e, way) {
			return false
		}
		if value(&gotU).Cmp(fp.Reduce(u)) != 0 {
			t.Fatalf("way %d of %x, %x: u is %x", way, p, u, value(&gotU))
		}
		for _, v := range want {
			if v != nil && v.Bit(0) == p.Y.Bit(0) && value(&gotT).Cmp(v) == 0 {
				found++
				return true
			}
		}
		t.Fatalf("way %d of %x, %x: t is %x, want one of %x", way, p, u, value(&gotT), want)
		return true
	}
	var all [8]*big.Int
	for way := range all {
		if fp.Reduce(u).Sign() != 0 {
			all[way] = oracle.XSwiftECInv(p.X, fp.Reduce(u), way)
		}
		if all[way] != nil && oracle.XSwiftEC(u, all[way]).Cmp(p.X) != 0 {
			t.Fatalf("the oracle's inverse %d of %x, %x is wrong", way, p.X, u)
		}
	}
	if try(ElligatorSwiftFirst, u, all[0], all[4]) != (all[0] != nil) || try(ElligatorSwiftSecond, u, all[1], all[5]) != (all[1] != nil) {
		t.Fatalf("of %x, %x there are %x", p, u, all)
	}
	root, ok := oracle.Sqrt(fp.Sub(p.X, u))
	if !ok {
		return found
	}
	plus, minus := try(ElligatorSwiftThird, root, all[2], all[6]), try(ElligatorSwiftThird, fp.Neg(root), all[3], all[7], all[2], all[6])
	if all[2] != nil && all[3] == nil { // both roots lead to the same t
		if plus == minus {
			t.Fatalf("both roots or none lead to an encoding of %x, %x", p, u)
		}
	} else if plus != (all[2] != nil) || minus != (all[3] != nil) {
		t.Fatalf("of %x, %x there are %x", p, u, all)
	}
	return found
}

func TestElligatorSwiftEncode(t *testing.T) {
	r := oracle.New(t)
	count := 0
	for _, b := range oracle.FieldEdges() {
		count += checkEncode(t, r, r.Point(), oracle.Int(b[:]))
	}
	for i, p := range oracle.EdgePoints() {
		if p.IsInfinity() || (testing.Short() && i%8 != 0) {
			continue
		}
		for _, u := range []*big.Int{r.Field(), p.X, fp.Neg(p.X), fp.Neg(fp.Add(p.X, p.X)), fp.Mul(oracle.Beta, p.X), fp.Neg(fp.Mul(oracle.Beta, p.X))} {
			count += checkEncode(t, r, p, u)
		}
	}
	for range oracle.Cases(1000) {
		count += checkEncode(t, r, r.Point(), r.Field())
	}
	// x is chosen so that 4(u³ + 7) + 3u²(x − u) is 0.
	double := 0
	for double < 10 {
		u := r.Field()
		if u.Sign() == 0 {
			continue
		}
		cube := fp.Add(fp.Mul(u, fp.Mul(u, u)), big.NewInt(28))
		x := fp.Neg(fp.Mul(cube, fp.Inv(fp.Mul(big.NewInt(3), fp.Mul(u, u)))))
		p, ok := oracle.LiftX(x)
		if _, square := oracle.Sqrt(fp.Sub(x, u)); !ok || !square {
			continue
		}
		for _, p := range []oracle.Point{p, p.Neg()} {
			if n := checkEncode(t, r, p, u); n != 1 && n != 3 {
				t.Errorf("%d encodings of %x, %x", n, p, u)
			}
		}
		double++
	}
	if count < 200 {
		t.Errorf("only %d encodings", count)
	}
}

// TestElligatorSwiftUniform counts, in small fields, how often each encoding occurs if every r is used once in each of
// the three ways (E5). The root of −3 is 2β + 1, for a cube root β of 1.
func TestElligatorSwiftUniform(t *testing.T) {
	curves := 0
	for _, p := range []int{7, 19, 31, 43} {
		square, root := make([]bool, p), make([]int, p)
		for x := range p {
			square[x*x%p] = true
		}
		mod := func(x int) int { return (x%p + p) % p }
		for x := range p { // the root that is itself a square, as a^((p+1)/4) is
			if square[x] {
				root[x*x%p] = x
			}
		}
		beta := 2
		for mod(beta*beta+beta+1) != 0 {
			beta++
		}
		inverses := make([]int, p)
		for x := range p {
			for y := range p {
				if x*y%p == 1 {
					inverses[x] = y
				}
			}
		}
		inverse := func(x int) int { return inverses[mod(x)] }
		for b := 1; b < p; b++ {
			f := func(x int) int { return mod(x*x*x + b) }
			valid := func(x int) bool { return square[f(x)] }
			zero := false // whether there is a point of order two, which secp256k1 does not have
			for x := range p {
				zero = zero || f(x) == 0
			}
			if zero {
				continue
			}
			curves++
			for x := range p {
				if !valid(x) {
					continue
				}
				count := make([]int, p*p)
				both := func(u, t int) { count[u*p+mod(t)]++; count[u*p+mod(-t)]++ }
				for r := range p {
					// This computes the ways of ElligatorSwiftVartime, for points with both parities of y.
					if q := mod(r*r + r*x + x*x); r != 0 && !valid(mod(-x-r)) && square[mod(-f(r)*q)] {
						w := mod(-f(r) * inverse(q))
						both(r, root[w]*mod(x+r+beta*r))
						both(r, root[w]*mod(x-beta*r))
					}
					u := mod(x - r*r)
					if v := mod(-4*f(u) - 3*u*u*r*r); r != 0 && u != 0 && square[v] && (v != 0 || r%2 == 0) {
						both(u, mod(mod(root[v]+u*r*(1+2*beta))*inverse(2)))
					}
				}
				for u := 1; u < p; u++ {
					for v := 1; v < p; v++ {
						s := v * v % p
						if mod(f(u)+s) == 0 {
							continue
						}
						// XSwiftEC of u and v.
						third := mod(u - mod(f(u)+s)*mod(f(u)+s)*inverse(3*s*u*u))
						second := mod(u * mod(beta*f(u)+mod(beta*beta)*s) * inverse(f(u)+s))
						decoded := mod(-u - second)
						if valid(third) {
							decoded = third
						} else if valid(second) {
							decoded = second
						}
						want := 0
						if decoded == x {
							want = 1
						}
						if count[u*p+v] != want {
							t.Fatalf("p = %d, b = %d, x = %d: (%d, %d) comes out %d times, want %d", p, b, x, u, v, count[u*p+v], want)
						}
					}
				}
			}
		}
	}
	if curves < 50 {
		t.Errorf("only %d curves", curves)
	}
}

// TestElligatorSwiftVectors checks the test vectors of BIP-324 for XSwiftEC and for its inverse.
func TestElligatorSwiftVectors(t *testing.T) {
	r := oracle.New(t)
	rows := func(name string) [][]string {
		all, err := csv.NewReader(vectors.Open(t, "bip324/"+name)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return all[1:]
	}
	hex := func(s string) *big.Int {
		x, ok := new(big.Int).SetString(s, 16)
		if !ok {
			t.Fatalf("%q is not a number", s)
		}
		return x
	}
	decoded, ways := 0, 0
	for _, row := range rows("ellswift_decode_test_vectors.csv") {
		u, v := hex(row[0][:64]), hex(row[0][64:])
		if oracle.XSwiftEC(u, v).Cmp(hex(row[1])) != 0 {
			t.Errorf("the oracle decodes %s to %x", row[0], oracle.XSwiftEC(u, v))
		}
		checkDecode(t, r, u, v)
		decoded++
	}
	for _, row := range rows("xswiftec_inv_test_vectors.csv") {
		u, x := hex(row[0]), hex(row[1])
		for way, want := range row[2:10] {
			got := oracle.XSwiftECInv(x, u, way)
			if (got == nil) != (want == "") || (got != nil && got.Cmp(hex(want)) != 0) {
				t.Errorf("the oracle's inverse %d of %s, %s is %x, want %s", way, row[1], row[0], got, want)
			}
			ways++
		}
		for odd := range uint(2) {
			checkEncode(t, r, lifted(t, x, odd), u)
		}
		if !strings.Contains(row[10], "case0") {
			t.Errorf("the comment of %s, %s is %q", row[0], row[1], row[10])
		}
	}
	if decoded != 76 || ways != 32*8 {
		t.Errorf("%d encodings and %d ways", decoded, ways)
	}
}
