//go:build exhaustive

package exhaustive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"os"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/scalar"
)

const n = params.N

var (
	fp     = oracle.Fp
	two256 = new(big.Int).Lsh(big.NewInt(1), 256)

	curveB = oracle.FromLimbs([4]uint64{
		params.B & params.Limb, params.B >> 64 & params.Limb, params.B >> 128 & params.Limb, params.B >> 192,
	})
	generator = oracle.Point{X: big.NewInt(params.Gx), Y: oracle.FromLimbs([4]uint64{
		params.Gy & params.Limb, params.Gy >> 64 & params.Limb, params.Gy >> 128 & params.Limb, params.Gy >> 192,
	})}
)

// The discrete logarithm k of a point is its index in these tables, which describe k·G. TestMain computes the points by
// adding G again and again, by chords and one tangent. These additions also show that the group has n points, including
// infinity.
var (
	points  []oracle.Point
	affines [n]group.Affine    // with infinity as (0, 0)
	encoded [n]string          // compressed
	logOf   = map[string]int{} // the discrete logarithm by encoding
	xModN   [n]int             // the x coordinate modulo n
	odd     [n]bool            // whether the y coordinate is odd
	inverse [n]int             // inverses of k mod n, found by search

	publicKeys  [n]*p256k1.PublicKey // nil for infinity
	privateKeys [n]*p256k1.PrivateKey
)

func TestMain(m *testing.M) {
	for p := (oracle.Point{}); len(points) == 0 || !p.IsInfinity(); p = p.Add(generator) {
		points = append(points, p)
		if len(points) > n {
			break
		}
	}
	if len(points) != n {
		fmt.Printf("the generator does not have the order %d\n", n)
		os.Exit(1)
	}
	for k, p := range points {
		encoded[k] = string(p.Compressed())
		logOf[encoded[k]] = k
		if k == 0 {
			continue
		}
		b := bytes32(k)
		var err, privErr error
		publicKeys[k], err = p256k1.ParsePublicKey([]byte(encoded[k]))
		if privateKeys[k], privErr = p256k1.ParsePrivateKey(b[:]); err != nil || privErr != nil {
			fmt.Printf("the keys %d and %d·G are refused: %v, %v\n", k, k, privErr, err)
			os.Exit(1)
		}
		affines[k] = group.Affine{X: elem(p.X), Y: elem(p.Y)}
		xModN[k] = int(new(big.Int).Mod(p.X, big.NewInt(n)).Int64())
		odd[k] = p.Y.Bit(0) == 1
		for i := 1; i < n && inverse[k] == 0; i++ {
			if i*k%n == 1 {
				inverse[k], inverse[i] = i, k
			}
		}
	}
	m.Run()
}

// failIf ends the test if a condition holds. The format describes the error.
func failIf(t testing.TB, wrong bool, format string, args ...any) {
	t.Helper()
	if wrong {
		t.Fatalf(format, args...)
	}
}

// same ends the test unless got is the wanted value. The format says what it is.
func same[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %#v, want %#v", fmt.Sprintf(format, args...), got, want)
	}
}

// failsLike ends the test unless err is nil if ok, and want otherwise. The format says what returned err.
func failsLike(t testing.TB, err error, ok bool, want error, format string, args ...any) {
	t.Helper()
	if (err == nil) != ok || (err != nil && !errors.Is(err, want)) {
		t.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
	}
}

// choose returns yes or no.
func choose[T any](is bool, yes, no T) T {
	if is {
		return yes
	}
	return no
}

// mod returns k in [0, n).
func mod(k int) int { return (k%n + n) % n }

// even returns k if k·G has even y, and n − k otherwise.
func even(k int) int { return choose(odd[k], n-k, k) }

// isOnCurve reports whether x < p is the x coordinate of a point of the curve, in the group or not.
func isOnCurve(x *big.Int) bool {
	_, ok := oracle.Sqrt(fp.Add(fp.Mul(fp.Mul(x, x), x), curveB))
	return ok
}

func elem(x *big.Int) field.Element {
	l := oracle.Limbs(x)
	return field.FromLimbs(l[0], l[1], l[2], l[3])
}

func value(e *field.Element) *big.Int { return fp.Reduce(oracle.FromLimbs(e.Limbs())) }

// A count counts the results of a test and logs them when the test ends.
type count struct {
	testing.TB
	*oracle.Rand
	results map[string]int
	kinds   []string // in the order in which they came
	how     string   // which tuples the method every has yielded
}

// newCount seeds the random generators of the test and of the lifts of scalars.
func newCount(t testing.TB, what string) *count {
	c := &count{TB: t, Rand: oracle.New(t), results: make(map[string]int)}
	scalar.Seed(c.Uint64())
	scalar.Lifts = scalar.Random
	t.Cleanup(func() {
		for i, kind := range c.kinds {
			c.kinds[i] = fmt.Sprint(c.results[kind], " ", kind)
		}
		if !t.Failed() {
			t.Logf("result: order %d: %s: %s%s", n, what, strings.Join(c.kinds, ", "), c.how)
		}
	})
	return c
}

// add counts a result of a kind.
func (c *count) add(kind string) {
	if c.results[kind]++; c.results[kind] == 1 {
		c.kinds = append(c.kinds, kind)
	}
}

// addIf counts a result under a kind that it may be of.
func (c *count) addIf(is bool, kind string) {
	if is {
		c.add(kind)
	}
}

// denominator returns a Z other than 0. It is often 1, in either of the two representations of 1.
func denominator(r *oracle.Rand) field.Element {
	switch r.IntN(4) {
	case 0:
		return field.FromLimbs(1, 0, 0, 0)
	case 1:
		return elem(new(big.Int).Add(oracle.P, big.NewInt(1)))
	default:
		for {
			if z := r.Field(); z.Sign() != 0 {
				return elem(z)
			}
		}
	}
}

// jacobian returns k·G with a random Z.
func jacobian(r *oracle.Rand, k int) (p group.Jacobian) {
	z := denominator(r)
	if k == 0 {
		switch r.IntN(3) {
		case 0:
			return p
		case 1:
			return group.Jacobian{X: z, Y: denominator(r)}
		default:
			return group.Jacobian{X: denominator(r), Y: z, Z: elem(oracle.P)}
		}
	}
	p.SetAffine(&affines[k])
	p.Rescale(&p, &z)
	return p
}

// xyzz returns j in XYZZ coordinates.
func xyzz(j *group.Jacobian) (p group.XYZZ) {
	p.X.Set(&j.X)
	p.Y.Set(&j.Y)
	p.ZZ.Square(&j.Z)
	p.ZZZ.Mul(&p.ZZ, &j.Z)
	return p
}

// is reports whether p is k·G.
func is(p *group.Jacobian, k int) bool {
	z := value(&p.Z)
	if z.Sign() == 0 || k == 0 {
		return z.Sign() == 0 && k == 0
	}
	z2 := fp.Mul(z, z)
	return value(&p.X).Cmp(fp.Mul(points[k].X, z2)) == 0 && value(&p.Y).Cmp(fp.Mul(points[k].Y, fp.Mul(z2, z))) == 0
}

// isAffine reports whether (X/z², Y/z³) is k·G.
func isAffine(p *group.Affine, z *field.Element, k int) bool {
	if value(&p.X).Sign() == 0 && value(&p.Y).Sign() == 0 {
		return k == 0
	}
	return is(&group.Jacobian{X: p.X, Y: p.Y, Z: *z}, k)
}

func scalarOf(k int) scalar.Scalar { return scalar.FromLimbs(uint64(k), 0, 0, 0) }

// bytes32 returns k as 32 bytes.
func bytes32(k int) (b [32]byte) {
	binary.BigEndian.PutUint64(b[24:], uint64(k))
	return b
}

// congruent returns 32 bytes of an integer congruent to k mod n: half of the time k itself, and otherwise a random
// integer.
func congruent(r *oracle.Rand, k int) (b [32]byte) {
	if r.IntN(2) == 0 {
		return bytes32(k)
	}
	for {
		v := new(big.Int).SetBytes(r.Bytes(32))
		v.Sub(v, new(big.Int).Mod(v, big.NewInt(n))).Add(v, big.NewInt(int64(k)))
		if v.Cmp(two256) < 0 {
			return oracle.Bytes(v)
		}
	}
}

func curveScalar(k int) *curve.Scalar { return new(curve.Scalar).SetUint64(uint64(k)) }

// curvePoint returns k·G, half of the time with a Z other than 1.
func curvePoint(c *count, k int) *curve.Point {
	if k != 0 && c.IntN(2) == 0 {
		i := c.IntN(n)
		return new(curve.Point).Sub(decode(c, mod(k+i)), decode(c, i))
	}
	return decode(c, k)
}

func decode(t testing.TB, k int) *curve.Point {
	p := new(curve.Point)
	if k == 0 {
		return p
	}
	_, err := p.SetBytes([]byte(encoded[k]))
	failIf(t, err != nil, "%d·G is refused: %v", k, err)
	return p
}

// cases returns the approximate number of cases for a test that has too many to try all of them.
func cases(t testing.TB) int { return oracle.CasesOr(200 * 200) }

// few reports whether the group is so small that a test can try everything several times.
const few = n <= 13

// rounds returns how often to go through all tuples of integers below the sizes.
func rounds(t testing.TB, sizes ...int) int {
	limit := cases(t) / 16
	return max(1, min(100, limit/product(limit, sizes)))
}

// product returns the product of the sizes, or limit + 1 if it is above limit.
func product(limit int, sizes []int) int {
	total := 1
	for _, size := range sizes {
		if total > limit/size {
			return limit + 1
		}
		total *= size
	}
	return total
}

// lifts calls f once for each round with random lifts of scalars and, if there is more than one round, also with the
// least and the greatest lifts.
func lifts(rounds int, f func()) {
	for range rounds {
		f()
	}
	if rounds > 1 {
		defer func() { scalar.Lifts = scalar.Random }()
		for _, scalar.Lifts = range []scalar.Lift{scalar.Least, scalar.Greatest} {
			f()
		}
	}
}

// every yields tuples of non-negative integers below the sizes, in the same slice each time. If there are at most limit
// tuples, it yields all of them. Otherwise, if there are not many more pairs of values than limit, every two arguments
// take all pairs of values while the other arguments are random. Otherwise each argument takes all of its values, in
// about limit tuples.
func (c *count) every(limit int, sizes ...int) iter.Seq[[]int] {
	var all []int
	var single, pairs [][]int
	pairCount := 0
	for a := range sizes {
		for b := range a {
			pairs = append(pairs, []int{a, b})
			pairCount += sizes[a] * sizes[b]
		}
		all, single = append(all, a), append(single, []int{a})
	}
	var sets [][]int // numbers of the arguments that take all combinations of values
	times := func(int) int { return 1 }
	switch {
	case product(limit, sizes) <= limit:
		c.how, sets = " (all)", [][]int{all}
	case pairCount <= 3*limit:
		c.how, sets = " (with all pairs of values of each two arguments)", pairs
		times = func(int) int { return max(1, limit/pairCount) }
	default:
		c.how, sets = " (with all values of each argument)", single
		times = func(a int) int { return max(1, limit/sizes[a]/len(sizes)) }
	}
	v := make([]int, len(sizes))
	return func(yield func([]int) bool) {
		for _, set := range sets {
			total := times(set[0])
			for _, a := range set {
				total *= sizes[a]
			}
			for i := range total {
				for a := range v {
					v[a] = c.IntN(sizes[a])
				}
				for _, a := range set {
					v[a] = i % sizes[a]
					i /= sizes[a]
				}
				if !yield(v) {
					return
				}
			}
		}
	}
}
