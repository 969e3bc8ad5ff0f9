package curve

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/opaque"
)

// HashToCurve sets p to the point that the suite secp256k1_XMD:SHA-256_SSWU_RO_ of
// RFC 9380 (section 8.7) makes of a message of any length, like a random oracle: nobody
// knows its logarithm. The domain separation tag dst, of any length but 0, is for each
// protocol another one (section 3.1); one of more than 255 bytes is hashed. The error is
// ErrLength if dst is empty, and p is then unchanged. The time depends on the two
// lengths alone.
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

// EncodeToCurve is HashToCurve by the suite secp256k1_XMD:SHA-256_SSWU_NU_, which takes
// half the time. It reaches about three points of eight, some more often than others: it
// serves where a protocol's proof says that this is enough.
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

// sizeOfU is L of RFC 9380, section 5.1: the bytes of which a field element is made.
const sizeOfU = 48

// setU sets u to the big-endian integer b modulo p (RFC 9380, section 5.2).
func setU(u *field.Element, b *[sizeOfU]byte) {
	var high field.Element
	var padded [32]byte
	copy(padded[16:], b[:16])
	high.SetBytes(&padded)
	u.SetBytes((*[32]byte)(b[16:])) // modulo p, if it is not below
	var t field.Element
	u.Add(u, t.Mul(&high, t.SetUint64(twoTo256)))
}

// twoTo256 is 2²⁵⁶ modulo p.
const twoTo256 = 1<<32 + 977

// ExpandMessageXMD fills out, of 1 to 8160 bytes, with expand_message_xmd by SHA-256 of
// RFC 9380 (section 5.3.1): bytes that look random, for hashes to other sets than points.
// The domain separation tag dst is that of HashToCurve. The error is ErrLength if dst is
// empty or out has another length, and out is then unchanged. It may overlap msg and dst.
func ExpandMessageXMD(out, msg, dst []byte) error {
	if len(dst) == 0 {
		return fmt.Errorf("curve: domain separation tag: %w: 0 bytes", ErrLength)
	}
	if len(out) == 0 || len(out) > 255*sha256.Size {
		return fmt.Errorf("curve: expanded message: %w: %d bytes, want 1 to %d", ErrLength, len(out), 255*sha256.Size)
	}
	var own [256]byte // DST_prime, which out does not overlap
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
