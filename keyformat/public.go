package keyformat

import (
	"fmt"

	"p256k1.mleku.dev/v2"
)

const beforePKIX = "\x30\x56" + algorithm + point

// ParsePKIXPublicKey returns the public key in a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7; RFC 5480), compressed
// or uncompressed. The error is ErrDER, ErrAlgorithm, ErrCurve or ErrExplicitParameters, or p256k1.ErrLength,
// ErrPrefix, ErrRange or ErrNotOnCurve for the key.
func ParsePKIXPublicKey(der []byte) (*p256k1.PublicKey, error) {
	p := parser{what: "SubjectPublicKeyInfo"}
	key := p.element(&der, sequence, "the key")
	p.end(der, "the key")
	p.algorithm(&key)
	pub := p.publicKey(&key)
	p.end(key, "the public key")
	if p.err != nil {
		return nil, p.err
	}
	return pub, nil
}

// MarshalPKIXPublicKey returns the SubjectPublicKeyInfo of a key, 88 bytes with the key uncompressed, as “openssl ec
// -pubout” writes it. The error is p256k1.ErrNoKey for an invalid key.
func MarshalPKIXPublicKey(pub *p256k1.PublicKey) ([]byte, error) {
	if err := checkPublicKey(pub, "SubjectPublicKeyInfo"); err != nil {
		return nil, err
	}
	return append([]byte(beforePKIX), pub.BytesUncompressed()...), nil
}

func checkPublicKey(pub *p256k1.PublicKey, what string) error {
	if !pub.Equal(pub) { // nil or never set
		return fmt.Errorf("keyformat: %s: public key: %w: nil or never set", what, p256k1.ErrNoKey)
	}
	return nil
}
