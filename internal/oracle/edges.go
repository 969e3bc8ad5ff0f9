package oracle

import (
	"math/big"
	"sync"
)

// The functions of this file return the named edge cases as new slices. Values are 32 bytes, big-endian, and some are
// out of range, unless a comment says otherwise.

var (
	one    = big.NewInt(1)
	two256 = pow2(256)
	max256 = new(big.Int).Sub(two256, one)
	foldP  = new(big.Int).Sub(two256, P) // 2³² + 977
	foldN  = new(big.Int).Sub(two256, N)

	below33 = new(big.Int).Sub(two256, new(big.Int).Add(pow2(33), one)) // 2²⁵⁶ − 2³³ − 1
)

// LimbEdges returns the 256 combinations of the limbs 0, 1, 2⁶³ and 2⁶⁴−1. Pairs of such values are the classic test
// for lost carries in sums and products.
func LimbEdges() [][4]uint64 {
	limb := [4]uint64{0, 1, 1 << 63, 1<<64 - 1}
	all := make([][4]uint64, 256)
	for i := range all {
		for j := range all[i] {
			all[i][j] = limb[i>>(2*j)&3]
		}
	}
	return all
}

// FieldEdges returns values for which arithmetic mod P is most likely to be wrong, most of them with their neighbours.
func FieldEdges() [][32]byte {
	v := []*big.Int{Beta, Fp.Neg(Beta), Fp.Mul(Beta, Beta), G.X, G.Y, below33}
	v = append(v, around(10, new(big.Int), P, two256)...)
	v = append(v, around(1, foldP, foldN, N, new(big.Int).Sub(P, N), new(big.Int).Rsh(P, 1))...)
	for _, k := range []int64{1 << 16, 1<<16 + 1, 69999} { // (P−65537)² is the first (P−k)² that carries in this fold
		v = append(v, new(big.Int).Sub(P, big.NewInt(k)))
	}
	for i := uint(32); i < 256; i += 32 {
		v = append(v, around(1, pow2(i))...)
	}
	v = append(v, around(1, new(big.Int).Sqrt(P), new(big.Int).Sqrt(N))...)
	return encode(v)
}

// FoldEdges returns P−k for k = 65536 … 69999. The squares of all except the first carry out of the second fold by 2³²
// + 977, where dcrd and libsecp256k1 once lost a bit.
func FoldEdges() [][32]byte {
	var v []*big.Int
	for k := int64(65536); k < 70000; k++ {
		v = append(v, new(big.Int).Sub(P, big.NewInt(k)))
	}
	return encode(v)
}

// ScalarEdges returns values for which arithmetic mod N and the recoding of scalars are most likely to be wrong, most
// of them with their neighbours.
func ScalarEdges() [][32]byte {
	v := around(20, new(big.Int), N, two256)
	v = append(v, around(2, HalfN, foldN, P, new(big.Int).Sub(P, N), new(big.Int).Sqrt(N))...)
	for i := uint(0); i < 256; i++ {
		v = append(v, around(1, pow2(i))...)
		v = append(v, Fn.Neg(pow2(i)))
	}
	// These scalars k are even. A recoding that needs an odd scalar has to correct them, across a whole limb or half.
	// Their negatives are odd.
	pattern := fromHex("0123456789abcdeffedcba9876543210f0e1d2c3b4a5968778695a4b3c2d1e0f")
	for _, low := range []uint{64, 128, 136, 192} {
		k := new(big.Int).Lsh(new(big.Int).Rsh(pattern, low), low)
		v = append(v, k, Fn.Neg(k))
	}
	for _, s := range []string{ // runs of equal bits, and alternating bits
		"5555555555555555555555555555555555555555555555555555555555555555",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f",
		"f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0",
		"0000000000000000ffffffffffffffff0000000000000000ffffffffffffffff",
		"ffffffffffffffff0000000000000000ffffffffffffffff0000000000000000",
		"00000000000000000000000000000000ffffffffffffffffffffffffffffffff",
		"ffffffffffffffffffffffffffffffff00000000000000000000000000000000",
		// The first of these scalars has unusually many digits of width 3 in ℤ[λ], 43. The second has 16 of width 8.
		"79420b9bd1d42c61c9306acbd583d2d6f56abf5fb9ce2e79ea592138fb70ebf4",
		"5b4913a48b032ac3c72b0c23fa32ca689203dcc375a787637b859f23f0af6e73",
	} {
		v = append(v, fromHex(s))
	}
	return encode(v)
}

// RangeEdges returns 0, 1, N−1, N, N+1 and 2²⁵⁶−1, the bounds of every secret key and of R and S, in this order.
func RangeEdges() [][32]byte {
	add := func(n int64) *big.Int { return new(big.Int).Add(N, big.NewInt(n)) }
	return encode([]*big.Int{new(big.Int), one, add(-1), N, add(1), new(big.Int).Sub(two256, one)})
}

// LambdaSplitEdges returns scalars below N, their negatives, and the neighbours of all of these. For these scalars the
// split by Lambda gives its simplest or its largest parts, or the rounding in the split has just reached the next
// integer.
func LambdaSplitEdges() [][32]byte {
	centres := []*big.Int{
		new(big.Int), Lambda, Fn.Mul(Lambda, Lambda),
		HalfN, // largest k1
		fromHex("2c9c52b33fa3cf1f5ad9e3fd77ed9ba54b294b893722e9a500e698ca4cf7632f"), // smallest k1; the scalar below has the largest k2
		fromHex("d363ad4cc05c30e0a5261c02881264596f85915d7825b696beebc5c2833ede13"), // smallest k2; the scalar below has the largest k1
		fromHex("2a342063ee95071831addb3fec8e81f33"),                                // c1 steps from 0 to 1
		fromHex("8f8da4d57dc094c4ecdd5448564d85f6"),                                 // c2 steps from 0 to 1
		A1, A2, new(big.Int).Neg(B1), pow2(127), pow2(128),
	}
	var v []*big.Int
	for _, k := range around(4, centres...) {
		v = append(v, Fn.Reduce(k), Fn.Neg(k))
	}
	return encode(v)
}

// WrapR returns some of the numbers R in [1, P−N) for which R+N is the x coordinate of a point: the smallest, 2; then
// 4, 6 and 16; and the largest, P−N−3. The first four are themselves x coordinates of points, so for each of these R
// there is a key for each of the four recovery ids.
func WrapR() [][32]byte {
	last := new(big.Int).Sub(P, N)
	return encode([]*big.Int{
		big.NewInt(2), big.NewInt(4), big.NewInt(6), big.NewInt(16), last.Sub(last, big.NewInt(3)),
	})
}

// EdgePoints returns points of the curve, each followed by its negative. Among the points are those with the smallest
// and the largest x, with y = 1 and with x ≥ N, the points 2^i·G for every i < 256, and the multiples of G by small
// numbers, by 1/2 and by the powers of Lambda. Infinity is not among the points.
func EdgePoints() []Point {
	var all []Point
	add := func(p Point) { all = append(all, p, p.Neg()) }
	lift := func(x *big.Int) {
		p, ok := LiftX(x)
		if !ok {
			panic("oracle: edge point off the curve")
		}
		add(p)
	}
	for _, x := range []int64{1, 2, 3, 4, 6, 8} {
		lift(big.NewInt(x))
	}
	lift(new(big.Int).Sub(P, big.NewInt(3)))
	lift(N) // R = 0 if this is the nonce point
	add(Point{fromHex("1fe1e5ef3fceb5c135ab7741333ce5a6e80d68167653f6b2b24bcbcfaaaff507"), one})
	for _, r := range WrapR() {
		lift(new(big.Int).Add(N, Int(r[:])))
	}
	add(G.Endo())
	add(G.Endo().Endo())
	add(G.Mul(HalfN))
	add(G.Mul(big.NewInt(3)))
	add(G.Mul(big.NewInt(5)))
	for p, i := G, 0; i < 256; i++ {
		add(p)
		p = p.Double()
	}
	return all
}

// BadX returns values that are not the x coordinate of any point. 0, 5, 7, 9, P−1 and P−2 are in range, but no point
// has one of these x coordinates. P+1, which is congruent to 1, and other values up to 2²⁵⁶−1 are out of range.
func BadX() [][32]byte {
	var v []*big.Int
	for _, x := range []int64{0, 5, 7, 9} {
		v = append(v, big.NewInt(x))
	}
	for _, d := range []int64{-2, -1, 0, 1, 2, 3, 4, 6, 8} {
		v = append(v, new(big.Int).Add(P, big.NewInt(d)))
	}
	return encode(append(v, new(big.Int).Sub(two256, one)))
}

// These lists are computed once for all generators. The exported functions return new slices to their callers.
var (
	fieldEdges  = sync.OnceValue(FieldEdges)
	scalarEdges = sync.OnceValue(func() [][32]byte { return append(ScalarEdges(), LambdaSplitEdges()...) })
	edgePoints  = sync.OnceValue(EdgePoints)
)

func pow2(i uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), i) }

// around returns the integers from c−d to c+d for each centre c.
func around(d int64, centres ...*big.Int) (v []*big.Int) {
	for _, c := range centres {
		for i := -d; i <= d; i++ {
			v = append(v, new(big.Int).Add(c, big.NewInt(i)))
		}
	}
	return v
}

// encode returns the encodings of the values that lie in [0, 2²⁵⁶), without repetitions.
func encode(values []*big.Int) (all [][32]byte) {
	seen := make(map[[32]byte]bool)
	for _, v := range values {
		if !isReduced(v, two256) {
			continue
		}
		if b := Bytes(v); !seen[b] {
			seen[b] = true
			all = append(all, b)
		}
	}
	return all
}
