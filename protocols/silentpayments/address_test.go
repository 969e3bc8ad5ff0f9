package silentpayments

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// encode returns the bech32m text of a version and bytes, with the given padding bits.
func encode(human string, version byte, b []byte, padding byte) string {
	values, bits, acc := []byte{version}, 0, 0
	for _, c := range b {
		for acc, bits = acc<<8|int(c), bits+8; bits >= 5; bits -= 5 {
			values = append(values, byte(acc>>(bits-5)&31))
		}
	}
	if bits > 0 {
		values = append(values, byte(acc<<(5-bits)&31)|padding)
	}
	sum := checksum(human, append(values, make([]byte, 6)...)) ^ bech32m
	for i := range 6 {
		values = append(values, byte(sum>>(25-5*i)&31))
	}
	text := human + "1"
	for _, v := range values {
		text += bech32Chars[v : v+1]
	}
	return text
}

// TestAddressVectors encodes and decodes the addresses of BIP-352's vectors.
func TestAddressVectors(t *testing.T) {
	seen := 0
	for _, v := range loadVectors(t) {
		for _, sending := range v.Sending {
			for _, r := range sending.Given.Recipients {
				to, n, err := ParseAddress(r.Address)
				if err != nil || n != Mainnet || !bytes.Equal(to.Scan.Bytes(), libtest.Unhex(r.Scan)) || !bytes.Equal(to.Spend.Bytes(), libtest.Unhex(r.Spend)) {
					t.Errorf("%s: %v, %v, %v", r.Address, to, n, err)
				}
				if text, err := to.Address(Mainnet); err != nil || text != r.Address {
					t.Errorf("%s, %v, want %s", text, err, r.Address)
				}
				seen++
			}
		}
	}
	if seen != 37 {
		t.Errorf("%d addresses", seen)
	}
}

// TestAddress tries reasons to refuse an address, and forms that BIP-352 allows.
func TestAddress(t *testing.T) {
	scan, err1 := p256k1.ParsePrivateKey(bytes.Repeat([]byte{1}, 32))
	spend, err2 := p256k1.ParsePrivateKey(bytes.Repeat([]byte{2}, 32))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	r := Recipient{scan.PublicKey(), spend.PublicKey()}
	keys := append(r.Scan.Bytes(), r.Spend.Bytes()...)
	for _, n := range []Network{Mainnet, Testnet} {
		text, err := r.Address(n)
		if err != nil || text != encode(string(n), 0, keys, 0) || len(text) != len(n)+114 {
			t.Fatalf("%s, %v", text, err)
		}
		for _, text := range []string{
			text, strings.ToUpper(text),
			encode(string(n), 1, append(bytes.Clone(keys), make([]byte, 635-len(n)-len(keys))...), 0), // 1,023 characters
			encode(string(n), 1, keys, 0), encode(string(n), 30, append(bytes.Clone(keys), 1, 2, 3), 0), // later versions, one with further data
		} {
			got, network, err := ParseAddress(text)
			if err != nil || network != n || !got.Scan.Equal(r.Scan) || !got.Spend.Equal(r.Spend) {
				t.Errorf("%s: %v, %v, %v", text, got, network, err)
			}
		}
		for i := range text { // replace one character
			for _, c := range []byte{'q', 'p', 'b', '1'} {
				bad := []byte(text)
				if bad[i] == c {
					continue
				}
				bad[i] = c
				if _, _, err := ParseAddress(string(bad)); !errors.Is(err, ErrAddress) {
					t.Errorf("%s: %v", bad, err)
				}
			}
		}
	}
	good, _ := r.Address(Mainnet)
	beyond := bytes.Clone(keys)
	copy(beyond[1:33], bytes.Repeat([]byte{0xff}, 32))
	for _, c := range []struct {
		text string
		want error
	}{
		{"", ErrAddress}, {"sp", ErrAddress}, {"sp1", ErrAddress}, {"sp1q", ErrAddress}, {good[:60], ErrAddress},
		{good[:20] + strings.ToUpper(good[20:]), ErrAddress},                   // both cases
		{strings.Replace(strings.ToUpper(good), "K", "\u212a", 1), ErrAddress}, // the Kelvin sign, whose lower case is k
		{encode("sprt", 0, keys, 0), ErrAddress},                               // another network
		{encode("sp", 31, keys, 0), ErrAddress},
		{encode("sp", 0, append(bytes.Clone(keys), 0), 0), ErrAddress}, // longer than version 0
		{encode("sp", 0, keys[:65], 0), ErrAddress}, {encode("sp", 1, keys[:65], 0), ErrAddress},
		{encode("sp", 0, keys, 1), ErrAddress},                                                       // padding
		{encode("sp", 1, bytes.Repeat(keys, 10), 0), ErrAddress},                                     // too long
		{encode("tsp", 1, append(bytes.Clone(keys), make([]byte, 633-len(keys))...), 0), ErrAddress}, // 1,024 characters
		{encode("sp", 0, append([]byte{4}, keys[1:]...), 0), p256k1.ErrPrefix},
		{encode("sp", 0, beyond, 0), p256k1.ErrRange},
	} {
		got, n, err := ParseAddress(c.text)
		if !errors.Is(err, c.want) || got != (Recipient{}) || n != "" {
			t.Errorf("%s: %v, %v, %v, want %v", c.text, got, n, err, c.want)
		}
	}
	if _, err := r.Address("bc"); !errors.Is(err, ErrAddress) {
		t.Errorf("network bc: %v", err)
	}
	for _, r := range []Recipient{{}, {r.Scan, nil}, {nil, r.Spend}, {new(p256k1.PublicKey), r.Spend}} {
		if text, err := r.Address(Mainnet); text != "" || !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%v: %s, %v", r, text, err)
		}
	}
}

// FuzzParseAddress parses arbitrary text, and checks that encoding an address of version 0 again returns the same text
// in lower case.
func FuzzParseAddress(f *testing.F) {
	f.Add("sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwv") // BIP-352
	f.Add("tsp1pp")
	f.Fuzz(func(t *testing.T, text string) {
		r, n, err := ParseAddress(text)
		if err != nil {
			return
		}
		again, err := r.Address(n)
		if err != nil || (text[len(n)+1]|0x20 == 'q' && again != strings.ToLower(text)) {
			t.Errorf("%q: %q, %v", text, again, err)
		}
	})
}
