package nostr_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/nostr"
)

// TestFormat checks that ids, keys and signatures are printed in hexadecimal, and events as JSON.
func TestFormat(t *testing.T) {
	e := nostr.Event{ID: nostr.ID{1, 0xab}, PubKey: nostr.PubKey{2}, Kind: 1, Content: "hello", Sig: nostr.Sig{3}}
	zeros := strings.Repeat("0", 126)
	for _, c := range []struct{ got, want string }{
		{fmt.Sprint(e.ID), "01ab" + zeros[:60]}, {fmt.Sprintf("%x", e.ID), "01ab" + zeros[:60]}, {fmt.Sprintf("%X", e.ID), "01AB" + zeros[:60]},
		{fmt.Sprintf("%s", e.PubKey), "02" + zeros[:62]}, {e.PubKey.String(), "02" + zeros[:62]}, {e.ID.String(), "01ab" + zeros[:60]},
		{fmt.Sprintf("%v", e.Sig), "03" + zeros}, {e.Sig.String(), "03" + zeros}, {fmt.Sprintf("%.1d", nostr.ID{7})[:4], "[7 0"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	text, err := e.MarshalJSON()
	if err != nil || fmt.Sprint(e) != string(text) || fmt.Sprint(&e) != string(text) || e.String() != string(text) {
		t.Errorf("%v, want %s, %v", e, text, err)
	}
	e.Content = "\xff"
	if got := e.String(); got[0] != '<' || !strings.Contains(got, "not UTF-8") {
		t.Errorf("content that is not UTF-8: %s", got)
	}
}

// TestText writes ids, keys and signatures as values, elements and keys of maps of JSON, and reads them again.
func TestText(t *testing.T) {
	type all struct {
		ID     nostr.ID
		Author *nostr.PubKey
		Sigs   []nostr.Sig
		Seen   map[nostr.ID]int
		Names  map[nostr.PubKey]string
		ByName map[nostr.Sig]bool
		Nil    *nostr.ID
	}
	zeros := strings.Repeat("0", 126)
	id, key, sig := "01ab"+zeros[:60], "02"+zeros[:62], "03"+zeros
	want := `{"ID":"` + id + `","Author":"` + key + `","Sigs":["` + sig + `"],"Seen":{"` + id + `":7},"Names":{"` + key + `":"x"},"ByName":{"` + sig + `":true},"Nil":null}`
	in := all{nostr.ID{1, 0xab}, &nostr.PubKey{2}, []nostr.Sig{{3}}, map[nostr.ID]int{{1, 0xab}: 7}, map[nostr.PubKey]string{{2}: "x"}, map[nostr.Sig]bool{{3}: true}, nil}
	text, err := json.Marshal(in)
	var out all
	if err != nil || string(text) != want || json.Unmarshal(text, &out) != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%s, want %s, %v; read as %v", text, want, err, out)
	}
	parsers := map[string]struct {
		v     encoding.TextUnmarshaler
		parse func(string) (any, error)
		good  string
	}{
		"id":         {&nostr.ID{7}, func(s string) (any, error) { return nostr.ParseID(s) }, id},
		"public key": {&nostr.PubKey{7}, func(s string) (any, error) { return nostr.ParsePubKey(s) }, key},
		"signature":  {&nostr.Sig{7}, func(s string) (any, error) { return nostr.ParseSig(s) }, sig},
	}
	for name, p := range parsers {
		before := fmt.Sprint(p.v)
		for _, bad := range []string{"", "0", p.good[1:], p.good[2:], p.good + "0", p.good + "00", "0x" + p.good[2:], "0x" + p.good, p.good[:10] + "AB" + p.good[12:],
			" " + p.good[1:], p.good + "\n", p.good[1:] + "g", "[" + p.good[2:] + "]", "npub1" + p.good[5:], strings.Repeat("é", len(p.good)/2)} {
			v, err := p.parse(bad)
			err2 := p.v.UnmarshalText([]byte(bad))
			if !errors.Is(err, nostr.ErrField) || !errors.Is(err2, nostr.ErrField) || !strings.HasPrefix(err.Error(), "nostr: "+name+": ") ||
				(!errors.Is(err, p256k1.ErrHex) && !errors.Is(err, p256k1.ErrLength)) || fmt.Sprint(p.v) != before || !reflect.ValueOf(v).IsZero() {
				t.Errorf("%s %q: %v, %v, %v, %v", name, bad, v, err, err2, p.v)
			}
		}
		if v, err := p.parse(p.good); err != nil || fmt.Sprint(v) != p.good || p.v.UnmarshalText([]byte(p.good)) != nil || fmt.Sprint(p.v) != p.good {
			t.Errorf("%s %s: %v, %v", name, p.good, v, err)
		}
	}
}
