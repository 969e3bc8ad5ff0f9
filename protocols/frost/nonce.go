package frost

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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
	auxTag      = schnorr.NewTag("BIP0445/aux")
	nonceTag    = schnorr.NewTag("BIP0445/nonce")
	detNonceTag = schnorr.NewTag("BIP0445/deterministic/nonce")
)

var (
	// ErrNonceUsed means that a secret nonce was used before, was wiped or was never set.
	ErrNonceUsed = errors.New("secret nonce was used, or was wiped or never set")
	// ErrNonceBound means that a secret nonce was made for another share, other signers or another message.
	ErrNonceBound = errors.New("secret nonce was made for another share, other signers or another message")
)

// PublicNonce is the public nonce of one signer, for one signature. The zero value is not a nonce, and functions refuse
// it.
type PublicNonce struct{ p nonce.Pair }

// ParsePublicNonce returns the public nonce that 66 bytes encode: two compressed points. The error is p256k1.ErrLength,
// ErrPrefix, ErrRange or ErrNotOnCurve.
func ParsePublicNonce(b []byte) (n PublicNonce, err error) {
	if err := n.p.Parse(b, false); err != nil {
		return PublicNonce{}, fmt.Errorf("frost: public nonce: %w", err)
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

// MarshalText returns the 66-byte encoding of n in lower-case hexadecimal. The error is p256k1.ErrInfinity for the zero
// value.
func (n PublicNonce) MarshalText() ([]byte, error) {
	if !n.p.IsSet() {
		return nil, fmt.Errorf("frost: public nonce that was never set: %w", p256k1.ErrInfinity)
	}
	return hex.AppendEncode(nil, n.p.Encoded[:]), nil
}

// UnmarshalText sets n to the public nonce that text encodes. The error is p256k1.ErrHex, or an error that
// ParsePublicNonce returns. If there is an error, n is unchanged.
func (n *PublicNonce) UnmarshalText(text []byte) error {
	return unmarshal(n, "frost: public nonce", text, nonce.Size, ParsePublicNonce)
}

// AggregateNonce is the sum of the public nonces of all signers. In the zero value both points are infinity.
type AggregateNonce struct{ p nonce.Pair }

// ParseAggregateNonce returns the aggregate nonce that 66 bytes encode: two points, each compressed, or 33 zeros for
// infinity. The error is p256k1.ErrLength, ErrPrefix, ErrRange or ErrNotOnCurve.
func ParseAggregateNonce(b []byte) (n AggregateNonce, err error) {
	if err := n.p.Parse(b, true); err != nil {
		return AggregateNonce{}, fmt.Errorf("frost: aggregate nonce: %w", err)
	}
	return n, nil
}

// Bytes returns the 66-byte encoding of n.
func (n *AggregateNonce) Bytes() []byte { return append([]byte(nil), n.p.Encoded[:]...) }

// MarshalText returns the 66-byte encoding of n in lower-case hexadecimal.
func (n AggregateNonce) MarshalText() ([]byte, error) {
	return hex.AppendEncode(nil, n.p.Encoded[:]), nil
}

// UnmarshalText sets n to the aggregate nonce that text encodes. The error is p256k1.ErrHex, or an error that
// ParseAggregateNonce returns. If there is an error, n is unchanged.
func (n *AggregateNonce) UnmarshalText(text []byte) error {
	return unmarshal(n, "frost: aggregate nonce", text, nonce.Size, ParseAggregateNonce)
}

// AggregateNonces returns the sum of the public nonces of the signers (NonceAgg). The error is p256k1.ErrInfinity with
// the indexes of all nonces that were never set, or p256k1.ErrLength if there are no nonces. It blames nobody, because
// AggregateNonces does not know the numbers of the signers.
func AggregateNonces(nonces []PublicNonce) (sum AggregateNonce, err error) {
	if len(nonces) == 0 {
		return sum, fmt.Errorf("frost: %w: no public nonces", p256k1.ErrLength)
	}
	if bad := unset(nonces); bad != nil {
		return sum, fmt.Errorf("frost: public nonces: %w: never set: indexes %d", p256k1.ErrInfinity, bad)
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
	id      uint32
	share   [33]byte           // the encoded public share of the signer
	signers *[sha256.Size]byte // a hash that identifies the signers, or nil if they are not known
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

const secretText = "frost.SecretNonce(secret)"

// Format writes a placeholder instead of the nonce.
func (SecretNonce) Format(f fmt.State, _ rune) { f.Write([]byte(secretText)) }

// MarshalText returns p256k1.ErrMarshal, because a nonce that is stored could be used twice.
func (SecretNonce) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("frost: secret nonce: %w", p256k1.ErrMarshal)
}

// MarshalBinary returns p256k1.ErrMarshal, so that encoders such as encoding/gob refuse nonces.
func (n SecretNonce) MarshalBinary() ([]byte, error) { return n.MarshalText() }

// UnmarshalText returns p256k1.ErrMarshal and leaves n unchanged.
func (n *SecretNonce) UnmarshalText([]byte) error {
	return fmt.Errorf("frost: secret nonce: %w", p256k1.ErrMarshal)
}

// UnmarshalBinary returns p256k1.ErrMarshal and leaves n unchanged.
func (n *SecretNonce) UnmarshalBinary(b []byte) error { return n.UnmarshalText(b) }

// identity returns a hash that identifies the signers and their tweaks.
func (s *Signers) identity() (id [sha256.Size]byte) {
	b := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(s.t)), uint64(s.n))
	b = append(append(b, s.sorted...), s.key.Bytes()...)
	return sha256.Sum256(b)
}

// owner returns the encoded public share that belongs to share. Unless signers is nil, share must belong to one of the
// signers.
func owner(share *Share, signers *Signers) (public [33]byte, err error) {
	key := share.Public()
	if isUnset(key) {
		return public, fmt.Errorf("frost: share: %w", p256k1.ErrNoKey)
	}
	copy(public[:], key.Bytes())
	if signers == nil {
		return public, nil
	}
	if signers.isNone() {
		return public, errSigners()
	}
	i := signers.index(share.id)
	if i < 0 {
		return public, fmt.Errorf("frost: share: %w: participant %d is not one of the signers %d", ErrSigners, share.id, signers.ids)
	}
	if !signers.shares[i].Equal(key) {
		return public, fmt.Errorf("frost: share: %w", share.wrongShare(&signers.base))
	}
	return public, nil
}

// calls counts the nonces that this process has made.
var calls atomic.Uint64

// NewNonce returns a secret nonce, which the signer keeps, and its public nonce, which the signer sends to the
// coordinator (NonceGen). It is constant-time. signers and msg may be nil if they are not known yet. Otherwise the
// nonce is bound to signers and msg, and signs with no other signers or message. Pass an empty message as an empty
// slice, and not as nil.
//
// The nonces are derived from 32 fresh bytes of crypto/rand, from all arguments, from the time, and from a counter. So
// they stay secret even if the randomness is bad, and differ even in clones of a virtual machine. The error is
//
//   - p256k1.ErrNoKey for an invalid share, or for signers that were never set,
//   - ErrSigners for the share of a participant who does not sign,
//   - ErrShare for a share that does not belong to the participant with its number, and also ErrReshared if the share
//     is known to be from another sharing of the key, or
//   - p256k1.ErrFault after a hardware error.
func NewNonce(share *Share, signers *Signers, msg []byte) (*SecretNonce, PublicNonce, error) {
	extra := binary.BigEndian.AppendUint64(nil, calls.Add(1))
	extra = binary.BigEndian.AppendUint64(extra, uint64(time.Now().UnixNano()))
	s := new(secrets)
	var err error
	if s.share, err = owner(share, signers); err != nil {
		return nil, PublicNonce{}, err
	}
	s.id = share.id
	var q []byte
	if signers != nil {
		id := signers.identity()
		s.signers = &id
		if q, err = signers.q.BytesX(); err != nil {
			return nil, PublicNonce{}, err
		}
	}
	if msg != nil {
		sum := sha256.Sum256(msg)
		s.message = &sum
	}
	random := secret.New[[32]byte]() // becomes the masked share
	rand.Read(random[:])             // never fails
	defer clear(random[:])
	if err := s.generate(share, random, s.share[:], q, msg, extra); err != nil {
		return nil, PublicNonce{}, err
	}
	n := &SecretNonce{state: new(atomic.Pointer[secrets])}
	n.state.Store(s)
	return n, PublicNonce{s.Pub}, nil
}

// generate derives the secret nonce from random, which it overwrites, and from the other inputs of NonceGen.
func (s *secrets) generate(share *Share, random *[32]byte, public, q, msg, extra []byte) error {
	if err := share.key.Use(func(d curve.Scalar) error {
		nonce.Mask(random, &d, auxTag.Sum(random[:]))
		s.Generate(&nonceTag, random, public, q, msg, extra)
		return s.Finish()
	}); err != nil {
		return fmt.Errorf("frost: nonce: %w", err)
	}
	return nil
}
