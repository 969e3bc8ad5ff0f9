package ecdsa

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
)

// ErrDER means that bytes are not the strict DER encoding of a signature.
var ErrDER = errors.New("not strict DER")

// maxDER is the length of the longest encoding, in which both integers have 33 bytes.
const maxDER = 2 + 2*(2+33)

// ParseDER returns the signature that b encodes in the strict DER of BIP-66, without Bitcoin's trailing hash type:
// SEQUENCE { INTEGER r, INTEGER s } with lengths and integers in their shortest forms, and no bytes after the
// sequence. The error is ErrDER with the offset of the first deviation, or p256k1.ErrRange if r or s is encoded
// correctly but not in [1, n−1].
func ParseDER(b []byte) (Signature, error) {
	var sig Signature
	switch {
	case len(b) < 2:
		return Signature{}, derError(len(b), "ends within the header")
	case b[0] != 0x30:
		return Signature{}, derError(0, "type %#02x, want a sequence (0x30)", b[0])
	case b[1] >= 0x80:
		return Signature{}, derError(1, "length byte %#02x, longer than any signature", b[1])
	case int(b[1]) != len(b)-2:
		return Signature{}, derError(1, "length %d of the sequence, but %d bytes follow", b[1], len(b)-2)
	}
	at, err := parseInteger(sig.rs[:32], b, 2, "r")
	if err != nil {
		return Signature{}, err
	}
	at, err = parseInteger(sig.rs[32:], b, at, "s")
	if err != nil {
		return Signature{}, err
	}
	if at != len(b) {
		return Signature{}, derError(at, "%d bytes after s", len(b)-at)
	}
	return ParseCompact(sig.rs[:])
}

// parseInteger reads the integer at b[at:] into the 32 bytes of dst and returns the offset after the integer.
func parseInteger(dst, b []byte, at int, name string) (int, error) {
	if len(b)-at < 2 {
		return 0, derError(at, "ends within the header of %s", name)
	}
	if b[at] != 0x02 {
		return 0, derError(at, "type %#02x, want an integer (0x02) for %s", b[at], name)
	}
	n := int(b[at+1])
	at += 2
	if n == 0 {
		return 0, derError(at-1, "%s has no bytes", name)
	}
	if n > len(b)-at {
		return 0, derError(at-1, "length %d of %s, but %d bytes follow", n, name, len(b)-at)
	}
	v := b[at : at+n]
	if v[0] >= 0x80 {
		return 0, derError(at, "%s is negative", name)
	}
	if v[0] == 0 && n > 1 {
		if v[1] < 0x80 {
			return 0, derError(at, "%s has a superfluous leading zero", name)
		}
		v = v[1:]
	}
	if len(v) > 32 {
		return 0, fmt.Errorf("ecdsa: signature: %s %w: not in [1, n-1]", name, p256k1.ErrRange)
	}
	copy(dst[32-len(v):], v)
	return at + n, nil
}

func derError(at int, format string, args ...any) error {
	return fmt.Errorf("ecdsa: signature: %w: at byte %d: %s", ErrDER, at, fmt.Sprintf(format, args...))
}

// DER returns the strict DER encoding of sig, 8 to 72 bytes, or nil for the zero value.
func (sig Signature) DER() []byte {
	b, n := sig.derUnlessUnset()
	if n == 0 {
		return nil
	}
	return b[:n]
}

// derUnlessUnset returns the DER encoding of sig in the first n bytes of b, or n = 0 for the zero value.
func (sig *Signature) derUnlessUnset() (b [maxDER]byte, n int) {
	if isUnset(&sig.rs) {
		return b, 0
	}
	return sig.der()
}

// der returns the DER encoding of sig in the first n bytes of b.
func (sig *Signature) der() (b [maxDER]byte, n int) {
	out := append(b[:0], 0x30, 0)
	for _, v := range [2][]byte{sig.rs[:32], sig.rs[32:]} {
		for len(v) > 1 && v[0] == 0 {
			v = v[1:]
		}
		if v[0] < 0x80 {
			out = append(out, 0x02, byte(len(v)))
		} else {
			out = append(out, 0x02, byte(len(v)+1), 0)
		}
		out = append(out, v...)
	}
	b[1] = byte(len(out) - 2)
	return b, len(out)
}
