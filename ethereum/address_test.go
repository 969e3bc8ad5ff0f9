package ethereum

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
)

// addresses holds the test cases of EIP-55.
var addresses = []string{
	"0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
	"0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26",
	"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
	"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
}

func TestAddress(t *testing.T) {
	for _, text := range addresses {
		want, err := hex.DecodeString(strings.ToLower(text[2:]))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{text, strings.ToLower(text), "0x" + strings.ToUpper(text[2:])} {
			if a, err := ParseAddress(text); err != nil || a != Address(want) {
				t.Errorf("%s: %x, %v", text, a, err)
			}
		}
		if got := Address(want).String(); got != text {
			t.Errorf("%x: %s, want %s", want, got, text)
		}
	}
}

// TestAddressRefused changes each character of an address that has letters of both cases.
func TestAddressRefused(t *testing.T) {
	refused := func(text string) {
		t.Helper()
		a := Address{1}
		if err := a.UnmarshalText([]byte(text)); !errors.Is(err, ErrAddress) || a != (Address{1}) {
			t.Errorf("%q: %v, %v", text, a, err)
		}
	}
	text := addresses[4]
	passed := 0
	for i := range text {
		if c := text[i]; c > '9' && i > 1 {
			refused(text[:i] + string(c^' ') + text[i+1:])
		}
		for c := range 256 {
			changed := text[:i] + string([]byte{byte(c)}) + text[i+1:]
			if changed == text {
				continue
			}
			a, err := ParseAddress(changed)
			if err != nil {
				refused(changed)
				continue
			}
			passed++
			if a.String() != changed {
				t.Errorf("%s is read as %v", changed, a)
			}
		}
		refused(text[:i])
		refused(text[:i] + text[i+1:])
		refused(text[:i] + "0" + text[i:])
	}
	if passed > 20 {
		t.Errorf("%d wrong digits passed the checksum", passed)
	}
	for _, text := range []string{text, strings.ToLower(text)} { // the second has no checksum
		for i := range text {
			refused(text[:i] + "g" + text[i+1:])
		}
		for _, text := range []string{"", "0x", text[2:], "0X" + text[2:], " " + text, text + "\n", "0x" + text, text + "00"} {
			refused(text)
		}
	}
}

func TestAddressFormat(t *testing.T) {
	a, err := ParseAddress(addresses[4])
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%v %s %q %x %X %#x", a, a, a, a, a, a)
	low := strings.ToLower(addresses[4][2:])
	if want := fmt.Sprintf("%s %[1]s %[1]q %s %s 0x%[2]s", addresses[4], low, strings.ToUpper(low)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	b, err := json.Marshal(map[Address]Address{a: a})
	var back map[Address]Address
	if err != nil || json.Unmarshal(b, &back) != nil || back[a] != a {
		t.Errorf("%s: %v, %v", b, back, err)
	}
}

func TestAddressOf(t *testing.T) {
	for _, pub := range []*p256k1.PublicKey{nil, new(p256k1.PublicKey)} {
		if a, err := AddressOf(pub); !errors.Is(err, p256k1.ErrNoKey) || a != (Address{}) {
			t.Errorf("%v, %v", a, err)
		}
	}
	// The key 1 has this address.
	a, err := AddressOf(key(t, 1).PublicKey())
	if err != nil || a.String() != "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf" {
		t.Errorf("%v, %v", a, err)
	}
}

func TestHashes(t *testing.T) {
	b32 := func(s string) [32]byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return [32]byte(b)
	}
	for name, hash := range map[string][2][32]byte{
		"empty":         {Keccak256(), b32("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470")},
		"abc":           {Keccak256([]byte("a"), nil, []byte("bc")), b32("4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45")},
		"web3's":        {PersonalHash([]byte("Hello World")), b32("a1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2")},
		"EIP-712's":     {TypedDataHash(b32("f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f"), b32("c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e")), b32("be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2")},
		"empty, again":  {Keccak256(nil), b32("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470")},
		"more than 136": {Keccak256(make([]byte, 135), make([]byte, 2)), Keccak256(make([]byte, 137))},
	} {
		if hash[0] != hash[1] {
			t.Errorf("%s: %x, want %x", name, hash[0], hash[1])
		}
	}
}

// FuzzAddress checks that the text of a parsed address is the same as before, except for upper and lower case.
func FuzzAddress(f *testing.F) {
	for _, text := range addresses {
		f.Add(text)
	}
	f.Add("0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed") // the case of the first letter is changed
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			return
		}
		digits := text[2:]
		if got := a.String(); got != text && (!strings.EqualFold(got, text) || (digits != strings.ToLower(digits) && digits != strings.ToUpper(digits))) {
			t.Errorf("%q is read as %s", text, got)
		}
	})
}
