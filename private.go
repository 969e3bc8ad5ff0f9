package p256k1

import (
	"crypto"
	"crypto/rand"
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/secret"
)

// PrivateKey is an integer d with 1 ≤ d < n, and its public key d·G.
//
// The zero value, a key after Zero and a nil pointer are no key: schemes refuse them with
// ErrNoKey, and they are not equal to themselves. Copies of a PrivateKey are the same key, which Zero wipes
// for all of them.
type PrivateKey struct {
	// Behind two pointers for the sake of package fmt, which prints unexported
	// fields of whatever holds a key without asking Format: of a pointer in them
	// only the address or, with a verb that does not fit, what it points to.
	pair **keyPair
}

// A keyPair is all of a private key, in one allocation: the PrivateKey as well, and
// the pointer between the two.
type keyPair struct {
	key  PrivateKey
	self *keyPair
	d    curve.Scalar
	pub  PublicKey
}

// noKey is what a PrivateKey that was never set holds, or nil. It is not written to.
var noKey keyPair

func (k *PrivateKey) get() *keyPair {
	if k == nil || k.pair == nil {
		return &noKey
	}
	return *k.pair
}

// newKeyPair returns a key pair that is not set, on the heap, where nothing moves.
// A goroutine's stack is copied when it grows or shrinks, and the old one freed as
// it is: Zero would not reach the copy there. Not inlined, since otherwise the
// compiler leaves on the caller's stack what does not escape.
//
//go:noinline
func newKeyPair() *keyPair {
	p := new(keyPair)
	p.self = p
	p.key.pair = &p.self
	return p
}

// GenerateKey returns a new private key from the system's randomness
// (crypto/rand). The error is always nil.
func GenerateKey() (*PrivateKey, error) {
	p := newKeyPair()
	secret.Do(p.generate)
	return &p.key, nil
}

func (k *keyPair) generate() {
	var b [32]byte
	for {
		rand.Read(b[:]) // never fails
		if k.setBytes(b[:]) == nil {
			clear(b[:])
			return
		}
	}
}

// NewPrivateKey returns the private key with the 32-byte big-endian integer b.
// The error is ErrLength, or ErrRange if b is zero or not below the group order.
func NewPrivateKey(b []byte) (*PrivateKey, error) {
	p := newKeyPair()
	var err error
	secret.Do(func() { err = p.setBytes(b) })
	if err != nil {
		return nil, err
	}
	return &p.key, nil
}

func (k *keyPair) setBytes(b []byte) error {
	var d curve.Scalar
	defer d.Zero()
	if err := setPrivate(&d, b); err != nil {
		return err
	}
	k.setScalar(&d)
	return nil
}

// setPrivate sets d to the private key with the big-endian integer b.
func setPrivate(d *curve.Scalar, b []byte) error {
	if len(b) != 32 {
		return fmt.Errorf("p256k1: private key: %w: %d bytes, want 32", ErrLength, len(b))
	}
	if _, err := d.SetBytes(b); err != nil || d.IsZero() == 1 {
		return fmt.Errorf("p256k1: private key: %w: zero or not below the group order", ErrRange)
	}
	return nil
}

// setScalar sets k to the key d ≠ 0.
func (k *keyPair) setScalar(d *curve.Scalar) {
	k.d.Set(d)
	k.pub.point.ScalarBaseMult(d).Normalize()
}

// NewPrivateKeyFromScalar returns the private key d. The error is ErrRange if d
// is zero.
func NewPrivateKeyFromScalar(d *curve.Scalar) (*PrivateKey, error) {
	if d.IsZero() == 1 {
		return nil, fmt.Errorf("p256k1: private key: %w: zero", ErrRange)
	}
	p := newKeyPair()
	secret.Do(func() { p.setScalar(d) })
	return &p.key, nil
}

// Bytes returns the private key as a 32-byte big-endian integer, in memory of its
// own on the heap, which the caller should clear after use. It returns nil for a key that
// was wiped or never set.
//
//go:noinline
func (k *PrivateKey) Bytes() []byte {
	// Not inlined, for the reason of newKeyPair.
	d := &k.get().d
	if d.IsZero() == 1 {
		return nil
	}
	var b []byte
	secret.Do(func() { b = d.Bytes() })
	return b
}

// Scalar returns a copy of the private key for arithmetic in package curve, on the
// heap. The caller should wipe it with Zero after use; Use does so by itself. The
// error is ErrNoKey for a key that is none.
//
//go:noinline
func (k *PrivateKey) Scalar() (*curve.Scalar, error) {
	// Not inlined, for the reason of newKeyPair.
	d := &k.get().d
	if d.IsZero() == 1 {
		return nil, errNoKey()
	}
	s := new(curve.Scalar)
	secret.Do(func() { s.Set(d) })
	return s, nil
}

// Use calls f with the private key as a scalar, for a computation in package curve, and
// returns its error. Then it wipes the stack that f used, up to 8 KiB, and the
// registers, as SECURITY.md says. What f stores elsewhere is the caller's to wipe. For a key
// that is none, the error is ErrNoKey and f is not called.
//
// If f panics, nothing is wiped. Nor should f use a private key again, by Use or by
// signing, say: that makes room on the stack, which may move, and then leaves d where
// it was.
//
// Use allocates nothing, and ecdsa, schnorr and ecdh use keys by no other way.
func (k *PrivateKey) Use(f func(d curve.Scalar) error) (err error) {
	secret.Do(func() { err = k.use(f) })
	return err
}

// use is not inlined, so that the copy of the key is in a frame that is wiped.
//
//go:noinline
func (k *PrivateKey) use(f func(d curve.Scalar) error) error {
	d := k.get().d
	if d.IsZero() == 1 {
		return errNoKey()
	}
	return f(d)
}

// PublicKey returns the public key of k, which a wiped key still has. Of a key that was
// never set it returns one that was never set.
func (k *PrivateKey) PublicKey() *PublicKey {
	// A copy: a pointer into k would keep the private key from being collected.
	p := new(PublicKey)
	*p = k.get().pub
	return p
}

// Public returns the public key of k, as the interfaces of package crypto want
// it.
func (k *PrivateKey) Public() crypto.PublicKey {
	return k.PublicKey()
}

// Equal reports whether x is a private key with the same value.
func (k *PrivateKey) Equal(x crypto.PrivateKey) bool {
	other, _ := x.(*PrivateKey)
	if other == nil {
		return false
	}
	var equal bool
	secret.Do(func() { equal = k.get().d.IsZero() == 0 && k.get().d.Equal(&other.get().d) == 1 })
	return equal
}

// Zero wipes the private key, of which there is then no copy but those that Bytes
// and Scalar made. Its public key stays. Nothing else may use the key meanwhile: an
// operation that reads half of it could tell the other half by its result.
func (k *PrivateKey) Zero() {
	if p := k.get(); p != &noKey {
		p.d.Zero()
	}
}

const privateKeyText = "p256k1.PrivateKey(secret)"

// Format writes a text without the key, so that a key that is printed by mistake
// stays secret. Where package fmt does not ask Format, as in unexported fields and
// for the verbs %p and %w, it shows addresses.
func (PrivateKey) Format(f fmt.State, _ rune) {
	fmt.Fprint(f, privateKeyText)
}

// MarshalText returns ErrMarshal, so that encoders like encoding/json refuse private
// keys instead of leaving them out. Encode what Bytes returns.
func (PrivateKey) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("p256k1: private key: %w: encode what Bytes returns", ErrMarshal)
}

// UnmarshalText returns ErrMarshal and leaves k as it was. Decode bytes, and use
// NewPrivateKey.
func (k *PrivateKey) UnmarshalText([]byte) error {
	return fmt.Errorf("p256k1: private key: %w: decode bytes and use NewPrivateKey", ErrMarshal)
}

// MarshalBinary is MarshalText for encoders like encoding/gob.
func (k PrivateKey) MarshalBinary() ([]byte, error) { return k.MarshalText() }

// UnmarshalBinary is UnmarshalText for decoders like encoding/gob.
func (k *PrivateKey) UnmarshalBinary([]byte) error { return k.UnmarshalText(nil) }

// Negate returns the private key n − d, whose public key is that of k with the
// other y coordinate. It returns a key that is none if k is.
func (k *PrivateKey) Negate() *PrivateKey {
	p, a := newKeyPair(), k.get()
	secret.Do(func() { p.d.Negate(&a.d) })
	p.pub.point.Negate(&a.pub.point)
	return &p.key
}

// TweakAdd returns the private key d + t mod n for the 32-byte big-endian
// integer t, as in BIP-32; PublicKey.TweakAdd is its other half. The error is
// ErrLength or ErrRange for t that has another length or is not below n, and
// ErrInfinity if the sum is zero. It is ErrNoKey for a key that is none.
func (k *PrivateKey) TweakAdd(t []byte) (*PrivateKey, error) {
	return k.tweakAdd(t, 0)
}

// TweakAddXOnly returns the private key for XOnlyPublicKey.TweakAdd: that of
// TweakAdd for k or, if the public key of k has an odd y coordinate, for its
// negation, as in BIP-341 (taproot_tweak_seckey). The errors are those of
// TweakAdd.
func (k *PrivateKey) TweakAddXOnly(t []byte) (*PrivateKey, error) {
	return k.tweakAdd(t, k.get().pub.point.IsYOdd())
}

func (k *PrivateKey) tweakAdd(t []byte, negate int) (*PrivateKey, error) {
	p := newKeyPair()
	var err error
	secret.Do(func() { err = p.setTweakAdd(k.get(), t, negate) })
	if err != nil {
		return nil, err
	}
	return &p.key, nil
}

// setTweakAdd sets k to a + t, or −a + t if negate is 1.
func (k *keyPair) setTweakAdd(a *keyPair, t []byte, negate int) error {
	var tweak, d curve.Scalar
	defer tweak.Zero()
	defer d.Zero()
	if err := setTweak(&tweak, t); err != nil {
		return err
	}
	if a.d.IsZero() == 1 {
		return errNoKey()
	}
	d.CondNegate(&a.d, negate)
	d.Add(&d, &tweak)
	if d.IsZero() == 1 {
		return fmt.Errorf("p256k1: tweaked private key: %w: zero", ErrInfinity)
	}
	k.setScalar(&d)
	return nil
}

// TweakMul returns the private key d · t mod n for the 32-byte big-endian
// integer t; PublicKey.TweakMul is its other half. The error is ErrLength or
// ErrRange for t that has another length, is zero or is not below n, and ErrNoKey
// for a key that is none.
func (k *PrivateKey) TweakMul(t []byte) (*PrivateKey, error) {
	p := newKeyPair()
	var err error
	secret.Do(func() { err = p.setTweakMul(k.get(), t) })
	if err != nil {
		return nil, err
	}
	return &p.key, nil
}

func (k *keyPair) setTweakMul(a *keyPair, t []byte) error {
	var tweak, d curve.Scalar
	defer tweak.Zero()
	defer d.Zero()
	if err := setTweak(&tweak, t); err != nil {
		return err
	}
	if tweak.IsZero() == 1 {
		return fmt.Errorf("p256k1: tweak: %w: zero", ErrRange)
	}
	if a.d.IsZero() == 1 {
		return errNoKey()
	}
	k.setScalar(d.Mul(&a.d, &tweak))
	return nil
}

// errNoKey is the error for a private key that is none. It is no variable so that
// loading the package formats nothing, which in WebAssembly takes milliseconds.
func errNoKey() error {
	return fmt.Errorf("p256k1: private key: %w: nil, wiped or never set", ErrNoKey)
}
