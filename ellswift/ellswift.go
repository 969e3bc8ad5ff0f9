// Package ellswift implements the key agreement of BIP-324, for transports that must look random: public keys are
// encoded as 64 bytes that are indistinguishable from random bytes (ElligatorSwift), and each side uses its private key
// once.
//
// Encode and Decode are for public data, and their time depends on that data. All other functions are constant-time
// with respect to private keys. An encoding is chosen by hashes of random bytes, and the time shows how many of these
// hashes gave no encoding. This number reveals nothing about the hash that gave the encoding, or about the key.
//
// The examples are in example_test.go.
package ellswift

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/swift"
	"p256k1.mleku.dev/v2/schnorr"
)

// ErrEncoding means that an encoding does not belong to the public key of the private key.
var ErrEncoding = errors.New("encoding of another public key")

// PrivateKey is a private key for one key exchange, together with the encoding of its public key that is sent to the
// peer. The first call of ECDH or X, from any goroutine, uses the key up: the call wipes the key, which all copies of
// the PrivateKey share. The zero value is not a key.
type PrivateKey struct{ state *state }

// state is shared by all copies of a PrivateKey.
type state struct {
	priv     atomic.Pointer[p256k1.PrivateKey] // nil after the key is used up
	encoding [64]byte
}

func newPrivateKey(priv *p256k1.PrivateKey, encoding *[64]byte) *PrivateKey {
	s := &state{encoding: *encoding}
	s.priv.Store(priv)
	return &PrivateKey{s}
}

// take returns the key when it is first called, and nil afterwards.
func (k *PrivateKey) take() *p256k1.PrivateKey {
	if k == nil || k.state == nil {
		return nil
	}
	return k.state.priv.Swap(nil)
}

// GenerateKey returns a new private key from the system's randomness (crypto/rand), and the 64-byte encoding of its
// public key, to be sent to the peer. The error is always nil.
func GenerateKey() (*PrivateKey, [64]byte, error) {
	priv, err := p256k1.GenerateKey()
	if err != nil {
		return nil, [64]byte{}, err
	}
	encoding, err := Encode(priv.PublicKey(), nil)
	if err != nil {
		return nil, [64]byte{}, err
	}
	return newPrivateKey(priv, &encoding), encoding, nil
}

// NewPrivateKey returns the key priv for one key exchange, with an encoding of its public key, for example one that
// Encode returned. It copies the key, so the caller can still use priv, and should wipe priv in the end. The error is
// p256k1.ErrNoKey if priv is invalid, and ErrEncoding if encoding is nil or encodes another x coordinate. The y
// coordinate may differ, because the shared secret does not depend on y, and BIP-324 chooses encodings by x alone.
func NewPrivateKey(priv *p256k1.PrivateKey, encoding *[64]byte) (*PrivateKey, error) {
	if err := priv.Use(func(curve.Scalar) error { return nil }); err != nil {
		return nil, err
	}
	if encoding == nil {
		return nil, fmt.Errorf("ellswift: private key: %w: nil", ErrEncoding)
	}
	if !Decode(encoding).XOnly().Equal(priv.PublicKey().XOnly()) {
		return nil, fmt.Errorf("ellswift: private key: %w", ErrEncoding)
	}
	// Negate is the cheapest way to copy a key. The copy −d serves as well as d, because −d·P has the same x coordinate
	// as d·P.
	return newPrivateKey(priv.Negate(), encoding), nil
}

// ECDH returns the shared secret of BIP-324 (v2_ecdh), 32 bytes: the tagged hash of the initiator's 64 bytes, the
// responder's 64 bytes, and the shared x coordinate. initiator says whether k belongs to the initiator. theirs is the
// encoding that the peer sent; any 64 bytes are valid. ECDH uses k up. The error is p256k1.ErrNoKey if k was used
// before, was wiped or was never set. It is p256k1.ErrLength if theirs is nil, and k can then still be used.
func (k *PrivateKey) ECDH(theirs *[64]byte, initiator bool) (secret [32]byte, err error) {
	result := answered
	if initiator {
		result = begun
	}
	err = k.agree(&secret, result, theirs)
	return secret, err
}

// X returns the x coordinate of the shared point, 32 bytes big-endian, for protocols with a hash of their own. The x
// coordinate is not uniformly random. Hash it together with both encodings, as BIP-324 does. X uses k up. The error is
// p256k1.ErrNoKey if k was used before, was wiped or was never set, and p256k1.ErrLength if theirs is nil.
func (k *PrivateKey) X(theirs *[64]byte) (x [32]byte, err error) {
	err = k.agree(&x, raw, theirs)
	return x, err
}

// A kind says which value is derived from the shared x coordinate: BIP-324's hash with the key of the initiator,
// BIP-324's hash with the key of the responder, or x itself.
type kind int

const (
	raw kind = iota
	begun
	answered
)

// agree takes the key and sets out to the value of the given kind.
func (k *PrivateKey) agree(out *[32]byte, result kind, theirs *[64]byte) error {
	if theirs == nil {
		return fmt.Errorf("ellswift: encoding of the peer: %w: nil, want 64 bytes", p256k1.ErrLength)
	}
	priv := k.take()
	if priv == nil {
		return fmt.Errorf("ellswift: private key: %w: used, wiped or never set", p256k1.ErrNoKey)
	}
	defer priv.Zero()
	return priv.Use(func(d curve.Scalar) error { return k.state.shared(out, result, theirs, &d) })
}

func (s *state) shared(out *[32]byte, result kind, theirs *[64]byte, d *curve.Scalar) error {
	x, err := swift.ScalarMult(d, theirs)
	if err != nil {
		return err
	}
	defer clear(x[:])
	switch result {
	case begun:
		*out = ecdhTag.Sum(s.encoding[:], theirs[:], x[:])
	case answered:
		*out = ecdhTag.Sum(theirs[:], s.encoding[:], x[:])
	default:
		*out = x
	}
	return nil
}

// Zero wipes k, unless it has been used already.
func (k *PrivateKey) Zero() {
	if priv := k.take(); priv != nil {
		priv.Zero()
	}
}

const privateKeyText = "ellswift.PrivateKey(secret)"

// Format writes a placeholder instead of the key, so that a key that is printed by mistake stays secret.
func (PrivateKey) Format(f fmt.State, _ rune) {
	fmt.Fprint(f, privateKeyText)
}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json refuse private keys instead of silently
// omitting them.
func (PrivateKey) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("ellswift: private key: %w: it is for one exchange", p256k1.ErrMarshal)
}

// UnmarshalText returns p256k1.ErrMarshal and leaves k unchanged.
func (k *PrivateKey) UnmarshalText([]byte) error {
	return fmt.Errorf("ellswift: private key: %w: it is for one exchange", p256k1.ErrMarshal)
}

// MarshalBinary returns p256k1.ErrMarshal, so that encoders such as encoding/gob refuse private keys.
func (k PrivateKey) MarshalBinary() ([]byte, error) { return k.MarshalText() }

// UnmarshalBinary returns p256k1.ErrMarshal and leaves k unchanged.
func (k *PrivateKey) UnmarshalBinary([]byte) error { return k.UnmarshalText(nil) }

// Encode returns a 64-byte encoding of pub, which Decode maps back to pub. All encodings of pub are equally likely,
// except a negligible part of them, which Encode never returns. The encoding is chosen by hashes of pub and random.
// random should be 32 random bytes that nobody else knows, because whoever can compute the hashes can tell the encoding
// from random bytes. If random is nil, Encode takes fresh bytes from crypto/rand. The error is p256k1.ErrNoKey if pub
// is invalid.
func Encode(pub *p256k1.PublicKey, random *[32]byte) (encoding [64]byte, err error) {
	point := pub.Point()
	if point.IsInfinity() == 1 {
		return encoding, fmt.Errorf("ellswift: public key: %w: nil or never set", p256k1.ErrNoKey)
	}
	if random == nil {
		random = new([32]byte)
		rand.Read(random[:]) // never fails
	}
	var d draws
	seed := encodeTag.Sum(random[:], pub.Bytes())
	copy(d[:], seed[:])
	for {
		ways := d.next()
		for i := range 4 * len(ways) {
			// The value 3 is skipped, so that 0, 1 and 2 are equally likely.
			way := int(ways[i/4] >> (i % 4 * 2) & 3)
			if way == 3 {
				continue
			}
			r := d.next()
			if swift.EncodeVartime(&encoding, point, &r, way) {
				return encoding, nil
			}
		}
	}
}

// Decode returns the public key that the 64 bytes encode. Any 64 bytes encode a key. Decode panics if encoding is nil.
func Decode(encoding *[64]byte) *p256k1.PublicKey {
	pub := new(p256k1.PublicKey)
	decode(pub, encoding)
	return pub
}

// decode sets pub to the key that the 64 bytes encode. It is separate from Decode, so that Decode can be inlined and
// the key that it returns need not be on the heap.
func decode(pub *p256k1.PublicKey, encoding *[64]byte) {
	var point curve.Point
	setDecoded(&point, encoding)
	p, _ := p256k1.NewPublicKey(&point) // the only possible error is for infinity, which no bytes encode
	*pub = *p
}

// setDecoded sets point to the point that the 64 bytes encode. The point and the bytes are public.
func setDecoded(point *curve.Point, encoding *[64]byte) {
	swift.DecodeVartime(point, encoding)
}

// draws is a seed followed by a counter. The hash of draws gives pseudorandom bytes for each value of the counter.
type draws [40]byte

func (d *draws) next() [32]byte {
	sum := sha256.Sum256(d[:])
	binary.LittleEndian.PutUint64(d[32:], binary.LittleEndian.Uint64(d[32:])+1)
	return sum
}

// The tags of the two hashes are written out, so that nothing is hashed when the package is initialized.
var (
	ecdhTag = schnorr.Tag{ // bip324_ellswift_xonly_ecdh
		0x98, 0xf1, 0x5c, 0xda, 0x57, 0xc9, 0x3e, 0x51, 0xb1, 0xaf, 0xf0, 0x22, 0x21, 0x5c, 0xa6, 0x52,
		0x85, 0x5b, 0xc7, 0x91, 0xba, 0xd2, 0x8d, 0x1e, 0xd7, 0x67, 0x4c, 0x99, 0x40, 0x04, 0xae, 0x63,
	}
	encodeTag = schnorr.Tag{ // p256k1_ellswift_encode
		0xfe, 0xda, 0xba, 0x0a, 0xff, 0x37, 0x79, 0x6b, 0x2d, 0x98, 0xca, 0xbd, 0xb1, 0xc6, 0xa8, 0x4a,
		0x93, 0x80, 0x15, 0x5d, 0xc0, 0x80, 0xb9, 0x74, 0x2e, 0x86, 0xd9, 0xfd, 0xe6, 0x63, 0x88, 0x7c,
	}
)
