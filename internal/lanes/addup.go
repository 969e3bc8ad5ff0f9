package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/group"
)

// pointers are points anywhere, one for each lane.
type pointers [N]*group.Affine

// addUpWorkspace holds the vectors of AddUpVartime, on 64 bytes as in workspace.
type addUpWorkspace struct {
	powers [3]Element // 1, β and β²
	x, y   Element
	by     Element
	p, q   XYZZ
	_      [32 << 10]byte
}

var addUpWorkspaces = sync.Pool{New: func() any {
	w := new(addUpWorkspace)
	for i := range N {
		w.powers[0].set(i, &one)
		w.powers[1].set(i, &group.Beta)
	}
	squareN(&w.powers[2], &w.powers[1], 1)
	return w
}}

// AddUpVartime sets p to the sum of points, eight or more, times units. Those up to
// ends[i] which are not among the ones before count times λ to the power i/2, and
// with a minus if i is odd. Where any points that meet are equal or opposite, p is
// infinity.
func AddUpVartime(p *group.XYZZ, points []*group.Affine, ends *[6]int) {
	w := addUpWorkspaces.Get().(*addUpWorkspace)
	var block pointers
	for at := 0; at < len(points); at += N {
		n := copy(block[:], points[at:])
		gatherVartime(&w.x, &w.y, &block)
		between := func(i, j int) uint8 { return uint8(below(ends[j]-at) &^ below(ends[i]-at)) }
		if power := [2]uint8{between(1, 3), between(3, 5)}; power != [2]uint8{} {
			blend(&w.by, &w.powers[1], &w.powers[0], power[0])
			blend(&w.by, &w.powers[2], &w.by, power[1])
			mul(&w.x, &w.x, &w.by)
		}
		minus := between(0, 1) | between(2, 3) | between(4, 5)
		if at == 0 {
			w.p.X = w.x
			negate(&w.p.Y, &w.y, minus)
			w.p.ZZ, w.p.ZZZ = w.powers[0], w.powers[0]
			continue
		}
		addMixedXYZZ(&w.p, &w.x, &w.y, minus, uint8(below(n)))
	}
	for n := N / 2; n > 0; n /= 2 {
		turn(&w.q, &w.p, n)
		addXYZZ(&w.p, &w.q)
	}
	*p = w.p.get(0)
	addUpWorkspaces.Put(w)
}

// below returns the lanes below n.
func below(n int) uint {
	return 1<<max(0, min(n, N)) - 1
}

func gatherVartimeGeneric(x, y *Element, p *pointers) {
	for i, a := range p {
		words := a.X.Limbs()
		x.setLane(i, &words)
		words = a.Y.Limbs()
		y.setLane(i, &words)
	}
}
