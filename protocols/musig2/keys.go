package musig2

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/schnorr"
)

var (
	listTag        = schnorr.NewTag("KeyAgg list")
	coefficientTag = schnorr.NewTag("KeyAgg coefficient")
)

// chainCode is the chain code of all synthetic extended keys: SHA256("MuSig2MuSig2MuSig2") (BIP-328).
var chainCode = [32]byte{
	0x86, 0x80, 0x87, 0xca, 0x02, 0xa6, 0xf9, 0x74, 0xc4, 0x59, 0x89, 0x24, 0xc3, 0x6b, 0x57, 0x76,
	0x2d, 0x32, 0xcb, 0x45, 0x71, 0x71, 0x67, 0xe3, 0x00, 0x62, 0x2c, 0x71, 0x67, 0xe3, 0x89, 0x65,
}

// ErrTweaked means that the result is not defined for a key that was tweaked.
var ErrTweaked = errors.New("the key was tweaked")

// blame returns an error that names the signers with these indexes.
func blame(indexes []int, err error) error {
	e := &protocols.BlameError{Err: err}
	for _, i := range indexes {
		e.Participants = append(e.Participants, uint32(i))
	}
	return e
}

// KeySet is the aggregate of public keys, with the tweaks that were applied to it (KeyAgg Context). A KeySet is
// immutable, so goroutines may share it. Nil and the zero value are not key sets: their public key is the zero value,
// and functions refuse them with p256k1.ErrNoKey. However, nil in NewNonce and NewNonceBatch means that the key set is
// not known yet.
type KeySet struct {
	unstored
	encoded [][33]byte
	hash    [32]byte // the hash of encoded
	second  int      // the index of the first key that differs from key 0, or −1 if all keys are the same

	key   p256k1.PublicKey
	q     curve.Point  // the point of key, normalized
	gacc  int          // 1 if x-only tweaks have changed the sign an odd number of times
	tacc  curve.Scalar // the sum of the tweaks, with their signs
	chain *[32]byte    // the chain code, or nil after a tweak
	depth int          // the number of derivations
}

// encode returns the compressed encoding of a key, or zeros if the key is invalid.
func encode(key *p256k1.PublicKey) (b [33]byte) {
	copy(b[:], key.Bytes())
	return b
}

// Sort returns a copy of keys in ascending order of their compressed encodings (KeySort).
func Sort(keys []*p256k1.PublicKey) []*p256k1.PublicKey {
	keys = slices.Clone(keys)
	slices.SortStableFunc(keys, func(a, b *p256k1.PublicKey) int {
		x, y := encode(a), encode(b)
		return bytes.Compare(x[:], y[:])
	})
	return keys
}

// Aggregate returns the aggregate of public keys in the given order (KeyAgg). A key may occur more than once. The error
// is a *protocols.BlameError with p256k1.ErrNoKey that names the first signer whose key is invalid, or p256k1.ErrLength
// if there are no keys. With a probability of 2⁻²⁵⁶ the error is p256k1.ErrInfinity.
func Aggregate(keys []*p256k1.PublicKey) (*KeySet, error) {
	s, err := newKeySet(keys)
	if err != nil {
		return nil, err
	}
	var ones curve.Point
	a, p := s.products(keys, &ones)
	s.q.MultiScalarMultVartime(a, p)
	s.q.Add(&s.q, &ones)
	if err := s.finish(); err != nil {
		return nil, err
	}
	return s, nil
}

// newKeySet returns the key set of keys, but does not compute the aggregate key.
func newKeySet(keys []*p256k1.PublicKey) (*KeySet, error) {
	if len(keys) == 0 {
		return nil, fmt.Errorf("musig2: %w: no public keys", p256k1.ErrLength)
	}
	s := &KeySet{encoded: make([][33]byte, len(keys)), second: -1, chain: &chainCode}
	list := make([]byte, 0, 33*len(keys))
	for i, key := range keys {
		if s.encoded[i] = encode(key); s.encoded[i][0] == 0 {
			return nil, fmt.Errorf("musig2: public key: %w", blame([]int{i}, p256k1.ErrNoKey))
		}
		if s.second < 0 && s.encoded[i] != s.encoded[0] {
			s.second = i
		}
		list = append(list, s.encoded[i][:]...)
	}
	s.hash = listTag.Sum(list)
	return s, nil
}

// products returns the coefficients aᵢ and points Pᵢ of the aggregate key Q = Σ aᵢ·Pᵢ, except for the points with the
// coefficient 1. These points need no multiplication, so products sets ones to their sum.
func (s *KeySet) products(keys []*p256k1.PublicKey, ones *curve.Point) (a []*curve.Scalar, p []*curve.Point) {
	scalars := make([]curve.Scalar, len(keys))
	a, p = make([]*curve.Scalar, 0, len(keys)), make([]*curve.Point, 0, len(keys))
	for i, key := range keys {
		if s.isSecond(&s.encoded[i]) {
			ones.Add(ones, key.Point())
			continue
		}
		a, p = append(a, s.coefficient(&scalars[i], &s.encoded[i])), append(p, key.Point())
	}
	return a, p
}

// finish normalizes the point q, and sets the public key to it.
func (s *KeySet) finish() error {
	key, err := p256k1.NewPublicKey(s.q.NormalizeVartime())
	if err != nil {
		return fmt.Errorf("musig2: aggregate key: %w", err)
	}
	s.key = *key
	return nil
}

func (s *KeySet) isSecond(key *[33]byte) bool { return s.second >= 0 && s.encoded[s.second] == *key }

// coefficient sets a to the coefficient of an encoded key (KeyAggCoeff), and returns a.
func (s *KeySet) coefficient(a *curve.Scalar, key *[33]byte) *curve.Scalar {
	if s.isSecond(key) {
		return a.SetUint64(1)
	}
	sum := coefficientTag.Sum(s.hash[:], key[:])
	return a.SetBytesReduced(&sum)
}

// PublicKey returns the aggregate key with all tweaks. Signatures verify with the XOnly form of this key.
func (s *KeySet) PublicKey() *p256k1.PublicKey {
	if s.isNone() {
		return new(p256k1.PublicKey)
	}
	key := s.key
	return &key
}

// Tweak returns the key set for the key Q + t·G (ApplyTweak, plain). A tweak should be the hash of a key and of the
// data to which the key commits, because a tweak that others choose freely can be harmful (BIP-327). The error is
// p256k1.ErrLength if t does not have 32 bytes, p256k1.ErrRange if t is not below the group order, or
// p256k1.ErrInfinity if the result is the point at infinity.
func (s *KeySet) Tweak(t []byte) (*KeySet, error) { return s.tweak(t, false) }

// TweakXOnly returns the key set for the key P + t·G, where P is whichever of Q and −Q has even y, as in BIP-341
// (ApplyTweak, x-only). TweakXOnly returns the same errors as Tweak.
func (s *KeySet) TweakXOnly(t []byte) (*KeySet, error) { return s.tweak(t, true) }

func (s *KeySet) tweak(b []byte, xOnly bool) (*KeySet, error) {
	if s.isNone() {
		return nil, errKeySet()
	}
	var t, one curve.Scalar
	if _, err := t.SetBytes(b); err != nil {
		return nil, fmt.Errorf("musig2: tweak: %w", err)
	}
	next := *s
	next.chain = nil
	odd := 0
	if xOnly {
		odd = s.q.IsYOdd()
	}
	next.q.CondNegate(&s.q, odd)
	next.q.DoubleScalarBaseMultVartime(one.SetUint64(1), &next.q, &t)
	next.gacc ^= odd
	next.tacc.CondNegate(&s.tacc, odd)
	next.tacc.Add(&next.tacc, &t)
	if err := next.finish(); err != nil {
		return nil, err
	}
	return &next, nil
}

// isNone reports whether s is invalid.
func (s *KeySet) isNone() bool { return s == nil || s.q.IsInfinity() != 0 }

func errKeySet() error {
	return fmt.Errorf("musig2: key set: %w: nil or never set", p256k1.ErrNoKey)
}

// ExtendedKey returns the extended public key of the aggregate key (BIP-328), in the encoding of BIP-32 before
// base58check: the version, such as 0488b21e for xpub, 9 zeros, the chain code and the key. The error is ErrTweaked for
// a key that was derived or tweaked.
func (s *KeySet) ExtendedKey(version [4]byte) (b [78]byte, err error) {
	if s.isNone() {
		return b, errKeySet()
	}
	if s.chain == nil || s.depth > 0 {
		return b, fmt.Errorf("musig2: extended key: %w", ErrTweaked)
	}
	copy(b[:], version[:])
	copy(b[13:], s.chain[:])
	copy(b[45:], s.key.Bytes())
	return b, nil
}

// Derive returns the key set for the key that BIP-32 derives along a path of child numbers below 2³¹ (BIP-328). The
// error is p256k1.ErrRange for a hardened number, ErrTweaked for a key that was tweaked, or p256k1.ErrLength for a path
// that leads deeper than 255. An unhardened number leads to ErrRange with a probability of 2⁻¹²⁷; use the next number
// then.
func (s *KeySet) Derive(path ...uint32) (*KeySet, error) {
	if s.isNone() {
		return nil, errKeySet()
	}
	for _, number := range path {
		switch {
		case s.chain == nil:
			return nil, fmt.Errorf("musig2: derivation: %w", ErrTweaked)
		case number >= 1<<31:
			return nil, fmt.Errorf("musig2: derivation of hardened number %d: %w", number, p256k1.ErrRange)
		case s.depth == 255:
			return nil, fmt.Errorf("musig2: path of derivation: %w", p256k1.ErrLength)
		}
		mac := hmac.New(sha512.New, s.chain[:])
		mac.Write(binary.BigEndian.AppendUint32(s.key.Bytes(), number))
		sum := mac.Sum(nil)
		next, err := s.Tweak(sum[:32])
		if err != nil {
			return nil, err
		}
		next.chain, next.depth = (*[32]byte)(sum[32:]), s.depth+1
		s = next
	}
	return s, nil
}
