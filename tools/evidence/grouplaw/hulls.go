package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// vertex is a corner of a polygon of pairs (f, g) that is symmetric about (0, 0).
type vertex struct{ f, g float64 }

// hulls prints the polygons that Hulls.v checks, one for each counter ζ from −12 to 12 − turn. A divstep maps each
// polygon into the polygon of the next counter, scaled by ratio = 2^(−256/steps). A divstep that swaps changes the
// counter ζ to −ζ − turn, where turn is 2 in the half-delta form, and 1 if the divsteps begin with δ = 1. A smaller
// number of steps would need many more vertices. For other ζ, the polygons are rectangles, and from each to the next,
// the width is multiplied by 1/ratio and the height by 1/(2·ratio). The computation may use floating point, because
// Rocq checks its result.
func hulls(b *strings.Builder, turn int, steps float64) {
	const last, rounds, unit = 12, 200, 1 << 40
	top := last - turn
	ratio := math.Exp2(-256 / steps)
	polygons := map[int][]vertex{-1: {{1.0001, 0}, {1.0001, 1.0001}}} // at the start f = 1 and 0 ≤ g ≤ 1, with a margin for rounding
	vertices := func(zeta int) []vertex {
		f, g := extent(polygons[-last])
		switch {
		case zeta > top:
			k := float64(zeta - top)
			f, g = g*math.Pow(2*ratio, -k)/ratio, f*math.Pow(ratio, -k)
		case zeta < -last:
			f, g = f/ratio, g/(2*ratio)
		default:
			return polygons[zeta]
		}
		return []vertex{{f, g}, {f, -g}}
	}
	for range rounds {
		next := map[int][]vertex{}
		for zeta := -last; zeta <= top+1; zeta++ {
			for _, v := range vertices(zeta) {
				even := vertex{v.f / ratio, v.g / (2 * ratio)}
				odd, z := vertex{v.f / ratio, (v.g + v.f) / (2 * ratio)}, zeta-1
				if zeta < 0 {
					odd, z = vertex{v.g / ratio, (v.g - v.f) / (2 * ratio)}, -zeta-turn
				}
				next[zeta-1] = append(next[zeta-1], even)
				next[z] = append(next[z], odd)
			}
		}
		for zeta := -last; zeta <= top; zeta++ {
			if all := append(next[zeta], polygons[zeta]...); len(all) > 0 {
				polygons[zeta] = upper(all)
			}
		}
	}
	// The ratio is rounded up to 12 bits, because Rocq multiplies by it often. This is also a margin for the rounding
	// of the vertices.
	fmt.Fprintf(b, "Definition ratio_%d := %d.\nDefinition polygons_%d := [", turn, int64(math.Ceil(ratio*(1<<12)))<<18, turn)
	for zeta := -last; zeta <= top; zeta++ {
		for i, v := range polygons[zeta] {
			fmt.Fprintf(b, "%s(%d,%d)", map[bool]string{true: "[", false: "; "}[i == 0], int64(v.f*unit), int64(v.g*unit))
		}
		fmt.Fprintf(b, "]%s", map[bool]string{true: ";\n ", false: "].\n"}[zeta < top])
	}
}

// extent returns the largest |f| and |g| of a polygon.
func extent(polygon []vertex) (f, g float64) {
	for _, v := range polygon {
		f, g = max(f, math.Abs(v.f)), max(g, math.Abs(v.g))
	}
	return f, g
}

// upper returns the upper vertices, from left to right, of the convex hull of points and of their negatives. It leaves
// out the first vertex, which is the negative of the last, and vertices that hardly change the hull.
func upper(points []vertex) (hull []vertex) {
	for _, p := range slices.Clone(points) {
		points = append(points, vertex{-p.f, -p.g})
	}
	slices.SortFunc(points, func(a, b vertex) int { return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.g, b.g)) })
	f, g := extent(points)
	for _, p := range points {
		for len(hull) > 1 {
			a, b := hull[len(hull)-2], hull[len(hull)-1]
			if (b.f-a.f)*(p.g-a.g)-(b.g-a.g)*(p.f-a.f) < -1e-7*f*g {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	return hull[1:]
}
