package group

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/params"
)

var (
	isogenousA = field.FromLimbs(params.IsogenousA&params.Limb, params.IsogenousA>>64&params.Limb, params.IsogenousA>>128&params.Limb, params.IsogenousA>>192)
	isogenousB = field.FromLimbs(params.IsogenousB, 0, 0, 0)
	swuRoot    = field.FromLimbs(params.SWURoot&params.Limb, params.SWURoot>>64&params.Limb, params.SWURoot>>128&params.Limb, params.SWURoot>>192)
	kernelT    = field.FromLimbs(params.KernelT&params.Limb, params.KernelT>>64&params.Limb, params.KernelT>>128&params.Limb, params.KernelT>>192)
	kernelX    = field.FromLimbs(params.KernelX&params.Limb, params.KernelX>>64&params.Limb, params.KernelX>>128&params.Limb, params.KernelX>>192)
)

// MapToCurve sets p to map_to_curve(u) of RFC 9380 for secp256k1 (section 8.7), which is never infinity.
func (p *Jacobian) MapToCurve(u *field.Element) {
	var x, y field.Element
	swu(&x, &y, u)
	p.setIsogenous(&x, &y)
}

// swu sets (x, y) to the point to which u is mapped on the curve E′: y² = x³ + A′·x + B′ (RFC 9380, section 6.6.2).
// With Z = −11, either x₁ or x₂ = Z·u²·x₁ is the x coordinate of a point of E′.
func swu(x, y, u *field.Element) {
	var z, zu2, d, n, t, g field.Element
	z.SetUint64(params.SWUZ).Negate(&z)
	zu2.Square(u).Mul(&zu2, &z)
	d.Square(&zu2).Add(&d, &zu2)

	// x₁ is −B′/A′·(1 + 1/d), or B′/(Z·A′) if d ≡ 0, computed as numerator and denominator.
	n.Add(&d, t.SetUint64(1)).Mul(&n, &isogenousB)
	noInverse := d.IsZero()
	d.Negate(&d)
	d.Select(&z, &d, noInverse)
	d.Mul(&d, &isogenousA)
	x.Mul(&n, d.Invert(&d))

	// y₁ is a root of g(x₁) or, if g(x₁) is not a square, of −g(x₁). In the second case g(x₂) = (Z·u²)³·g(x₁) has the
	// root u³·Z·√−Z·y₁, since (√−Z·y₁)² = Z·g(x₁).
	g.Square(x).Add(&g, &isogenousA).Mul(&g, x).Add(&g, &isogenousB)
	first := y.Sqrt(&g)
	t.Mul(&zu2, u).Mul(&t, &swuRoot).Mul(&t, y)
	y.Select(y, &t, first)
	t.Mul(&zu2, x)
	x.Select(x, &t, first)

	y.CondNegate(y, u.IsOdd()^y.IsOdd())
}

// setIsogenous sets p to the image of the point (x, y) of E′ under the isogeny of RFC 9380, appendix E.1, in the form
// of J. Vélu ("Isogénies entre courbes elliptiques", 1971), scaled by 3. With the x coordinate a of the kernel and w =
// x − a:
//
//	X = w³ + a·w² + t·w + 28, Y = y·(w³ − t·w − 56), Z = 3·w, where 5·t ≡ A′.
//
// The points of the kernel other than infinity have no y in the field, so w and Z are not 0.
func (p *Jacobian) setIsogenous(x, y *field.Element) {
	const u = 28
	var w, w2, tw, c, s field.Element
	w.Sub(x, &kernelX)
	w2.Square(&w)
	tw.Mul(&w, &kernelT)

	s.Add(&w, &kernelX).Mul(&s, &w2)
	p.X.Add(&s, &tw).Add(&p.X, c.SetUint64(u))

	s.Mul(&w2, &w).Sub(&s, &tw)
	p.Y.Sub(&s, c.SetUint64(2*u)).Mul(&p.Y, y)

	p.Z.Add(&w, &w).Add(&p.Z, &w)
}
