package main

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strconv"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// A word is an integer below 2²⁵⁶ in four limbs, least significant first: an element, a scalar, or anything else that an
// operation takes or returns.
type word = [4]uint64

// Draw makes the inputs. Most are at or near an edge, since arithmetic goes wrong where limbs and sums of them are close to
// 0 or to 2⁶⁴, and values to 0, p, n or 2²⁵⁶. It must be fast, so nothing here is a big.Int that need not be, and it must not
// use what it is to test.
type draw struct {
	rng  *rand.ChaCha8
	pool *pool
}

// newDraw returns the inputs of one chunk. They depend on nothing else, so that all backends get the same.
func newDraw(seed, operation string, chunk int, pool *pool) *draw {
	key := sha256.Sum256([]byte(seed + "\x00" + operation + "\x00" + strconv.Itoa(chunk)))
	return &draw{rand.NewChaCha8(key), pool}
}

func (d *draw) bits() uint64 { return d.rng.Uint64() }

// below returns a number in [0, n).
func (d *draw) below(n int) int {
	hi, _ := bits.Mul64(d.bits(), uint64(n))
	return int(hi)
}

// one returns true once in n times.
func (d *draw) one(n int) bool { return d.below(n) == 0 }

// mask returns all ones or zero.
func (d *draw) mask() uint64 { return -(d.bits() & 1) }

// limbEdges are limbs that start, pass on or swallow a carry, parts of p, of n and of 2²⁵⁶ less these, and limits of the
// digits of inversions.
var limbEdges = [...]uint64{
	0, 0, 0, 1, 1, 2, 3, 7,
	1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<32 + 976, 1<<32 + 977, 1<<32 + 978,
	1<<63 - 1, 1 << 63, 1<<63 + 1,
	-(1<<32 + 978) & (1<<64 - 1), -(1<<32 + 977) & (1<<64 - 1), -(1<<32 + 976) & (1<<64 - 1), -(1 << 32) & (1<<64 - 1),
	1<<64 - 3, 1<<64 - 2, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1,
	0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0x402da1732fc9bebf, 0x4551231950b75fc4,
	1<<62 - 1, 1 << 62, 1<<60 - 1, 1 << 60,
	0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x00000000ffffffff, 0xffffffff00000000, 0xff00ff00ff00ff00, 0x0123456789abcdef,
}

// limb returns a limb, of a kind that six bits choose.
func (d *draw) limb(kind uint64) uint64 {
	switch kind &= 63; {
	case kind < uint64(len(limbEdges)):
		return limbEdges[kind]
	case kind < 46: // small
		r := d.bits()
		return r >> (40 + r&15)
	case kind < 52: // close to 2⁶⁴
		r := d.bits()
		return ^(r >> (40 + r&15))
	case kind < 56: // sparse
		a, b, c := d.bits(), d.bits(), d.bits()
		return a & b & c
	default:
		return d.bits()
	}
}

// centres are the values next to which others are drawn; the most important ones several times.
var centres = func() (all []word) {
	two256 := new(big.Int).Lsh(big.NewInt(1), 256)
	two := func(i uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), i) }
	sub := func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
	p, n := oracle.P, oracle.N
	for _, v := range []*big.Int{
		new(big.Int), new(big.Int), p, p, p, p, n, n, n,
		sub(two256, p), sub(two256, n), sub(p, n),
		sub(new(big.Int).Lsh(p, 1), two256), sub(new(big.Int).Lsh(n, 1), two256), // twice them, less a carry
		new(big.Int).Rsh(p, 1), new(big.Int).Rsh(n, 1), new(big.Int).Sqrt(p), new(big.Int).Sqrt(n),
		sub(p, big.NewInt(1<<16)), sub(p, big.NewInt(1<<32)), sub(two256, two(33)),
		two(64), two(128), two(192), two(255), oracle.Beta, oracle.Lambda,
	} {
		all = append(all, oracle.Limbs(v))
	}
	return all
}()

// value returns anything below 2²⁵⁶.
func (d *draw) value() (w word) {
	kind := d.bits()
	switch kind & 7 {
	case 0, 1, 2: // limb by limb
		for i := range w {
			w[i] = d.limb(kind >> (8 + 6*i))
		}
		return w
	case 3, 4: // near a centre
		centre, _ := bits.Mul64(kind<<16, uint64(len(centres)))
		return d.near(centres[centre])
	case 5: // runs of ones: a step, or several over each other
		for range 1 + kind>>8&3 {
			step := int(d.bits() >> 56)
			for i := range w {
				w[i] ^= lowOnes(step - 64*i)
			}
		}
	case 6: // few bits, or all but few
		for range 1 + kind>>8&3 {
			at := d.bits()
			w[at>>6&3] |= 1 << (at & 63)
		}
		if kind>>10&1 == 1 {
			w = not(w)
		}
	default:
		w = word{d.bits(), d.bits(), d.bits(), d.bits()}
	}
	return w
}

// near returns w plus or minus up to 2⁴⁰, mod 2²⁵⁶, or w.
func (d *draw) near(w word) word {
	r := d.bits()
	delta := word{r >> (24 + 6*(r&7))}
	if d.bits()&1 == 0 {
		return sum(w, delta)
	}
	return difference(w, delta)
}

// lowOnes returns the n lowest bits, of which there are from 0 to 64.
func lowOnes(n int) uint64 {
	switch {
	case n <= 0:
		return 0
	case n >= 64:
		return 1<<64 - 1
	}
	return 1<<n - 1
}

// pair returns two values below limit, the modulus or 2²⁵⁶, that often have to do with each other: they are equal or
// opposite, or their product is close to a multiple of the modulus.
func (d *draw) pair(f *facts) (a, b word) {
	a = d.in(f)
	switch d.bits() & 31 {
	case 0, 1, 2:
		b = a
	case 3:
		b = difference(f.modulus, a)
	case 4:
		b = difference(word{}, a)
	case 5:
		b = not(a)
	case 6:
		b = d.near(a)
	case 7:
		b = d.near(difference(f.modulus, a))
	case 8, 9: // a reduction that folds carries once more just when the result is small, which never happens to random factors
		q := &f.inverses[d.below(len(f.inverses))]
		return q[0], d.small(f, q[1])
	case 10:
		a = f.roots[d.below(len(f.roots))]
		b = a
	case 11:
		q := &f.ripples[d.below(len(f.ripples))]
		return q[0], q[1]
	default:
		b = d.in(f)
	}
	return f.fit(a), f.fit(b)
}

// in returns a value that a number mod m can have.
func (d *draw) in(f *facts) word {
	if f.scalars && d.bits()&7 == 0 {
		return d.splitEdge()
	}
	return f.fit(d.value())
}

// small returns e·inverse mod m for an e of up to 134 bits, positive or negative.
func (d *draw) small(f *facts, inverse word) word {
	length := d.below(135)
	e := integer(new(big.Int), word{d.limb(d.bits()), d.limb(d.bits()), d.bits()})
	e.Mod(e, new(big.Int).Lsh(one, uint(length)))
	if d.bits()&3 == 0 {
		e.Neg(e)
	}
	e.Mul(e, integer(new(big.Int), inverse))
	return oracle.Limbs(e.Mod(e, f.m))
}

// splitEdge returns a scalar at which the split by λ is extreme or rounds, or which splits into chosen parts.
func (d *draw) splitEdge() word {
	edges := d.pool.scalarEdges
	if d.bits()&3 != 0 {
		return edges[d.below(len(edges))]
	}
	half := func() *big.Int {
		w := word{d.limb(d.bits()), d.limb(d.bits())}
		if d.bits()&3 == 0 { // the same digit again and again
			w[0] = d.bits() >> 56 * 0x0101010101010101
			w[1] = w[0]
		}
		v := integer(new(big.Int), w)
		if d.bits()&1 == 0 {
			v.Neg(v)
		}
		return v
	}
	k := half()
	k.Mul(k, oracle.Lambda).Add(k, half())
	return oracle.Limbs(k.Mod(k, oracle.N))
}

// facts is what inputs mod p or mod n are drawn with.
type facts struct {
	m        *big.Int
	modulus  word
	scalars  bool      // all inputs are below the modulus
	inverses [][2]word // numbers with their inverses
	roots    []word    // numbers with small squares
	ripples  [][2]word // numbers whose product carries after all folds
}

// fit returns w, reduced if it must be.
func (f *facts) fit(w word) word {
	if f.scalars && !less(w, f.modulus) {
		return difference(w, f.modulus)
	}
	return w
}

func newFacts(r *oracle.Rand, ring oracle.Ring) *facts {
	f := &facts{m: ring.M, modulus: oracle.Limbs(ring.M), scalars: ring.M == oracle.N}
	for len(f.inverses) < 512 {
		if a := ring.Reduce(oracle.FromLimbs(r.Limbs())); a.Sign() != 0 {
			f.inverses = append(f.inverses, [2]word{oracle.Limbs(a), oracle.Limbs(ring.Inv(a))})
		}
	}
	for i := uint(0); len(f.roots) < 64; i++ {
		square := new(big.Int).Rsh(oracle.FromLimbs(r.Limbs()), 120+i%136)
		if root := new(big.Int).ModSqrt(square, ring.M); root != nil {
			f.roots = append(f.roots, oracle.Limbs(root), oracle.Limbs(ring.Neg(root)))
		}
	}
	for len(f.ripples) < 256 {
		var a, b *big.Int
		if f.scalars {
			// What is left after the third fold is between 2²⁵⁶ − n and twice that, and the factors are large.
			c := new(big.Int).Sub(new(big.Int).Lsh(one, 256), oracle.N)
			a = new(big.Int).Sub(oracle.N, new(big.Int).Rsh(r.ValidScalar(), 4))
			if a.Cmp(oracle.N) == 0 {
				continue
			}
			b = ring.Mul(c.Add(c, new(big.Int).Mod(r.Scalar(), c)), ring.Inv(a))
		} else {
			// The carry of the second fold runs into the second limb if the product is 2⁶⁴ + j mod p with j below 2³² + 977 and the
			// factors are close to 2²⁵⁶. One is p + m, the other (2⁶⁴ + j)/m mod p = p − (p − 2⁶⁴ − j)/m if m divides that.
			m := big.NewInt(1<<22 + r.Int64N(1<<32+977-1<<22))
			q := new(big.Int).Sub(oracle.P, new(big.Int).Lsh(one, 64))
			a, b = new(big.Int).Add(oracle.P, m), q.Sub(oracle.P, q.Div(q, m))
		}
		f.ripples = append(f.ripples, [2]word{oracle.Limbs(a), oracle.Limbs(b)})
	}
	return f
}

// A pool has what is too slow to make for every case. It depends on the seed.
type pool struct {
	field, scalar *facts
	scalarEdges   []word
	points        []spot
	generator     spot
}

// A spot is an affine point with its double.
type spot struct{ x, y, x2, y2 word }

func newPool(seed string) *pool {
	r := oracle.NewSeeded(seed + "\x00pool")
	p := &pool{field: newFacts(r, oracle.Fp), scalar: newFacts(r, oracle.Fn)}
	for _, b := range append(oracle.ScalarEdges(), oracle.LambdaSplitEdges()...) {
		p.scalarEdges = append(p.scalarEdges, oracle.Limbs(oracle.Fn.Reduce(oracle.Int(b[:]))))
	}
	points := oracle.EdgePoints()
	for range 512 {
		points = append(points, r.Point())
	}
	for _, q := range points {
		p.points = append(p.points, newSpot(q))
	}
	p.generator = newSpot(oracle.G)
	return p
}

func newSpot(p oracle.Point) spot {
	twice := p.Double()
	return spot{oracle.Limbs(p.X), oracle.Limbs(p.Y), oracle.Limbs(twice.X), oracle.Limbs(twice.Y)}
}

// affine returns a finite point.
func (d *draw) affine() spot { return d.pool.points[d.below(len(d.pool.points))] }

// other returns a point that often is q, 2q, or one of these times a power of λ or −1.
func (d *draw) other(q spot) (x, y word) {
	kind := d.bits()
	switch x, y = q.x, q.y; kind & 7 {
	case 0, 1, 2:
		q = d.affine()
		x, y = q.x, q.y
	case 3:
		x, y = q.x2, q.y2
	}
	if kind>>3&3 == 0 {
		x = product(x, beta)
	}
	if kind>>5&1 == 0 {
		y = difference(d.pool.field.modulus, y)
	}
	return x, y
}

// jacobian returns the point (x, y) with a random denominator, or with 1.
func (d *draw) jacobian(x, y word) (X, Y, Z word) {
	if d.bits()&3 == 0 {
		return x, y, word{1}
	}
	Z = d.denominator()
	zz := product(Z, Z)
	return d.weaken(product(x, zz)), d.weaken(product(y, product(zz, Z))), Z
}

// denominator returns an element that is not zero.
func (d *draw) denominator() word {
	for {
		if z := d.value(); z != (word{}) && z != d.pool.field.modulus {
			return z
		}
	}
}

// infinity returns a Z that is zero, in one of its two forms.
func (d *draw) infinity() word {
	if d.bits()&1 == 0 {
		return word{}
	}
	return d.pool.field.modulus
}

// weaken returns the other form of an element that has two, sometimes.
func (d *draw) weaken(w word) word {
	if w[1]|w[2]|w[3] == 0 && w[0] < 1<<32+977 && d.bits()&1 == 0 {
		return sum(w, d.pool.field.modulus)
	}
	return w
}

// sum returns a + b mod 2²⁵⁶.
func sum(a, b word) (s word) {
	var carry uint64
	for i := range s {
		s[i], carry = bits.Add64(a[i], b[i], carry)
	}
	return s
}

// difference returns a − b mod 2²⁵⁶.
func difference(a, b word) (d word) {
	var borrow uint64
	for i := range d {
		d[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return d
}

// p is the modulus of the field, and λ·(x, y) = (β·x, y).
var p, beta = oracle.Limbs(oracle.P), oracle.Limbs(oracle.Beta)

// residue returns w mod p.
func residue(w word) word {
	if less(w, p) {
		return w
	}
	return difference(w, p)
}

// less reports whether a < b.
func less(a, b word) bool {
	var borrow uint64
	for i := range a {
		_, borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return borrow == 1
}

// not returns 2²⁵⁶ − 1 − a.
func not(a word) word { return word{^a[0], ^a[1], ^a[2], ^a[3]} }

// product returns a·b mod p, by another library.
func product(a, b word) word {
	x, y := fieldVal(a), fieldVal(b)
	x.Mul(&y).Normalize()
	bytes := x.Bytes()
	var w word
	for i := range w {
		w[i] = binary.BigEndian.Uint64(bytes[24-8*i:])
	}
	return w
}

func fieldVal(w word) (v secp256k1.FieldVal) {
	var bytes [32]byte
	for i, limb := range w {
		binary.BigEndian.PutUint64(bytes[24-8*i:], limb)
	}
	v.SetBytes(&bytes)
	return v
}

var one = big.NewInt(1)

// integer sets z to w and returns it.
func integer(z *big.Int, w word) *big.Int {
	words := z.Bits()[:0]
	for _, limb := range w {
		if words = append(words, big.Word(limb)); bits.UintSize == 32 {
			words = append(words, big.Word(limb>>32))
		}
	}
	return z.SetBits(words)
}
