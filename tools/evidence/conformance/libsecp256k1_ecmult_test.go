package conformance

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"runtime"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// multipliers are all ways in which the library multiplies. Each returns the encoding of k·G. split is a number that some of
// them use to write k as a sum of products.
var multipliers = []struct {
	name     string
	multiply func(k, split *curve.Scalar) []byte
}{
	{"ScalarBaseMult", func(k, _ *curve.Scalar) []byte {
		return new(curve.Point).ScalarBaseMult(k).BytesUncompressed()
	}},
	{"ScalarMult", func(k, _ *curve.Scalar) []byte {
		return new(curve.Point).ScalarMult(k, generator).BytesUncompressed()
	}},
	{"DoubleScalarBaseMultVartime, k·G + 0·G", func(k, _ *curve.Scalar) []byte {
		return new(curve.Point).DoubleScalarBaseMultVartime(k, generator, new(curve.Scalar)).BytesUncompressed()
	}},
	{"DoubleScalarBaseMultVartime, 0·G + k·G", func(k, _ *curve.Scalar) []byte {
		return new(curve.Point).DoubleScalarBaseMultVartime(new(curve.Scalar), generator, k).BytesUncompressed()
	}},
	{"DoubleScalarBaseMultVartime, a·G + (k − a)·G", func(k, a *curve.Scalar) []byte {
		b := new(curve.Scalar).Sub(k, a)
		return new(curve.Point).DoubleScalarBaseMultVartime(a, generator, b).BytesUncompressed()
	}},
	{"DoubleScalarBaseMultVartime, a·(−G) + (k + a)·G", func(k, a *curve.Scalar) []byte {
		b := new(curve.Scalar).Add(k, a)
		return new(curve.Point).DoubleScalarBaseMultVartime(a, minusGenerator, b).BytesUncompressed()
	}},
	{"MultiScalarMultVartime, k·G", func(k, _ *curve.Scalar) []byte {
		return new(curve.Point).MultiScalarMultVartime([]*curve.Scalar{k}, []*curve.Point{generator}).BytesUncompressed()
	}},
	{"MultiScalarMultVartime, a·G + k·G + a·(−G)", func(k, a *curve.Scalar) []byte {
		scalars, points := []*curve.Scalar{a, k, a}, []*curve.Point{generator, generator, minusGenerator}
		return new(curve.Point).MultiScalarMultVartime(scalars, points).BytesUncompressed()
	}},
	{"ecmult.SumVartime, a·G + (k − 3a)·G + a·2G", func(k, a *curve.Scalar) []byte {
		var g, rest, three scalar.Scalar
		g.SetBytes((*[32]byte)(a.Bytes()))
		rest.SetBytes((*[32]byte)(k.Bytes()))
		three.Add(&g, &g).Add(&three, &g)
		rest.Sub(&rest, &three)
		terms := []ecmult.Term{{Scalar: rest}, {Scalar: g}}
		terms[0].Point.SetAffine(&group.Generator)
		terms[1].Point.Double(&terms[0].Point)
		var sum group.Jacobian
		ecmult.SumVartime(&sum, &g, terms)
		if sum.IsInfinity() != 0 {
			return []byte{0}
		}
		var p group.Affine
		p.ToAffine(&sum)
		b := [65]byte{4}
		p.X.FillBytes((*[32]byte)(b[1:33]))
		p.Y.FillBytes((*[32]byte)(b[33:]))
		return b[:]
	}},
}

var (
	generator      = new(curve.Point).SetGenerator()
	minusGenerator = new(curve.Point).Negate(generator)
)

// TestLibsecp256k1Multiples multiplies G by the scalars of libsecp256k1's test_ecmult_constants_2bit and _sha, in every way,
// and compares the SHA-256 of all uncompressed points, where infinity is the byte 0. The digests are those of that library.
func TestLibsecp256k1Multiples(t *testing.T) {
	var file []struct {
		Name   string
		SHA256 string `json:"sha256_of_points"`
		Prefix uint32
		Iters  int
	}
	vectors.JSON(t, "libsecp256k1/ecmult_hash_tests.json", &file)
	total := newTally(t)
	for _, test := range file {
		total.add("digests")
		var scalars []*curve.Scalar
		add := func(v *big.Int) {
			b := oracle.Bytes(oracle.Fn.Reduce(v))
			scalars = append(scalars, scalarOf(t, b[:]))
		}
		want := 0
		if test.Name == "test_ecmult_constants_2bit" {
			want = 32842
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
			want = 3 + test.Iters
			add(big.NewInt(0))
			add(big.NewInt(1))
			add(big.NewInt(-1))
			for i := range test.Iters {
				b := binary.LittleEndian.AppendUint32(nil, test.Prefix)
				b = binary.LittleEndian.AppendUint16(b, uint16(i))
				h := sha256.Sum256(b)
				add(oracle.Int(h[:]))
			}
		}
		if len(scalars) != want || want < 1000 {
			t.Fatalf("%s: %d scalars, want %d", test.Name, len(scalars), want)
		}
		for _, m := range multipliers {
			t.Run(test.Name+"/"+m.name, func(t *testing.T) {
				if testing.Short() && len(scalars) > 10000 {
					t.Skipf("%d multiplications are too many for -short", len(scalars))
				}
				if got := hex.EncodeToString(digestOfMultiples(scalars, m.multiply)); got != test.SHA256 {
					t.Errorf("the digest of %d points is %s, want %s", len(scalars), got, test.SHA256)
				}
				t.Logf("%d scalars", len(scalars))
			})
		}
	}
	total.want("3 digests")
}

// digestOfMultiples returns the SHA-256 of the points that multiply returns for the scalars. It does the work on all cores.
func digestOfMultiples(scalars []*curve.Scalar, multiply func(k, split *curve.Scalar) []byte) []byte {
	points := make([][]byte, len(scalars))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(scalars); i += workers {
				h := sha256.Sum256(binary.LittleEndian.AppendUint32([]byte("split"), uint32(i)))
				points[i] = multiply(scalars[i], new(curve.Scalar).SetBytesReduced(&h))
			}
		})
	}
	wg.Wait()
	h := sha256.New()
	for _, p := range points {
		h.Write(p)
	}
	return h.Sum(nil)
}
