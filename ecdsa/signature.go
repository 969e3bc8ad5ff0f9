package ecdsa

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
)

var (
	// ErrLength means that a signature does not have the length its encoding
	// has.
	ErrLength = p256k1.ErrLength
	// ErrRange means that r or s is not in [1, n−1].
	ErrRange = p256k1.ErrRange
	// ErrRecoveryID means that the recovery id is not in [0, 3], or the header
	// byte of a compact signature not in [27, 34].
	ErrRecoveryID = errors.New("invalid recovery id")
)

// Signature is an ECDSA signature (r, s) with r and s in [1, n−1]. Two can be
// compared with ==. The zero value is no signature; nothing verifies with it.
type Signature struct {
	rs [64]byte // r‖s, big-endian
}

// ParseCompact returns the signature whose r and s are the halves of b, 32-byte
// big-endian integers. The error is ErrLength or ErrRange.
func ParseCompact(b []byte) (Signature, error) {
	if len(b) != 64 {
		return Signature{}, fmt.Errorf("ecdsa: signature: %w: %d bytes, want 64", ErrLength, len(b))
	}
	sig := Signature{[64]byte(b)}
	var r, s curve.Scalar
	if !sig.scalar(&r, 0) {
		return Signature{}, fmt.Errorf("ecdsa: signature: r %w: not in [1, n-1]", ErrRange)
	}
	if !sig.scalar(&s, 32) {
		return Signature{}, fmt.Errorf("ecdsa: signature: s %w: not in [1, n-1]", ErrRange)
	}
	return sig, nil
}

// Bytes returns r‖s, 64 bytes.
func (sig Signature) Bytes() []byte {
	b := sig.rs
	return b[:]
}

// IsLowS reports whether s ≤ (n−1)/2.
func (sig Signature) IsLowS() bool {
	var s curve.Scalar
	return sig.scalar(&s, 32) && s.IsHigh() == 0
}

// NormalizeS returns the signature with s replaced by n − s if that is lower,
// which verifies if and only if sig does.
func (sig Signature) NormalizeS() Signature {
	var s curve.Scalar
	if sig.scalar(&s, 32) {
		s.CondNegate(&s, s.IsHigh())
		copy(sig.rs[32:], s.Bytes())
	}
	return sig
}

// scalars sets r and s to those of sig and reports whether both are in
// [1, n−1].
func (sig *Signature) scalars(r, s *curve.Scalar) bool {
	return sig.scalar(r, 0) && sig.scalar(s, 32)
}

// scalar sets v to the integer at sig.rs[at:] and reports whether it is in
// [1, n−1].
func (sig *Signature) scalar(v *curve.Scalar, at int) bool {
	_, err := v.SetBytes(sig.rs[at : at+32])
	return err == nil && v.IsZero() == 0
}

// RecoverableSignature is an ECDSA signature with its recovery id v: bit 0 is
// the parity of the y coordinate of the point R = k·G, and bit 1 is set if its x
// coordinate is r + n rather than r. Two can be compared with ==. The zero value
// is no signature; nothing is recovered from it.
type RecoverableSignature struct {
	rsv [65]byte
}

// ParseRecoverable returns the signature r‖s‖v, with v in 0 … 3: the order that
// Ethereum uses (whose transactions and wallets add 27 or more to v; subtract
// that first). The error is ErrLength, ErrRange or ErrRecoveryID.
func ParseRecoverable(b []byte) (RecoverableSignature, error) {
	if len(b) != 65 {
		return RecoverableSignature{}, fmt.Errorf("ecdsa: recoverable signature: %w: %d bytes, want 65", ErrLength, len(b))
	}
	if b[64] > 3 {
		return RecoverableSignature{}, fmt.Errorf("ecdsa: recoverable signature: %w: v = %d, want 0 to 3", ErrRecoveryID, b[64])
	}
	if _, err := ParseCompact(b[:64]); err != nil {
		return RecoverableSignature{}, err
	}
	return RecoverableSignature{[65]byte(b)}, nil
}

// ParseRecoverableBitcoin returns the signature that begins with a header byte,
// 27 + v, or 31 + v if the public key is to be compressed, before r‖s: the form
// of Bitcoin's signed messages. The error is ErrLength, ErrRange or
// ErrRecoveryID.
func ParseRecoverableBitcoin(b []byte) (sig RecoverableSignature, compressed bool, err error) {
	if len(b) != 65 {
		return sig, false, fmt.Errorf("ecdsa: recoverable signature: %w: %d bytes, want 65", ErrLength, len(b))
	}
	if b[0] < 27 || b[0] > 34 {
		return sig, false, fmt.Errorf("ecdsa: recoverable signature: %w: header %d, want 27 to 34", ErrRecoveryID, b[0])
	}
	if _, err := ParseCompact(b[1:]); err != nil {
		return sig, false, err
	}
	header := b[0] - 27
	copy(sig.rsv[:], b[1:])
	sig.rsv[64] = header & 3
	return sig, header&4 != 0, nil
}

// Bytes returns r‖s‖v, 65 bytes.
func (sig RecoverableSignature) Bytes() []byte {
	b := sig.rsv
	return b[:]
}

// BytesBitcoin returns the form that ParseRecoverableBitcoin reads, 65 bytes.
func (sig RecoverableSignature) BytesBitcoin(compressed bool) []byte {
	var b [65]byte
	return sig.bytesBitcoin(&b, compressed)
}

func (sig *RecoverableSignature) bytesBitcoin(b *[65]byte, compressed bool) []byte {
	b[0] = 27 + sig.rsv[64]
	if compressed {
		b[0] += 4
	}
	copy(b[1:], sig.rsv[:64])
	return b[:]
}

// Signature returns the signature without the recovery id.
func (sig RecoverableSignature) Signature() Signature {
	return Signature{[64]byte(sig.rsv[:64])}
}

// RecoveryID returns v, in 0 … 3.
func (sig RecoverableSignature) RecoveryID() int {
	return int(sig.rsv[64])
}
