package chilldkg

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
)

// TestParamsEncoding changes every part of the parameters' encoding, and stores parameters as JSON.
func TestParamsEncoding(t *testing.T) {
	params := newCeremony(t, 2, 3).params
	b := params.Bytes()
	if len(b) != 9+33*3 || !bytes.Equal(b[:9], []byte{1, 0, 0, 0, 2, 0, 0, 0, 3}) || !bytes.Equal(b[9:42], params.Host(0).Bytes()) {
		t.Errorf("encoding %x", b)
	}
	set := func(place int, data ...byte) []byte {
		return slices.Replace(bytes.Clone(b), place, place+len(data), data...)
	}
	for what, c := range map[string]struct {
		b    []byte
		want error
	}{
		"empty": {nil, p256k1.ErrLength}, "another version": {set(0, 2), p256k1.ErrPrefix}, "cut off": {b[:len(b)-1], p256k1.ErrLength},
		"a host fewer": {b[:len(b)-33], p256k1.ErrLength}, "trailing byte": {append(bytes.Clone(b), 0), p256k1.ErrLength},
		"a host more": {append(bytes.Clone(b), b[9:42]...), p256k1.ErrLength}, "n too large": {set(5, 0xff, 0xff, 0xff, 0xff), p256k1.ErrLength},
		"t = 0": {set(1, 0, 0, 0, 0), frost.ErrThreshold}, "t > n": {set(1, 0, 0, 0, 4), frost.ErrThreshold},
		"t = 2³²−1": {set(1, 0xff, 0xff, 0xff, 0xff), frost.ErrThreshold}, "n = 0": {make([]byte, 9), p256k1.ErrPrefix},
		"no hosts": {[]byte{1, 0, 0, 0, 0, 0, 0, 0, 0}, frost.ErrThreshold}, "infinity": {set(9, make([]byte, 33)...), ErrHostKey},
		"a hybrid prefix": {set(42, 6), ErrHostKey}, "a host twice": {set(42, b[9:42]...), ErrHostKey},
	} {
		before := *params
		if p, err := ParseParams(c.b, nil); !errors.Is(err, c.want) || p != nil {
			t.Errorf("%s: %v, %v, want %v", what, p, err, c.want)
		}
		if err := before.UnmarshalText([]byte(hex.EncodeToString(c.b))); !errors.Is(err, c.want) || before.Hash() != params.Hash() {
			t.Errorf("%s, as text: %v, want %v", what, err, c.want)
		}
	}
	if _, err := ParseParams(set(1, 0, 0, 0, 4), nil); err.Error() != "chilldkg: parameters: threshold or number of participants out of range: a threshold of 4, want 1 to 3, the number of participants" {
		t.Error(err)
	}
	type stored struct {
		Params *Params
		All    []Params
	}
	text, err := json.Marshal(stored{params, []Params{*params}})
	var out stored
	if err != nil || json.Unmarshal(text, &out) != nil || out.Params.Hash() != params.Hash() || !reflect.DeepEqual(&out.All[0], params) {
		t.Errorf("%s, %v", text, err)
	}
	for _, bad := range []string{strings.ToUpper(hex.EncodeToString(b)), "0x" + hex.EncodeToString(b[1:]), " " + hex.EncodeToString(b[1:]) + " "} {
		if err := out.Params.UnmarshalText([]byte(bad)); !errors.Is(err, p256k1.ErrHex) {
			t.Errorf("%.9q: %v", bad, err)
		}
	}

	large := newCeremonyParams(t, 129)
	if _, err := ParseParams(large.Bytes(), nil); !errors.Is(err, frost.ErrThreshold) {
		t.Errorf("large: %v", err)
	}
	if read, err := ParseParams(large.Bytes(), &frost.Options{Large: true}); err != nil || read.Hash() != large.Hash() {
		t.Errorf("large, with the option: %v", err)
	}
	if text, err := json.Marshal(large); !errors.Is(err, frost.ErrThreshold) {
		t.Errorf("large: %s, %v", text, err)
	}
	if _, err := json.Marshal(Params{}); !errors.Is(err, p256k1.ErrNoKey) || new(Params).Bytes() != nil || (*Params)(nil).Bytes() != nil {
		t.Errorf("never set: %v", err)
	}
}

func newCeremonyParams(t *testing.T, n int) *Params {
	key, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	hosts := make([]*p256k1.PublicKey, n)
	for i := range hosts {
		if hosts[i], err = key.PublicKey().TweakAdd(append(make([]byte, 31), byte(i))); err != nil {
			t.Fatal(err)
		}
	}
	p, err := NewParams(2, hosts, &frost.Options{Large: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestResultRefused checks that encoders refuse results, with and without a share, and participants.
func TestResultRefused(t *testing.T) {
	c := newCeremony(t, 2, 2)
	results, common := c.finish(t)
	for _, v := range []any{results[0], *results[0], common, Result{}, c.participants[0], new(Coordinator), map[string]any{"r": common}} {
		if text, err := json.Marshal(v); !errors.Is(err, p256k1.ErrMarshal) {
			t.Errorf("%T: %s, %v", v, text, err)
		}
	}
	before := *common
	for _, text := range []string{`"00"`, `{}`, `{"Recovery":"AA=="}`, `[]`} {
		if err := json.Unmarshal([]byte(text), common); err == nil || !reflect.DeepEqual(*common, before) {
			t.Errorf("%s is read as a result, %v", text, err)
		}
	}
}
