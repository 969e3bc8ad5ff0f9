//go:build goexperiment.jsonv2 && go1.27

package p256k1_test

import (
	"encoding/hex"
	jsonv2 "encoding/json/v2"
	"errors"
	"reflect"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// TestJSONv2 checks how keys behave where encoding/json/v2 differs from encoding/json. In a build with json/v2, the
// other tests of encoding/json run on json/v2 as well.
func TestJSONv2(t *testing.T) {
	fs := forms(t)
	testJSONv2[p256k1.PublicKey](t, &fs[0])
	testJSONv2[p256k1.XOnlyPublicKey](t, &fs[1])
	testJSONv2[ecdsa.Signature](t, &fs[2])
	testJSONv2[ecdsa.RecoverableSignature](t, &fs[3])

	sig := fs[2].value.(ecdsa.Signature)
	b, err := jsonv2.Marshal(map[ecdsa.Signature]int{sig: 1})
	var m map[ecdsa.Signature]int
	if err != nil || string(b) != `{"`+sig.String()+`":1}` || jsonv2.Unmarshal(b, &m) != nil || m[sig] != 1 {
		t.Errorf("keys of a map: %s, %v, %v", b, err, m)
	}
}

func testJSONv2[T any](t *testing.T, f *form) {
	type holder struct {
		Value   T
		Pointer *T
		Nil     *T
		Unset   T  `json:",omitzero"`
		None    *T `json:",omitempty"`
		Slice   []T
		Map     map[string]T
	}
	value, text := any(f.value).(T), `"`+hex.EncodeToString(f.binary)+`"`
	in := holder{Value: value, Pointer: &value, Slice: []T{value, value}, Map: map[string]T{"key": value}}
	want := strings.ReplaceAll(`{"Value":K,"Pointer":K,"Nil":null,"Slice":[K,K],"Map":{"key":K}}`, "K", text)
	b, err := jsonv2.Marshal(in)
	if err != nil || string(b) != want {
		t.Errorf("%T: %s, %v, want %s", in, b, err, want)
	}
	var out holder
	if err := jsonv2.Unmarshal(b, &out); err != nil || !reflect.DeepEqual(out, in) {
		t.Errorf("%T: %v, %v", in, out, err)
	}
	for _, v := range []any{*new(T), new(T), struct{ T T }{}, []T{*new(T)}} {
		if b, err := jsonv2.Marshal(v); !errors.Is(err, f.unset) {
			t.Errorf("%T, unset: %s, %v", v, b, err)
		}
	}
	for _, s := range []string{`""`, `1`, `{}`, `"0x` + text[1:], strings.ToUpper(text)} {
		out := struct{ T T }{value}
		if err := jsonv2.Unmarshal([]byte(`{"T":`+s+`}`), &out); err == nil || !reflect.DeepEqual(out.T, value) {
			t.Errorf("%s from %s: %v, %v", f.name, s, out.T, err)
		}
	}
	// In json/v2, null sets every value to the zero value, which is not a key or signature.
	set := struct {
		T T
		P *T
	}{value, &value}
	err = jsonv2.Unmarshal([]byte(`{"T":null,"P":null}`), &set)
	if err != nil || !reflect.DeepEqual(set.T, *new(T)) || set.P != nil {
		t.Errorf("%s from null: %v, %v", f.name, set, err)
	}
}
