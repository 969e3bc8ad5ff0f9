package p

type Pair struct{ X, Y field.Element }

// squaresGeneric does two things. More.
func squaresGeneric(p, q, a *Pair) {
	fourth(p, a)
	fourth(q, a)
}

func fourth(p, a *Pair) {
	var t field.Element
	t.Square(&a.X)
	p.X.Square(&t)
	t.Mul(&a.X, &a.Y)
	t.Sub(&t, &a.X)
	p.Y.Square(&t)
}
