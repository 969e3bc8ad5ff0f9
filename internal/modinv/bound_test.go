package modinv

import (
	"flag"
	"math/big"
	"slices"
	"testing"
)

// vector is the pair (f, g) times 2ᵘⁿⁱᵗ.
type vector struct{ f, g *big.Int }

const unit = 20

// hulls computes convex hulls. Its fields are scratch memory that saves allocations.
type hulls struct{ x, y, z, w big.Int }

// left reports whether the path from a through b to c turns left or is straight.
func (h *hulls) left(a, b, c vector) bool {
	h.x.Mul(h.z.Sub(b.f, a.f), h.w.Sub(c.g, a.g))
	h.y.Mul(h.z.Sub(b.g, a.g), h.w.Sub(c.f, a.f))
	return h.x.Cmp(&h.y) >= 0
}

// upper returns, from left to right, the upper vertices of the convex hull of points and of their negatives. The lower
// vertices are the negatives of the upper vertices.
func (h *hulls) upper(points []vector) (hull []vector) {
	for _, p := range slices.Clone(points) {
		points = append(points, vector{new(big.Int).Neg(p.f), new(big.Int).Neg(p.g)})
	}
	slices.SortFunc(points, func(a, b vector) int {
		if c := a.f.Cmp(b.f); c != 0 {
			return c
		}
		return a.g.Cmp(b.g)
	})
	for _, p := range points {
		for len(hull) > 1 && h.left(hull[len(hull)-2], hull[len(hull)-1], p) {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	return hull
}

// divstepsNeeded returns a number of divsteps after which g is 0 for all 0 ≤ g ≤ f ≤ m. It treats f and g as real
// numbers, and each g as both even and odd. After each divstep it computes, for each δ, the convex hull of the pairs
// (f, g) that can occur. It stops when all pairs have |g| < 1.
func divstepsNeeded(m *big.Int, half bool) int {
	var h hulls
	f := new(big.Int).Lsh(m, unit)
	sets := map[int][]vector{-1: h.upper([]vector{{f, new(big.Int)}, {f, f}})} // the sets of pairs, by ζ or η
	for n := 1; ; n++ {
		next := map[int][]vector{}
		for counter, set := range sets {
			swapped := -counter - 1
			if half {
				swapped--
			}
			for _, p := range set {
				// Halving rounds by at most ½.
				halve := func(x *big.Int) *big.Int { return x.Rsh(x, 1) }
				next[counter-1] = append(next[counter-1], vector{p.f, halve(new(big.Int).Set(p.g))})
				if counter < 0 {
					next[swapped] = append(next[swapped], vector{p.g, halve(new(big.Int).Sub(p.g, p.f))})
				} else {
					next[counter-1] = append(next[counter-1], vector{p.f, halve(new(big.Int).Add(p.g, p.f))})
				}
			}
		}
		// Later divsteps do not enlarge the rounding error of a divstep, so the n errors sum to less than n.
		most := big.NewInt(1<<unit - int64(n))
		for counter, set := range next {
			if slices.ContainsFunc(set, func(p vector) bool { return p.g.CmpAbs(most) >= 0 }) {
				next[counter] = h.upper(set)
			} else {
				delete(next, counter)
			}
		}
		if len(next) == 0 {
			return n
		}
		sets = next
	}
}

var hullBits = flag.Uint("hull", 32, "bits of the inputs for TestHulls: 32, or 256, which takes minutes")

// TestHulls computes upper bounds on the number of divsteps (I4), by default for inputs of 32 bits.
func TestHulls(t *testing.T) {
	want, ok := map[uint][2]int{32: {74, 92}, 256: {590, 724}}[*hullBits]
	if !ok {
		t.Fatalf("no bound is known for %d bits", *hullBits)
	}
	m := new(big.Int).Lsh(one, *hullBits)
	for i, half := range []bool{true, false} {
		if got := divstepsNeeded(m, half); got != want[i] {
			t.Errorf("half-delta form %v: %d divsteps, want %d", half, got, want[i])
		}
	}
}
