package oracle

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// SeedEnv is the environment variable whose text, if it is set, seeds the generators that [New] returns.
const SeedEnv = "P256K1_SEED"

const defaultSeed = "p256k1"

// CasesEnv is the environment variable from which [Cases] takes the number of random cases, in percent of the usual
// number, and [CasesOr] the number itself.
const CasesEnv = "P256K1_CASES"

// Cases returns the number of random cases that a test should run: n, or a tenth of n under -short, or, if [CasesEnv]
// is set, that many percent of n.
func Cases(n int) int {
	s := os.Getenv(CasesEnv)
	if s == "" {
		if testing.Short() {
			return n / 10
		}
		return n
	}
	percent, err := strconv.ParseUint(s, 10, 32)
	if err != nil || percent == 0 {
		panic(fmt.Sprintf("%s=%q is not a percentage", CasesEnv, s))
	}
	return int(min(uint64(n)*percent/100, math.MaxInt))
}

// CasesOr returns the number of cases in [CasesEnv] or, if it is not set, n.
func CasesOr(n int) int {
	s := os.Getenv(CasesEnv)
	if s == "" {
		return n
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		panic(fmt.Sprintf("%s=%q is not a number of cases", CasesEnv, s))
	}
	return n
}

// Rand generates test inputs, more than half of which are at or near an edge case. A Rand is not safe for concurrent
// use.
type Rand struct{ *rand.Rand }

// New returns a generator that depends only on the name of the test and on a seed, which is the text of [SeedEnv] or a
// fixed text. New logs the seed, so that a failure shows how to repeat it.
func New(t testing.TB) *Rand {
	t.Helper()
	seed := os.Getenv(SeedEnv)
	if seed == "" {
		seed = defaultSeed
	}
	t.Logf("repeat with %s=%q", SeedEnv, seed)
	return NewSeeded(seed + "\x00" + t.Name())
}

// NewSeeded returns a generator that depends only on seed.
func NewSeeded(seed string) *Rand {
	return &Rand{rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed))))}
}

// Limbs returns the limbs, the least significant first, of a value in [0, 2²⁵⁶) that is reduced neither mod P nor mod
// N.
func (r *Rand) Limbs() (l [4]uint64) {
	switch r.IntN(8) {
	case 0, 1, 2:
		for i := range l {
			l[i] = r.limb()
		}
		return l
	case 3, 4:
		return Limbs(r.near(new(big.Int), P, N))
	case 5:
		return Limbs(r.landmark())
	case 6:
		return Limbs(r.runs(256))
	default:
		return [4]uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	}
}

// limb returns a limb that is likely to generate, propagate or absorb a carry.
func (r *Rand) limb() uint64 {
	switch r.IntN(11) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return 1 << 63
	case 3:
		return 1<<64 - 1
	case 4:
		return 1<<32 + 977 // 2²⁵⁶ − P
	case 5:
		return r.Uint64N(1 << r.IntN(20))
	case 6:
		return ^r.Uint64N(1 << r.IntN(20))
	case 7:
		return r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() // few bits are set
	case 8:
		return r.runs(64).Uint64()
	case 9:
		return pick(r, limbEdges)
	default:
		return r.Uint64()
	}
}

// limbEdges lists the two lowest limbs of N and of 2²⁵⁶ − N, values near 2³² + 977 and its negative, values near 2⁶⁰,
// 2⁶² and 2⁶³, and patterns of bits.
var limbEdges = []uint64{
	0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0x402da1732fc9bebf, 0x4551231950b75fc4,
	1<<32 - 1, 1 << 32, 1<<32 + 976, 1<<32 + 978, 1<<64 - 978 - 1<<32, 1<<64 - 977 - 1<<32, 1<<64 - 976 - 1<<32, 1<<64 - 1<<32,
	1<<60 - 1, 1 << 60, 1<<62 - 1, 1 << 62, 1<<63 - 1, 1<<63 + 1,
	0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0xff00ff00ff00ff00, 0x0123456789abcdef,
}

// runs returns an n-bit integer made of runs of ones and zeros.
func (r *Rand) runs(n int) *big.Int {
	v := new(big.Int)
	for bit, done := r.Uint64()&1, 0; done < n; bit ^= 1 {
		length := min(1+r.IntN(1<<r.IntN(8)), n-done)
		v.Lsh(v, uint(length))
		if bit == 1 {
			v.Or(v, new(big.Int).Sub(pow2(uint(length)), one))
		}
		done += length
	}
	return v
}

// near returns one of the centres plus or minus a small number, reduced mod 2²⁵⁶.
func (r *Rand) near(centres ...*big.Int) *big.Int {
	d := new(big.Int).SetUint64(r.Uint64N(1 << r.IntN(40)))
	if r.Uint64()&1 == 1 {
		d.Neg(d)
	}
	d.Add(d, centres[r.IntN(len(centres))])
	return d.Mod(d, two256)
}

// landmark returns one of the rarer edge cases: a value near a constant of the curve or a power of two, a value whose
// square is hard to reduce, a value with few bits set, or 2²⁵⁶ minus such a value.
func (r *Rand) landmark() *big.Int {
	switch r.IntN(8) {
	case 0, 1:
		return new(big.Int).Sub(P, big.NewInt(65536+r.Int64N(4464))) // as in FoldEdges
	case 2:
		return r.near(new(big.Int).Rsh(P, 1), HalfN)
	case 3:
		return r.near(foldP, foldN, new(big.Int).Sub(P, N))
	case 4:
		return r.near(pow2(128), new(big.Int).Sqrt(P), new(big.Int).Sqrt(N))
	case 5:
		return r.near(pow2(64), pow2(128), pow2(192), pow2(255), Beta, Lambda)
	case 6: // the square is small mod P, as in SmallProduct
		if root, ok := Sqrt(r.small()); ok {
			return root
		}
		return below33
	default: // few bits are set, or 2²⁵⁶ minus such a value
		v := new(big.Int)
		for range 1 + r.IntN(4) {
			v.SetBit(v, r.IntN(256), 1)
		}
		if r.IntN(2) == 0 {
			v.Sub(two256, v)
		}
		return v
	}
}

// small returns a number of any length up to 134 bits, positive or negative.
func (r *Rand) small() *big.Int {
	e := FromLimbs([4]uint64{r.limb(), r.limb(), r.Uint64()})
	e.Mod(e, pow2(uint(r.IntN(135))))
	if r.IntN(4) == 0 {
		e.Neg(e)
	}
	return e
}

// SmallProduct returns a and b in [0, M) whose product is close to a multiple of M. A reduction that folds the high
// half onto the low half has a second carry only if the result is small. With random factors the result is practically
// never small.
func (r *Rand) SmallProduct(m Ring) (a, b *big.Int) {
	for a = new(big.Int); a.Sign() == 0; {
		a = m.Reduce(FromLimbs(r.Limbs()))
	}
	return a, m.Mul(m.Inv(a), r.small())
}

// LateCarry returns a and b whose product carries in the last fold of its high half. The products of
// [Rand.SmallProduct] hardly ever carry in the last fold. Mod N the product carries out of the third fold. Mod P it
// carries out of the second fold, and folding this carry makes the first limb carry into the second.
func (r *Rand) LateCarry(m Ring) (a, b *big.Int) {
	if m.M == N { // large factors, with a product between 2²⁵⁶ − N and 2·(2²⁵⁶ − N) modulo N
		a = new(big.Int).Sub(N, new(big.Int).Rsh(r.ValidScalar(), 4))
		e := new(big.Int).Mod(r.Scalar(), foldN)
		return a, m.Mul(e.Add(e, foldN), m.Inv(a))
	}
	// The factors are close to 2²⁵⁶, and their product is congruent to 2⁶⁴ + j with j < 2³² + 977. The first factor is
	// P + d. The second factor, (2⁶⁴ + j)/d mod P, is P − (P − 2⁶⁴ − j)/d if j ≡ P − 2⁶⁴ mod d. Among the squares
	// (P−k)² for k < 2¹²⁸, only the square of P − 2³² carries in this way.
	d := big.NewInt(1<<22 + r.Int64N(1<<32+977-1<<22))
	q := new(big.Int).Sub(P, pow2(64))
	return new(big.Int).Add(P, d), q.Sub(P, q.Div(q, d))
}

// Pair returns two values in [0, 2²⁵⁶). Often they are equal, opposite or complements, or differ little from such a
// pair, or their product is close to a multiple of M.
func (r *Rand) Pair(m Ring) (a, b *big.Int) {
	draw := func() *big.Int {
		if m.M == N {
			return r.Scalar()
		}
		return FromLimbs(r.Limbs())
	}
	a = draw()
	switch r.IntN(16) {
	case 0, 1:
		return a, a
	case 2:
		return a, m.Neg(a)
	case 3:
		return a, new(big.Int).Sub(max256, a)
	case 4:
		return a, r.near(a, m.Neg(a))
	case 5, 6:
		return r.SmallProduct(m)
	case 7:
		return r.LateCarry(m)
	default:
		return a, draw()
	}
}

// FieldBytes returns 32 bytes, big-endian, that need not be below P.
func (r *Rand) FieldBytes() [32]byte {
	if r.IntN(4) == 0 {
		return pick(r, fieldEdges())
	}
	return Bytes(FromLimbs(r.Limbs()))
}

// Field returns an element in [0, P).
func (r *Rand) Field() *big.Int {
	b := r.FieldBytes()
	return Fp.Reduce(Int(b[:]))
}

// ScalarBytes returns 32 bytes, big-endian, that need not be below N.
func (r *Rand) ScalarBytes() [32]byte {
	switch r.IntN(8) {
	case 0, 1:
		return pick(r, scalarEdges())
	case 2: // mostly even, with up to 255 low zeros
		low := uint(pick(r, []int{1, 8, 32, 64, 128, 136, r.IntN(256)}))
		v := FromLimbs(r.Limbs())
		return Bytes(v.Lsh(v.Rsh(v, low), low))
	case 3: // the parts k1 and k2 of the split by Lambda are chosen
		v := new(big.Int).Mul(Lambda, r.half())
		return Bytes(Fn.Add(v, r.half()))
	case 4: // the rounding of the split steps here: k·b/N = j + 1/2
		b, j := pick(r, []*big.Int{B1, B2}), Int(r.Bytes(16))
		k := new(big.Int).Mul(N, j.Add(j.Lsh(j, 1), one))
		k.Div(k, new(big.Int).Lsh(b, 1))
		return Bytes(Fn.Add(k, big.NewInt(r.Int64N(5)-2)))
	default:
		return Bytes(FromLimbs(r.Limbs()))
	}
}

// half returns an integer below 2¹²⁸ in absolute value.
func (r *Rand) half() *big.Int {
	l := [4]uint64{r.limb(), r.limb()}
	if r.IntN(4) == 0 { // repeat the same digits
		l[0] = r.Uint64N(256) * 0x0101010101010101
		l[1] = l[0]
	}
	v := FromLimbs(l)
	if r.Uint64()&1 == 1 {
		v.Neg(v)
	}
	return v
}

// Scalar returns a scalar in [0, N).
func (r *Rand) Scalar() *big.Int {
	b := r.ScalarBytes()
	return Fn.Reduce(Int(b[:]))
}

// ValidScalar returns a scalar in [1, N−1], which can be a secret key, a nonce, or the r or s of a signature.
func (r *Rand) ValidScalar() *big.Int {
	for {
		if k := r.Scalar(); k.Sign() != 0 {
			return k
		}
	}
}

// Point returns a point other than infinity. Its discrete logarithm is unknown unless the point is one of [EdgePoints].
func (r *Rand) Point() Point {
	if r.IntN(4) == 0 {
		return pick(r, edgePoints())
	}
	for x := r.Field(); ; x = Fp.Add(x, one) {
		if p, ok := LiftX(x); ok {
			return p.withParity(uint(r.IntN(2)))
		}
	}
}

// PointPair returns two points, either of which may be infinity. Often they are equal or opposite, sometimes up to a
// multiplication of one of them by a power of Lambda or by 2. Equal and opposite points are the exceptional cases of
// incomplete addition formulas.
func (r *Rand) PointPair() (p, q Point) {
	p, q = r.Point(), r.Point()
	switch r.IntN(8) {
	case 0:
		p = Point{}
	case 1, 2:
		q = p
	case 3:
		q = p.Endo()
	case 4:
		q = p.Endo().Endo()
	case 5:
		q = p.Double()
	}
	switch r.IntN(8) {
	case 0:
		q = Point{}
	case 1, 2, 3:
		q = q.Neg()
	}
	return p, q
}

// Digest returns a 32-byte digest, which as an integer may be 0, near N or above N.
func (r *Rand) Digest() [32]byte { return r.ScalarBytes() }

// AnyDigest returns a digest of 0 to 64 bytes.
func (r *Rand) AnyDigest() []byte {
	left, right := r.Digest(), r.Digest()
	return append(left[:], right[:]...)[:pick(r, []int{0, 1, 20, 28, 31, 32, 33, 48, 64})]
}

// Message returns a message of 0 to limit random bytes, whose length is often close to a multiple of SHA-256's block
// size.
func (r *Rand) Message(limit int) []byte {
	n := r.IntN(limit + 1)
	if r.Uint64()&1 == 1 {
		n = min(limit, pick(r, []int{0, 1, 31, 32, 33, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129}))
	}
	return r.Bytes(n)
}

// Bytes returns n bytes, uniformly distributed.
func (r *Rand) Bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint64())
	}
	return b
}

// pick returns one element of list.
func pick[T any](r *Rand, list []T) T { return list[r.IntN(len(list))] }

// Sum is the sum of K times Point and the scalar G times the generator.
type Sum struct {
	K, G  [32]byte
	Point Point
}

// SumEdges returns sums with the scalars of RangeEdges and LambdaSplitEdges. In half of them the two products are equal
// or opposite.
func (r *Rand) SumEdges() (all []Sum) {
	for i, k := range append(RangeEdges(), LambdaSplitEdges()...) {
		s := Sum{k, [32]byte{}, r.Point()}
		s.G = r.ScalarBytes()
		switch i % 4 {
		case 0:
			s.Point, s.G = G, k
		case 1:
			s.Point, s.G = G.Neg(), k
		case 2:
			s.Point = G.Endo()
		}
		all = append(all, s)
	}
	return all
}
