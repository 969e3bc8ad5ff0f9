package curve

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/opaque"
)

// HashToCurve sets p to the hash of a message of any length by the suite secp256k1_XMD:SHA-256_SSWU_RO_ of RFC 9380
// (section 8.7). The hash behaves like a random oracle, so nobody knows the discrete logarithm of the point. Each
// protocol needs a domain separation tag dst of its own (section 3.1), of at least one byte. Tags of more than 255
// bytes are hashed. If dst is empty, the error is ErrLength and p is unchanged. The time depends only on the lengths of
// msg and dst.
func (p *Point) HashToCurve(msg, dst []byte) (*Point, error) {
	var uniform [2 * sizeOfU]byte
	if err := ExpandMessageXMD(uniform[:], msg, dst); err != nil {
		return nil, err
	}
	var u field.Element
	var q Point
	setU(&u, (*[sizeOfU]byte)(uniform[:]))
	q.p().MapToCurve(&u)
	setU(&u, (*[sizeOfU]byte)(uniform[sizeOfU:]))
	p.p().MapToCurve(&u)
	return p.Add(p, &q), nil
}

// EncodeToCurve sets p to the hash of a message of any length by the suite secp256k1_XMD:SHA-256_SSWU_NU_ of RFC 9380
// (section 8.7), in half the time of HashToCurve. Only about three points in eight are the hash of any message, and
// these points are not equally likely. Use EncodeToCurve only if the security proof of the protocol allows this. The
// requirements on dst and the error are the same as for HashToCurve.
func (p *Point) EncodeToCurve(msg, dst []byte) (*Point, error) {
	var uniform [sizeOfU]byte
	if err := ExpandMessageXMD(uniform[:], msg, dst); err != nil {
		return nil, err
	}
	var u field.Element
	setU(&u, &uniform)
	p.p().MapToCurve(&u)
	*p.known() = opaque.Known{}
	return p, nil
}

// sizeOfU is the parameter L of RFC 9380, section 5.1: the number of pseudorandom bytes that are reduced to one field
// element.
const sizeOfU = 48

// setU sets u to the big-endian integer b modulo the field order p (RFC 9380, section 5.2).
func setU(u *field.Element, b *[sizeOfU]byte) {
	var high field.Element
	var padded [32]byte
	copy(padded[16:], b[:16])
	high.SetBytes(&padded)
	u.SetBytes((*[32]byte)(b[16:])) // reduced modulo p if it is not below p
	var t field.Element
	u.Add(u, t.Mul(&high, t.SetUint64(twoTo256)))
}

// twoTo256 is 2²⁵⁶ modulo the field order p.
const twoTo256 = 1<<32 + 977

// ExpandMessageXMD fills out, which must have 1 to 8160 bytes, with the output of expand_message_xmd with SHA-256 (RFC
// 9380, section 5.3.1). The output is pseudorandom, so a protocol can reduce it to scalars, for example. The
// requirements on the domain separation tag dst are the same as for HashToCurve. If dst is empty or out has another
// length, the error is ErrLength and out is unchanged. out may overlap msg and dst.
func ExpandMessageXMD(out, msg, dst []byte) error {
	if len(dst) == 0 {
		return fmt.Errorf("curve: domain separation tag: %w: 0 bytes", ErrLength)
	}
	if len(out) == 0 || len(out) > 255*sha256.Size {
		return fmt.Errorf("curve: expanded message: %w: %d bytes, want 1 to %d", ErrLength, len(out), 255*sha256.Size)
	}
	var own [256]byte // DST_prime: a copy, because out may overlap dst
	prime := own[:0]
	h := sha256.New()
	if len(dst) > 255 {
		h.Write([]byte("H2C-OVERSIZE-DST-"))
		h.Write(dst)
		prime = h.Sum(prime)
		h.Reset()
	} else {
		prime = append(prime, dst...)
	}
	prime = append(prime, byte(len(prime)))
	var block [sha256.BlockSize]byte
	h.Write(block[:])
	h.Write(msg)
	h.Write([]byte{byte(len(out) >> 8), byte(len(out)), 0})
	h.Write(prime)
	var first, b [sha256.Size]byte
	h.Sum(first[:0])
	for i := byte(1); len(out) > 0; i++ {
		subtle.XORBytes(b[:], b[:], first[:])
		h.Reset()
		h.Write(b[:])
		h.Write([]byte{i})
		h.Write(prime)
		h.Sum(b[:0])
		out = out[copy(out, b[:]):]
	}
	return nil
}
