package frost

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// FuzzParse parses the same bytes as each type of message. A parser must accept exactly the valid encodings of its
// type, with infinity only where the type allows it.
func FuzzParse(f *testing.F) {
	point, infinity, n, p := oracle.G.Compressed(), make([]byte, 33), oracle.Bytes(oracle.N), oracle.Bytes(oracle.P)
	for _, b := range [][]byte{point, infinity, n[:], append([]byte{2}, p[:]...), n[:31]} {
		f.Add(b)
		f.Add(append(bytes.Clone(point), b...))
		f.Add(append(bytes.Clone(b), point...))
		f.Add(append(append(bytes.Clone(point), point...), b...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		// infinite records for each point in b whether it is infinity.
		valid, infinite := len(b) > 0 && len(b)%33 == 0, []bool(nil)
		for i := 0; valid && i < len(b); i += 33 {
			_, err := p256k1.ParsePublicKey(b[i : i+33])
			infinite = append(infinite, [33]byte(b[i:]) == [33]byte{})
			valid = err == nil || infinite[i/33]
		}
		two := valid && len(infinite) == 2
		dealing, err := ParseDealing(b)
		check(t, "dealing", b, dealing.Bytes(), err, valid && !infinite[0])
		public, err := ParsePublicNonce(b)
		check(t, "public nonce", b, public.Bytes(), err, two && !infinite[0] && !infinite[1])
		sum, err := ParseAggregateNonce(b)
		check(t, "aggregate nonce", b, sum.Bytes(), err, two)
		sig, err := ParsePartialSignature(b)
		check(t, "partial signature", b, sig.Bytes(), err, len(b) == 32 && oracle.Int(b).Cmp(oracle.N) < 0)
	})
}

// check compares an encoding with the encoding of the parsed value.
func check(t *testing.T, what string, b, got []byte, err error, valid bool) {
	t.Helper()
	if (err == nil) != valid || (valid && !bytes.Equal(b, got)) {
		t.Errorf("%s: %x became %x: %v", what, b, got, err)
	}
}
