//go:build linux

package residue

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

// A secret is 32 bytes that nothing of may be found.
type secret struct {
	what  string
	value [32]byte
}

func opaque(what string, b []byte) secret { return secret{what, [32]byte(b)} }

func integer(what string, v *big.Int) secret { return secret{what, oracle.Bytes(v)} }

// scalar is an integer modulo n, from whose negation it follows.
func scalar(what string, v *big.Int) []secret {
	return []secret{integer(what, v), integer(what+", negated", oracle.Fn.Neg(v))}
}

func coordinates(what string, p oracle.Point) []secret {
	return []secret{integer("x of the "+what, p.X), integer("y of the "+what, p.Y), integer("y of the "+what+", negated", oracle.Fp.Neg(p.Y))}
}

// recoded is what multiplication of the generator takes its digits from (internal/ecmult, Base).
func recoded(what string, k *big.Int) []secret {
	return []secret{integer(what+", recoded", half(oracle.Fn.Add(k, pow2(258, -1))))}
}

// halves are what multiplication of other points takes its digits from (internal/ecmult, Variable).
func halves(k *big.Int) []secret {
	offset := oracle.Fn.Mul(new(big.Int).Sub(pow2(130, -1), pow2(129, 0)), new(big.Int).Add(oracle.Lambda, big.NewInt(1)))
	s := half(oracle.Fn.Add(k, offset))
	s1, s2 := oracle.SplitLambda(s)
	return []secret{
		integer("key, recoded to be split", s),
		integer("key, first half", s1.Add(s1, pow2(128, 0))),
		integer("key, second half", s2.Add(s2, pow2(128, 0))),
	}
}

func half(k *big.Int) *big.Int { return oracle.Fn.Mul(k, oracle.Fn.Inv(big.NewInt(2))) }

func pow2(n uint, plus int64) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), n)
	return v.Add(v, big.NewInt(plus))
}

func hmacSHA256(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

func xor(b []byte, c byte) []byte {
	b = slices.Clone(b)
	for i := range b {
		b[i] ^= c
	}
	return b
}

// A form is a way to write a secret. A quarter of it, 64 bits, is enough to know it again.
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
	{"62-bit digits", func(b [32]byte) (digits []byte) {
		v, mask := oracle.Int(b[:]), pow2(62, -1)
		for range 4 {
			digits = binary.LittleEndian.AppendUint64(digits, new(big.Int).And(v, mask).Uint64())
			v.Rsh(v, 62)
		}
		return digits
	}, 8},
	{"52-bit limbs", func(b [32]byte) (limbs []byte) {
		v, mask := oracle.Int(b[:]), pow2(52, -1)
		for range 4 {
			limbs = binary.LittleEndian.AppendUint64(limbs, new(big.Int).And(v, mask).Uint64())
			v.Rsh(v, 52)
		}
		return limbs
	}, 8},
	{"base64", func(b [32]byte) []byte { return []byte(base64.RawStdEncoding.EncodeToString(b[:])) }, 11},
	{"base64url", func(b [32]byte) []byte { return []byte(base64.RawURLEncoding.EncodeToString(b[:])) }, 11},
	{"hexadecimal, lower case", func(b [32]byte) []byte { return hex.AppendEncode(nil, b[:]) }, 16},
	{"bech32", func(b [32]byte) []byte { return nip19.AppendEncode(nil, nip19.Secret, &b)[5:57] }, 13},
	{"hexadecimal, upper case", func(b [32]byte) []byte { return []byte(strings.ToUpper(hex.EncodeToString(b[:]))) }, 16},
}

// quarters returns the parts of a secret in a form, but for those too plain to be unmistakable, as above the top of a small
// integer.
func (f form) quarters(s secret) (parts [][]byte) {
	for part := range slices.Chunk(f.write(s.value), f.part) {
		distinct := make(map[byte]bool)
		for _, b := range part {
			distinct[b] = true
		}
		if len(distinct) >= 5 {
			parts = append(parts, part)
		}
	}
	return parts
}
