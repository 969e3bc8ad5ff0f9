package nostr_test

import (
	"fmt"
	"strings"
	"testing"

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
	json, err := e.MarshalJSON()
	if err != nil || fmt.Sprint(e) != string(json) || fmt.Sprint(&e) != string(json) || e.String() != string(json) {
		t.Errorf("%v, want %s, %v", e, json, err)
	}
	e.Content = "\xff"
	if got := e.String(); got[0] != '<' || !strings.Contains(got, "not UTF-8") {
		t.Errorf("content that is not UTF-8: %s", got)
	}
}
