package group

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/params"
)

// isogeny holds the isogeny of RFC 9380, appendix E.1: numerators and denominators of x and y, coefficients from the
// lowest on.
var isogeny = [4][]string{
	{
		"8e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38daaaaa8c7", "07d3d4c80bc321d5b9f315cea7fd44c5d595d2fc0bf63b92dfff1044f17c6581",
		"534c328d23f234e6e2a413deca25caece4506144037c40314ecbd0b53d9dd262", "8e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38daaaaa88c",
	},
	{"d35771193d94918a9ca34ccbb7b640dd86cd409542f8487d9fe6b745781eb49b", "edadc6f64383dc1df7c4b2d51b54225406d36b641f5e41bbc52a56612a8c6d14", "01"},
	{
		"4bda12f684bda12f684bda12f684bda12f684bda12f684bda12f684b8e38e23c", "c75e0c32d5cb7c0fa9d0a54b12a0a6d5647ab046d686da6fdffc90fc201d71a3",
		"29a6194691f91a73715209ef6512e576722830a201be2018a765e85a9ecee931", "2f684bda12f684bda12f684bda12f684bda12f684bda12f684bda12f38e38d84",
	},
	{
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffff93b", "7a06534bb8bdb49fd5e9e6632722c2989467c1bfc8e8d978dfb425d2685c2573",
		"6484aa716545ca2cf3a70c3fa8fe337e0a3d21162f0d6299a7bf8192bfd2a76f", "01",
	},
}

// mapped returns map_to_curve(u) of RFC 9380, computed by the definition (sections 6.6.2 and 6.6.3).
func mapped(u *big.Int) (_ oracle.Point, exceptional bool) {
	n := func(x int64) *big.Int { return oracle.Fp.Reduce(big.NewInt(x)) }
	a, b, z := oracle.FromLimbs(isogenousA.Limbs()), n(params.IsogenousB), n(-11)
	g := func(x *big.Int) *big.Int { return fp.Add(fp.Add(fp.Mul(fp.Mul(x, x), x), fp.Mul(a, x)), b) }

	zu2 := fp.Mul(z, fp.Mul(u, u))
	d := fp.Add(fp.Mul(zu2, zu2), zu2)
	x := fp.Mul(b, fp.Inv(fp.Mul(z, a)))
	if d.Sign() != 0 {
		x = fp.Mul(fp.Mul(fp.Neg(b), fp.Inv(a)), fp.Add(n(1), fp.Inv(d)))
	}
	y, ok := oracle.Sqrt(g(x))
	if !ok {
		x = fp.Mul(zu2, x)
		if y, ok = oracle.Sqrt(g(x)); !ok {
			panic("neither x₁ nor x₂ is the x coordinate of a point")
		}
	}
	if y.Bit(0) != u.Bit(0) {
		y = fp.Neg(y)
	}

	evaluate := func(coefficients []string) *big.Int {
		sum := new(big.Int)
		for i := len(coefficients) - 1; i >= 0; i-- {
			c, ok := new(big.Int).SetString(coefficients[i], 16)
			if !ok {
				panic("not hexadecimal")
			}
			sum = fp.Add(fp.Mul(sum, x), c)
		}
		return sum
	}
	return oracle.Point{
		X: fp.Mul(evaluate(isogeny[0]), fp.Inv(evaluate(isogeny[1]))),
		Y: fp.Mul(y, fp.Mul(evaluate(isogeny[2]), fp.Inv(evaluate(isogeny[3])))),
	}, d.Sign() == 0
}

func TestMapToCurve(t *testing.T) {
	exceptions := 0
	check := func(u *big.Int) {
		t.Helper()
		want, exceptional := mapped(fp.Reduce(u))
		if !want.OnCurve() {
			t.Fatalf("the definition maps %x to no point", u)
		}
		if exceptional {
			exceptions++
		}
		limbs := oracle.Limbs(u)
		e := field.FromLimbs(limbs[0], limbs[1], limbs[2], limbs[3])
		var p Jacobian
		p.MapToCurve(&e)
		if e.Limbs() != limbs {
			t.Errorf("MapToCurve(%x) changes u", u)
		}
		if !p.is(want) {
			t.Errorf("MapToCurve(%x) = %x, want %x", u, p.point().Uncompressed(), want.Uncompressed())
		}
	}
	root, ok := oracle.Sqrt(fp.Inv(big.NewInt(params.SWUZ)))
	if !ok {
		t.Fatal("1/11 has no root")
	}
	check(root) // Z·u² = −1
	check(fp.Neg(root))
	for _, b := range oracle.FieldEdges() { // 0 and p among them
		check(oracle.Int(b[:]))
	}
	if exceptions < 4 {
		t.Errorf("%d exceptional values", exceptions)
	}
	r := oracle.New(t)
	for range 2000 {
		check(oracle.FromLimbs(r.Limbs()))
	}
}

// TestSWUConstants derives the constants that RFC 9380 does not list from the constants that it lists.
func TestSWUConstants(t *testing.T) {
	if r := value(&swuRoot); fp.Mul(r, r).Int64() != params.SWUZ {
		t.Error("SWURoot is no root of 11")
	}
	if fp.Mul(value(&kernelT), big.NewInt(5)).Cmp(value(&isogenousA)) != 0 {
		t.Error("KernelT is not IsogenousA/5")
	}
	k21, _ := new(big.Int).SetString(isogeny[1][1], 16)
	if a := value(&kernelX); fp.Neg(fp.Add(a, a)).Cmp(k21) != 0 {
		t.Error("k(2,1) is not −2·KernelX")
	}
	// The points of the kernel have the x coordinate KernelX, but no point of E′ over the field has it. So the isogeny
	// takes no point of E′ over the field to infinity, except infinity itself.
	a, b := value(&isogenousA), big.NewInt(params.IsogenousB)
	x := value(&kernelX)
	if _, ok := oracle.Sqrt(fp.Add(fp.Add(fp.Mul(fp.Mul(x, x), x), fp.Mul(a, x)), b)); ok {
		t.Error("KernelX is the x coordinate of a point over the field")
	}
}
