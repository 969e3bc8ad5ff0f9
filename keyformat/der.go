package keyformat

import (
	"encoding/asn1"
	"errors"

	"p256k1.mleku.dev/v2"
)

// These are the types of DER elements.
const (
	integer     = 0x02
	bitString   = 0x03
	octetString = 0x04
	null        = 0x05
	oid         = 0x06
	sequence    = 0x30
	tagged0     = 0xa0 // [0], explicit
	tagged1     = 0xa1 // [1], explicit
)

const (
	ecPublicKey = "\x2a\x86\x48\xce\x3d\x02\x01" // 1.2.840.10045.2.1
	secp256k1   = "\x2b\x81\x04\x00\x0a"         // 1.3.132.0.10
)

// element removes an element of the given type from the front of b and returns the contents of the element as a slice
// of b.
func (p *parser) element(b *[]byte, tag byte, name string) (contents []byte) {
	in := *b
	switch {
	case p.err != nil:
		return nil
	case len(in) < 2:
		p.fail(ErrDER, "the input ends before %s", name)
		return nil
	case in[0] != tag:
		p.fail(ErrDER, "not type %#02x in the place of %s", tag, name)
		return nil
	}
	var n int
	switch {
	case in[1] < 0x80:
		n, in = int(in[1]), in[2:]
	case in[1] == 0x81 && len(in) > 2 && in[2] >= 0x80:
		n, in = int(in[2]), in[3:]
	case in[1] == 0x82 && len(in) > 3 && in[2] > 0:
		n, in = int(in[2])<<8|int(in[3]), in[4:]
	default:
		p.fail(ErrDER, "the length of %s is cut off, not in the shortest form, or 65536 or more", name)
		return nil
	}
	if n > len(in) {
		p.fail(ErrDER, "%s is longer than the element that contains it", name)
		return nil
	}
	*b = in[n:]
	return in[:n]
}

// end fails if anything follows the last element.
func (p *parser) end(b []byte, last string) {
	if len(b) > 0 {
		p.fail(ErrDER, "more bytes after %s", last)
	}
}

func (p *parser) version(b *[]byte, want byte, hint string) {
	if v := p.element(b, integer, "the version"); len(v) != 1 || v[0] != want {
		p.fail(ErrDER, "the version is not %d%s", want, hint)
	}
}

// algorithm removes the AlgorithmIdentifier of keys on secp256k1 (RFC 5480, section 2.1.1) from the front of b. No
// secret comes before the AlgorithmIdentifier, so errors may show its contents.
func (p *parser) algorithm(b *[]byte) {
	id := p.element(b, sequence, "the algorithm")
	name := p.element(&id, oid, "the algorithm's name")
	if string(name) != ecPublicKey {
		p.fail(ErrAlgorithm, "the algorithm is %s, want 1.2.840.10045.2.1", dotted(name))
	}
	p.curve(id, true)
}

// curve reads the ECParameters (RFC 5480, section 2.1.1), which must be the object identifier of secp256k1. If show is
// set, an error about another curve names that curve.
func (p *parser) curve(b []byte, show bool) {
	if len(b) > 0 && b[0] == sequence {
		p.fail(ErrExplicitParameters, "the curve must be given by its name, 1.3.132.0.10")
	}
	if len(b) > 0 && b[0] == null {
		p.fail(ErrCurve, "the curve is not named")
	}
	name := p.element(&b, oid, "the curve's name")
	switch {
	case string(name) == secp256k1:
	case show:
		p.fail(ErrCurve, "the curve is %s, want 1.3.132.0.10", dotted(name))
	default:
		p.fail(ErrCurve, "the curve is not 1.3.132.0.10")
	}
	p.end(b, "the curve's name")
}

// publicKey removes a BIT STRING with a public key from the front of b, and returns the key.
func (p *parser) publicKey(b *[]byte) *p256k1.PublicKey {
	bits := p.element(b, bitString, "the public key")
	if len(bits) < 1 || bits[0] != 0 {
		p.fail(ErrDER, "the public key is not a whole number of bytes")
		return nil
	}
	if n := len(bits) - 1; n != 33 && n != 65 {
		p.fail(p256k1.ErrLength, "the public key") // ParsePublicKey would look at the bytes for its message
		return nil
	}
	pub, err := p256k1.ParsePublicKey(bits[1:])
	for _, kind := range []error{p256k1.ErrLength, p256k1.ErrPrefix, p256k1.ErrRange, p256k1.ErrNotOnCurve} {
		if errors.Is(err, kind) {
			p.fail(kind, "the public key") // does not show the bytes, because they may be a misplaced secret
		}
	}
	return pub
}

// dotted returns the object identifier with the contents b in dotted decimal form. It does not show an identifier that
// is longer than any in use, because b could include the key that follows if the length of the identifier is wrong.
func dotted(b []byte) string {
	var id asn1.ObjectIdentifier
	if len(b) <= 12 {
		if _, err := asn1.Unmarshal(append([]byte{oid, byte(len(b))}, b...), &id); err == nil {
			return id.String()
		}
	}
	return "another one"
}
