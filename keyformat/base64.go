package keyformat

// An alphabet of base64 (RFC 4648) is described by its digits for 62 and 63, because the other digits are the same in
// all alphabets. Package encoding/base64 looks digits up in tables, so a cache attack can reveal secrets. The code in
// this file uses no table, and reveals only the number of digits.
type alphabet struct{ digit62, digit63 int }

var (
	base64std = alphabet{'+', '/'}
	base64url = alphabet{'-', '_'}
)

// digit returns the digit for v in 0 … 63. It uses the sign of a difference as a mask.
func (a alphabet) digit(v int) byte {
	c := 'A' + v
	c += (25 - v) >> 8 & ('a' - 26 - 'A')
	c += (51 - v) >> 8 & ('0' - 52 - ('a' - 26))
	c += (61 - v) >> 8 & (a.digit62 - 62 - ('0' - 52))
	c += (62 - v) >> 8 & (a.digit63 - 63 - (a.digit62 - 62))
	return byte(c)
}

// value returns the value of the digit c, or −1 if c is not a digit.
func (a alphabet) value(c byte) int {
	v := -1
	for _, digits := range [...]struct{ first, last, value int }{
		{'A', 'Z', 0}, {'a', 'z', 26}, {'0', '9', 52}, {a.digit62, a.digit62, 62}, {a.digit63, a.digit63, 63},
	} {
		within := (digits.first - 1 - int(c)) & (int(c) - digits.last - 1) >> 8 // a mask
		v += within & (int(c) - digits.first + digits.value + 1)
	}
	return v
}

// appendBase64 appends the base64 digits of b to text, without padding.
func (a alphabet) appendBase64(text, b []byte) []byte {
	buffer, n := 0, 0 // the low n < 6 bits of buffer have not been written yet
	for _, v := range b {
		buffer = buffer&63<<8 | int(v)
		n += 8
		for n >= 6 {
			n -= 6
			text = append(text, a.digit(buffer>>n&63))
		}
	}
	if n > 0 {
		text = append(text, a.digit(buffer<<(6-n)&63))
	}
	return text
}

// appendBytes appends to b the bytes that text encodes without padding. It returns false if text is not exactly the
// output of appendBase64 for these bytes. text may be the memory to which the bytes are appended.
func (a alphabet) appendBytes(b, text []byte) ([]byte, bool) {
	buffer, n, bad := 0, 0, 0 // the low n < 8 bits of buffer have not been written yet
	for _, c := range text {
		v := a.value(c)
		bad |= v
		buffer = buffer&255<<6 | v&63
		n += 6
		if n >= 8 {
			n -= 8
			b = append(b, byte(buffer>>n))
		}
	}
	bad |= -(buffer & (1<<n - 1)) // bits of the last digit that belong to no byte must be 0
	return b, bad >= 0 && n < 6
}
