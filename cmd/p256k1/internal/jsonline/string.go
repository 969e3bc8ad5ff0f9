package jsonline

import (
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string and reports whether it contains escape sequences, which
// are then valid.
func (c *cursor) string() (escaped bool, err error) {
	start := c.i
	c.i++ // "
	for c.i < len(c.b) {
		switch b := c.b[c.i]; {
		case b == '"':
			c.i++
			return escaped, nil
		case b == '\\':
			escaped = true
			if err := c.escape(); err != nil {
				return false, err
			}
		case b < ' ':
			return false, c.errorf("control character %#02x in a string, want an escape sequence", b)
		default:
			c.i++
		}
	}
	return false, c.errorf("the end of the line in the string that begins in column %d", start+1)
}

// escape reads an escape sequence, and both of them where two make a surrogate
// pair.
func (c *cursor) escape() error {
	_, n := unescape(c.b[c.i:])
	if n > 0 {
		c.i += n
		return nil
	}
	rest := c.b[c.i:]
	if _, ok := hexUnit(rest); ok {
		return c.errorf("%s, half of a surrogate pair, which is no character", rest[:6])
	}
	c.i++
	if c.peek() == 'u' {
		return c.errorf("an escape sequence \\u without four hex digits")
	}
	return c.errorf("%s after a backslash, which is no escape sequence", c.here())
}

// unescape returns the character that the escape sequence at the beginning of b
// stands for, and the length of the sequence: 0 if it is not valid.
func unescape(b []byte) (r rune, n int) {
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	unit, ok := hexUnit(b)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(unit) {
		return unit, 6
	}
	low, ok := hexUnit(b[6:])
	if !ok {
		return 0, 0
	}
	r = utf16.DecodeRune(unit, low)
	if r == utf8.RuneError { // which no pair stands for
		return 0, 0
	}
	return r, 12
}

// hexUnit returns the UTF-16 code unit of a sequence \uXXXX at the beginning of
// b.
func hexUnit(b []byte) (unit rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, digit := range b[2:6] {
		switch {
		case '0' <= digit && digit <= '9':
			digit -= '0'
		case 'a' <= digit && digit <= 'f':
			digit -= 'a' - 10
		case 'A' <= digit && digit <= 'F':
			digit -= 'A' - 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}
