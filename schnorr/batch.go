package schnorr

import (
	"bytes"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/verify"
)

// Batch verifies many signatures in less time than one after the other, on one core,
// and says which are not valid. It is for public values, and not for use by several
// goroutines at once: give each a Batch of its own. The zero value is an empty batch. A
// Batch must not be copied: copies would write to the same memory.
//
// With AVX-512 IFMA 16 items at a time gain most of what there is to gain,
// and otherwise a few hundred. Many items by one key take less time than by many keys.
//
// Nothing is kept of the bytes that Add and AddKey are given. A Batch that had as many
// items before allocates nothing.
//
// Few signatures are verified one by one. Of many, a random linear combination of the
// equations is tested first (BIP-340, "Batch Verification"), and parts of it where that
// fails. The verdicts are those of VerifyBytes, except that signatures which are not valid
// pass with probability 2⁻¹²⁸, whoever made them: the coefficients come from all items
// and from crypto/rand.
type Batch struct {
	_ [0]sync.Mutex // so that go vet reports copies

	claims verify.Schnorr
}

// Add adds an item: the 32-byte x-only public key, a message of any length and a
// signature of 64 bytes. One that is malformed is an item that is not valid.
func (b *Batch) Add(pub, msg, sig []byte) {
	var e, s curve.Scalar
	if len(pub) != 32 || !claim(&e, &s, pub, msg, sig) {
		b.claims.AddMalformed()
		return
	}
	b.claims.Add(&e, (*[32]byte)(pub), &s, (*[32]byte)(sig))
}

// AddKey is Add with a public key, which takes less time if that is known from before.
// With one that is nil or was never set the item is not valid.
func (b *Batch) AddKey(pub *p256k1.XOnlyPublicKey, msg, sig []byte) {
	var e, s curve.Scalar
	if !claim(&e, &s, pub.Bytes(), msg, sig) {
		b.claims.AddMalformed()
		return
	}
	b.claims.AddPoint(&e, pub.Point(), &s, (*[32]byte)(sig))
}

// claim sets e and s to the scalars of P and G for which sig says that e·P + s·G = R. It reports false
// for a signature that cannot be valid.
func claim(e, s *curve.Scalar, px, msg, sig []byte) bool {
	if len(sig) != Size {
		return false
	}
	s.SetBytesReduced((*[32]byte)(sig[32:]))
	if !bytes.Equal(s.Bytes(), sig[32:]) {
		return false // not below n
	}
	setChallenge(e, sig[:32], px, msg)
	e.Negate(e)
	return true
}

// Len returns how many items were added since the last Reset.
func (b *Batch) Len() int { return b.claims.Len() }

// Reset removes all items, and keeps the memory.
func (b *Batch) Reset() { b.claims.Reset() }

// Verify reports whether all items are valid, as those of an empty batch are. More items
// can be added after it.
func (b *Batch) Verify() bool { return b.claims.AllVartime() }

// Invalid appends the indexes of the items that are not valid to dst, in ascending order.
// The item that was added first has the index 0. What Verify computed is not computed again.
func (b *Batch) Invalid(dst []int) []int { return b.claims.InvalidVartime(dst) }
