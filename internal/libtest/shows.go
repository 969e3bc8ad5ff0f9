package libtest

import (
	"encoding/base64"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Parts has parts of secrets, four bytes each, which no text may show.
type Parts struct {
	parts map[[4]byte]bool
	words map[string]bool // the words that may be Base64 or Bech32 and show no part
}

// PartsOf returns all parts of the secrets, except parts such as zeros, which occur by chance.
func PartsOf(secrets ...[]byte) *Parts {
	p := &Parts{make(map[[4]byte]bool), make(map[string]bool)}
	for _, secret := range secrets {
		for i := range len(secret) - 3 {
			part, sorted := [4]byte(secret[i:]), [4]byte(secret[i:])
			slices.Sort(sorted[:])
			if len(slices.Compact(sorted[:])) >= 3 {
				p.parts[part] = true
			}
		}
	}
	return p
}

// Shows reports whether a text shows four consecutive bytes of the secret.
func Shows(text string, secret []byte) bool { return PartsOf(secret).In(text) }

// In reports whether a text shows a part: as it is, with Go's escapes, as numbers of one byte or of many in the bases
// in which package fmt writes numbers, in either order, or in Base64 or Bech32, whatever characters are before it.
func (p *Parts) In(text string) bool {
	shown := p.bytes([]byte(text)) || p.bytes(unescaped(text))
	for base, list := range listOf {
		for _, list := range list.FindAllString(strings.NewReplacer("0x", "", "0X", "", "0o", "").Replace(text), -1) {
			var b []byte
			for _, number := range strings.FieldsFunc(list, func(c rune) bool { return c == ' ' || c == ',' }) {
				v, _ := new(big.Int).SetString(number, base)
				b = append(b, v.FillBytes(make([]byte, max(1, (v.BitLen()+7)/8)))...)
			}
			shown = shown || p.bytes(b)
			slices.Reverse(b)
			shown = shown || p.bytes(b)
		}
	}
	for _, digits := range hexOf.FindAllString(text, -1) { // within a word, and if the first digit is half a byte
		v, _ := new(big.Int).SetString(digits, 16)
		shown = shown || p.bytes(v.Bytes()) || p.bytes(v.Rsh(v, 4).Bytes())
	}
	for _, word := range wordOf.FindAllString(strings.NewReplacer("-", "+", "_", "/").Replace(text), -1) {
		if p.words[word] {
			continue
		}
		found := false
		for i := range 4 {
			b, _ := base64.RawStdEncoding.DecodeString(word[i:])
			found = found || p.bytes(b)
		}
		v := new(big.Int)
		for _, c := range []byte(strings.ToLower(word)) {
			v.Lsh(v, 5).Or(v, big.NewInt(int64(max(0, strings.IndexByte("qpzry9x8gf2tvdw0s3jn54khce6mua7l", c)))))
		}
		for range 8 {
			found = found || p.bytes(v.Bytes())
			v.Rsh(v, 1)
		}
		p.words[word], shown = !found, shown || found
	}
	return shown
}

var (
	// listOf finds lists of numbers in a base.
	listOf = map[int]*regexp.Regexp{
		2: listIn("[01]"), 8: listIn("[0-7]"), 10: listIn("[0-9]"), 16: listIn("[0-9a-fA-F]"),
	}
	hexOf  = regexp.MustCompile(`[0-9a-fA-F]{8,}`)
	wordOf = regexp.MustCompile(`[A-Za-z0-9+/]{6,}`)
)

func listIn(digit string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + digit + `+(?:[ ,]+` + digit + `+)*\b`)
}

// bytes reports whether b contains a part.
func (p *Parts) bytes(b []byte) bool {
	for i := range len(b) - 3 {
		if p.parts[[4]byte(b[i:])] {
			return true
		}
	}
	return false
}

// unescaped returns the text with Go's escapes resolved.
func unescaped(text string) (plain []byte) {
	for text != "" {
		r, wide, rest, err := strconv.UnquoteChar(text, 0)
		switch {
		case err != nil:
			plain, rest = append(plain, text[0]), text[1:]
		case wide:
			plain = append(plain, string(r)...)
		default:
			plain = append(plain, byte(r))
		}
		text = rest
	}
	return plain
}
