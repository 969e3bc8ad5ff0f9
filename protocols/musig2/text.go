package musig2

import (
	"encoding/hex"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
)

// MarshalText returns the 66-byte encoding of n in lower-case hexadecimal. The error is p256k1.ErrInfinity for the zero
// value.
func (n PublicNonce) MarshalText() ([]byte, error) {
	if !n.p.IsSet() {
		return nil, fmt.Errorf("musig2: public nonce that was never set: %w", p256k1.ErrInfinity)
	}
	return hex.AppendEncode(nil, n.p.Encoded[:]), nil
}

// UnmarshalText sets n to the public nonce that text encodes. The error is p256k1.ErrHex, or an error that
// ParsePublicNonce returns. If there is an error, n is unchanged.
func (n *PublicNonce) UnmarshalText(text []byte) error {
	b, err := nonce.DecodeText("musig2: public nonce", text, nonce.Size)
	if err != nil {
		return err
	}
	parsed, err := ParsePublicNonce(b)
	if err == nil {
		*n = parsed
	}
	return err
}

// MarshalText returns the 66-byte encoding of n in lower-case hexadecimal.
func (n AggregateNonce) MarshalText() ([]byte, error) {
	return hex.AppendEncode(nil, n.p.Encoded[:]), nil
}

// UnmarshalText sets n to the aggregate nonce that text encodes. The error is p256k1.ErrHex, or an error that
// ParseAggregateNonce returns. If there is an error, n is unchanged.
func (n *AggregateNonce) UnmarshalText(text []byte) error {
	b, err := nonce.DecodeText("musig2: aggregate nonce", text, nonce.Size)
	if err != nil {
		return err
	}
	parsed, err := ParseAggregateNonce(b)
	if err == nil {
		*n = parsed
	}
	return err
}

// MarshalText returns the 32-byte encoding of sig in lower-case hexadecimal.
func (sig PartialSignature) MarshalText() ([]byte, error) {
	return hex.AppendEncode(nil, sig.Bytes()), nil
}

// UnmarshalText sets sig to the partial signature that text encodes. The error is p256k1.ErrHex, or an error that
// ParsePartialSignature returns. If there is an error, sig is unchanged.
func (sig *PartialSignature) UnmarshalText(text []byte) error {
	b, err := nonce.DecodeText("musig2: partial signature", text, 32)
	if err != nil {
		return err
	}
	parsed, err := ParsePartialSignature(b)
	if err == nil {
		*sig = parsed
	}
	return err
}

// unstored is embedded in the types that have no encoding, because they are made again from values that have one.
type unstored struct{}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json do not write an empty object.
func (unstored) MarshalText() ([]byte, error) { return nil, errUnstored() }

// UnmarshalText returns p256k1.ErrMarshal.
func (*unstored) UnmarshalText([]byte) error { return errUnstored() }

func errUnstored() error {
	return fmt.Errorf("musig2: %w: store the public keys, tweaks and messages, and make key sets and sessions again", p256k1.ErrMarshal)
}
