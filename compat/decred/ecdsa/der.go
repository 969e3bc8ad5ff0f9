package ecdsa

import (
	"fmt"

	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
)

// Serialize returns the DER encoding of the signature, at most 72 bytes. If s is above (n−1)/2, n − s takes the place
// of s.
func (sig *Signature) Serialize() []byte {
	s := sig.s
	if s.IsOverHalfOrder() {
		s.Negate()
	}
	b := make([]byte, 0, 72)
	b = append(b, 0x30, 0)
	b = appendInteger(b, &sig.r)
	b = appendInteger(b, &s)
	b[1] = byte(len(b) - 2)
	return b[:len(b):len(b)] // no spare capacity, because programs append to the result, some of them more than once
}

// appendInteger appends the DER encoding of v to b.
func appendInteger(b []byte, v *secp256k1.ModNScalar) []byte {
	bytes := v.Bytes()
	digits := bytes[:]
	for len(digits) > 1 && digits[0] == 0 {
		digits = digits[1:]
	}
	if sign := int(digits[0] >> 7); sign == 0 {
		b = append(b, 2, byte(len(digits)))
	} else {
		b = append(b, 2, byte(len(digits)+1), 0)
	}
	return append(b, digits...)
}

// integerErrors holds the name of r or s, and the kinds of its errors.
type integerErrors struct {
	name                                                         string
	invalidID, zeroLen, negative, tooMuchPadding, tooBig, isZero ErrorKind
}

var (
	rErrors = integerErrors{"R", ErrSigInvalidRIntID, ErrSigZeroRLen, ErrSigNegativeR, ErrSigTooMuchRPadding, ErrSigRTooBig, ErrSigRIsZero}
	sErrors = integerErrors{"S", ErrSigInvalidSIntID, ErrSigZeroSLen, ErrSigNegativeS, ErrSigTooMuchSPadding, ErrSigSTooBig, ErrSigSIsZero}
)

func fail(kind ErrorKind, format string, args ...any) error {
	return Error{kind, fmt.Sprintf(format, args...)}
}

// check returns an error if the encoding of an integer is invalid. id is the first byte of the encoding.
func (e *integerErrors) check(id byte, digits []byte) error {
	switch {
	case id != 2:
		return fail(e.invalidID, "malformed signature: %s integer marker: %#x != 0x2", e.name, id)
	case len(digits) == 0:
		return fail(e.zeroLen, "malformed signature: %s length is zero", e.name)
	case digits[0]&0x80 != 0:
		return fail(e.negative, "malformed signature: %s is negative", e.name)
	case len(digits) > 1 && digits[0] == 0 && digits[1]&0x80 == 0:
		return fail(e.tooMuchPadding, "malformed signature: %s value has too much padding", e.name)
	}
	return nil
}

// set sets v to the big-endian integer in digits, and returns an error if it is not in [1, n−1].
func (e *integerErrors) set(v *secp256k1.ModNScalar, digits []byte) error {
	for len(digits) > 0 && digits[0] == 0 {
		digits = digits[1:]
	}
	switch {
	case len(digits) > 32:
		return fail(e.tooBig, "invalid signature: %s is larger than 256 bits", e.name)
	case v.SetByteSlice(digits):
		return fail(e.tooBig, "invalid signature: %s >= group order", e.name)
	case v.IsZero():
		return fail(e.isZero, "invalid signature: %s is 0", e.name)
	}
	return nil
}

// ParseDERSignature parses the strict DER encoding of a signature, 8 to 72 bytes, with r and s in [1, n−1]. The error
// is an Error whose Err is an ErrorKind of this package.
func ParseDERSignature(sig []byte) (*Signature, error) {
	// If the encoding has several faults, the error names the fault that Decred's parser finds first.
	size := len(sig)
	switch {
	case size < 8:
		return nil, fail(ErrSigTooShort, "malformed signature: too short: %d < 8", size)
	case size > 72:
		return nil, fail(ErrSigTooLong, "malformed signature: too long: %d > 72", size)
	case sig[0] != 0x30:
		return nil, fail(ErrSigInvalidSeqID, "malformed signature: format has wrong type: %#x", sig[0])
	case int(sig[1]) != size-2:
		return nil, fail(ErrSigInvalidDataLen, "malformed signature: bad length: %d != %d", sig[1], size-2)
	}
	end := 4 + int(sig[3]) // the end of r
	switch {
	case end >= size:
		return nil, fail(ErrSigMissingSTypeID, "malformed signature: S type indicator missing")
	case end+1 >= size:
		return nil, fail(ErrSigMissingSLen, "malformed signature: S length missing")
	case end+2+int(sig[end+1]) != size:
		return nil, fail(ErrSigInvalidSLen, "malformed signature: invalid S length")
	}
	r, s := sig[4:end], sig[end+2:]
	if err := rErrors.check(sig[2], r); err != nil {
		return nil, err
	}
	if err := sErrors.check(sig[end], s); err != nil {
		return nil, err
	}
	parsed := new(Signature)
	if err := rErrors.set(&parsed.r, r); err != nil {
		return nil, err
	}
	if err := sErrors.set(&parsed.s, s); err != nil {
		return nil, err
	}
	return parsed, nil
}
