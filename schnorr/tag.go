package schnorr

import (
	"crypto/sha256"
	"fmt"

	"p256k1.mleku.dev/v2"
)

// Tag is the SHA-256 hash of the name of a BIP-340 tag. Protocols that hash with the same tag many times can compute it
// once.
type Tag [32]byte

// NewTag returns the Tag with the given name.
func NewTag(name string) Tag {
	return sha256.Sum256([]byte(name))
}

// Sum returns the tagged hash of the concatenated data: SHA256(tag ‖ tag ‖ data…) (BIP-340, "Design"). It does not
// allocate.
func (t *Tag) Sum(data ...[]byte) (sum [32]byte) {
	// The state of the hash after the two copies of t could be saved and restored. Restoring it would save the hashing
	// of one block, about 60 ns, but would require a conversion from crypto/sha256's marshalled form.
	h := sha256.New()
	h.Write(t[:])
	h.Write(t[:])
	for _, d := range data {
		h.Write(d)
	}
	h.Sum(sum[:0])
	return sum
}

// TaggedHash returns the tagged hash of the concatenated data: SHA256(h ‖ h ‖ data…) with h = SHA256(tag) (BIP-340,
// "Design"). Taproot computes the tweaks of keys by tagged hashes, for example.
func TaggedHash(tag string, data ...[]byte) [32]byte {
	t := NewTag(tag)
	return t.Sum(data...)
}

// The tags of BIP-340 itself are written out, so that nothing is hashed when the package is initialized.
var (
	auxTag = Tag{ // BIP0340/aux
		0xf1, 0xef, 0x4e, 0x5e, 0xc0, 0x63, 0xca, 0xda, 0x6d, 0x94, 0xca, 0xfa, 0x9d, 0x98, 0x7e, 0xa0,
		0x69, 0x26, 0x58, 0x39, 0xec, 0xc1, 0x1f, 0x97, 0x2d, 0x77, 0xa5, 0x2e, 0xd8, 0xc1, 0xcc, 0x90,
	}
	nonceTag = Tag{ // BIP0340/nonce
		0x07, 0x49, 0x77, 0x34, 0xa7, 0x9b, 0xcb, 0x35, 0x5b, 0x9b, 0x8c, 0x7d, 0x03, 0x4f, 0x12, 0x1c,
		0xf4, 0x34, 0xd7, 0x3e, 0xf7, 0x2d, 0xda, 0x19, 0x87, 0x00, 0x61, 0xfb, 0x52, 0xbf, 0xeb, 0x2f,
	}
	challengeTag = Tag{ // BIP0340/challenge
		0x7b, 0xb5, 0x2d, 0x7a, 0x9f, 0xef, 0x58, 0x32, 0x3e, 0xb1, 0xbf, 0x7a, 0x40, 0x7d, 0xb3, 0x82,
		0xd2, 0xf3, 0xf2, 0xd8, 0x1b, 0xb1, 0x22, 0x4f, 0x49, 0xfe, 0x51, 0x8f, 0x6d, 0x48, 0xd3, 0x7c,
	}
)

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json do not write a Tag as a list of
// numbers. Store the name.
func (Tag) MarshalText() ([]byte, error) { return nil, errTag() }

// UnmarshalText returns p256k1.ErrMarshal and leaves t unchanged.
func (t *Tag) UnmarshalText([]byte) error { return errTag() }

func errTag() error { return fmt.Errorf("schnorr: tag: %w: store its name", p256k1.ErrMarshal) }
