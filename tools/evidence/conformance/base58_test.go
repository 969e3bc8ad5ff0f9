package conformance

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/big"
	"strings"
)

const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// decodeBase58Check returns the payload of a Base58Check text, without its checksum.
func decodeBase58Check(s string) ([]byte, error) {
	v, base := new(big.Int), big.NewInt(58)
	for _, c := range s {
		digit := strings.IndexRune(base58Alphabet, c)
		if digit < 0 {
			return nil, errors.New("not a digit of Base58")
		}
		v.Mul(v, base).Add(v, big.NewInt(int64(digit)))
	}
	zeros := len(s) - len(strings.TrimLeft(s, "1"))
	b := append(make([]byte, zeros), v.Bytes()...)
	if len(b) < 4 {
		return nil, errors.New("too short for a checksum")
	}
	payload, sum := b[:len(b)-4], b[len(b)-4:]
	if !bytes.Equal(base58Checksum(payload), sum) {
		return nil, errBase58Checksum
	}
	return payload, nil
}

var errBase58Checksum = errors.New("wrong checksum")

// encodeBase58Check is the inverse of decodeBase58Check.
func encodeBase58Check(payload []byte) string {
	b := append(bytes.Clone(payload), base58Checksum(payload)...)
	v, base, digit := new(big.Int).SetBytes(b), big.NewInt(58), new(big.Int)
	var s []byte
	for v.Sign() > 0 {
		v.DivMod(v, base, digit)
		s = append(s, base58Alphabet[digit.Int64()])
	}
	for _, c := range b {
		if c != 0 {
			break
		}
		s = append(s, '1')
	}
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	return string(s)
}

func base58Checksum(b []byte) []byte {
	h := sha256.Sum256(b)
	h = sha256.Sum256(h[:])
	return h[:4]
}
