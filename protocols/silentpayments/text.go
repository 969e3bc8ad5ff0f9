package silentpayments

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
)

// foundSize is the length of an encoded Found in bytes.
const foundSize = 4 + 32 + 4 + 1 + 4 + 32

// MarshalText returns f in lower-case hexadecimal, 154 digits, so that a wallet can store it. The text is as private as
// the Tweak. It encodes 77 bytes, with big-endian integers:
//
//	offset  bytes
//	0       4       Output
//	4       32      X
//	36      4       K
//	40      1       Labeled: 00 or 01
//	41      4       Label, or zeros if Labeled is false
//	45      32      Tweak
//
// The error is p256k1.ErrRange or p256k1.ErrNotOnCurve for a value that Scanner does not return.
func (f Found) MarshalText() ([]byte, error) {
	if f.Output < 0 || int64(f.Output) >= 1<<32 {
		return nil, fmt.Errorf("silentpayments: found: output: %w", p256k1.ErrRange)
	}
	b := append(binary.BigEndian.AppendUint32(nil, uint32(f.Output)), f.X[:]...)
	b = append(binary.BigEndian.AppendUint32(b, f.K), 0)
	if f.Labeled {
		b[40] = 1
	}
	b = append(binary.BigEndian.AppendUint32(b, f.Label), f.Tweak[:]...)
	if _, err := parseFound(b); err != nil {
		return nil, err
	}
	return hex.AppendEncode(nil, b), nil
}

// UnmarshalText sets f to the output that MarshalText has written as text. The error is p256k1.ErrLength,
// p256k1.ErrHex, or an error of MarshalText. If there is an error, f is unchanged.
func (f *Found) UnmarshalText(text []byte) error {
	b, err := nonce.DecodeText("silentpayments: found", text, foundSize)
	if err != nil {
		return err
	}
	parsed, err := parseFound(b)
	if err == nil {
		*f = parsed
	}
	return err
}

func parseFound(b []byte) (f Found, err error) {
	f = Found{
		Output: int(binary.BigEndian.Uint32(b)), X: [32]byte(b[4:]), K: binary.BigEndian.Uint32(b[36:]),
		Labeled: b[40] == 1, Label: binary.BigEndian.Uint32(b[41:]), Tweak: [32]byte(b[45:]),
	}
	if f.Output < 0 || b[40] > 1 || (!f.Labeled && f.Label != 0) {
		return Found{}, fmt.Errorf("silentpayments: found: output or label: %w", p256k1.ErrRange)
	}
	if _, err := p256k1.ParseXOnlyPublicKey(f.X[:]); err != nil {
		return Found{}, fmt.Errorf("silentpayments: found: X: %w", err)
	}
	if _, err := new(curve.Scalar).SetBytes(f.Tweak[:]); err != nil {
		return Found{}, fmt.Errorf("silentpayments: found: tweak: %w", err)
	}
	return f, nil
}

// TxID is the id of a transaction, in the byte order of the hash. Its text form is the id as programs display it: the
// bytes in reverse order, in lower-case hexadecimal.
type TxID [32]byte

// MarshalText returns the displayed id, 64 digits. The error is always nil.
func (id TxID) MarshalText() ([]byte, error) {
	slices.Reverse(id[:])
	return hex.AppendEncode(nil, id[:]), nil
}

// UnmarshalText sets id to the displayed id in text. The error is p256k1.ErrLength or p256k1.ErrHex, and id is then
// unchanged.
func (id *TxID) UnmarshalText(text []byte) error {
	b, err := nonce.DecodeText("silentpayments: id of a transaction", text, len(id))
	if err != nil {
		return err
	}
	slices.Reverse(b)
	*id = TxID(b)
	return nil
}
