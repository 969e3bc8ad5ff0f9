package nip19

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/decred/dcrd/bech32"
)

// fields returns the text of a pointer with the given fields, which another implementation of bech32 encodes.
func fields(t testing.TB, prefix string, parts ...[]byte) string {
	t.Helper()
	values, err := bech32.ConvertBits(slices.Concat(parts...), 8, 5, true)
	if err != nil {
		t.Fatal(err)
	}
	text, err := bech32.Encode(prefix, values)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func field(kind byte, value string) []byte { return append([]byte{kind, byte(len(value))}, value...) }

// TestProfile reads the example of NIP-19.
func TestProfile(t *testing.T) {
	const text = "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"
	key, _ := hex.DecodeString("3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d")
	want := Profile{[32]byte(key), []string{"wss://r.x.com", "wss://djbas.sadkb.com"}}
	for _, text := range []string{text, strings.ToUpper(text)} {
		if got, err := ParseProfile(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v", got, err)
		}
	}
	if got, err := want.Encode(); got != text || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestPointers compares texts with the texts from another implementation of bech32, and parses them again.
func TestPointers(t *testing.T) {
	id, author, number := [32]byte(bytes.Repeat([]byte{7}, 32)), [32]byte(bytes.Repeat([]byte{9}, 32)), uint32(0x01020304)
	relays := []string{"wss://a.example", ""}
	asFields := slices.Concat(field(1, relays[0]), field(1, ""))
	for _, c := range []struct {
		pointer interface{ Encode() (string, error) }
		parse   func(text string) (any, error)
		text    string
	}{
		{Profile{PubKey: id}, func(s string) (any, error) { p, err := ParseProfile(s); return p, err }, fields(t, "nprofile", field(0, string(id[:])))},
		{Event{ID: id}, func(s string) (any, error) { p, err := ParseEvent(s); return p, err }, fields(t, "nevent", field(0, string(id[:])))},
		{Event{id, relays, &author, &number}, func(s string) (any, error) { p, err := ParseEvent(s); return p, err },
			fields(t, "nevent", field(0, string(id[:])), asFields, field(2, string(author[:])), field(3, "\x01\x02\x03\x04"))},
		{Address{"", author, 0, nil}, func(s string) (any, error) { p, err := ParseAddress(s); return p, err },
			fields(t, "naddr", field(0, ""), field(2, string(author[:])), field(3, "\x00\x00\x00\x00"))},
		{Address{"名", author, number, relays}, func(s string) (any, error) { p, err := ParseAddress(s); return p, err },
			fields(t, "naddr", field(0, "名"), asFields, field(2, string(author[:])), field(3, "\x01\x02\x03\x04"))},
	} {
		text, err := c.pointer.Encode()
		if err != nil || text != c.text {
			t.Errorf("%v: %s, %v, want %s", c.pointer, text, err, c.text)
		}
		if got, err := c.parse(text); err != nil || !reflect.DeepEqual(got, c.pointer) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	// Fields of unknown types are ignored, and so is a second field of a type that may occur only once.
	text := fields(t, "nevent", field(4, "x"), field(255, ""), field(0, string(id[:])), field(0, string(author[:])))
	if got, err := ParseEvent(text); err != nil || got.ID != id {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := ParseNote(EncodeNote(id)); got != id || err != nil {
		t.Errorf("%x, %v", got, err)
	}
}

// TestPointersRefused tries each reason to refuse the text of a pointer.
func TestPointersRefused(t *testing.T) {
	good := fields(t, "nevent", field(0, strings.Repeat("x", 32)))
	for _, c := range []struct {
		text string
		want error
	}{
		{"", ErrPrefix}, {"nevent", ErrPrefix}, {"naddr1", ErrPrefix}, {strings.Replace(good, "nevent", "nprofile", 1), ErrPrefix},
		{"nevent1", ErrFormat}, {good[:len(good)-1], ErrFormat}, {good + "q", ErrFormat}, {"Nevent" + good[6:], ErrFormat},
		{good[:9] + "b" + good[10:], ErrFormat},
		{fields(t, "nevent"), ErrFormat}, {fields(t, "nevent", []byte{0}), ErrFormat},
		{fields(t, "nevent", field(0, strings.Repeat("x", 31))), ErrFormat}, {fields(t, "nevent", field(0, strings.Repeat("x", 33))), ErrFormat},
		{fields(t, "nevent", field(0, strings.Repeat("x", 32)), []byte{1, 5, 'a'}), ErrFormat},
		{fields(t, "nevent", field(0, strings.Repeat("x", 32)), field(1, "\xff")), ErrFormat},
		{fields(t, "nevent", field(0, strings.Repeat("x", 32)), field(2, "short")), ErrFormat},
		{fields(t, "nevent", field(0, strings.Repeat("x", 32)), field(3, "123")), ErrFormat},
		{"nevent1" + strings.Repeat("q", maxPointer), ErrFormat},
	} {
		if got, err := ParseEvent(c.text); !errors.Is(err, c.want) || !reflect.DeepEqual(got, Event{}) {
			t.Errorf("%s: %v, %v, want %v", c.text, got, err, c.want)
		}
	}
	if got, err := ParseProfile(fields(t, "nprofile", field(1, "r"))); !errors.Is(err, ErrFormat) || !reflect.DeepEqual(got, Profile{}) {
		t.Errorf("a profile without a key: %v, %v", got, err)
	}
	for _, parts := range [][][]byte{
		{field(2, strings.Repeat("x", 32)), field(3, "1234")}, {field(0, "d"), field(3, "1234")}, {field(0, "d"), field(2, strings.Repeat("x", 32))},
		{field(0, "\xff"), field(2, strings.Repeat("x", 32)), field(3, "1234")},
	} {
		if got, err := ParseAddress(fields(t, "naddr", parts...)); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v, %v", parts, got, err)
		}
	}
	for _, p := range []interface{ Encode() (string, error) }{
		Profile{Relays: []string{strings.Repeat("x", 256)}}, Event{Relays: []string{"\xff"}}, Address{Identifier: "\xff"},
		Address{Identifier: strings.Repeat("x", 256)}, Profile{Relays: slices.Repeat([]string{strings.Repeat("x", 255)}, 20)},
	} {
		if text, err := p.Encode(); text != "" || !errors.Is(err, ErrFormat) {
			t.Errorf("%v: %s, %v", p, text, err)
		}
	}
}

// TestChecked changes texts in ways that only the checksum, the padding or the alphabet excludes.
func TestChecked(t *testing.T) {
	refused := func(what, text string) {
		if p, err := ParseProfile(text); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %s: %v, %v", what, text, p, err)
		}
	}
	encode := func(values []byte, change func(i int, v uint32) uint32) string {
		sum := begin(profilePrefix)
		text := []byte(profilePrefix + "1")
		for i, v := range values {
			sum = sum.add(change(i, uint32(v)))
			text = append(text, charset[v])
		}
		for range checkValues {
			sum = sum.add(0)
		}
		for i := range checkValues {
			text = append(text, charset[uint32(sum^1)>>(5*(checkValues-1-i))&31])
		}
		return string(text)
	}
	same := func(_ int, v uint32) uint32 { return v }
	for n := range 8 {
		values, err := bech32.ConvertBits(slices.Concat(field(0, strings.Repeat("k", 32)), field(9, "\xff\xff\xff\xff\xff\xff\xff"[:n])), 8, 5, true)
		if err != nil {
			t.Fatal(err)
		}
		good := encode(values, same)
		if _, err := ParseProfile(good); err != nil {
			t.Fatal(err)
		}
		for i := len(profilePrefix) + 1; i < len(good); i++ {
			other := strings.IndexByte(charset, good[i]) ^ 1
			refused("a mistyped character", good[:i]+charset[other:][:1]+good[i+1:])
		}
		refused("a value too many", encode(append(slices.Clone(values), 0), same))
		if 5*len(values)%8 > 0 {
			values[len(values)-1] |= 1
			refused("padding that is not zero", encode(values, same))
		}
		// strings.IndexByte returns −1 for the character b, which bech32 does not use.
		place := bytes.LastIndexByte(values, 31)
		if place < 0 {
			continue
		}
		text := encode(values, func(i int, v uint32) uint32 {
			if i == place {
				return 1<<32 - 1
			}
			return v
		})
		place += len(profilePrefix) + 1
		refused("another character", text[:place]+"b"+text[place+1:])
	}
}

// TestFieldLengths parses a relay of every length that a field can have, and checks that the text is refused if a byte
// is missing.
func TestFieldLengths(t *testing.T) {
	for n := range 256 {
		want := Profile{PubKey: [32]byte{1}, Relays: []string{strings.Repeat("x", n)}}
		relay := field(1, want.Relays[0])
		text := fields(t, "nprofile", relay, field(0, string(want.PubKey[:])))
		if got, err := ParseProfile(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("a relay of %d bytes: %v, %v", n, got, err)
		}
		text = fields(t, "nprofile", field(0, string(want.PubKey[:])), relay[:1+n])
		if _, err := ParseProfile(text); !errors.Is(err, ErrFormat) {
			t.Errorf("a relay of %d bytes without the last byte: %v", n, err)
		}
	}
}

// TestLongest encodes and parses an address with many relays whose text has exactly as many characters as are allowed,
// and one with a character more.
func TestLongest(t *testing.T) {
	for more := range 2 {
		want := Address{strings.Repeat("i", 255), [32]byte{1}, 0x01020304, slices.Repeat([]string{"abc"}, 500)}
		want.Relays = append(want.Relays, strings.Repeat("r", 255), strings.Repeat("s", 61+more))
		parts := [][]byte{field(0, want.Identifier)}
		for _, r := range want.Relays {
			parts = append(parts, field(1, r))
		}
		text := fields(t, "naddr", append(parts, field(2, string(want.PubKey[:])), field(3, "\x01\x02\x03\x04"))...)
		encoded, err1 := want.Encode()
		parsed, err2 := ParseAddress(text)
		switch {
		case len(text) != maxPointer+more:
			t.Errorf("%d characters", len(text))
		case more == 0 && (encoded != text || err1 != nil || err2 != nil || !reflect.DeepEqual(parsed, want)):
			t.Errorf("%s, %v: %v, %v", encoded, err1, parsed, err2)
		case more == 1 && (!errors.Is(err1, ErrFormat) || !errors.Is(err2, ErrFormat)):
			t.Errorf("a character too many: %v, %v", err1, err2)
		}
	}
}

// TestKelvin replaces a K by the Kelvin sign, whose lower case in Unicode is also k. The sign has two bytes more than
// K, so an earlier version took two values of the checksum for the end of the last field.
func TestKelvin(t *testing.T) {
	tried := 0
	for i := range 128 {
		text := strings.ToUpper(fields(t, profilePrefix, field(0, strings.Repeat(string(rune(i)), 32)), field(9, "xx"), []byte{9, 1}))
		kelvin := strings.Replace(text, "K", "\u212a", 1)
		if kelvin == text {
			continue
		}
		tried++
		if p, err := ParseProfile(kelvin); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, %v", kelvin, p, err)
		}
	}
	if tried < 30 {
		t.Errorf("only %d texts with a K", tried)
	}
}

// FuzzParsePointer parses arbitrary text as each kind of pointer. It also parses arbitrary bytes as the fields of each
// kind of pointer, because hardly any random text has a correct checksum. A pointer must be the same after it is
// encoded and parsed again.
func FuzzParsePointer(f *testing.F) {
	f.Add("nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p")
	f.Add(fields(f, "nevent", field(0, strings.Repeat("x", 32)), field(2, strings.Repeat("y", 32)), field(3, "1234")))
	f.Add(fields(f, "naddr", field(0, "d"), field(2, strings.Repeat("x", 32)), field(3, "1234")))
	f.Add(string(slices.Concat(field(0, strings.Repeat("x", 32)), field(1, strings.Repeat("r", 254)))))
	parse := func(t *testing.T, text string) {
		again := func(p, got any, text string, err, err2 error) {
			if err != nil || err2 != nil || !reflect.DeepEqual(p, got) {
				t.Errorf("%q: %v, again %v, %v, %v", text, p, got, err, err2)
			}
		}
		if p, err := ParseProfile(text); err == nil {
			text, err := p.Encode()
			got, err2 := ParseProfile(text)
			again(p, got, text, err, err2)
		}
		if p, err := ParseEvent(text); err == nil {
			text, err := p.Encode()
			got, err2 := ParseEvent(text)
			again(p, got, text, err, err2)
		}
		if p, err := ParseAddress(text); err == nil {
			text, err := p.Encode()
			got, err2 := ParseAddress(text)
			again(p, got, text, err, err2)
		}
		if id, err := ParseNote(text); err == nil && EncodeNote(id) != strings.ToLower(text) {
			t.Errorf("%q is %s", text, EncodeNote(id))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		parse(t, text)
		for _, prefix := range []string{profilePrefix, eventPrefix, addressPrefix} {
			parse(t, fields(t, prefix, []byte(text)))
		}
	})
}

// TestText writes pointers as JSON and reads them again. Text in upper case, of another prefix or with other bytes
// around it is refused, and leaves the receiver unchanged.
func TestText(t *testing.T) {
	kind := uint32(1 << 31)
	type all struct {
		P Profile
		E *Event
		A []Address
		M map[string]Event
		N *Profile
	}
	in := all{Profile{PubKey: [32]byte{1}, Relays: []string{"wss://r.x.com", ""}},
		&Event{ID: [32]byte{2}, Author: &[32]byte{3}, Kind: &kind},
		[]Address{{Identifier: "é", PubKey: [32]byte{4}, Kind: 1<<32 - 1}, {}}, map[string]Event{"k": {}}, nil}
	text, err := json.Marshal(in)
	var out all
	if err != nil || json.Unmarshal(text, &out) != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%s, %v, read as %v", text, err, out)
	}
	long := strings.Repeat("x", 256)
	for _, v := range []any{Profile{Relays: []string{long}}, &Event{Relays: []string{"\xff"}}, []Address{{Identifier: long}}} {
		if text, err := json.Marshal(v); !errors.Is(err, ErrFormat) {
			t.Errorf("%T: %s, %v", v, text, err)
		}
	}
	for _, v := range []interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}{&in.P, in.E, &in.A[0]} {
		good, _ := v.MarshalText()
		for _, bad := range []string{"", "npub1", strings.ToUpper(string(good)), string(good[:20]) + "Q" + string(good[21:]), " " + string(good), string(good) + "\n",
			string(good[1:]), string(good[:len(good)-1]), "nostr:" + string(good)} {
			if err := v.UnmarshalText([]byte(bad)); !errors.Is(err, ErrFormat) && !errors.Is(err, ErrPrefix) {
				t.Errorf("%T from %q: %v", v, bad, err)
			}
		}
		if again, err := v.MarshalText(); err != nil || string(again) != string(good) {
			t.Errorf("%T changed: %s, %v", v, again, err)
		}
	}
}
