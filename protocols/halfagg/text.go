package halfagg

import (
	"encoding/hex"

	"p256k1.mleku.dev/v2/protocols/internal/nonce"
)

// MarshalText returns the public key and the message in lower-case hexadecimal, 128 digits. The error is always nil.
func (c Claim) MarshalText() ([]byte, error) {
	return hex.AppendEncode(hex.AppendEncode(nil, c.PublicKey[:]), c.Message[:]), nil
}

// UnmarshalText sets c to the claim that text encodes. It does not check whether the key is on the curve. The error is
// p256k1.ErrLength or p256k1.ErrHex, and c is then unchanged.
func (c *Claim) UnmarshalText(text []byte) error {
	b, err := nonce.DecodeText("halfagg: claim", text, 64)
	if err != nil {
		return err
	}
	*c = Claim{[32]byte(b), [32]byte(b[32:])}
	return nil
}
