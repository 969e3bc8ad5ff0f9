// Package secrethex encodes and decodes secrets in hexadecimal, in constant time and without copies. Package
// encoding/hex is not suitable, because it uses tables and does not promise constant time.
package secrethex

// AppendEncode appends the lower-case digits of src to dst.
func AppendEncode(dst, src []byte) []byte {
	for _, b := range src {
		dst = append(dst, digit(b>>4), digit(b&15))
	}
	return dst
}

// digit returns the digit of a value below 16.
func digit(v byte) byte {
	letter := (9 - int32(v)) >> 31 // all ones from 10 on
	return v + '0' + byte(letter&('a'-'0'-10))
}

// Decode fills dst with the bytes that text encodes in lower-case or upper-case digits. It reports whether text has
// exactly two digits for each byte of dst. The time depends only on the result and on the length of text.
func Decode(dst, text []byte) bool {
	if len(text) != 2*len(dst) {
		return false
	}
	all := int32(-1)
	for i := range dst {
		hi, ok1 := value(text[2*i])
		lo, ok2 := value(text[2*i+1])
		dst[i] = byte(hi<<4 | lo)
		all &= ok1 & ok2
	}
	return all != 0
}

// value returns the value of a digit and all ones, or 0 and 0 for other characters.
func value(char byte) (v, ok int32) {
	number := int32(char) - '0'
	letter := int32(char|0x20) - 'a'
	isNumber := ^(number >> 31) & ((number - 10) >> 31)
	isLetter := ^(letter >> 31) & ((letter - 6) >> 31)
	return number&isNumber | (letter+10)&isLetter, isNumber | isLetter
}
