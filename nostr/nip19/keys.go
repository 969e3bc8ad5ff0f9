package nip19

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/secret"
)

// AppendPublicKey appends the npub of a key to dst. The error is p256k1.ErrNoKey if pub is invalid.
func AppendPublicKey(dst []byte, pub *p256k1.XOnlyPublicKey) ([]byte, error) {
	x := pub.Bytes()
	if x == nil {
		return dst, fmt.Errorf("nip19: public key: %w", p256k1.ErrNoKey)
	}
	return AppendEncode(dst, Public, (*[32]byte)(x)), nil
}

// ParsePublicKey returns the public key that text encodes as an npub. The error is ErrPrefix, ErrFormat or an error
// that p256k1.ParseXOnlyPublicKey returns.
func ParsePublicKey(text []byte) (*p256k1.XOnlyPublicKey, error) {
	var x [32]byte
	if err := Decode(&x, Public, text); err != nil {
		return nil, err
	}
	pub, err := p256k1.ParseXOnlyPublicKey(x[:])
	if err != nil {
		return nil, fmt.Errorf("nip19: npub: %w", errors.Unwrap(err))
	}
	return pub, nil
}

// AppendPrivateKey appends the nsec of a key to dst, in constant time. The text is as secret as the key. The caller
// should wipe dst afterwards, and should pass a dst with room for 63 more bytes, because append does not wipe the
// memory that it replaces. The error is p256k1.ErrNoKey if key is invalid.
func AppendPrivateKey(dst []byte, key *p256k1.PrivateKey) ([]byte, error) {
	err := key.Use(func(d curve.Scalar) error { // Use wipes the stack afterwards
		b := d.Bytes()
		defer clear(b)
		dst = AppendEncode(dst, Secret, (*[32]byte)(b))
		return nil
	})
	if err != nil {
		return dst, fmt.Errorf("nip19: %w", err)
	}
	return dst, nil
}

// ParsePrivateKey returns the private key that text encodes as an nsec, in constant time. ParsePrivateKey does not
// change text, which the caller should wipe. The error is ErrPrefix, ErrFormat or p256k1.ErrRange, and reveals only the
// prefix and the length of the text.
func ParsePrivateKey(text []byte) (key *p256k1.PrivateKey, err error) {
	// On the stack, the bytes would be copied when p256k1.ParsePrivateKey enlarges the stack.
	b := secret.New[[32]byte]()
	defer clear(b[:])
	secret.Do(func() {
		if err = Decode(b, Secret, text); err == nil {
			key, err = p256k1.ParsePrivateKey(b[:])
		}
	})
	switch {
	case errors.Is(err, p256k1.ErrRange):
		return nil, fmt.Errorf("nip19: nsec: %w", errors.Unwrap(err))
	case err != nil:
		return nil, err
	}
	return key, nil
}
