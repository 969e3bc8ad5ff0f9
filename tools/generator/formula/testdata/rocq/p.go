package p

type Pair struct{ X, Y field.Element }

func other() {}

// fGeneric does it.
func fGeneric(p, a *Pair, h *field.Element) {
	var t, u field.Element
	t.Half(&a.X)
	u.Set(&t)
	h.Mul(h, &u)
	p.X.Negate(&t)
	p.Y.Sub(&a.Y, &t)
}
