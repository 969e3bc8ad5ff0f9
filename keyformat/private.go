package keyformat

import (
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/secret"
)

// These are the constant parts of encoded keys. They include the lengths of all elements, because in the output the
// private key always has 32 bytes and the public key 65.
const (
	algorithm = "\x30\x10" + "\x06\x07" + ecPublicKey + "\x06\x05" + secp256k1
	point     = "\x03\x42\x00" // stands before the public key

	beforePKCS8 = "\x30\x81\x84" + "\x02\x01\x00" + algorithm + "\x04\x6d" + "\x30\x6b" + "\x02\x01\x01" + "\x04\x20"
	afterPKCS8  = "\xa1\x44" + point

	beforeEC = "\x30\x74" + "\x02\x01\x01" + "\x04\x20"
	afterEC  = "\xa0\x07" + "\x06\x05" + secp256k1 + "\xa1\x44" + point
)

// ParsePKCS8PrivateKey returns the private key in a PrivateKeyInfo (PKCS #8, RFC
// 5208) that contains an ECPrivateKey (RFC 5915). The ECPrivateKey may lack the name of the curve and the public key.
// Attributes are refused, and so is version 2 of RFC 5958, which puts the public key outside the ECPrivateKey. The
// error is ErrDER, ErrAlgorithm, ErrCurve, ErrExplicitParameters or ErrMismatch, p256k1.ErrLength or p256k1.ErrRange
// for the private key, or p256k1.ErrLength, ErrPrefix, ErrRange or ErrNotOnCurve for the public key.
func ParsePKCS8PrivateKey(der []byte) (*p256k1.PrivateKey, error) {
	return wiping(func() (*p256k1.PrivateKey, error) { return parsePKCS8(der) })
}

func parsePKCS8(der []byte) (*p256k1.PrivateKey, error) {
	p := parser{what: "PKCS #8"}
	key := p.element(&der, sequence, "the key")
	p.end(der, "the key")
	p.version(&key, 0, " (is it an EC PRIVATE KEY, or version 2 of RFC 5958?)")
	p.algorithm(&key)
	inner := p.element(&key, octetString, "the private key")
	if len(key) > 0 && key[0] == tagged0 {
		p.fail(ErrDER, "attributes, which are not supported")
	}
	p.end(key, "the private key")
	return p.ecPrivateKey(inner, false)
}

// MarshalPKCS8PrivateKey returns the PrivateKeyInfo of a key, 135 bytes with the public key uncompressed, as “openssl
// pkcs8 -topk8 -nocrypt” writes it. The error is p256k1.ErrNoKey for an invalid key.
func MarshalPKCS8PrivateKey(key *p256k1.PrivateKey) ([]byte, error) {
	return wiping(func() ([]byte, error) { return marshalPKCS8(key) })
}

func marshalPKCS8(key *p256k1.PrivateKey) ([]byte, error) {
	return marshalPrivateKey(key, "PKCS #8", beforePKCS8, afterPKCS8)
}

// ParseECPrivateKey returns the private key in an ECPrivateKey (SEC 1, section C.4; RFC 5915) that names its curve. The
// public key may be missing. The error is ErrDER, ErrCurve, ErrExplicitParameters or ErrMismatch, p256k1.ErrLength or
// p256k1.ErrRange for the private key, or p256k1.ErrLength, ErrPrefix, ErrRange or ErrNotOnCurve for the public key.
func ParseECPrivateKey(der []byte) (*p256k1.PrivateKey, error) {
	return wiping(func() (*p256k1.PrivateKey, error) { return parseEC(der) })
}

func parseEC(der []byte) (*p256k1.PrivateKey, error) {
	p := parser{what: "EC private key"}
	return p.ecPrivateKey(der, true)
}

// MarshalECPrivateKey returns the ECPrivateKey of a key, 118 bytes with the public key uncompressed, as “openssl
// ecparam -genkey” writes it. The error is p256k1.ErrNoKey for an invalid key.
func MarshalECPrivateKey(key *p256k1.PrivateKey) ([]byte, error) {
	return wiping(func() ([]byte, error) { return marshalPrivateKey(key, "EC private key", beforeEC, afterEC) })
}

// ecPrivateKey reads an ECPrivateKey, alone or inside PKCS #8. Inside PKCS #8 the ECPrivateKey need not name the curve
// again.
func (p *parser) ecPrivateKey(der []byte, alone bool) (*p256k1.PrivateKey, error) {
	key := p.element(&der, sequence, "the EC private key")
	p.end(der, "the EC private key")
	p.version(&key, 1, " (is it PKCS #8?)")
	d := p.element(&key, octetString, "the secret")
	last := "the secret"
	if alone || (len(key) > 0 && key[0] == tagged0) {
		last = "the curve's name"
		p.curve(p.element(&key, tagged0, last), false)
	}
	var pub *p256k1.PublicKey
	if len(key) > 0 {
		last = "the public key"
		bits := p.element(&key, tagged1, last)
		pub = p.publicKey(&bits)
		p.end(bits, last)
	}
	p.end(key, last)
	if p.err == nil && len(d) != 32 {
		// Some encoders write the secret as an integer, so its length varies. In that case the public key shows that
		// the secret is complete.
		if pub == nil || len(d) == 0 || len(d) > 33 || (len(d) == 33 && d[0] != 0) {
			p.fail(p256k1.ErrLength, "the secret does not have 32 bytes")
			return nil, p.err
		}
		padded := secret.Make[byte](33)
		defer clear(padded)
		copy(padded[33-len(d):], d)
		d = padded[1:]
	}
	return p.privateKey(d, pub)
}

// privateKey returns the private key d. Unless pub is nil, the public key of d must be pub.
func (p *parser) privateKey(d []byte, pub *p256k1.PublicKey) (*p256k1.PrivateKey, error) {
	if p.err != nil {
		return nil, p.err
	}
	key, err := p256k1.ParsePrivateKey(d)
	if err != nil {
		p.wrap("private key", err)
		return nil, p.err
	}
	if pub != nil && !pub.Equal(key.PublicKey()) {
		key.Zero()
		p.err = fmt.Errorf("keyformat: %s: %w", p.what, ErrMismatch)
		return nil, p.err
	}
	return key, nil
}

func marshalPrivateKey(key *p256k1.PrivateKey, what, before, after string) ([]byte, error) {
	if err := checkPrivateKey(key, what); err != nil {
		return nil, err
	}
	d := key.Bytes()
	defer clear(d)
	pub := key.PublicKey().BytesUncompressed()
	der := secret.Make[byte](len(before) + len(d) + len(after) + len(pub))[:0]
	der = append(append(der, before...), d...)
	return append(append(der, after...), pub...), nil
}

// wiping returns the results of f and wipes the stack that f used, and on the platforms that SECURITY.md names also the
// registers. Registers are wiped too, because functions that move and search bytes load many of them into registers,
// which the kernel saves if a signal arrives then.
func wiping[T any](f func() (T, error)) (result T, err error) {
	secret.Do(func() { result, err = f() })
	return result, err
}

func checkPrivateKey(key *p256k1.PrivateKey, what string) error {
	if !key.Equal(key) { // nil, wiped or never set
		return fmt.Errorf("keyformat: %s: private key: %w: nil, wiped or never set", what, p256k1.ErrNoKey)
	}
	return nil
}
