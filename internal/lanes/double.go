package lanes

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// The functions in this file take any number of items, in slices of one length. Results and
// arguments must not overlap.
//
// They compute (k·a + g·G)/d, each item by itself. All points must be on the curve. d may be
// nil, which stands for ones; the divisors share an inversion.
//
// An item for which done is false has no result: it is for the scalar engine. With random
// scalars there is none. It is one with d = 0, or with a sum that is infinity, passes through
// it, or adds equal points. All other results are right.

// DoubleScalarVartime sets dst[i] = (k[i]·a[i] + g[i]·G)/d[i], with Z = 1.
func DoubleScalarVartime(dst []group.Jacobian, done []bool, k []scalar.Scalar, a []group.Affine, g, d []scalar.Scalar) {
	w := workspaces.Get().(*workspace)
	for from := 0; from < len(k); from += chunk {
		to := min(from+chunk, len(k))
		w.invertDivisorsVartime(cut(d, from, to))
		blocks := (to - from + N - 1) / N
		for i := 0; i < blocks; i += 2 {
			lo, hi := from+N*i, min(from+N*(i+2), to)
			failed := w.doubleScalarVartime(i, k[lo:hi], a[lo:hi], g[lo:hi], d != nil)
			for j := range min(2, blocks-i) {
				blend(&w.sum[j].Z, &w.one, &w.sum[j].Z, failed[j])
				w.sums[i+j] = w.sum[j]
				report(done[lo+N*j:min(lo+N*(j+1), hi)], ^failed[j])
			}
		}
		w.normalizeVartime(blocks)
		for i := range blocks {
			lo, hi := from+N*i, min(from+N*(i+1), to)
			storeNormal(w.affine[:hi-lo], &w.sums[i].X, &w.sums[i].Y)
			for j := range w.affine[:hi-lo] {
				dst[lo+j].SetAffine(&w.affine[j])
			}
		}
	}
	workspaces.Put(w)
}

// EqualXModNVartime sets equal[i] to whether (k[i]·a[i] + g[i]·G)/d[i] is finite and
// its x coordinate, taken modulo n, is x[i]. Small x, below 2¹²⁹, are for the scalar engine.
func EqualXModNVartime(equal, done []bool, x, k []scalar.Scalar, a []group.Affine, g, d []scalar.Scalar) {
	w := workspaces.Get().(*workspace)
	for from := 0; from < len(k); from += chunk {
		to := min(from+chunk, len(k))
		w.invertDivisorsVartime(cut(d, from, to))
		for i, lo := 0, from; lo < to; i, lo = i+2, lo+2*N {
			hi := min(lo+2*N, to)
			failed := w.doubleScalarVartime(i, k[lo:hi], a[lo:hi], g[lo:hi], d != nil)
			for j, lo := 0, lo; lo < hi; j, lo = j+1, lo+N {
				hi := min(lo+N, hi)
				t, zz := &w.temporary[0], &w.temporary[1]
				loadScalars(t, x[lo:hi])
				squareN(zz, &w.sum[j].Z, 1)
				mul(t, t, zz)
				sub(t, t, &w.sum[j].X)
				report(equal[lo:hi], isZero(t))
				report(done[lo:hi], ^(failed[j] | small(x[lo:hi])))
			}
		}
	}
	workspaces.Put(w)
}

// cut returns d[from:to], or nil.
func cut(d []scalar.Scalar, from, to int) []scalar.Scalar {
	if d == nil {
		return nil
	}
	return d[from:to]
}

// report sets dst[i] to whether lane i is one of k.
func report(dst []bool, k uint8) {
	for i := range dst {
		dst[i] = has(k, i)
	}
}

// small returns the lanes in which x < 2¹²⁹, and so those in which x + n < p, which may be
// the x coordinate, too.
func small(x []scalar.Scalar) (k uint8) {
	for i := range x {
		if l := x[i].Limbs(); l[3] == 0 && l[2] < 2 {
			k |= 1 << i
		}
	}
	return k
}

// doubleScalarVartime sets the sums of block i of a chunk, and of the next where there are items for it,
// and returns the lanes in which this failed.
func (w *workspace) doubleScalarVartime(i int, k []scalar.Scalar, a []group.Affine, g []scalar.Scalar, divided bool) (failed [2]uint8) {
	s, t := &w.temporary[0], &w.temporary[1]
	blocks := (len(k) + N - 1) / N
	for j := range blocks {
		lo, hi := N*j, min(N*(j+1), len(k))
		p := &w.products[j]
		loadScalars(s, g[lo:hi])
		loadScalars(t, k[lo:hi])
		if divided {
			mulN(s, s, &w.divisor[i+j])
			mulN(t, t, &w.divisor[i+j])
		}
		split(&w.halves, s)
		p.ofG.setVartime(&w.halves)
		split(&w.halves, t)
		p.ofPoint.setVartime(&w.halves)
		failed[j] = ^(p.ofG.fits & p.ofPoint.fits)
		loadPoints(&p.point, a[lo:hi])
		w.fill(p)
	}
	w.addUpVartime(blocks)
	for j := range blocks {
		failed[j] |= isZero(&w.sum[j].Z)
		if divided {
			failed[j] |= w.noDivisor[i+j]
		}
	}
	return failed
}

// invertDivisorsVartime sets w.divisor to the inverses of up to a chunk of scalars, and w.noDivisor
// to the lanes that have none.
func (w *workspace) invertDivisorsVartime(d []scalar.Scalar) {
	if len(d) == 0 {
		return
	}
	// Montgomery's trick (docs/inversion.md, I12).
	all := &w.temporary[0]
	*all = w.one
	blocks := 0
	for ; len(d) > 0; blocks++ {
		n := min(N, len(d))
		each := &w.divisor[blocks]
		loadScalars(each, d[:n])
		zero := zeros(d[:n])
		if zero != 0 {
			blend(each, &w.one, each, zero)
		}
		w.noDivisor[blocks] = zero
		w.before[blocks] = *all
		mulN(all, all, each)
		d = d[n:]
	}
	invertVartimeN(all)
	for i := blocks - 1; i >= 0; i-- {
		t := &w.temporary[1]
		mulN(t, all, &w.before[i])
		mulN(all, all, &w.divisor[i])
		w.divisor[i] = *t
	}
}

// zeros returns the lanes whose scalar is 0.
func zeros(d []scalar.Scalar) (k uint8) {
	for i := range N {
		if d[inLane(i, len(d))].IsZero() != 0 {
			k |= 1 << i
		}
	}
	return k
}

// normalizeVartime sets X and Y of the sums of the blocks to their affine coordinates.
func (w *workspace) normalizeVartime(blocks int) {
	all, z, zz := &w.temporary[0], &w.temporary[1], &w.temporary[2]
	*all = w.one
	for i := range blocks {
		w.before[i] = *all
		mul(all, all, &w.sums[i].Z)
	}
	invertVartime(all)
	for i := blocks - 1; i >= 0; i-- {
		p := &w.sums[i]
		mul(z, all, &w.before[i])
		mul(all, all, &p.Z)
		squareN(zz, z, 1)
		mul(&p.X, &p.X, zz)
		mul(z, z, zz)
		mul(z, z, &w.half)
		mul(&p.Y, &p.Y, z)
	}
}
