package p256k1

import (
	"crypto"
	"crypto/rand"
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/secret"
)

// PrivateKey is an integer d with 1 ≤ d < n, where n is the order of the group, together with its public key d·G.
//
// The zero value, a key after Zero and a nil pointer are not keys: schemes refuse them with ErrNoKey, and Equal reports
// false for them. Copies of a PrivateKey share one key: Zero wipes it for all of them.
type PrivateKey struct {
	// The key is behind two pointers because package fmt prints unexported fields without calling Format. For a pointer
	// in such a field, fmt prints only the address or, with a verb that does not fit pointers, the value that the
	// pointer points to.
	pair **keyPair
}

// A keyPair holds everything that a private key needs, in one allocation: the PrivateKey itself, the pointer through
// which it refers to this keyPair, the scalar and the public key.
type keyPair struct {
	key  PrivateKey
	self *keyPair
	d    curve.Scalar
	pub  PublicKey
}

// noKey is the key pair that get returns for nil and for a key that was never set. noKey is never written.
var noKey keyPair

func (k *PrivateKey) get() *keyPair {
	if k == nil || k.pair == nil {
		return &noKey
	}
	return *k.pair
}

// newKeyPair returns a key pair that is not set.
func newKeyPair() *keyPair {
	p := secret.New[keyPair]()
	p.self = p
	p.key.pair = &p.self
	return p
}

// GenerateKey returns a new private key from the system's randomness (crypto/rand). The error is always nil.
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

// ParsePrivateKey returns the private key with the 32-byte big-endian integer b. The error is ErrLength, or ErrRange if
// b is zero or not below the group order.
func ParsePrivateKey(b []byte) (*PrivateKey, error) {
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
		return lengthError("private key", len(b), "32", hintPrivate(len(b)))
	}
	if _, err := d.SetBytes(b); err != nil || d.IsZero() == 1 {
		return keyError("private key", fmt.Errorf("%w: zero or not below the group order", ErrRange))
	}
	return nil
}

// setScalar sets k to the key d ≠ 0.
func (k *keyPair) setScalar(d *curve.Scalar) {
	k.d.Set(d)
	k.pub.point.ScalarBaseMult(d).Normalize()
}

// NewPrivateKey returns the private key d. The error is ErrRange if d is zero.
func NewPrivateKey(d *curve.Scalar) (*PrivateKey, error) {
	if d.IsZero() == 1 {
		return nil, keyError("private key", fmt.Errorf("%w: zero", ErrRange))
	}
	p := newKeyPair()
	secret.Do(func() { p.setScalar(d) })
	return &p.key, nil
}

// Bytes returns the private key as a 32-byte big-endian integer, in a new slice on the heap. The caller should clear
// the slice after use. Bytes returns nil if k is invalid.
func (k *PrivateKey) Bytes() []byte {
	d := &k.get().d
	if d.IsZero() == 1 {
		return nil
	}
	b := secret.New[[32]byte]()
	secret.Do(func() { *b = [32]byte(d.Bytes()) })
	return b[:]
}

// Scalar returns a copy of the private key, on the heap, for arithmetic in package curve. The caller should wipe the
// copy with Zero after use, or call Use instead, which wipes its own copy. The error is ErrNoKey if k is invalid.
func (k *PrivateKey) Scalar() (*curve.Scalar, error) {
	d := &k.get().d
	if d.IsZero() == 1 {
		return nil, errNoKey()
	}
	s := secret.New[curve.Scalar]()
	secret.Do(func() { s.Set(d) })
	return s, nil
}

// Use calls f with the private key as a scalar, for a computation in package curve. Then Use wipes the stack that f
// used, up to 8 KiB, and on the platforms that SECURITY.md names also the registers. It returns the error that f
// returned. The caller must wipe any secrets that f stores elsewhere. If k is invalid, the error is ErrNoKey and f is
// not called.
//
// If f panics, nothing is wiped. f should not call Use again, or functions that call it, such as signing: such a call
// enlarges the stack, which may move the stack and leave d behind in the old memory.
//
// Use allocates nothing. Packages ecdsa, schnorr and ecdh use private keys only through Use.
func (k *PrivateKey) Use(f func(d curve.Scalar) error) (err error) {
	secret.Do(func() { err = k.use(f) })
	return err
}

// use calls f with a copy of the private key. It is not inlined, so that the copy is in a stack frame that Use wipes.
//
//go:noinline
func (k *PrivateKey) use(f func(d curve.Scalar) error) error {
	d := k.get().d
	if d.IsZero() == 1 {
		return errNoKey()
	}
	return f(d)
}

// PublicKey returns the public key of k, even after k was wiped. If k is nil or zero, the result is the zero value.
func (k *PrivateKey) PublicKey() *PublicKey {
	// The result is a copy, because a pointer into k would keep the private key from being garbage-collected.
	p := new(PublicKey)
	*p = k.get().pub
	return p
}

// Public returns the public key of k, a *PublicKey, for the interfaces of package crypto.
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

// Zero wipes the private key, but not its public key. The library keeps no other copy of the private key, except as
// SECURITY.md says. The caller must wipe the results of Bytes and Scalar. No other goroutine may use the key during
// Zero, because an operation that reads a half-wiped key could reveal the other half by its result.
func (k *PrivateKey) Zero() {
	if p := k.get(); p != &noKey {
		p.d.Zero()
	}
}

const privateKeyText = "p256k1.PrivateKey(secret)"

// Format writes a placeholder instead of the key, so that a key that is printed by mistake stays secret. Where package
// fmt does not call Format, as for unexported fields and for the verbs %p and %w, it shows only addresses.
func (PrivateKey) Format(f fmt.State, _ rune) {
	fmt.Fprint(f, privateKeyText)
}

// MarshalText returns ErrMarshal, so that encoders such as encoding/json refuse private keys instead of silently
// omitting them. Encode the result of Bytes explicitly.
func (PrivateKey) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("p256k1: private key: %w: encode the result of Bytes explicitly", ErrMarshal)
}

// UnmarshalText returns ErrMarshal and leaves k unchanged. Decode the bytes explicitly and pass them to
// ParsePrivateKey.
func (k *PrivateKey) UnmarshalText([]byte) error {
	return fmt.Errorf("p256k1: private key: %w: decode the bytes and pass them to ParsePrivateKey", ErrMarshal)
}

// MarshalBinary returns ErrMarshal, so that encoders such as encoding/gob refuse private keys.
func (k PrivateKey) MarshalBinary() ([]byte, error) { return k.MarshalText() }

// UnmarshalBinary returns ErrMarshal and leaves k unchanged.
func (k *PrivateKey) UnmarshalBinary([]byte) error { return k.UnmarshalText(nil) }

// Negate returns the private key n − d. Its public key has the same x coordinate as the public key of k, and the other
// y coordinate. If k is invalid, the result is not a key.
func (k *PrivateKey) Negate() *PrivateKey {
	p, a := newKeyPair(), k.get()
	secret.Do(func() { p.d.Negate(&a.d) })
	p.pub.point.Negate(&a.pub.point)
	return &p.key
}

// TweakAdd returns the private key d + t mod n for the 32-byte big-endian integer t, as in BIP-32. PublicKey.TweakAdd
// returns the public key of the result. The error is ErrLength if t has another length, ErrRange if t is not below n,
// ErrInfinity if the sum is zero, and ErrNoKey if k is invalid.
func (k *PrivateKey) TweakAdd(t []byte) (*PrivateKey, error) {
	return k.tweakAdd(t, 0)
}

// TweakAddXOnly returns the private key d + t mod n or, if the public key of k has an odd y coordinate, n − d + t mod
// n, for the 32-byte big-endian integer t, as in BIP-341 (taproot_tweak_seckey). XOnlyPublicKey.TweakAdd returns the
// public key of the result. The error is ErrLength if t has another length, ErrRange if t is not below n, ErrInfinity
// if the sum is zero, and ErrNoKey if k is invalid.
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

// TweakMul returns the private key d·t mod n for the 32-byte big-endian integer t. PublicKey.TweakMul returns the
// public key of the result. The error is ErrLength if t has another length, ErrRange if t is zero or not below n, and
// ErrNoKey if k is invalid.
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

// errNoKey returns the error for an invalid private key. It is a function rather than a variable, because formatting
// the error when the package is initialized would take milliseconds in WebAssembly.
func errNoKey() error {
	return keyError("private key", fmt.Errorf("%w: nil, wiped or never set", ErrNoKey))
}
