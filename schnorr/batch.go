package schnorr

import (
	"bytes"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/hextext"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// unstored makes encoders refuse a Batch.
type unstored = hextext.None

// Batch verifies many signatures on one core, in less time than one by one, and says which signatures are invalid. All
// values must be public. A Batch must not be used by several goroutines at once, so give each goroutine its own. It
// must not be copied, because copies would write to the same memory. The zero value is an empty batch.
//
// On processors with AVX-512 IFMA, batches of 16 items gain nearly as much as larger batches. On other processors the
// gain grows with the number of items, up to a thousand with AVX2 and FMA, and up to a few hundred without. Many
// signatures by one key take less time than signatures by many keys.
//
// Add and AddKey do not retain their arguments. A Batch that is used again after Reset seldom allocates, unless it has
// more items or more different keys than before.
//
// A few signatures are verified one by one. For many signatures, a random linear combination of the verification
// equations is tested (BIP-340, "Batch Verification"), and if the test fails, signatures are verified one by one. So
// invalid signatures cost time: one among 1,024 takes most of the gain. An attacker who sends many cannot take much
// more than the gain, because a Batch remembers, also after Reset, whether Invalid found two or more invalid
// signatures, or one among less than 700. After such a call, Invalid and Verify take as long as VerifyBytes or, on
// processors with lanes, less, until as many signatures, and at least 256, have been verified without such a find. Only
// the first call of Invalid in a flood takes up to 1.4 times as long as VerifyBytes without lanes, and up to 1.7 times
// if the calls before found nothing invalid, so that calls with and without invalid signatures in turn take up to 1.3
// times as long on average (docs/figures.md). So use one Batch again and again, and give each source of signatures that
// may be hostile a Batch of its own, if that is simple.
//
// A batch gives the same verdicts as VerifyBytes, except that it accepts invalid signatures with probability 2⁻¹²⁸.
// Nobody can craft signatures that raise this probability, because the coefficients come from a hash of all items and
// from crypto/rand.
type Batch struct {
	unstored
	_ [0]sync.Mutex // so that go vet reports copies

	claims verify.Schnorr
}

// Add adds an item: a 32-byte x-only public key, a message of any length and a signature of 64 bytes. If the key or the
// signature is malformed, the item is invalid.
func (b *Batch) Add(pub, msg, sig []byte) {
	var e, s curve.Scalar
	if len(pub) != 32 || !claim(&e, &s, pub, msg, sig) {
		b.claims.AddMalformed()
		return
	}
	b.claims.Add(&e, (*[32]byte)(pub), &s, (*[32]byte)(sig))
}

// AddKey adds an item: a public key, a message of any length and a signature of 64 bytes. It takes less time than Add,
// because the key need not be decoded. If the key is invalid, or the signature is malformed, the item is invalid.
func (b *Batch) AddKey(pub *p256k1.XOnlyPublicKey, msg, sig []byte) {
	var e, s curve.Scalar
	if !claim(&e, &s, pub.Bytes(), msg, sig) {
		b.claims.AddMalformed()
		return
	}
	b.claims.AddPoint(&e, pub.Point(), &s, (*[32]byte)(sig))
}

// claim sets e and s to the coefficients of the equation e·P + s·G = R that a valid sig satisfies, for the key P with
// the x coordinate px. e is the negated challenge. claim reports false for a signature that cannot be valid.
func claim(e, s *curve.Scalar, px, msg, sig []byte) bool {
	if len(sig) != Size {
		return false
	}
	s.SetBytesReduced((*[32]byte)(sig[32:]))
	if !bytes.Equal(s.Bytes(), sig[32:]) {
		return false // s is not below n
	}
	c := Challenge(sig[:32], px, msg)
	e.Negate(&c)
	return true
}

// Len returns the number of items that were added since the last Reset.
func (b *Batch) Len() int { return b.claims.Len() }

// Reset removes all items, and keeps the memory for later items.
func (b *Batch) Reset() { b.claims.Reset() }

// Verify reports whether all items are valid. For an empty batch it reports true. More items can be added after Verify.
func (b *Batch) Verify() bool { return b.claims.AllVartime() }

// Invalid appends the indexes of the invalid items to dst, in ascending order. The item that was added first has the
// index 0. Invalid does not repeat computations that Verify has done.
func (b *Batch) Invalid(dst []int) []int { return b.claims.InvalidVartime(dst) }
