package conformance

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
)

type (
	number = curve.Scalar
	point  = curve.Point
)

// multipliers lists functions of package curve that multiply points. Each entry computes k·G, in some cases as a sum of
// products that depends on the number a.
var multipliers = []struct {
	name     string
	multiply func(k, a *number) *point
}{
	{"ScalarBaseMult", func(k, _ *number) *point { return new(point).ScalarBaseMult(k) }},
	{"ScalarMult", func(k, _ *number) *point { return new(point).ScalarMult(k, generator) }},
	{"DoubleScalarBaseMultVartime, k·G + 0·G", func(k, _ *number) *point { return double(k, generator, new(number)) }},
	{"DoubleScalarBaseMultVartime, 0·G + k·G", func(k, _ *number) *point { return double(new(number), generator, k) }},
	{"DoubleScalarBaseMultVartime, a·G + (k − a)·G", func(k, a *number) *point {
		return double(a, generator, new(number).Sub(k, a))
	}},
	{"DoubleScalarBaseMultVartime, a·(−G) + (k + a)·G", func(k, a *number) *point {
		return double(a, minusGenerator, new(number).Add(k, a))
	}},
	{"MultiScalarMultVartime, k·G", func(k, _ *number) *point { return sum([]*number{k}, generator) }},
	{"MultiScalarMultVartime, a·G + k·G + a·(−G)", func(k, a *number) *point {
		return sum([]*number{a, k, a}, generator, generator, minusGenerator)
	}},
	{"MultiScalarMultVartime, a·G + (k − 3a)·P + a·2G for a P that is G and is not known to be", func(k, a *number) *point {
		rest, two := new(number).Sub(k, a), new(point).Double(generator)
		return sum([]*number{a, rest.Sub(rest, a).Sub(rest, a), a}, generator, new(point).Sub(two, generator), two)
	}},
}

var (
	generator      = new(point).SetGenerator()
	minusGenerator = new(point).Negate(generator)
)

func double(k *number, p *point, g *number) *point {
	return new(point).DoubleScalarBaseMultVartime(k, p, g)
}

func sum(k []*number, p ...*point) *point { return new(point).MultiScalarMultVartime(k, p) }

// TestLibsecp256k1Multiples multiplies G by the scalars of libsecp256k1's test_ecmult_constants_2bit and _sha with
// every multiplier. It compares the SHA-256 of all uncompressed points, where infinity is the byte 0, with the digests
// in libsecp256k1's tests.
func TestLibsecp256k1Multiples(t *testing.T) {
	type digest struct {
		Name   string
		SHA256 string `json:"sha256_of_points"`
		Prefix uint32
		Iters  int
	}
	each(t, "libsecp256k1/ecmult_hash_tests.json", "3 digests, 35920 scalars", func(r *report, test digest) {
		r.add("digests")
		var scalars []*number
		add := func(v *big.Int) {
			b := oracle.Bytes(oracle.Fn.Reduce(v))
			scalars = append(scalars, scalarOf(b[:]))
			r.add("scalars")
		}
		if test.Name == "test_ecmult_constants_2bit" {
			for i := range int64(37) {
				add(big.NewInt(i))
				add(big.NewInt(-i))
			}
			for i := range uint(256) {
				for j := int64(1); j < 256; j += 2 {
					add(new(big.Int).Lsh(big.NewInt(j), i))
				}
			}
		} else {
			add(big.NewInt(0))
			add(big.NewInt(1))
			add(big.NewInt(-1))
			for i := range test.Iters {
				b := binary.LittleEndian.AppendUint32(nil, test.Prefix)
				h := sha256.Sum256(binary.LittleEndian.AppendUint16(b, uint16(i)))
				add(oracle.Int(h[:]))
			}
		}
		if testing.Short() && len(scalars) > 10000 {
			r.Logf("%s: %d multiplications are too many for -short", test.Name, len(scalars))
			return
		}
		for _, m := range multipliers {
			r.same(m.name, digestOfMultiples(scalars, m.multiply), test.SHA256)
		}
	})
}

// digestOfMultiples returns the SHA-256 of the points that multiply returns for the scalars. It uses all cores.
func digestOfMultiples(scalars []*number, multiply func(k, a *number) *point) []byte {
	points := make([][]byte, len(scalars))
	onAllCores(len(scalars), func(i int) {
		a := sha256.Sum256(binary.LittleEndian.AppendUint32([]byte("split"), uint32(i)))
		points[i] = multiply(scalars[i], new(number).SetBytesReduced(&a)).BytesUncompressed()
	})
	h := sha256.Sum256(slices.Concat(points...))
	return h[:]
}
