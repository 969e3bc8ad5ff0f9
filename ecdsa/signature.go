package ecdsa

import (
	"encoding/binary"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/hextext"
)

// ErrRecoveryID means that the recovery id is not in [0, 3], or not 0 or 1 for ERC-2098, that the header byte of a
// compact signature is not in [27, 34], or that Ethereum's v is not 0, 1, 27 or 28.
var ErrRecoveryID = errors.New("invalid recovery id")

// Signature is an ECDSA signature (r, s) with r and s in [1, n−1]. Signatures can be compared with ==.
//
// Packages fmt and log/slog write a signature in the text form of MarshalText. Encoding packages write and read the
// text form or, if they need bytes, the binary form of MarshalBinary.
//
// The zero value is not a signature: it never verifies, Bytes and DER return nil, and marshalling it is an error.
// Decoding accepts JSON in which a field of this type is missing or null. The field then keeps its value, except that
// encoding/json/v2 sets it to the zero value for null.
type Signature struct {
	rs [64]byte // r‖s, big-endian
}

// ParseCompact returns the signature whose r and s are the halves of b, 32-byte big-endian integers. The error is
// p256k1.ErrLength or ErrRange.
func ParseCompact(b []byte) (Signature, error) {
	if len(b) != 64 {
		return Signature{}, fmt.Errorf("ecdsa: signature: %w: %d bytes, want 64%s", p256k1.ErrLength, len(b), hint(b))
	}
	sig := Signature{[64]byte(b)}
	var r, s curve.Scalar
	if !sig.scalar(&r, 0) {
		return Signature{}, fmt.Errorf("ecdsa: signature: r %w: not in [1, n-1]", p256k1.ErrRange)
	}
	if !sig.scalar(&s, 32) {
		return Signature{}, fmt.Errorf("ecdsa: signature: s %w: not in [1, n-1]", p256k1.ErrRange)
	}
	return sig, nil
}

// hint returns what bytes with the wrong length for the form of a signature may be instead.
func hint(b []byte) string {
	switch text := hextext.Kind(b); {
	case text != "":
		return "; " + text
	case len(b) >= 8 && len(b) <= maxDER+1 && b[0] == 0x30 && len(b)-int(b[1]) <= 3 && len(b)-int(b[1]) >= 2:
		return "; ParseDER reads DER"
	case len(b) == 64:
		return "; ParseCompact reads r‖s, ParseRecoverableERC2098 ERC-2098's form"
	case len(b) == 65:
		return "; ParseRecoverable reads signatures with a recovery id"
	}
	return ""
}

// hintDER returns what bytes that ParseDER refuses may be instead, or "" if they begin like DER.
func hintDER(b []byte) string {
	switch text := hextext.Kind(b); {
	case len(b) > 0 && b[0] == 0x30 && text == "":
		return ""
	case text != "":
		return "; " + text
	case len(b) == 64:
		return "; ParseCompact reads r‖s"
	case len(b) == 65:
		return "; ParseRecoverable reads r‖s‖v"
	}
	return ""
}

// Bytes returns r‖s, 64 bytes, or nil for the zero value.
func (sig Signature) Bytes() []byte {
	if isUnset(&sig.rs) {
		return nil
	}
	b := sig.rs
	return b[:]
}

// isUnset reports whether r and s are zero. It does not compare rs with the zero value by ==, because Valgrind's
// memcheck could not attribute that comparison to this package.
func isUnset(rs *[64]byte) bool {
	var or uint64
	for i := 0; i < 64; i += 8 {
		or |= binary.NativeEndian.Uint64(rs[i:])
	}
	return or == 0
}

// IsLowS reports whether s ≤ (n−1)/2. It reports false for the zero value.
func (sig Signature) IsLowS() bool {
	var s curve.Scalar
	return sig.scalar(&s, 32) && s.IsHigh() == 0
}

// NormalizeS returns sig with s replaced by n − s if s > (n−1)/2, and sig itself otherwise. Verify accepts the result
// if and only if it accepts sig. Do not combine the result with the recovery id of sig: the id changes when s does, and
// Recover would return another key without an error. RecoverableSignature.NormalizeS changes both.
func (sig Signature) NormalizeS() Signature {
	var s curve.Scalar
	if sig.scalar(&s, 32) {
		s.CondNegate(&s, s.IsHigh())
		copy(sig.rs[32:], s.Bytes())
	}
	return sig
}

// scalars sets r and s to the integers of sig and reports whether both are in [1, n−1].
func (sig *Signature) scalars(r, s *curve.Scalar) bool {
	return sig.scalar(r, 0) && sig.scalar(s, 32)
}

// scalar sets v to the integer at sig.rs[offset:] and reports whether it is in [1, n−1].
func (sig *Signature) scalar(v *curve.Scalar, offset int) bool {
	_, err := v.SetBytes(sig.rs[offset : offset+32])
	return err == nil && v.IsZero() == 0
}

// RecoverableSignature is an ECDSA signature with its recovery id v. Bit 0 of v is the parity of the y coordinate of
// the point R = (z·G + r·P)/s, where z is the digest and P the public key. R is k·G for the nonce k, or −k·G if s was
// replaced by n − s. Bit 1 is set if the x coordinate of R is r + n rather than r. Recoverable signatures can be
// compared with ==.
//
// Packages fmt and log/slog write a signature in the text form of MarshalText. Encoding packages write and read the
// text form or, if they need bytes, the binary form of MarshalBinary.
//
// The zero value is not a signature: no key is recovered from it, Bytes returns nil, and marshalling it is an error.
// Decoding accepts JSON in which a field of this type is missing or null. The field then keeps its value, except that
// encoding/json/v2 sets it to the zero value for null.
type RecoverableSignature struct {
	rsv [65]byte
}

// ParseRecoverable returns the signature r‖s‖v, 65 bytes, with v in 0 … 3. The error is p256k1.ErrLength,
// p256k1.ErrRange or ErrRecoveryID. Ethereum's wallets add 27 to v: use ParseRecoverableEthereum for their signatures.
// Do not combine an s from Signature.NormalizeS with the old v, which is then wrong: use
// RecoverableSignature.NormalizeS.
func ParseRecoverable(b []byte) (RecoverableSignature, error) {
	if len(b) != 65 {
		return RecoverableSignature{}, fmt.Errorf("ecdsa: recoverable signature: %w: %d bytes, want 65%s", p256k1.ErrLength, len(b), hint(b))
	}
	if b[64] > 3 {
		return RecoverableSignature{}, fmt.Errorf("ecdsa: recoverable signature: %w: v = %d, want 0 to 3", ErrRecoveryID, b[64])
	}
	if _, err := ParseCompact(b[:64]); err != nil {
		return RecoverableSignature{}, err
	}
	return RecoverableSignature{[65]byte(b)}, nil
}

// ParseRecoverableEthereum returns the signature r‖s‖v, 65 bytes, as Ethereum's wallets and nodes send it for messages
// and typed data (EIP-191, EIP-712). v is 27 or 28, or from some wallets 0 or 1. A v of 35 or more, which a transaction
// with a chain id has (EIP-155), is refused; its recovery id is (v − 35) mod 2. A high s is accepted, although
// transactions must not have a high s (EIP-2): see Signature.IsLowS. For the compact form of ERC-2098, 64 bytes, call
// ParseRecoverableERC2098. The error is p256k1.ErrLength, p256k1.ErrRange or ErrRecoveryID.
func ParseRecoverableEthereum(b []byte) (RecoverableSignature, error) {
	if len(b) != 65 {
		return RecoverableSignature{}, fmt.Errorf("ecdsa: Ethereum signature: %w: %d bytes, want 65%s", p256k1.ErrLength, len(b), hint(b))
	}
	rsv := [65]byte(b)
	switch v := b[64]; {
	case v == 27 || v == 28:
		rsv[64] = v - 27
	case v >= 35:
		return RecoverableSignature{}, fmt.Errorf("ecdsa: Ethereum signature: %w: v = %d, want 0, 1, 27 or 28; "+
			"with the chain id of a transaction (EIP-155), take (v-35) mod 2 instead", ErrRecoveryID, v)
	case v > 1:
		return RecoverableSignature{}, fmt.Errorf("ecdsa: Ethereum signature: %w: v = %d, want 0, 1, 27 or 28", ErrRecoveryID, v)
	}
	return ParseRecoverable(rsv[:])
}

// ParseRecoverableERC2098 returns the signature in the compact form of ERC-2098, 64 bytes: r, and then s with the
// recovery id, 0 or 1, in its top bit. s must be low. Any signature r‖s with a low s is also a signature in this form
// with the recovery id 0, so only the protocol can tell the two forms apart. The error is p256k1.ErrLength or
// p256k1.ErrRange.
func ParseRecoverableERC2098(b []byte) (RecoverableSignature, error) {
	if len(b) != 64 {
		return RecoverableSignature{}, fmt.Errorf("ecdsa: ERC-2098 signature: %w: %d bytes, want 64%s", p256k1.ErrLength, len(b), hint(b))
	}
	var sig RecoverableSignature
	copy(sig.rsv[:], b)
	sig.rsv[64] = b[32] >> 7
	sig.rsv[32] &= 0x7f
	if _, err := ParseCompact(sig.rsv[:64]); err != nil {
		return RecoverableSignature{}, err
	}
	if !sig.Signature().IsLowS() {
		return RecoverableSignature{}, errHighS()
	}
	return sig, nil
}

func errHighS() error {
	return fmt.Errorf("ecdsa: ERC-2098 signature: s %w: not in [1, (n-1)/2]", p256k1.ErrRange)
}

// ParseRecoverableBitcoin returns the signature in the form of Bitcoin's signed messages, 65 bytes: a header byte,
// which is 27 + v, or 31 + v if the signer's address is for the compressed public key, and then r‖s. The headers 35 to
// 42 of BIP-137, which name a SegWit address, are refused. The error is p256k1.ErrLength, ErrRange or ErrRecoveryID.
func ParseRecoverableBitcoin(b []byte) (sig RecoverableSignature, compressed bool, err error) {
	if len(b) != 65 {
		return sig, false, fmt.Errorf("ecdsa: recoverable signature: %w: %d bytes, want 65%s", p256k1.ErrLength, len(b), hint(b))
	}
	if b[0] < 27 || b[0] > 34 {
		return sig, false, fmt.Errorf("ecdsa: recoverable signature: %w: header %d, want 27 to 34%s", ErrRecoveryID, b[0], segwit(b[0]))
	}
	if _, err := ParseCompact(b[1:]); err != nil {
		return sig, false, err
	}
	header := b[0] - 27
	copy(sig.rsv[:], b[1:])
	sig.rsv[64] = header & 3
	return sig, header&4 != 0, nil
}

// segwit returns what a header byte of BIP-137 means that names a SegWit address.
func segwit(header byte) string {
	switch {
	case header >= 35 && header <= 38:
		return "; by BIP-137 it names a P2SH-P2WPKH address: subtract 4, and check that address"
	case header >= 39 && header <= 42:
		return "; by BIP-137 it names a P2WPKH address: subtract 8, and check that address"
	}
	return ""
}

// Bytes returns r‖s‖v, 65 bytes, or nil for the zero value.
func (sig RecoverableSignature) Bytes() []byte {
	if isUnset((*[64]byte)(sig.rsv[:])) {
		return nil
	}
	b := sig.rsv
	return b[:]
}

// BytesEthereum returns r‖s‖v with v = 27 + recovery id, 65 bytes, the form that Ethereum's wallets send and contracts
// expect. It returns nil for the zero value. The recovery ids 2 and 3 occur in about one signature of 2¹²⁷. Ethereum
// has no v for these ids, so the result has v = 29 or 30, which contracts and ParseRecoverableEthereum refuse.
func (sig RecoverableSignature) BytesEthereum() []byte {
	if isUnset((*[64]byte)(sig.rsv[:])) {
		return nil
	}
	b := sig.rsv
	b[64] += 27
	return b[:]
}

// BytesERC2098 returns the compact form of ERC-2098, 64 bytes, which ParseRecoverableERC2098 reads. The error is
// p256k1.ErrRange if s is high, for which NormalizeS helps, or for the zero value, and ErrRecoveryID if the recovery id
// is 2 or 3, for which the form has no bit.
func (sig RecoverableSignature) BytesERC2098() ([]byte, error) {
	var b [64]byte
	return sig.bytesERC2098(&b)
}

func (sig *RecoverableSignature) bytesERC2098(b *[64]byte) ([]byte, error) {
	switch {
	case isUnset((*[64]byte)(sig.rsv[:])):
		return nil, errNoSignature()
	case sig.rsv[64] > 1:
		return nil, fmt.Errorf("ecdsa: ERC-2098 signature: %w: %d, want 0 or 1", ErrRecoveryID, sig.rsv[64])
	case !sig.Signature().IsLowS():
		return nil, errHighS()
	}
	copy(b[:], sig.rsv[:])
	b[32] |= sig.rsv[64] << 7
	return b[:], nil
}

// BytesBitcoin returns the form of Bitcoin's signed messages, 65 bytes: a header byte, then r‖s. The header byte is 31
// + v if compressed is true, or 27 + v otherwise. BytesBitcoin returns nil for the zero value.
func (sig RecoverableSignature) BytesBitcoin(compressed bool) []byte {
	var b [65]byte
	return sig.bytesBitcoin(&b, compressed)
}

func (sig *RecoverableSignature) bytesBitcoin(b *[65]byte, compressed bool) []byte {
	if isUnset((*[64]byte)(sig.rsv[:])) {
		return nil
	}
	b[0] = 27 + sig.rsv[64]
	if compressed {
		b[0] += 4
	}
	copy(b[1:], sig.rsv[:64])
	return b[:]
}

// NormalizeS returns sig with s replaced by n − s, and bit 0 of the recovery id inverted, if s > (n−1)/2. Otherwise it
// returns sig itself. Recover returns the same key for the result as for sig.
func (sig RecoverableSignature) NormalizeS() RecoverableSignature {
	if low := sig.Signature().NormalizeS(); low != sig.Signature() {
		copy(sig.rsv[:], low.rs[:])
		sig.rsv[64] ^= 1
	}
	return sig
}

// Signature returns the signature without the recovery id.
func (sig RecoverableSignature) Signature() Signature {
	return Signature{[64]byte(sig.rsv[:64])}
}

// RecoveryID returns v, in 0 … 3, and 0 for the zero value.
func (sig RecoverableSignature) RecoveryID() int {
	return int(sig.rsv[64])
}
