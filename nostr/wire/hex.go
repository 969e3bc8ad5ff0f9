package wire

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Hex decodes value into dst. value must be a JSON string that Object has read, with the lower-case hexadecimal digits
// of len(dst) bytes. The error is of the kind ErrField, and its message begins with the name of the field.
func (r *Reader) Hex(dst []byte, name string, value []byte) error {
	text := r.Text(value)
	if has0x(text) {
		return with0x(name)
	}
	if len(text) != 2*len(dst) && len(text)%2 == 0 {
		return malformed("%s has %s, want %d", name, count(len(text)/2, "byte"), len(dst))
	}
	return decodeHex(dst, name, text)
}

// HexUpTo decodes value into the beginning of dst, and returns this part of dst. value must be a JSON string that
// Object has read, with the lower-case hexadecimal digits of at most len(dst) bytes. The error is of the kind ErrField.
func (r *Reader) HexUpTo(dst []byte, name string, value []byte) ([]byte, error) {
	text := r.Text(value)
	if has0x(text) {
		return nil, with0x(name)
	}
	if len(text)/2 > len(dst) {
		return nil, malformed("%s has %s, want at most %d", name, count(len(text)/2, "byte"), len(dst))
	}
	dst = dst[:len(text)/2]
	return dst, decodeHex(dst, name, text)
}

func malformed(format string, args ...any) error {
	return &failure{ErrField, fmt.Sprintf(format, args...)}
}

// has0x reports whether the text begins with 0x or 0X.
func has0x(text []byte) bool {
	return len(text) >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')
}

func with0x(name string) error {
	return malformed("%s begins with 0x, want hexadecimal digits only", name)
}

// decodeHex decodes text into dst, which must have half the length of text, unless that length is odd, which is an
// error.
func decodeHex(dst []byte, name string, text []byte) error {
	whole := text
	if len(text)%2 != 0 {
		return malformed("%s has %s, an odd number", name, count(len(text), "hexadecimal digit"))
	}
	for len(dst) >= 4 {
		v, ok := eightDigits(binary.LittleEndian.Uint64(text))
		if !ok {
			return wrongDigit(name, whole)
		}
		binary.LittleEndian.PutUint32(dst, v)
		dst, text = dst[4:], text[8:]
	}
	for i := range dst {
		hi, lo := digit(text[2*i]), digit(text[2*i+1])
		if hi|lo > 15 {
			return wrongDigit(name, whole)
		}
		dst[i] = hi<<4 | lo
	}
	return nil
}

// eightDigits decodes eight hexadecimal digits to four bytes, and reports whether all eight are digits. The digits and
// the bytes are in little-endian order.
func eightDigits(text uint64) (v uint32, ok bool) {
	const each = 0x0101010101010101
	// The digits 0 to 9 have the codes '0' + 0 to '0' + 9. The letters, in whose codes bit 6 is set, have the codes 'a'
	// − 1 + 1 to 'a' − 1 + 6.
	letter := text >> 6 & each
	v64 := text ^ (each*'0' + letter*('a'-1-'0'))
	wrong := v64 & (each * 0xf0)
	v64 += 9 * letter // now letters have the values 10 to 15, and digits 0 to 9
	wrong |= v64&(each<<4) | (v64+6*each^letter<<4)&(each<<4)
	v64 = v64<<4 | v64>>8
	v64 &= 0x00ff00ff00ff00ff
	v64 = (v64 | v64>>8) & 0x0000ffff0000ffff
	return uint32(v64 | v64>>16), wrong == 0
}

// digit returns the value of a lower-case hexadecimal digit, or 255 for any other byte.
func digit(b byte) byte {
	switch {
	case '0' <= b && b <= '9':
		return b - '0'
	case 'a' <= b && b <= 'f':
		return b - 'a' + 10
	}
	return 255
}

// wrongDigit returns the error for the first character of a text that is not a lower-case hexadecimal digit.
func wrongDigit(name string, text []byte) error {
	for i, b := range text {
		if digit(b) <= 15 {
			continue
		}
		if 'A' <= b && b <= 'F' {
			return malformed("%s has the upper-case hexadecimal digit %q at %d, want lower case", name, b, i+1)
		}
		_, size := utf8.DecodeRune(text[i:])
		return malformed("%s has %s at %d, want a hexadecimal digit", name, strconv.Quote(string(text[i:i+size])), i+1)
	}
	return nil
}

// count returns a number with its noun, in the singular or the plural.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
