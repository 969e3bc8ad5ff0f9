package musig2

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/secret"
)

var (
	auxTag      = schnorr.NewTag("MuSig/aux")
	nonceTag    = schnorr.NewTag("MuSig/nonce")
	detNonceTag = schnorr.NewTag("MuSig/deterministic/nonce")
)

var (
	// ErrNonceUsed means that a secret nonce was used before, was wiped or was never set.
	ErrNonceUsed = errors.New("secret nonce was used, or was wiped or never set")
	// ErrNonceBound means that a secret nonce was made for another private key, key set or message.
	ErrNonceBound = errors.New("secret nonce was made for another private key, key set or message")
	// ErrNotSigner means that a key is not in the key set.
	ErrNotSigner = errors.New("key is not in the key set")
)

// PublicNonce is the public nonce of one signer, for one signature. The zero value is not a nonce, and functions refuse
// it.
type PublicNonce struct{ p nonce.Pair }

// ParsePublicNonce returns the public nonce that 66 bytes encode: two compressed points. The error is p256k1.ErrLength,
// ErrPrefix, ErrRange or ErrNotOnCurve.
func ParsePublicNonce(b []byte) (n PublicNonce, err error) {
	if err := n.p.Parse(b, false); err != nil {
		return PublicNonce{}, fmt.Errorf("musig2: public nonce: %w", err)
	}
	return n, nil
}

// Bytes returns the 66-byte encoding of n, or nil for the zero value.
func (n *PublicNonce) Bytes() []byte {
	if !n.p.IsSet() {
		return nil
	}
	return append([]byte(nil), n.p.Encoded[:]...)
}

// AggregateNonce is the sum of the public nonces of all signers. In the zero value both points are infinity.
type AggregateNonce struct{ p nonce.Pair }

// ParseAggregateNonce returns the aggregate nonce that 66 bytes encode: two points, each compressed, or 33 zeros for
// infinity. The error is p256k1.ErrLength, ErrPrefix, ErrRange or ErrNotOnCurve.
func ParseAggregateNonce(b []byte) (n AggregateNonce, err error) {
	if err := n.p.Parse(b, true); err != nil {
		return AggregateNonce{}, fmt.Errorf("musig2: aggregate nonce: %w", err)
	}
	return n, nil
}

// Bytes returns the 66-byte encoding of n.
func (n *AggregateNonce) Bytes() []byte { return append([]byte(nil), n.p.Encoded[:]...) }

// AggregateNonces returns the sum of the public nonces of the signers (NonceAgg). Errors count the signers in the order
// of nonces. The error is a *protocols.BlameError with p256k1.ErrInfinity that names all signers whose nonce was never
// set, or p256k1.ErrLength if there are no nonces.
func AggregateNonces(nonces []PublicNonce) (sum AggregateNonce, err error) {
	if len(nonces) == 0 {
		return sum, fmt.Errorf("musig2: %w: no public nonces", p256k1.ErrLength)
	}
	if bad := unset(nonces); bad != nil {
		return sum, fmt.Errorf("musig2: public nonce: %w", blame(bad, p256k1.ErrInfinity))
	}
	for i := range nonces {
		sum.p.Add(&nonces[i].p)
	}
	sum.p.Encode()
	return sum, nil
}

// unset returns the indexes of all nonces that were never set.
func unset(nonces []PublicNonce) (bad []int) {
	for i := range nonces {
		if !nonces[i].p.IsSet() {
			bad = append(bad, i)
		}
	}
	return bad
}

// SecretNonce is the secret nonce of one signer, for one signature. It has no encoding. All copies of a SecretNonce are
// the same nonce, which signs only once. The zero value is a used nonce.
type SecretNonce struct{ state *atomic.Pointer[secrets] }

// secrets are the values that a SecretNonce holds until it is used.
type secrets struct {
	nonce.Secret
	signer  [33]byte           // the encoded key of the signer
	keys    *[32 + 33]byte     // the identity of the key set, or nil if it is not known
	message *[sha256.Size]byte // the hash of the message, or nil if it is not known
}

// take returns the secrets when it is first called, and nil afterwards.
func (n *SecretNonce) take() *secrets {
	if n == nil || n.state == nil {
		return nil
	}
	return n.state.Swap(nil)
}

// Zero wipes the nonce, unless it was used before.
func (n *SecretNonce) Zero() {
	if s := n.take(); s != nil {
		s.Secret.Zero()
	}
}

const secretText = "musig2.SecretNonce(secret)"

// Format writes a placeholder instead of the nonce.
func (SecretNonce) Format(f fmt.State, _ rune) { f.Write([]byte(secretText)) }

// MarshalText returns p256k1.ErrMarshal, because a nonce that is stored could be used twice.
func (SecretNonce) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("musig2: secret nonce: %w", p256k1.ErrMarshal)
}

// MarshalBinary returns p256k1.ErrMarshal, so that encoders such as encoding/gob refuse nonces.
func (n SecretNonce) MarshalBinary() ([]byte, error) { return n.MarshalText() }

// UnmarshalText returns p256k1.ErrMarshal and leaves n unchanged.
func (n *SecretNonce) UnmarshalText([]byte) error {
	return fmt.Errorf("musig2: secret nonce: %w", p256k1.ErrMarshal)
}

// UnmarshalBinary returns p256k1.ErrMarshal and leaves n unchanged.
func (n *SecretNonce) UnmarshalBinary(b []byte) error { return n.UnmarshalText(b) }

// identity returns bytes that identify the key set and its tweaks.
func (s *KeySet) identity() (id [32 + 33]byte) {
	copy(id[:], s.hash[:])
	copy(id[32:], s.key.Bytes())
	return id
}

// calls counts the nonces that this process has made.
var calls atomic.Uint64

// NewNonce returns a secret nonce, which the signer keeps, and its public nonce, which the signer sends to the other
// signers (NonceGen). It is constant-time. keys and msg may be nil if they are not known yet. Otherwise the nonce is
// bound to keys and msg, and signs with no other key set or message. Pass an empty message as an empty slice, and not
// as nil.
//
// The nonces are derived from 32 fresh bytes of crypto/rand, from all arguments, from the time, and from a counter. So
// they stay secret even if the randomness is bad, and differ even in clones of a virtual machine. The error is
//
//   - p256k1.ErrNoKey for an invalid private key, or for a key set that was never set,
//   - ErrNotSigner for a private key whose public key is not in the key set, or
//   - p256k1.ErrFault after a hardware error.
func NewNonce(priv *p256k1.PrivateKey, keys *KeySet, msg []byte) (*SecretNonce, PublicNonce, error) {
	secret, public, err := NewNonceBatch(priv, []*KeySet{keys}, [][]byte{msg})
	if err != nil {
		var failures p256k1.Failures
		if errors.As(err, &failures) {
			err = failures[0].Err
		}
		return nil, PublicNonce{}, err
	}
	return secret[0], public[0], nil
}

// NewNonceBatch returns secret nonces and their public nonces for many sessions of one signer. It is constant-time.
// Nonce i is for keys[i] and msgs[i]. Each of them may be nil if it is not known yet. The multiplications share
// inversions, and are computed eight at a time if the processor has AVX-512 IFMA.
//
// The error is p256k1.ErrNoKey for an invalid private key, or p256k1.ErrFault after a hardware error, and no nonces are
// returned then. Otherwise the error is a p256k1.Failures with the errors of NewNonce, or nil if there are none. For
// each index in this list, the secret nonce is nil and the public nonce is the zero value. NewNonceBatch panics if the
// slices differ in length.
func NewNonceBatch(priv *p256k1.PrivateKey, keys []*KeySet, msgs [][]byte) ([]*SecretNonce, []PublicNonce, error) {
	n := len(keys)
	if n != len(msgs) {
		panic(fmt.Sprintf("musig2: NewNonceBatch of %d key sets and %d messages", n, len(msgs)))
	}
	random := secret.Make[byte](32 * n) // becomes the masked keys
	defer clear(random)
	rand.Read(random) // never fails
	extra := make([][]byte, n)
	for i := range extra {
		extra[i] = binary.BigEndian.AppendUint64(nil, calls.Add(1))
		extra[i] = binary.BigEndian.AppendUint64(extra[i], uint64(time.Now().UnixNano()))
	}
	all, err := newSecrets(priv, keys, msgs, random, extra)
	if all == nil {
		return nil, nil, err
	}
	nonces, public := make([]*SecretNonce, n), make([]PublicNonce, n)
	for i, s := range all {
		if s == nil {
			continue
		}
		nonces[i] = &SecretNonce{state: new(atomic.Pointer[secrets])}
		nonces[i].state.Store(s)
		public[i].p = s.Pub
	}
	return nonces, public, err
}

// owner returns the encoded public key of priv. Unless keys is nil, the public key must be in keys.
func owner(priv *p256k1.PrivateKey, keys *KeySet) (key [33]byte, err error) {
	key = encode(priv.PublicKey())
	switch {
	case key[0] == 0:
		return key, fmt.Errorf("musig2: private key: %w", p256k1.ErrNoKey)
	case keys != nil && keys.isNone():
		return key, errKeySet()
	case keys != nil && !keys.has(&key):
		return key, fmt.Errorf("musig2: private key: %w", ErrNotSigner)
	}
	return key, nil
}

func (s *KeySet) has(key *[33]byte) bool {
	for i := range s.encoded {
		if s.encoded[i] == *key {
			return true
		}
	}
	return false
}

// newSecrets returns the secrets for NewNonceBatch. random holds 32 random bytes for each item, which newSecrets
// overwrites, and extra[i] is further input for item i. The error is a p256k1.Failures, unless all is nil.
func newSecrets(priv *p256k1.PrivateKey, keys []*KeySet, msgs [][]byte, random []byte, extra [][]byte) ([]*secrets, error) {
	var failures p256k1.Failures
	all, unfinished := make([]*secrets, len(keys)), make([]*nonce.Secret, 0, len(keys))
	if err := priv.Use(func(d curve.Scalar) error {
		for i := range keys {
			s, err := bind(priv, keys[i], msgs[i])
			if err != nil {
				failures = append(failures, p256k1.Failure{Index: i, Err: err})
				continue
			}
			all[i], unfinished = s, append(unfinished, &s.Secret)
			var q []byte
			if s.keys != nil {
				q = s.keys[33:] // the x coordinate of the aggregate key
			}
			t := (*[32]byte)(random[32*i:])
			nonce.Mask(t, &d, auxTag.Sum(t[:]))
			s.Generate(&nonceTag, t, s.signer[:], q, msgs[i], extra[i])
		}
		return nonce.FinishBatch(unfinished)
	}); err != nil {
		for _, s := range unfinished {
			s.Zero()
		}
		return nil, fmt.Errorf("musig2: %w", err)
	}
	return all, failures.Err()
}

// bind returns secrets without a nonce, which are bound to the public key of priv, the key set and the message.
func bind(priv *p256k1.PrivateKey, keys *KeySet, msg []byte) (s *secrets, err error) {
	s = new(secrets)
	if s.signer, err = owner(priv, keys); err != nil {
		return nil, err
	}
	if keys != nil {
		id := keys.identity()
		s.keys = &id
	}
	if msg != nil {
		sum := sha256.Sum256(msg)
		s.message = &sum
	}
	return s, nil
}
