package conformance

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// TestRFC9380 runs the hash-to-curve suites. Messages must hash to the given points, whose encodings must parse and
// whose sum must be P. A flipped bit of the message or of the tag must give another point.
func TestRFC9380(t *testing.T) {
	type coordinates struct{ X, Y string }
	for _, f := range []struct{ name, want string }{
		{"secp256k1_XMD_SHA-256_SSWU_RO_.json", "5 messages, 15 points, 10 field elements"},
		{"secp256k1_XMD_SHA-256_SSWU_NU_.json", "5 messages, 10 points, 5 field elements"},
	} {
		t.Run(f.name, func(t *testing.T) {
			var file struct {
				Field        struct{ P string }
				DST          string
				RandomOracle bool
				Vectors      []struct {
					Msg          string
					P, Q, Q0, Q1 *coordinates
					U            []string
				}
			}
			vectors.JSON(t, "rfc9380/"+f.name, &file)
			if oracle.Int(unhex(file.Field.P)).Cmp(oracle.P) != 0 {
				t.Errorf("field of order %s", file.Field.P)
			}
			hash := (*curve.Point).EncodeToCurve
			if file.RandomOracle {
				hash = (*curve.Point).HashToCurve
			}
			count := tally{}
			point := func(c *coordinates) *curve.Point {
				count.add("points")
				b := slices.Concat([]byte{4}, unhex(c.X), unhex(c.Y))
				checkEncodings(t, publicKey(b), b)
				return publicKey(b).Point()
			}
			for i, test := range file.Vectors {
				count.add("messages")
				p := point(test.P)
				msg, dst := []byte(test.Msg), []byte(file.DST)
				hashed := func() *curve.Point {
					q := must(hash(new(curve.Point), msg, dst))
					return q
				}
				if q := hashed(); q.Equal(p) != 1 {
					t.Errorf("%d: %q gives %x, want %x", i, test.Msg, q.Bytes(), p.Bytes())
				}
				for _, b := range [][]byte{msg, dst} {
					for bit := range 8 * len(b) {
						b[bit/8] ^= 1 << (bit % 8)
						if hashed().Equal(p) == 1 {
							t.Errorf("%d: the same point with bit %d flipped", i, bit)
						}
						b[bit/8] ^= 1 << (bit % 8)
					}
				}
				sum := new(curve.Point)
				for _, q := range []*coordinates{test.Q, test.Q0, test.Q1} {
					if q != nil {
						sum.Add(sum, point(q))
					}
				}
				if sum.Equal(p) != 1 { // the cofactor is 1, so P is the plain sum
					t.Errorf("%d: P is not the sum of the two points of the vector", i)
				}
				for _, u := range test.U {
					count.add("field elements")
					var e field.Element
					var b [32]byte
					below := e.SetBytes(unhex32(u)) != 0
					e.FillBytes(&b)
					if !below || b != *unhex32(u) {
						t.Errorf("%d: %s becomes %x, below p: %v", i, u, b, below)
					}
				}
			}
			count.want(t, f.want)
		})
	}
}
