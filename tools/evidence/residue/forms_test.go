//go:build linux

package residue

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// A form is a way to write a secret. A quarter of the secret, 64 bits, is enough to recognize it.
type form struct {
	name  string
	write func(b [32]byte) []byte
	part  int // length of a quarter
}

var forms = []form{
	{"big-endian bytes", func(b [32]byte) []byte { return b[:] }, 8},
	{"little-endian limbs", func(b [32]byte) []byte { slices.Reverse(b[:]); return b[:] }, 8},
	{"words of SHA-256", func(b [32]byte) []byte {
		for i := 0; i < 32; i += 4 {
			slices.Reverse(b[i : i+4])
		}
		return b[:]
	}, 8},
	{"62-bit digits", digits(62), 8},
	{"52-bit limbs", digits(52), 8},
	{"base64", func(b [32]byte) []byte { return []byte(base64.RawStdEncoding.EncodeToString(b[:])) }, 11},
	{"base64, from a second byte on", base64After(1), 11},
	{"base64, from a third byte on", base64After(2), 11},
	{"base64url", func(b [32]byte) []byte { return []byte(base64.RawURLEncoding.EncodeToString(b[:])) }, 11},
	{"hexadecimal, lower case", func(b [32]byte) []byte { return hex.AppendEncode(nil, b[:]) }, 16},
	{"bech32", func(b [32]byte) []byte { return nip19.AppendEncode(nil, nip19.Secret, &b)[5:57] }, 13},
	{"hexadecimal, upper case", func(b [32]byte) []byte { return []byte(strings.ToUpper(hex.EncodeToString(b[:]))) }, 16},
}

// base64After returns a function that returns the Base64 digits that depend on the secret alone, if n bytes precede it.
// The digits depend on n, because 4 digits encode 3 bytes.
func base64After(n int) func(b [32]byte) []byte {
	return func(b [32]byte) []byte {
		return []byte(base64.StdEncoding.EncodeToString(append(make([]byte, n), b[:]...)))[n+1:][:42]
	}
}

// digits returns a function that returns the four lowest digits of the given number of bits, each in 64 bits.
func digits(bits uint) func(b [32]byte) []byte {
	return func(b [32]byte) (digits []byte) {
		v, mask := oracle.Int(b[:]), new(big.Int).SetUint64(1<<bits-1)
		for range 4 {
			digits = binary.LittleEndian.AppendUint64(digits, new(big.Int).And(v, mask).Uint64())
			v.Rsh(v, bits)
		}
		return digits
	}
}

// quarters returns the parts of a secret in a form. It leaves out parts that could occur by chance: the zeros at the
// top of a small integer, and the third 52-bit limb of a half of a scalar, which has 24 unknown bits.
func (f form) quarters(s operations.Secret) (parts [][]byte) {
	for part := range slices.Chunk(f.write(s.Value), f.part) {
		distinct := make(map[byte]bool)
		for _, b := range part {
			distinct[b] = true
		}
		if len(distinct) >= 6 {
			parts = append(parts, part)
		}
	}
	return parts
}
