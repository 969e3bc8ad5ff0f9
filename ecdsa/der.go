package ecdsa

import (
	"errors"
	"fmt"
	"strings"

	"p256k1.mleku.dev/v2"
)

// ErrDER means that bytes are not the strict DER encoding of a signature.
var ErrDER = errors.New("not strict DER")

// maxDER is the length of the longest encoding, in which both integers have 33 bytes.
const maxDER = 2 + 2*(2+33)

// ParseDER returns the signature that b encodes in the strict DER of BIP-66, without Bitcoin's trailing hash type:
// SEQUENCE { INTEGER r, INTEGER s } with lengths and integers in their shortest forms, and no bytes after the sequence.
// The error is ErrDER with the offset of the first deviation, or p256k1.ErrRange if r or s is encoded correctly but not
// in [1, n−1].
func ParseDER(b []byte) (Signature, error) {
	var sig Signature
	if d := sig.setDER(b); d.text != "" {
		return Signature{}, d.error(hintDER(b))
	}
	return ParseCompact(sig.rs[:])
}

// A deviation says where and how bytes deviate from the encoding of a signature. Its text is empty if they do not.
// Functions that only need to know whether there is a deviation do not pay for its message.
type deviation struct {
	offset int
	text   string // a format for the other fields
	name   string // %[1]s
	value  int    // %[2]d
	follow int    // %[3]d
	kind   error  // nil for ErrDER
}

func (d *deviation) error(hint string) error {
	text := d.text
	if strings.Contains(text, "%") {
		text = fmt.Sprintf(text, d.name, d.value, d.follow)
	}
	if d.kind != nil {
		return fmt.Errorf("ecdsa: signature: %s %w: not in [1, n-1]", d.name, d.kind)
	}
	return fmt.Errorf("ecdsa: signature: %w: at byte %d: %s%s", ErrDER, d.offset, text, hint)
}

// setDER sets r and s to the integers that b encodes in strict DER. It does not check that they are in [1, n−1]. After
// a deviation, sig is not a signature.
func (sig *Signature) setDER(b []byte) deviation {
	switch {
	case len(b) < 2:
		return deviation{offset: len(b), text: "ends within the header"}
	case b[0] != 0x30:
		return deviation{text: "type %#02[2]x, want a sequence (0x30)", value: int(b[0])}
	case b[1] >= 0x80:
		return deviation{offset: 1, text: "length byte %#02[2]x, longer than any signature", value: int(b[1])}
	case int(b[1]) == len(b)-3 && b[len(b)-1]&0x7f-1 < 3:
		return deviation{offset: 1, text: "length %[2]d of the sequence, but %[3]d bytes follow; remove Bitcoin's hash type, the last byte", value: int(b[1]), follow: len(b) - 2}
	case int(b[1]) != len(b)-2:
		return deviation{offset: 1, text: "length %[2]d of the sequence, but %[3]d bytes follow", value: int(b[1]), follow: len(b) - 2}
	}
	offset, d := parseInteger(sig.rs[:32], b, 2, "r")
	if d.text != "" {
		return d
	}
	offset, d = parseInteger(sig.rs[32:], b, offset, "s")
	if d.text == "" && offset != len(b) {
		return deviation{offset: offset, text: "%[2]d bytes after s", value: len(b) - offset}
	}
	return d
}

// parseInteger reads the integer at b[offset:] into the 32 bytes of dst and returns the offset after the integer.
func parseInteger(dst, b []byte, offset int, name string) (int, deviation) {
	if len(b)-offset < 2 {
		return 0, deviation{offset: offset, text: "ends within the header of %[1]s", name: name}
	}
	if b[offset] != 0x02 {
		return 0, deviation{offset: offset, text: "type %#02[2]x, want an integer (0x02) for %[1]s", name: name, value: int(b[offset])}
	}
	n := int(b[offset+1])
	offset += 2
	if n == 0 {
		return 0, deviation{offset: offset - 1, text: "%[1]s has no bytes", name: name}
	}
	if n > len(b)-offset {
		return 0, deviation{offset: offset - 1, text: "length %[2]d of %[1]s, but %[3]d bytes follow", name: name, value: n, follow: len(b) - offset}
	}
	v := b[offset : offset+n]
	if v[0] >= 0x80 {
		return 0, deviation{offset: offset, text: "%[1]s is negative", name: name}
	}
	if v[0] == 0 && n > 1 {
		if v[1] < 0x80 {
			return 0, deviation{offset: offset, text: "%[1]s has a superfluous leading zero", name: name}
		}
		v = v[1:]
	}
	if len(v) > 32 {
		return 0, deviation{text: "range", name: name, kind: p256k1.ErrRange}
	}
	copy(dst[32-len(v):], v)
	return offset + n, deviation{}
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
