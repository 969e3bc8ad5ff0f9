package cli

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"p256k1.mleku.dev/cmd/p256k1/internal/nip19"
	"p256k1.mleku.dev/internal/oracle"
)

// FuzzParseSecret accepts what is a secret key in one of the forms, and tells
// nothing of the others.
func FuzzParseSecret(f *testing.F) {
	for _, b := range append(oracle.RangeEdges(), oracle.NewSeeded("secret").ScalarBytes()) {
		text := hex.EncodeToString(b[:])
		nsec, err := nip19.Encode(nip19.Secret, b[:])
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(text))
		f.Add([]byte(" " + strings.ToUpper(text) + "\r\n"))
		f.Add([]byte(text[1:]))
		f.Add([]byte(nsec + "\n"))
		f.Add([]byte(nsec[:60]))
	}
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		trimmed := bytes.TrimSpace(text)
		want, err := hex.DecodeString(string(trimmed))
		if strings.HasPrefix(string(trimmed), "nsec1") {
			want, err = nip19.Decode(nip19.Secret, string(trimmed))
		}
		d := oracle.Int(want)
		ok := err == nil && len(want) == 32 && d.Sign() > 0 && d.Cmp(oracle.N) < 0
		key, err := parseSecret(text)
		if (err == nil) != ok || ok && !bytes.Equal(key.Bytes(), want) {
			t.Fatalf("%q: %v, want %x, %v", text, err, want, ok)
		}
		if err != nil && len(trimmed) > 20 && strings.Contains(err.Error(), string(trimmed)) {
			t.Fatalf("%q: the error repeats it: %v", text, err)
		}
	})
}

// FuzzParsePublic compares with the oracle what is a public key in one of the
// forms.
func FuzzParsePublic(f *testing.F) {
	for _, p := range append(oracle.EdgePoints()[:20], oracle.G) {
		npub, err := nip19.Encode(nip19.Public, p.Compressed()[1:])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(npub)
		f.Add(hex.EncodeToString(p.Compressed()))
		f.Add(strings.ToUpper(hex.EncodeToString(p.Uncompressed())))
		f.Add(hex.EncodeToString(p.Compressed()[1:]))
	}
	for _, x := range oracle.BadX() {
		f.Add(hex.EncodeToString(x[:]))
	}
	for _, b := range oracle.BadEncodings() {
		f.Add(hex.EncodeToString(b))
	}
	f.Add("npub1")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := hex.DecodeString(text)
		if strings.HasPrefix(text, "npub1") {
			b, err = nip19.Decode(nip19.Public, text)
		}
		var want oracle.Point // infinity for what is none
		switch {
		case err != nil:
		case len(b) == 32:
			want, _ = oracle.LiftX(oracle.Int(b))
		default:
			want, _ = oracle.DecodePoint(b)
		}
		pub, xOnly, err := parsePublic(text)
		if (err == nil) == want.IsInfinity() || (pub != nil) != (err == nil && len(b) != 32) || (xOnly != nil) != (err == nil) {
			t.Fatalf("%q: %v, %v, %v, want %x", text, pub, xOnly, err, want)
		}
		if pub != nil && !bytes.Equal(pub.BytesUncompressed(), want.Uncompressed()) || xOnly != nil && !bytes.Equal(xOnly.Bytes(), want.Compressed()[1:]) {
			t.Fatalf("%q: %v, %v, want %x", text, pub, xOnly, want)
		}
	})
}

// FuzzSize writes again what it reads, to the same number.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"", "0", "1", "4096", "512K", "16m", "1G", "2G", "1048576K", "-1", "+1", "1_000", "9223372036854775808", "0x10", "01K"} {
		f.Add(text)
	}
	form := regexp.MustCompile(`^([0-9]+)([KkMmGg]?)$`)
	f.Fuzz(func(t *testing.T, text string) {
		want := new(big.Int)
		if m := form.FindStringSubmatch(text); m != nil {
			want.SetString(m[1], 10)
			want.Lsh(want, map[string]uint{"": 0, "K": 10, "M": 20, "G": 30}[strings.ToUpper(m[2])])
		}
		var s, again size
		err := s.Set(text)
		if ok := want.Sign() > 0 && want.BitLen() <= 31; (err == nil) != ok || ok && strconv.Itoa(int(s)) != want.String() {
			t.Fatalf("%q: %d, %v, want %d", text, s, err, want)
		}
		if err == nil && (again.Set(s.String()) != nil || again != s) {
			t.Fatalf("%q: %d is written as %s", text, s, s.String())
		}
	})
}

// FuzzRedact looks for what is left of a key.
func FuzzRedact(f *testing.F) {
	f.Add("open 67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa: no such file")
	f.Add("nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5")
	f.Add("NSEC1" + strings.Repeat("aF", 20))
	f.Add(strings.Repeat("0", 39) + "g" + strings.Repeat("A", 40))
	f.Add("nothing")
	f.Fuzz(func(t *testing.T, message string) {
		got := redact(message)
		digits := 0
		for _, char := range []byte(got) {
			if strings.IndexByte("0123456789abcdefABCDEF", char) < 0 {
				digits = -1
			}
			if digits++; digits >= 40 {
				t.Fatalf("%q becomes %q", message, got)
			}
		}
		if i := strings.Index(strings.ToLower(got), "nsec1"); i >= 0 {
			t.Fatalf("%q becomes %q", message, got)
		}
	})
}
