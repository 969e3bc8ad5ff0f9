package oracle

import "math/big"

// sqrtMinus3 is the c of BIP-324.
var sqrtMinus3 = fromHex("0a2d2ba93507f1df233770c2a797962cc61f6d15da14ecd47d8d27ae1cd5f852")

// XSwiftEC computes the function XSwiftEC of BIP-324. u and t may be any integers, and are reduced modulo P.
func XSwiftEC(u, t *big.Int) *big.Int {
	if u = Fp.Reduce(u); u.Sign() == 0 {
		u = one
	}
	if t = Fp.Reduce(t); t.Sign() == 0 {
		t = one
	}
	g := rhs(u)
	if Fp.Add(g, Fp.Mul(t, t)).Sign() == 0 {
		t = Fp.Add(t, t)
	}
	half := Fp.Inv(big.NewInt(2))
	x := Fp.Mul(Fp.Sub(g, Fp.Mul(t, t)), Fp.Mul(half, Fp.Inv(t)))
	y := Fp.Mul(Fp.Add(x, t), Fp.Inv(Fp.Mul(sqrtMinus3, u)))
	quotient := Fp.Mul(x, Fp.Inv(y))
	for _, candidate := range []*big.Int{
		Fp.Add(u, Fp.Mul(big.NewInt(4), Fp.Mul(y, y))),
		Fp.Mul(half, Fp.Neg(Fp.Add(quotient, u))),
		Fp.Mul(half, Fp.Sub(quotient, u)),
	} {
		if _, ok := LiftX(candidate); ok {
			return candidate
		}
	}
	panic("oracle: no candidate is an x coordinate")
}

// XSwiftECInv returns a t with XSwiftEC(u, t) = x, found in the given one of eight ways, or nil (BIP-324). x must be
// the x coordinate of a point, and u must not be 0.
func XSwiftECInv(x, u *big.Int, way int) *big.Int {
	half := Fp.Inv(big.NewInt(2))
	var v, s *big.Int
	if way&2 == 0 {
		if _, ok := LiftX(Fp.Neg(Fp.Add(x, u))); ok {
			return nil
		}
		v = x
		q := Fp.Add(Fp.Mul(u, u), Fp.Add(Fp.Mul(u, v), Fp.Mul(v, v)))
		s = Fp.Neg(Fp.Mul(rhs(u), Fp.Inv(q)))
	} else {
		if s = Fp.Sub(x, u); s.Sign() == 0 {
			return nil
		}
		sum := Fp.Add(Fp.Mul(big.NewInt(4), rhs(u)), Fp.Mul(big.NewInt(3), Fp.Mul(s, Fp.Mul(u, u))))
		r, ok := Sqrt(Fp.Neg(Fp.Mul(s, sum)))
		if !ok || (way&1 == 1 && r.Sign() == 0) {
			return nil
		}
		v = Fp.Mul(half, Fp.Sub(Fp.Mul(r, Fp.Inv(s)), u))
	}
	w, ok := Sqrt(s)
	if !ok {
		return nil
	}
	if way&5 == 0 || way&5 == 5 {
		w = Fp.Neg(w)
	}
	c := Fp.Neg(sqrtMinus3)
	if way&1 == 1 {
		c = sqrtMinus3
	}
	return Fp.Mul(w, Fp.Add(Fp.Mul(u, Fp.Mul(half, Fp.Add(one, c))), v))
}
