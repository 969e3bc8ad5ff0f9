// Package nip19 encodes and decodes the bech32 texts (BIP-173) of NIP-19: keys (npub, nsec), ids of events (note), and
// pointers to profiles (nprofile), events (nevent) and addresses (naddr), which contain lists of relays. Keys and ids
// are encoded and decoded in constant time, because keys may be secret, and no other copy of a private key remains.
//
// The examples are in example_test.go.
package nip19

import (
	"errors"
	"fmt"
)

// These are the kinds of errors, for errors.Is. Error messages repeat only the prefix of the input, and lengths.
var (
	// ErrPrefix means that a text does not begin with the expected prefix.
	ErrPrefix = errors.New("wrong prefix")
	// ErrFormat means that a text is not bech32, for example because a character was mistyped, or that its contents do
	// not fit its prefix.
	ErrFormat = errors.New("malformed")
)

// These are the prefixes of texts that encode 32 bytes. The separator 1 follows the prefix.
const (
	Public = "npub" // a public key, x only
	Secret = "nsec" // a private key
	Note   = "note" // the id of an event
)

const (
	keyValues    = 52 // values of 5 bits each; the last ends with 4 zero bits
	checkValues  = 6
	prefixLength = 4
	textLength   = prefixLength + 1 + keyValues + checkValues
)

// charset holds the characters for the values 0 to 31 (BIP-173, "Bech32").
const charset = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// Is reports whether text begins with prefix and the separator 1. The letters of the prefix may be in upper or lower
// case.
func Is(prefix string, text []byte) bool {
	n := len(prefix)
	if len(text) <= n || text[n] != '1' {
		return false
	}
	for i := range n {
		if text[i]|0x20 != prefix[i] { // the bit 0x20 is set in lower-case letters
			return false
		}
	}
	return true
}

// AppendEncode appends the text for a key or an id, which has 63 lower-case characters, to dst. prefix must be Public,
// Secret or Note.
func AppendEncode(dst []byte, prefix string, key *[32]byte) []byte {
	dst = append(dst, prefix...)
	dst = append(dst, '1')
	sum := begin(prefix)
	acc, bits, n := uint32(0), 0, 0
	for range keyValues {
		if bits < 5 {
			acc, bits = acc<<8, bits+8
			if n < len(key) {
				acc |= uint32(key[n])
			}
			n++
		}
		bits -= 5
		v := acc >> bits & 31
		sum = sum.add(v)
		dst = append(dst, char(v))
	}
	for range checkValues {
		sum = sum.add(0)
	}
	sum ^= 1
	for i := range checkValues {
		dst = append(dst, char(uint32(sum)>>(5*(checkValues-1-i))&31))
	}
	return dst
}

// errBech32 does not depend on the text, which may be a secret.
var errBech32 = fmt.Errorf("nip19: %w: not bech32: a character was mistyped or is missing", ErrFormat)

// errPrefix returns an error that names the wanted prefix, and the text's own prefix if that is known.
func errPrefix(want string, text []byte) error {
	for _, prefix := range []string{Public, Secret, Note, profilePrefix, eventPrefix, addressPrefix} {
		if Is(prefix, text) {
			return fmt.Errorf("nip19: %w: %s, want %s", ErrPrefix, prefix, want)
		}
	}
	return fmt.Errorf("nip19: %w: want %s", ErrPrefix, want)
}

// Decode sets key to the 32 bytes that text encodes. prefix must be Public, Secret or Note. text must have this prefix,
// and must not mix upper and lower case. key may be the beginning of the memory of text. The error is ErrPrefix or
// ErrFormat, and key is then zero or unchanged. The error reveals only the prefix and the length of text. The time
// reveals only the prefix, the length, and whether there is an error.
func Decode(key *[32]byte, prefix string, text []byte) error {
	if !Is(prefix, text) {
		return errPrefix(prefix, text)
	}
	if len(text) != textLength {
		return fmt.Errorf("nip19: %w: %s of %d characters, want %d", ErrFormat, prefix, len(text), textLength)
	}
	var lower, upper uint32
	for _, c := range text {
		lower |= between(c, 'a', 'z')
		upper |= between(c, 'A', 'Z')
	}
	wrong := lower & upper
	sum := begin(prefix)
	acc, bits, n := uint32(0), 0, 0
	for i, c := range text[prefixLength+1:] {
		v, ok := value(c | byte(between(c, 'A', 'Z')&0x20))
		wrong |= ^ok
		sum = sum.add(v)
		if i >= keyValues {
			continue
		}
		acc, bits = acc<<5|v, bits+5
		if bits >= 8 {
			bits -= 8
			key[n] = byte(acc >> bits)
			n++
		}
	}
	wrong |= acc & (1<<bits - 1) // the padding
	wrong |= uint32(sum) ^ 1
	if wrong != 0 {
		clear(key[:])
		return errBech32
	}
	return nil
}

// char returns the character of a value below 32.
func char(v uint32) byte {
	var c byte
	for i := range uint32(len(charset)) {
		c |= charset[i] & byte(isZero(v^i))
	}
	return c
}

// value returns the value of a character and all ones, or 0 and 0 if bech32 does not use the character.
func value(c byte) (v, ok uint32) {
	for i := range uint32(len(charset)) {
		same := isZero(uint32(c ^ charset[i]))
		v |= i & same
		ok |= same
	}
	return v, ok
}

// isZero returns all ones if v is 0, and 0 if v is another value below 2³¹.
func isZero(v uint32) uint32 {
	return uint32(int32(v-1) >> 31)
}

// between returns all ones if c is a character from first to last, and 0 otherwise.
func between(c, first, last byte) uint32 {
	return uint32(^((int32(c) - int32(first)) >> 31) & ^((int32(last) - int32(c)) >> 31))
}

// A checksum is the checksum of BIP-173, a polynomial over GF(32).
type checksum uint32

// begin returns the checksum of the expanded prefix (BIP-173), to which the values are then added.
func begin(prefix string) checksum {
	sum := checksum(1)
	for _, c := range []byte(prefix) {
		sum = sum.add(uint32(c >> 5))
	}
	sum = sum.add(0)
	for _, c := range []byte(prefix) {
		sum = sum.add(uint32(c & 31))
	}
	return sum
}

// add returns the checksum after one more value: sum·x + v modulo the generator polynomial.
func (sum checksum) add(v uint32) checksum {
	top := uint32(sum) >> 25
	s := uint32(sum)&(1<<25-1)<<5 ^ v
	for i, g := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
		s ^= g & -(top >> i & 1)
	}
	return checksum(s)
}
