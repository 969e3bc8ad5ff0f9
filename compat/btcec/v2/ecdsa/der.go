package ecdsa

import (
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
)

// These are the lengths of the shortest DER signature, in which r and s have 1 byte each, and of the longest one, in
// which they have 33 bytes each.
const (
	MinSigLen = 8
	MaxSigLen = 72
)

// ParseSignature parses a signature in BER, as Bitcoin once accepted it. r and s must be in [1, n−1]. They may have any
// number of leading zeros, and are read as unsigned, so the highest bit may be set. Each length must be encoded in one
// byte. Bytes after the signature are ignored.
func ParseSignature(sigStr []byte) (*Signature, error) { return parse(sigStr, false) }

// ParseDERSignature parses a DER signature with r and s in [1, n−1]. Bytes after the signature are ignored if sigStr
// has at most 72 bytes in all.
func ParseDERSignature(sigStr []byte) (*Signature, error) { return parse(sigStr, true) }

// VerifyLowS returns nil if ParseDERSignature parses sigStr and s is at most (n−1)/2.
func VerifyLowS(sigStr []byte) error {
	var r, s btcec.ModNScalar
	if err := set(&r, &s, sigStr, true); err != nil {
		return err
	}
	if s.IsOverHalfOrder() {
		return errHighS
	}
	return nil
}

func parse(sig []byte, der bool) (*Signature, error) {
	var r, s btcec.ModNScalar
	if err := set(&r, &s, sig, der); err != nil {
		return nil, err
	}
	return NewSignature(&r, &s), nil
}

var (
	errNoHeaderMagic = errors.New("malformed signature: no header magic")
	errHighS         = errors.New("non-canonical signature: S value not in low-S form")
)

// set sets r and s to the integers in an encoded signature. If the encoding has several faults, the error names the
// fault that btcec's parser finds first.
func set(r, s *btcec.ModNScalar, sig []byte, der bool) error {
	switch {
	case len(sig) < MinSigLen:
		return errors.New("malformed signature: too short")
	case der && len(sig) > MaxSigLen:
		return errors.New("malformed signature: too long")
	case sig[0] != 0x30:
		return errNoHeaderMagic
	}
	size := int(sig[1] + 2) // computed modulo 256, as in btcec, so that 254 and 255 overflow and are refused as too small
	if size > len(sig) || size < MinSigLen {
		return errors.New("malformed signature: bad length")
	}
	sig = sig[:size]

	if sig[2] != 2 {
		return errors.New("malformed signature: no 1st int marker")
	}
	rSize := int(sig[3])
	if rSize == 0 || rSize > size-7 {
		return errors.New("malformed signature: bogus R length")
	}
	if err := setInteger(r, "R", sig[4:4+rSize], der); err != nil {
		return err
	}

	rest := sig[4+rSize:]
	if rest[0] != 2 {
		return errors.New("malformed signature: no 2nd int marker")
	}
	sSize := int(rest[1])
	if sSize == 0 || sSize > len(rest)-2 {
		return errors.New("malformed signature: bogus S length")
	}
	if err := setInteger(s, "S", rest[2:2+sSize], der); err != nil {
		return err
	}

	if end := 6 + rSize + sSize; end != size {
		return fmt.Errorf("malformed signature: bad final length %v != %v", end, size)
	}
	return nil
}

// setInteger sets v to the big-endian integer in digits, which must have at least one byte.
func setInteger(v *btcec.ModNScalar, name string, digits []byte, der bool) error {
	switch {
	case der && digits[0]&0x80 != 0:
		return errors.New("signature " + name + " is negative")
	case der && len(digits) > 1 && digits[0] == 0 && digits[1]&0x80 == 0:
		return errors.New("signature " + name + " is excessively padded")
	}
	for len(digits) > 0 && digits[0] == 0 {
		digits = digits[1:]
	}
	switch {
	case len(digits) > 32:
		return errors.New("invalid signature: " + name + " is larger than 256 bits")
	case v.SetByteSlice(digits):
		return errors.New("invalid signature: " + name + " >= group order")
	case v.IsZero():
		return errors.New("invalid signature: " + name + " is 0")
	}
	return nil
}
