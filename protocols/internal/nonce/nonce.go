// Package nonce implements the nonces that MuSig2 (BIP-327) and FROST (BIP-445) have in common: two secret scalars k₁
// and k₂, and the two public points k₁·G and k₂·G, which are encoded in 66 bytes.
package nonce

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/internal/equations"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/secret"
)

// Size is the length in bytes of an encoded public nonce of one signer, and of an encoded aggregate nonce.
const Size = 66

// Pair holds two points and their encoding. In the zero value both points are infinity.
type Pair struct {
	Encoded [Size]byte
	R       [2]curve.Point
}

// IsSet reports whether the first point is finite, which is true for every valid public nonce of one signer.
func (p *Pair) IsSet() bool { return p.Encoded[0] != 0 }

// Parse sets p to the points that b encodes. If infinity is true, 33 zeros are accepted as the encoding of infinity.
// After an error, p has no defined value.
func (p *Pair) Parse(b []byte, infinity bool) error {
	if len(b) != Size {
		return fmt.Errorf("%w: %d bytes, want %d", p256k1.ErrLength, len(b), Size)
	}
	copy(p.Encoded[:], b)
	for i := range p.R {
		half := b[33*i : 33*i+33]
		if infinity && [33]byte(half) == [33]byte{} {
			p.R[i] = curve.Point{}
			continue
		}
		if _, err := p.R[i].SetBytes(half); err != nil {
			return fmt.Errorf("point %d: %w", i+1, err)
		}
	}
	return nil
}

// Encode sets p.Encoded to the encoding of the points, and normalizes the points.
func (p *Pair) Encode() {
	curve.NormalizeBatch(p.R[:])
	for i := range p.R {
		half := p.Encoded[33*i : 33*i+33]
		clear(half)
		copy(half, p.R[i].Bytes()) // Bytes of infinity is a single 0
	}
}

// Add sets p to the sum of p and q, but does not set p.Encoded.
func (p *Pair) Add(q *Pair) {
	for j := range p.R {
		p.R[j].Add(&p.R[j], &q.R[j])
	}
}

// AddEquation adds the equation of a partial signature, multiplied by w, to a sum: ±sig·G − R1 − b·R2 ∓ f·P = 0, where
// R1 and R2 are the points of p, and P is the point key. The upper signs apply if R has even y, and the lower signs if
// odd is 1.
func (p *Pair) AddEquation(sum *equations.Sum, w, b, f, sig *curve.Scalar, key *curve.Point, odd int) {
	var k, minus curve.Scalar
	minus.Negate(w)
	sum.Add(&minus, &p.R[0])
	sum.Add(k.Mul(&minus, b), &p.R[1])
	minus.CondNegate(&minus, odd)
	sum.Add(k.Mul(&minus, f), key)
	sum.AddBase(k.Mul(k.Negate(&minus), sig))
}

// Secret holds the secret nonce of one signer, and the public nonce.
type Secret struct {
	K   [2]curve.Scalar
	Pub Pair
}

// Zero wipes the secret nonce.
func (s *Secret) Zero() {
	s.K[0].Zero()
	s.K[1].Zero()
}

// Mask sets t to d XOR sum, for the private key d.
func Mask(t *[32]byte, d *curve.Scalar, sum [32]byte) {
	b := d.Bytes()
	subtle.XORBytes(t[:], b, sum[:])
	clear(b)
	clear(sum[:])
}

// Generate derives the secret nonce (NonceGen). t holds the private key or share, masked with randomness, pub is the
// encoded public key or share of the signer, and q is the key with which the signature will verify. If msg is nil,
// there is no message.
func (s *Secret) Generate(tag *schnorr.Tag, t *[32]byte, pub, q, msg, extra []byte) {
	var lengths [9]byte
	prefix := lengths[:1]
	if msg != nil {
		prefix = lengths[:]
		prefix[0] = 1
		binary.BigEndian.PutUint64(prefix[1:], uint64(len(msg)))
	}
	var extraLength [4]byte
	binary.BigEndian.PutUint32(extraLength[:], uint32(len(extra)))
	for i := range s.K {
		sum := tag.Sum(t[:], []byte{byte(len(pub))}, pub, []byte{byte(len(q))}, q, prefix, msg, extraLength[:], extra, []byte{byte(i)})
		s.K[i].SetBytesReduced(&sum)
		clear(sum[:])
	}
}

// Finish sets the public nonce of s, as FinishBatch does for many nonces.
func (s *Secret) Finish() error { return FinishBatch([]*Secret{s}) }

// FinishBatch sets the public nonces of many secret nonces. It leaves values computed from the secret nonces on the
// stack. The only error is p256k1.ErrFault, which means that a secret nonce is 0 because of a hardware error. All
// secret nonces are then wiped.
func FinishBatch(all []*Secret) error {
	k, r := secret.Make[curve.Scalar](2*len(all)), make([]curve.Point, 2*len(all))
	defer clear(k)
	for i, s := range all {
		if s.K[0].IsZero()|s.K[1].IsZero() != 0 {
			for _, s := range all {
				s.Zero()
			}
			return p256k1.ErrFault
		}
		k[2*i], k[2*i+1] = s.K[0], s.K[1]
	}
	curve.ScalarBaseMultBatch(r, k)
	for i, s := range all {
		s.Pub.R = [2]curve.Point{r[2*i], r[2*i+1]}
		s.Pub.Encode()
	}
	return nil
}

// DecodeText decodes a text of lower-case hexadecimal digits into length bytes. The error is p256k1.ErrLength or
// p256k1.ErrHex, and its message begins with the text in what.
func DecodeText(what string, text []byte, length int) ([]byte, error) {
	if len(text) != 2*length {
		return nil, fmt.Errorf("%s: %w: %d hexadecimal digits, want %d", what, p256k1.ErrLength, len(text), 2*length)
	}
	b := make([]byte, length)
	if _, err := hex.Decode(b, text); err != nil || bytes.ContainsAny(text, "ABCDEF") {
		return nil, fmt.Errorf("%s: %w", what, p256k1.ErrHex)
	}
	return b, nil
}
