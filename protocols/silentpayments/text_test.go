package silentpayments

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
)

// TestTexts stores found outputs and inputs as JSON, and refuses other texts.
func TestTexts(t *testing.T) {
	key := newSource(t).key()
	found := Found{Output: 1<<31 - 1, X: [32]byte(key.PublicKey().XOnly().Bytes()), K: 1<<32 - 1, Labeled: true, Label: 7, Tweak: [32]byte(key.Bytes())}
	type stored struct {
		Found *Found
		Plain []Found
		Input Input
		Spent map[TxID]int
	}
	plain := found
	plain.Labeled, plain.Label = false, 0
	in := stored{&found, []Found{plain}, Input{TxID: TxID{0xab, 31: 0x01}, Index: 1, ScriptPubKey: []byte{1}, Witness: [][]byte{{}}}, map[TxID]int{{0xab}: 1}}
	text, err := json.Marshal(in)
	var out stored
	if err != nil || json.Unmarshal(text, &out) != nil || !reflect.DeepEqual(out, in) {
		t.Errorf("%s, %v: %v", text, err, out)
	}
	if id := `"TxID":"01` + strings.Repeat("0", 60) + `ab"`; !strings.Contains(string(text), id) {
		t.Errorf("%s, want %s, as programs display an id", text, id)
	}
	b, err := found.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	good := string(b)
	for bad, want := range map[string]error{
		"": p256k1.ErrLength, good[2:]: p256k1.ErrLength, good + "00": p256k1.ErrLength, strings.ToUpper(good): p256k1.ErrHex,
		good[:80] + "02" + good[82:]: p256k1.ErrRange, good[:80] + "00" + good[82:]: p256k1.ErrRange, // not labeled, with a label
		good[:90] + strings.Repeat("f", 64):                     p256k1.ErrRange,
		good[:8] + strings.Repeat("f", 64) + good[72:]:          p256k1.ErrRange,
		good[:8] + strings.Repeat("0", 63) + "5" + good[72:]:    p256k1.ErrNotOnCurve,
		good[:8] + "0x" + good[10:]:                             p256k1.ErrHex,
		strings.Replace(good, good[:8], "ffffffff", 1) + "\x00": p256k1.ErrLength,
	} {
		read := plain
		if err := read.UnmarshalText([]byte(bad)); !errors.Is(err, want) || read != plain {
			t.Errorf("%.9q of %d: %v, want %v", bad, len(bad), err, want)
		}
	}
	for _, f := range []Found{found, plain} {
		for _, number := range []string{
			"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", // n
			"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364142",
			strings.Repeat("f", 64),
		} {
			text, err := f.MarshalText()
			if err != nil {
				t.Fatal(err)
			}
			bad := append(text[:90:90], number...)
			if err := new(Found).UnmarshalText(bad); !errors.Is(err, p256k1.ErrRange) {
				t.Errorf("labeled %t, tweak %s: %v", f.Labeled, number, err)
			}
		}
	}
	for _, v := range []Found{{}, {Output: -1, X: found.X}, {X: found.X, Label: 1}} {
		if text, err := v.MarshalText(); err == nil {
			t.Errorf("%v is written as %s", v, text)
		}
	}
	for bad, want := range map[string]error{"": p256k1.ErrLength, strings.Repeat("0", 62): p256k1.ErrLength, strings.Repeat("A", 64): p256k1.ErrHex} {
		id := TxID{7}
		if err := id.UnmarshalText([]byte(bad)); !errors.Is(err, want) || id != (TxID{7}) {
			t.Errorf("id %q: %v, want %v", bad, err, want)
		}
	}
}
