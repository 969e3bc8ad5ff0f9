package conformance

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/curve"
)

// TestRFC9380 runs the hash-to-curve suites. Messages must hash to the given points, whose encodings must parse and
// whose sum must be P. A flipped bit of the message or of the tag must give another point.
func TestRFC9380(t *testing.T) {
	type coordinates struct{ X, Y string }
	type suite struct {
		DST          string
		RandomOracle bool
		Vectors      []struct {
			Msg          string
			P, Q, Q0, Q1 *coordinates
		}
	}
	for _, f := range []struct{ name, want string }{
		{"secp256k1_XMD_SHA-256_SSWU_RO_.json", "5 messages, 15 points"},
		{"secp256k1_XMD_SHA-256_SSWU_NU_.json", "5 messages, 10 points"},
	} {
		counted(t, f.name, f.want, func(r *report) {
			file := read[suite](r, "rfc9380/"+f.name)
			hash := choose(file.RandomOracle, (*curve.Point).HashToCurve, (*curve.Point).EncodeToCurve)
			point := func(c *coordinates) *curve.Point {
				r.add("points")
				b := slices.Concat([]byte{4}, unhex(c.X), unhex(c.Y))
				checkEncodings(r, publicKey(b), b)
				return publicKey(b).Point()
			}
			for _, test := range file.Vectors {
				r.begin("messages", "%+v", test)
				p := point(test.P)
				msg, dst := []byte(test.Msg), []byte(file.DST)
				hashed := func() *curve.Point { return must(hash(new(curve.Point), msg, dst)) }
				r.same("point", hashed(), p)
				for _, b := range [][]byte{msg, dst} {
					for bit := range 8 * len(b) {
						b[bit/8] ^= 1 << (bit % 8)
						r.is(hashed().Equal(p) == 0, "the point is another with bit %d flipped", bit)
						b[bit/8] ^= 1 << (bit % 8)
					}
				}
				sum := new(curve.Point)
				for _, q := range []*coordinates{test.Q, test.Q0, test.Q1} {
					if q != nil {
						sum.Add(sum, point(q))
					}
				}
				r.same("sum", sum, p) // the cofactor is 1, so P is the plain sum
			}
		})
	}
}
