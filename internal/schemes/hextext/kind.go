package hextext

import (
	"bytes"
	"strings"
)

// Kind returns what to do with b, which was refused as bytes, if b is a text: hexadecimal digits, base64, PEM, bech32
// or another one. It returns "" if b is not a text, or has fewer than 16 or more than 4,096 bytes. b must not be
// secret.
func Kind(b []byte) string {
	b = bytes.TrimSpace(b)
	if len(b) < 16 || len(b) > 4096 {
		return ""
	}
	switch {
	case bytes.HasPrefix(b, []byte("-----BEGIN ")):
		return "package keyformat reads PEM"
	case isHex(b):
		return "hexadecimal digits must be decoded first"
	case bytes.IndexByte(b, '1') == 4 && b[0]|0x20 == 'n': // npub, nsec, note
		return "package nip19 of nostr reads an npub and an nsec"
	case isBase64(b):
		return "base64 must be decoded first"
	case bytes.IndexFunc(b, func(r rune) bool { return r < ' ' || r > '~' }) < 0:
		return aText
	}
	return ""
}

// aText is the result of Kind for a text of no known kind.
const aText = "a text must be decoded first"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// isHex reports whether b consists of hexadecimal digits, perhaps after 0x.
func isHex(b []byte) bool {
	if b[0] == '0' && b[1]|0x20 == 'x' {
		b = b[2:]
	}
	return only(string(b), "0123456789abcdefABCDEF")
}

// isBase64 reports whether b is base64 or base64url, with or without padding, of 20 bytes or more, and neither
// hexadecimal nor as long as WIF or an extended key in base58.
func isBase64(b []byte) bool {
	digits := strings.TrimRight(string(b), "=")
	padding := len(b) - len(digits)
	return len(b) >= 27 && len(b) != 51 && len(b) != 52 && len(b) != 111 && !isHex(b) &&
		(padding == 0 || (padding <= 2 && len(b)%4 == 0)) && (only(digits, alphabet+"+/") || only(digits, alphabet+"-_"))
}

// only reports whether text consists of the given characters.
func only(text, characters string) bool { return strings.Trim(text, characters) == "" }
