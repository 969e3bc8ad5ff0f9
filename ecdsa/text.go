package ecdsa

import (
	"encoding/hex"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/schemes/hextext"
)

// String returns the text form of sig, r‖s in lower-case hexadecimal (128 digits), or ecdsa.Signature(unset) for the
// zero value.
func (sig Signature) String() string {
	b, _ := sig.AppendBinary(nil)
	return hextext.String(signatureName, b)
}

// Format implements fmt.Formatter: the verbs v and s write the text form, q writes the text form in quotes, and x and X
// write the binary form in hexadecimal, as they write a []byte.
func (sig Signature) Format(f fmt.State, verb rune) {
	b, _ := sig.AppendBinary(nil)
	hextext.Format(f, verb, signatureName, b)
}

const signatureName = "ecdsa.Signature"

// MarshalText returns the text form of sig: r‖s in lower-case hexadecimal, 128 digits. The error is p256k1.ErrRange for
// the zero value.
func (sig Signature) MarshalText() ([]byte, error) {
	return sig.AppendText(nil)
}

// AppendText appends the text form of sig, 128 digits, to b. The error is p256k1.ErrRange for the zero value, and b is
// then returned unchanged.
func (sig Signature) AppendText(b []byte) ([]byte, error) {
	if sig == (Signature{}) {
		return b, errNoSignature()
	}
	return hex.AppendEncode(b, sig.rs[:]), nil
}

// UnmarshalText sets sig to the signature whose r‖s is text, 128 digits of lower-case hexadecimal with nothing before
// or after them. The error is p256k1.ErrHex, ErrLength or ErrRange. If there is an error, sig is unchanged.
func (sig *Signature) UnmarshalText(text []byte) error {
	var buf [65]byte
	b, err := hextext.Decode(buf[:0], text, 64)
	if err != nil {
		return fmt.Errorf("ecdsa: signature: %w%s", err, hintText(text, err))
	}
	return sig.UnmarshalBinary(b)
}

// MarshalBinary returns the binary form of sig, which is r‖s, 64 bytes, rather than DER. The error is p256k1.ErrRange
// for the zero value.
func (sig Signature) MarshalBinary() ([]byte, error) {
	return sig.AppendBinary(nil)
}

// AppendBinary appends the binary form of sig, 64 bytes, to b. The error is p256k1.ErrRange for the zero value, and b
// is then returned unchanged.
func (sig Signature) AppendBinary(b []byte) ([]byte, error) {
	if sig == (Signature{}) {
		return b, errNoSignature()
	}
	return append(b, sig.rs[:]...), nil
}

// UnmarshalBinary sets sig to the signature whose r‖s is b, 64 bytes. The error is p256k1.ErrLength or p256k1.ErrRange.
// If there is an error, sig is unchanged.
func (sig *Signature) UnmarshalBinary(b []byte) error {
	parsed, err := ParseCompact(b)
	if err != nil {
		return err
	}
	*sig = parsed
	return nil
}

// String returns the text form of sig, r‖s‖v in lower-case hexadecimal (130 digits), or
// ecdsa.RecoverableSignature(unset) for the zero value.
func (sig RecoverableSignature) String() string {
	b, _ := sig.AppendBinary(nil)
	return hextext.String(recoverableName, b)
}

// Format implements fmt.Formatter: the verbs v and s write the text form, q writes the text form in quotes, and x and X
// write the binary form in hexadecimal, as they write a []byte.
func (sig RecoverableSignature) Format(f fmt.State, verb rune) {
	b, _ := sig.AppendBinary(nil)
	hextext.Format(f, verb, recoverableName, b)
}

const recoverableName = "ecdsa.RecoverableSignature"

// MarshalText returns the text form of sig: r‖s‖v in lower-case hexadecimal, 130 digits, with v in 0 … 3. The error is
// p256k1.ErrRange for the zero value.
func (sig RecoverableSignature) MarshalText() ([]byte, error) {
	return sig.AppendText(nil)
}

// AppendText appends the text form of sig, 130 digits, to b. The error is p256k1.ErrRange for the zero value, and b is
// then returned unchanged.
func (sig RecoverableSignature) AppendText(b []byte) ([]byte, error) {
	if sig == (RecoverableSignature{}) {
		return b, errNoSignature()
	}
	return hex.AppendEncode(b, sig.rsv[:]), nil
}

// UnmarshalText sets sig to the signature whose r‖s‖v is text, 130 digits of lower-case hexadecimal with nothing before
// or after them. The error is p256k1.ErrHex, ErrLength, ErrRange or ErrRecoveryID. If there is an error, sig is
// unchanged.
func (sig *RecoverableSignature) UnmarshalText(text []byte) error {
	var buf [65]byte
	b, err := hextext.Decode(buf[:0], text, 65)
	if err != nil {
		return fmt.Errorf("ecdsa: recoverable signature: %w%s", err, hintText(text, err))
	}
	return sig.UnmarshalBinary(b)
}

// MarshalBinary returns the binary form of sig: r‖s‖v, 65 bytes. The error is p256k1.ErrRange for the zero value.
func (sig RecoverableSignature) MarshalBinary() ([]byte, error) {
	return sig.AppendBinary(nil)
}

// AppendBinary appends the binary form of sig, 65 bytes, to b. The error is p256k1.ErrRange for the zero value, and b
// is then returned unchanged.
func (sig RecoverableSignature) AppendBinary(b []byte) ([]byte, error) {
	if sig == (RecoverableSignature{}) {
		return b, errNoSignature()
	}
	return append(b, sig.rsv[:]...), nil
}

// UnmarshalBinary sets sig to the signature whose r‖s‖v is b, 65 bytes with v in 0 … 3. The error is p256k1.ErrLength,
// p256k1.ErrRange or ErrRecoveryID. If there is an error, sig is unchanged.
func (sig *RecoverableSignature) UnmarshalBinary(b []byte) error {
	parsed, err := ParseRecoverable(b)
	if err != nil {
		return err
	}
	*sig = parsed
	return nil
}

// errNoSignature is the error for the zero value of a signature.
func errNoSignature() error {
	return fmt.Errorf("ecdsa: signature: %w: never set", p256k1.ErrRange)
}

// hintText returns what hexadecimal digits that were refused with err for their number may be instead.
func hintText(text []byte, err error) string {
	b, bad := hex.DecodeString(string(text))
	if bad != nil || !errors.Is(err, p256k1.ErrLength) {
		return ""
	}
	return hint(b)
}
