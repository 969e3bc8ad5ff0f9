// Package hextext reads and writes the text form of public values that protocols send, such as keys and signatures:
// lower-case hexadecimal, parsed strictly. It also formats these values for package fmt. The time of its functions
// depends on the values.
//
// The examples are in example_test.go.
package hextext

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"p256k1.mleku.dev/v2/curve"
)

// ErrHex means that a text is not lower-case hexadecimal.
var ErrHex = errors.New("not lower-case hexadecimal")

// Decode appends the bytes that text encodes to dst and returns the extended slice. If text is not lower-case
// hexadecimal, the error wraps ErrHex and names the first byte that is not a digit. If the number of bytes is not one
// of the lengths, the error wraps curve.ErrLength.
func Decode(dst, text []byte, lengths ...int) ([]byte, error) {
	for i, c := range text {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f':
			continue
		case 'A' <= c && c <= 'F' && !isBase64(text):
			return nil, fmt.Errorf("%w: upper-case digit at byte %d", ErrHex, i)
		case i == 1 && text[0] == '0' && c|0x20 == 'x':
			return nil, fmt.Errorf("%w: begins with 0x", ErrHex)
		}
		if kind := Kind(text); kind != "" && kind != aText {
			return nil, fmt.Errorf("%w: %q at byte %d; %s", ErrHex, text[i:i+1], i, kind)
		}
		return nil, fmt.Errorf("%w: %q at byte %d", ErrHex, text[i:i+1], i)
	}
	if len(text)%2 != 0 || !slices.Contains(lengths, len(text)/2) {
		var want []string
		for _, n := range lengths {
			want = append(want, strconv.Itoa(2*n))
		}
		return nil, fmt.Errorf("%w: %d hexadecimal digits, want %s", curve.ErrLength, len(text), strings.Join(want, " or "))
	}
	return hex.AppendDecode(dst, text)
}

// String returns the text form of a value of the type name with the bytes b, or name(unset) if b is empty.
func String(name string, b []byte) string {
	if len(b) == 0 {
		return name + "(unset)"
	}
	return hex.EncodeToString(b)
}

// Format implements fmt.Formatter for a value of the type name with the bytes b, which are empty if the value was never
// set. The verbs v and s write the text form, q quotes the text form, x and X write the bytes as they write a []byte,
// and %#v writes the text form within name(…). Width, precision and flags have the same effect as for strings and
// bytes.
func Format(f fmt.State, verb rune, name string, b []byte) {
	format, text := fmt.FormatString(f, verb), String(name, b)
	switch {
	case verb == 'v' && f.Flag('#'):
		if len(b) != 0 {
			text = name + "(" + text + ")"
		}
		fmt.Fprintf(f, strings.Replace(format, "#", "", 1), text)
	case (verb == 'x' || verb == 'X') && len(b) != 0:
		fmt.Fprintf(f, format, b)
	case verb == 'x' || verb == 'X':
		fmt.Fprint(f, text)
	case verb == 'v' || verb == 's' || verb == 'q':
		fmt.Fprintf(f, format, text)
	default:
		if len(b) == 0 {
			text = "unset"
		}
		fmt.Fprintf(f, "%%!%c(%s=%s)", verb, name, text)
	}
}
