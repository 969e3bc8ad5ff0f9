package silentpayments

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2"
)

// ErrAddress means that a text is not a silent payment address, or that the address has an unknown version or network.
var ErrAddress = errors.New("not a silent payment address")

// A Network is the human-readable part of an address. It names the network on which payments to the address are made.
type Network string

const (
	Mainnet Network = "sp"
	Testnet Network = "tsp" // also signet and regtest
)

const (
	addressKeys = 66   // the number of bytes of the two compressed keys
	maxAddress  = 1023 // the limit that BIP-352 sets for addresses of later versions, in characters
	bech32m     = 0x2bc830a3
	bech32Chars = "qpzry9x8gf2tvdw0s3jn54khce6mua7l" // the characters of the values 0 to 31 (BIP-173)
)

// Address returns the recipient's address of version 0 (BIP-352, "Address encoding"). The encoding is bech32m
// (BIP-350), but without the limit of 90 characters. The address has 116 characters on Mainnet and 117 on Testnet. The
// error is p256k1.ErrNoKey for a recipient that lacks a key, or ErrAddress for another network.
func (r Recipient) Address(n Network) (string, error) {
	if n != Mainnet && n != Testnet {
		return "", fmt.Errorf("silentpayments: %w: network %q", ErrAddress, string(n))
	}
	scan, spend := r.Scan.Bytes(), r.Spend.Bytes()
	if scan == nil || spend == nil {
		return "", fmt.Errorf("silentpayments: address: %w", p256k1.ErrNoKey)
	}
	values := []byte{0} // the version
	bits, acc := 0, 0
	for _, b := range slices.Concat(scan, spend) {
		for acc, bits = acc<<8|int(b), bits+8; bits >= 5; bits -= 5 {
			values = append(values, byte(acc>>(bits-5)&31))
		}
		acc &= 1<<bits - 1
	}
	values = append(values, byte(acc<<(5-bits)&31))
	sum := checksum(string(n), append(values, make([]byte, 6)...)) ^ bech32m
	for i := range 6 {
		values = append(values, byte(sum>>(5*(5-i))&31))
	}
	text := []byte(string(n) + "1")
	for _, v := range values {
		text = append(text, bech32Chars[v])
	}
	return string(text), nil
}

// ParseAddress returns the recipient and the network of an address. In addresses of versions 1 to 30, ParseAddress
// ignores the data after the two keys, as BIP-352 requires. It refuses version 31, which is reserved for incompatible
// changes. The error is ErrAddress, or p256k1.ErrPrefix, p256k1.ErrRange or p256k1.ErrNotOnCurve for bytes that encode
// no key. Addresses are public.
func ParseAddress(text string) (r Recipient, n Network, err error) {
	refuse := func(why string) (Recipient, Network, error) {
		return Recipient{}, "", fmt.Errorf("silentpayments: %w: %s", ErrAddress, why)
	}
	lower := strings.ToLower(text)
	switch {
	case len(text) > maxAddress:
		return refuse(fmt.Sprintf("%d characters, more than %d", len(text), maxAddress))
	case len(lower) != len(text):
		return refuse("letters that are not ASCII") // such as the Kelvin sign, whose lower case is k
	case text != lower && text != strings.ToUpper(text):
		return refuse("upper and lower case")
	}
	end := strings.LastIndexByte(lower, '1')
	if end < 0 || (Network(lower[:end]) != Mainnet && Network(lower[:end]) != Testnet) {
		return refuse("an address begins with sp1 or tsp1")
	}
	n = Network(lower[:end])
	values := []byte(lower[end+1:])
	for i, c := range values {
		v := strings.IndexByte(bech32Chars, c)
		if v < 0 {
			return refuse(fmt.Sprintf("character %d", end+2+i))
		}
		values[i] = byte(v)
	}
	if len(values) < 7 || checksum(string(n), values) != bech32m {
		return refuse("the checksum is wrong: a character was mistyped or is missing")
	}
	version, values := values[0], values[1:len(values)-6]
	var keys []byte
	bits, acc := 0, 0
	for _, v := range values {
		if acc, bits = acc<<5|int(v), bits+5; bits >= 8 {
			bits -= 8
			keys = append(keys, byte(acc>>bits))
			acc &= 1<<bits - 1
		}
	}
	switch {
	case version == 31:
		return refuse("version 31 is not supported")
	case bits >= 5 || acc != 0:
		return refuse("padding that is not zero")
	case len(keys) < addressKeys || (version == 0 && len(keys) > addressKeys):
		return refuse(fmt.Sprintf("version %d with %d bytes, want %d", version, len(keys), addressKeys))
	}
	for i, key := range []**p256k1.PublicKey{&r.Scan, &r.Spend} {
		if *key, err = p256k1.ParsePublicKey(keys[33*i : 33*(i+1)]); err != nil {
			return Recipient{}, "", fmt.Errorf("silentpayments: address: %w", errors.Unwrap(err))
		}
	}
	return r, n, nil
}

// checksum returns the checksum of bech32 (BIP-173), a polynomial over GF(32), of a human-readable part and 5-bit
// values.
func checksum(human string, values []byte) uint32 {
	sum := uint32(1)
	add := func(v byte) {
		top := sum >> 25
		sum = sum&(1<<25-1)<<5 ^ uint32(v)
		for i, g := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			sum ^= g & -(top >> i & 1)
		}
	}
	for _, c := range []byte(human) {
		add(c >> 5)
	}
	add(0)
	for _, c := range []byte(human) {
		add(c & 31)
	}
	for _, v := range values {
		add(v)
	}
	return sum
}
