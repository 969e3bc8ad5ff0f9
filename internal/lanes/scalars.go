package lanes

import "p256k1.mleku.dev/v2/internal/scalar"

// The routines in this file compute modulo n, the order of the group. An Element stands
// here for integers modulo n, in the same limbs.

// getN returns lane i of a.
func (a *Element) getN(i int) scalar.Scalar {
	w, above := a.lane(i)
	var low, high scalar.Scalar
	low.SetLimbs(&w)
	high.SetLimbs(&[4]uint64{0, 0, 0, 1 << 63}).Add(&high, &high) // 2²⁵⁶
	for range above {
		low.Add(&low, &high)
	}
	return low
}

// setN sets lane i of a to s.
func (a *Element) setN(i int, s *scalar.Scalar) {
	w := s.Limbs()
	a.setLane(i, &w)
}

// SplitVartime sets k1[i] and k2[i] to the halves of a[i], of up to eight scalars, as scalar.Split has them.
func SplitVartime(k1, k2 []scalar.Signed128, a []scalar.Scalar) {
	w := workspaces.Get().(*workspace)
	loadScalars(&w.temporary[0], a)
	split(&w.halves, &w.temporary[0])
	for i := range a {
		k1[i], k2[i] = w.halves.get(i)
	}
	workspaces.Put(w)
}

func mulNGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.getN(i), b.getN(i)
		x.Mul(&x, &y)
		r.setN(i, &x)
	}
}

func splitGeneric(k *halves, a *Element) {
	for i := range N {
		s := a.getN(i)
		k1, k2 := s.Split()
		k.k1[0][i], k.k1[1][i], k.k1[2][i] = k1.Limbs()
		k.k2[0][i], k.k2[1][i], k.k2[2][i] = k2.Limbs()
	}
}

// invertVartimeN sets a = 1/a, which is not 0 in any lane, by one inversion (docs/inversion.md,
// I12).
func invertVartimeN(a *Element) {
	var s, before [N]scalar.Scalar
	var all scalar.Scalar
	all.SetUint64(1)
	for i := range N {
		s[i], before[i] = a.getN(i), all
		all.Mul(&all, &s[i])
	}
	all.InvertVartime(&all)
	for i := N - 1; i >= 0; i-- {
		before[i].Mul(&before[i], &all)
		all.Mul(&all, &s[i])
		a.setN(i, &before[i])
	}
}
