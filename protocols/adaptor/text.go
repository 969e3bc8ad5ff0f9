package adaptor

import (
	"encoding/hex"
	"fmt"

	"p256k1.mleku.dev/v2/protocols/internal/nonce"
)

// MarshalText returns the encoding of p in lower-case hexadecimal, 130 digits. The error is ErrPreSignature for the
// zero value.
func (p SchnorrPreSignature) MarshalText() ([]byte, error) { return marshal(p.Bytes()) }

// UnmarshalText sets p to the pre-signature that text encodes. The error is p256k1.ErrHex, or an error that
// ParseSchnorrPreSignature returns. If there is an error, p is unchanged.
func (p *SchnorrPreSignature) UnmarshalText(text []byte) error {
	return unmarshal(p, text, SchnorrSize, ParseSchnorrPreSignature)
}

// MarshalText returns the encoding of p in lower-case hexadecimal, 324 digits. The error is ErrPreSignature for the
// zero value.
func (p ECDSAPreSignature) MarshalText() ([]byte, error) { return marshal(p.Bytes()) }

// UnmarshalText sets p to the pre-signature that text encodes. The error is p256k1.ErrHex, or an error that
// ParseECDSAPreSignature returns. If there is an error, p is unchanged.
func (p *ECDSAPreSignature) UnmarshalText(text []byte) error {
	return unmarshal(p, text, ECDSASize, ParseECDSAPreSignature)
}

func marshal(b []byte) ([]byte, error) {
	if b == nil {
		return nil, fmt.Errorf("adaptor: %w: never set", ErrPreSignature)
	}
	return hex.AppendEncode(nil, b), nil
}

func unmarshal[T any](p *T, text []byte, size int, parse func([]byte) (*T, error)) error {
	b, err := nonce.DecodeText("adaptor: pre-signature", text, size)
	if err != nil {
		return err
	}
	parsed, err := parse(b)
	if err == nil {
		*p = *parsed
	}
	return err
}
