package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// What a lane holds, outside.
type (
	laneScalar  = scalar.Scalar
	laneElement = field.Element
	lanePoint   = group.Affine
)

// storeNormal sets up to eight points to lanes of x and y, which it makes normal.
func storeNormal(a []lanePoint, x, y *Element) {
	normalize(x, x)
	normalize(y, y)
	storePoints(a, x, y)
}

// The twins of routines in assembly that load and store slices of up to eight.

// inLane returns which of n items is in lane i.
func inLane(i, n int) int {
	if i < n {
		return i
	}
	return 0
}

func loadScalarsGeneric(r *Element, a []laneScalar) {
	for i := range N {
		r.setN(i, &a[inLane(i, len(a))])
	}
}

func loadElementsGeneric(r *Element, a []laneElement) {
	for i := range N {
		r.set(i, &a[inLane(i, len(a))])
	}
}

func loadPointsGeneric(r *Affine, a []lanePoint) {
	for i := range N {
		r.set(i, &a[inLane(i, len(a))])
	}
}

func storePointsGeneric(a []lanePoint, x, y *Element) {
	for i := range a {
		a[i].X, a[i].Y = x.get(i), y.get(i)
	}
}
