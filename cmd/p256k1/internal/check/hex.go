package check

import (
	"fmt"
	"unicode/utf8"

	"p256k1.mleku.dev/cmd/p256k1/internal/decimal"
)

// textOf returns the text of a string field. It is valid until the next call.
func (c *Checker) textOf(f field) []byte {
	return c.unquote(c.fields[f])
}

// hexInto fills dst with the bytes that a field holds as lower-case hexadecimal
// digits.
func (c *Checker) hexInto(dst []byte, f field) (reason string) {
	text := c.textOf(f)
	if has0x(text) {
		return with0x(f)
	}
	if len(text) != 2*len(dst) && len(text)%2 == 0 {
		return fmt.Sprintf("%s has %s, want %d", f, decimal.Count(int64(len(text)/2), "byte"), len(dst))
	}
	return decodeHex(dst, f, text)
}

// hexUpTo is hexInto for any number of bytes that fits into dst, and returns
// the part of dst that was filled.
func (c *Checker) hexUpTo(dst []byte, f field) (b []byte, reason string) {
	text := c.textOf(f)
	if has0x(text) {
		return nil, with0x(f)
	}
	if len(text)/2 > len(dst) {
		return nil, fmt.Sprintf("%s has %s, want at most %d", f, decimal.Count(int64(len(text)/2), "byte"), len(dst))
	}
	dst = dst[:len(text)/2]
	return dst, decodeHex(dst, f, text)
}

// has0x reports whether the text begins as hexadecimal numbers of languages do.
func has0x(text []byte) bool {
	return len(text) >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')
}

func with0x(f field) (reason string) {
	return f.String() + " begins with 0x, want hexadecimal digits only"
}

// decodeHex fills dst, which is half as long as text, rounded down.
func decodeHex(dst []byte, f field, text []byte) (reason string) {
	if len(text)%2 != 0 {
		return fmt.Sprintf("%s has %s, an odd number", f, decimal.Count(int64(len(text)), "hexadecimal digit"))
	}
	for i := range dst {
		hi, lo := digit(text[2*i]), digit(text[2*i+1])
		if hi|lo > 15 {
			return wrongDigit(f, text)
		}
		dst[i] = hi<<4 | lo
	}
	return ""
}

// digit returns the value of a hexadecimal digit, and 255 for anything else.
func digit(b byte) byte {
	switch {
	case '0' <= b && b <= '9':
		return b - '0'
	case 'a' <= b && b <= 'f':
		return b - 'a' + 10
	}
	return 255
}

// wrongDigit returns what is wrong with a text that is not of lower-case
// hexadecimal digits only.
func wrongDigit(f field, text []byte) string {
	for i, b := range text {
		if digit(b) <= 15 {
			continue
		}
		if 'A' <= b && b <= 'F' {
			return fmt.Sprintf("%s has the upper-case hexadecimal digit %q at %d, want lower case", f, b, i+1)
		}
		_, size := utf8.DecodeRune(text[i:])
		return fmt.Sprintf("%s has %s at %d, want a hexadecimal digit", f, quote(text[i:i+size]), i+1)
	}
	return ""
}
