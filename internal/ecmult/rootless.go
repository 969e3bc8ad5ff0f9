package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// A public key is an x coordinate and the parity of y. SumHasXVartime decides whether R = k·P + g·G has a given x
// coordinate, without the square root that computes y (docs/rootless.md). In the notation of that page c = x³ + 7 = y²,
// and
//
//	P             = (x, y), where y is unknown
//	φ(X, Y)       = (X·y², Y·y³), the map of odd.go for u = y, to E′: Y² = X³ + 7·c³
//	φ(P)          = (x·c, y·y³) = (c·x, c²), which is known
//	φ(k·P)        = k·φ(P) = (X/Z², Y/Z³), computed on E′; u.b in the code
//	g·G           = (X₁/ZZ, Y₁/ZZZ) = (x₁, y₁), computed on E; u.a in the code
//
// Mapping k·φ(P) back divides by y² = c and y³ = y⁴/y = c²/y. With w = c·Z²:
//
//	k·P = (x₂, t·y) for x₂ = X/w and t = Y/(w·c·Z)
//
// So the x coordinate of k·P is known, and its y coordinate is a known number times the unknown y. The chord through
// g·G and k·P gives R:
//
//	slope m = (t·y − y₁)/(x₂ − x₁),  x of R = m² − x₁ − x₂,  y of R = m·(x₁ − x of R) − y₁.
//
// These formulas need finite points with x₁ ≠ x₂. For other points, the functions give no verdict, and the caller
// computes y from x. An attacker who provokes such a sum costs the verifier the time of one more verification, and
// gains nothing else.
//
// If c is not a square, no point P has the x coordinate x, and E′ is the quadratic twist, which has points of small
// order. In this case the additions that fill the tables may meet points that their formula excludes, and the
// coordinates of the sum are arbitrary. The verdict is correct all the same, because of the comparison with R3 below.

// Verdict is the answer to the question whether a sum has a given x coordinate.
type Verdict int

const (
	Unknown Verdict = iota // k·P or g·G is infinity, or both have the same x coordinate
	No
	Yes
)

// SumHasXVartime says whether R = k·P + g·G is finite and has the x coordinate r, for the point P with the given x. The
// y of P is odd if the mask odd is all ones, and even if it is zero. If even is true, the y of R must also be even. If
// there is no point P with this x, the answer is No or Unknown.
//
// If the answer is Unknown, the caller computes y from x, and R with DoubleScalarVartime.
func SumHasXVartime(k *scalar.Scalar, x *field.Element, odd uint64, g *scalar.Scalar, r *field.Element, even bool) Verdict {
	var u unlifted
	if v := u.setVartime(k, x, g, r); v != Yes {
		return v
	}
	if even {
		return u.isEvenVartime(odd, r)
	}
	// By R2 the sum has the x coordinate r if the y of P is n/d, and does not have it if the y of P is −n/d. So the sum
	// has the x coordinate r exactly if n/d has the parity that odd gives.
	var y field.Element
	y.InvertVartime(&u.d)
	return verdict(y.Mul(&y, &u.n).IsOdd() == odd)
}

// XQuestion holds the arguments of SumHasXVartime, except even, and the answer.
type XQuestion struct {
	K, G scalar.Scalar
	X, R field.Element
	Odd  uint64
	Skip bool // whether the answer is Unknown, without any computation

	Verdict Verdict // the answer

	n, d, before field.Element // y = n/d, and the product of all earlier d
}

// SumsHaveXVartime sets the verdict of each question, with one inversion for all questions.
func SumsHaveXVartime(all []XQuestion) {
	// Questions with the answer No or Unknown take no part, so no d is 0.
	var product field.Element
	product.SetUint64(1)
	for i := range all {
		var u unlifted
		q := &all[i]
		q.Verdict = Unknown
		if !q.Skip {
			q.Verdict = u.setVartime(&q.K, &q.X, &q.G, &q.R)
		}
		if q.Verdict == Yes {
			q.n, q.d = u.n, u.d
			field.Append(&product, &q.before, &q.d)
		}
	}
	product.InvertVartime(&product)
	for i := len(all) - 1; i >= 0; i-- {
		q := &all[i]
		if q.Verdict == Yes {
			var y field.Element
			field.Remove(&product, &y, &q.before, &q.d)
			q.Verdict = verdict(y.Mul(&y, &q.n).IsOdd() == q.Odd)
		}
	}
}

// unlifted is a sum g·G + k·P. If the sum has the x coordinate in question, the y of P is n/d.
type unlifted struct {
	a group.XYZZ     // g·G = (X₁/ZZ, Y₁/ZZZ)
	b group.Jacobian // φ(k·P) = (X/Z², Y/Z³), on E′
	c field.Element  // x³ + 7

	e, f field.Element // Y·ZZZ and Y₁·w, where w = c·Z²
	h    field.Element // X·ZZ − X₁·w = (x₂ − x₁)·w·ZZ
	n, d field.Element // N and D of R2, times w³·ZZ³
}

// partsVartime sets u.a, u.b and u.c for k·P + g·G, where x is the x coordinate of P.
func (u *unlifted) partsVartime(k *scalar.Scalar, x *field.Element, g *scalar.Scalar) {
	var ofG [1]precomputedTerm
	ofG[0].setGeneratorVartime(g)

	var terms [1]Term
	var p group.Affine
	u.c = p.SetUnlifted(x)
	terms[0].Scalar = *k
	terms[0].Point.SetAffine(&p)
	SumVartime(&u.b, nil, terms[:])
	sumPrecomputedVartime(&u.a, ofG[:])
}

// setVartime sets u to the sum k·P + g·G, where x is the x coordinate of P. It returns Yes if the sum has the x
// coordinate r for one of the two points P with this x, and No if the sum has it for neither. It returns Unknown if g·G
// or k·P is infinity, or if both have the same x coordinate.
func (u *unlifted) setVartime(k *scalar.Scalar, x *field.Element, g *scalar.Scalar, r *field.Element) Verdict {
	u.partsVartime(k, x, g)

	// Setting m² − x₁ − x₂ = r and multiplying by (x₂ − x₁)² gives an equation that is linear in y, because y² = c. The
	// equation is R2:
	//
	//	D·y = N for D = 2·t·y₁ and N = t²·c + y₁² − (x₁ + x₂ + r)·(x₂ − x₁)².
	//
	// Multiplying N and D by w³·ZZ³, where ZZ³ = ZZZ², removes all divisions:
	//
	//	N·w³·ZZ³ = e² + f²·w − s·h², where s = (x₁ + x₂ + r)·w·ZZ = X₁·w + X·ZZ + r·w·ZZ,
	//	D·w³·ZZ³ = 2·e·f·Z.
	a, b := &u.a, &u.b
	var w, s, t, v field.Element
	w.Square(&b.Z).Mul(&w, &u.c)
	u.h.Mul(&b.X, &a.ZZ)
	t.Mul(&a.X, &w)
	s.Mul(&w, &a.ZZ).Mul(&s, r)
	s.Add(&s, &u.h).Add(&s, &t) // h is still X·ZZ
	u.h.Sub(&u.h, &t)
	u.e.Mul(&b.Y, &a.ZZZ)
	u.f.Mul(&a.Y, &w)
	v.Square(&u.h)
	s.Mul(&s, &v)
	u.n.Square(&u.f).Mul(&u.n, &w)
	t.Square(&u.e)
	u.n.Add(&u.n, &t).Sub(&u.n, &s)
	u.d.Mul(&u.e, &u.f).Mul(&u.d, &b.Z)
	u.d.Add(&u.d, &u.d)
	// h is 0 for equal x coordinates. d is 0 if g·G is infinity, because then ZZZ = 0 and so e = 0, or if k·P is
	// infinity, because then Z = 0. Otherwise, if there is a point P, d is not 0. Y and Y₁ are not 0, because the order
	// n is odd and so no point of the curve has y = 0. c is not 0, because −7 is not a cube (R6).
	if u.h.IsZeroVartime() || u.d.IsZeroVartime() {
		return Unknown
	}
	// y = n/d is one of the two roots of c exactly if n² = d²·c (R3). If c is not a square, there is no P, and d²·c is
	// not a square for d ≠ 0, so the answer is No for all n and d ≠ 0 (R4).
	t.Square(&u.d).Mul(&t, &u.c)
	return verdict(v.Square(&u.n).Equal(&t) != 0)
}

// isEvenVartime returns Yes if the y of P, which is n/d, has the parity that the mask odd gives, and the y of the sum R
// is even. The x of R is r, so the chord through g·G gives (R5):
//
//	y of R = (t·y − y₁)·(x₁ − r)/(x₂ − x₁) − y₁
//	       = ((e·y − f·c·Z)·(X₁ − r·ZZ) − c·Z·h·Y₁)/(c·Z·h·ZZZ).
//
// The inverse of d·c·h, with d = 2·e·f·Z and e = Y·ZZZ, gives both quotients:
//
//	1/d = c·h·inverse and 1/(c·Z·h·ZZZ) = 2·f·Y·inverse.
func (u *unlifted) isEvenVartime(odd uint64, r *field.Element) Verdict {
	var inverse, y, s, t, v field.Element
	t.Mul(&u.c, &u.h)
	inverse.InvertVartime(v.Mul(&u.d, &t))
	y.Mul(&inverse, &t).Mul(&y, &u.n)
	if y.IsOdd() != odd {
		return No
	}
	v.Mul(&u.c, &u.b.Z)
	t.Mul(&u.a.ZZ, r)
	t.Sub(&u.a.X, &t) // X₁ − r·ZZ
	y.Mul(&u.e, &y)
	s.Mul(&u.f, &v)
	y.Sub(&y, &s) // e·y − f·c·Z
	y.Mul(&y, &t)
	v.Mul(&v, &u.h).Mul(&v, &u.a.Y)
	y.Sub(&y, &v) // the numerator
	s.Mul(&u.f, &u.b.Y).Add(&s, &s)
	y.Mul(&y, s.Mul(&s, &inverse))
	return verdict(y.IsOdd() == 0)
}

// SumOfXVartime sets p = k·P + g·G for the point P with the given x. The y of P is odd if the mask odd is all ones, and
// even if it is zero. One exponentiation gives y and all inverses (R8). SumOfXVartime reports false and leaves p
// undefined if there is no P, if k·P or g·G is infinity, or if both have the same x coordinate.
func SumOfXVartime(p *group.Affine, k *scalar.Scalar, x *field.Element, odd uint64, g *scalar.Scalar) bool {
	var u unlifted
	u.partsVartime(k, x, g)

	// The denominators of x₁, y₁, x₂ and of the slope all follow from D = c·Z·ZZZ·h, as shown below. With root² =
	// 1/(c·D²), root is 1/(±y·D), so ±y = root·c·D, and 1/D = root·(root·c·D), in which the signs cancel. There is no
	// such root if c is not a square, or if D is 0. D is 0 if g·G or k·P is infinity or if their x coordinates are
	// equal, as in setVartime.
	a, b := &u.a, &u.b
	var w, cZ, rest, d, cD, root, y field.Element
	cZ.Mul(&u.c, &b.Z)
	w.Mul(&cZ, &b.Z)
	u.h.Mul(&b.X, &a.ZZ)
	u.h.Sub(&u.h, rest.Mul(&a.X, &w))
	rest.Mul(&cZ, &u.h)
	d.Mul(&rest, &a.ZZZ)
	cD.Mul(&u.c, &d)
	if root.InvertSqrt(y.Mul(&cD, &d)) == 0 {
		return false
	}
	y.Mul(&cD, &root)
	d.Mul(&root, &y) // from here on d is 1/D
	y.CondNegate(&y, y.IsOdd()^odd)

	// x₁ = X₁/ZZ and y₁ = Y₁/ZZZ, where 1/ZZZ = c·Z·h/D, and 1/ZZ = (ZZ/ZZZ)² since ZZ³ = ZZZ².
	var x1, y1, x2, m, t field.Element
	y1.Mul(&d, &rest) // 1/ZZZ
	x1.Mul(&y1, &a.ZZ)
	x1.Square(&x1).Mul(&x1, &a.X)
	y1.Mul(&y1, &a.Y)
	// x₂ = X/(c·Z²) = (1/(c·Z))²·c·X.
	x2.Mul(&d, &a.ZZZ).Mul(&x2, &u.h) // 1/(c·Z)
	x2.Square(&x2).Mul(&x2, &u.c).Mul(&x2, &b.X)
	// The slope (t·y − y₁)/(x₂ − x₁) is (Y·ZZZ·y − Y₁·w·c·Z)·ZZ/D.
	m.Mul(&b.Y, &a.ZZZ).Mul(&m, &y)
	t.Mul(&a.Y, &w).Mul(&t, &cZ)
	m.Sub(&m, &t).Mul(&m, &a.ZZ).Mul(&m, &d)
	// p = (m² − x₁ − x₂, m·(x₁ − p.X) − y₁).
	p.X.Square(&m)
	p.X.Sub(&p.X, &x1).Sub(&p.X, &x2)
	t.Sub(&x1, &p.X)
	p.Y.Mul(&m, &t)
	p.Y.Sub(&p.Y, &y1)
	return true
}

// verdict returns Yes if yes is true, and No otherwise.
func verdict(yes bool) Verdict {
	if yes {
		return Yes
	}
	return No
}
