package rules

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"p256k1.mleku.dev/v2/internal/libtest"
	"reflect"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// A format is an encoding in which a package writes and reads arbitrary values.
type format struct {
	name      string
	marshal   func(v any) ([]byte, error)
	unmarshal func(b []byte, v any) error
	bad       []string // inputs to be decoded as a T, or as a struct with a T in the field V
}

var encodings = []format{
	{"encoding/json", json.Marshal, json.Unmarshal, []string{`"00"`, `""`, `{}`, `{"d":1}`, `[]`, `[1]`, `1`, `true`}},
	{"encoding/xml", xml.Marshal, xml.Unmarshal, []string{`00`, ``, `<d>1</d>`}},
	{"encoding/gob", func(v any) ([]byte, error) {
		var b bytes.Buffer
		err := gob.NewEncoder(&b).Encode(v)
		return b.Bytes(), err
	}, func(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) }, nil},
}

// neverMarshalled checks that no encoder writes v and no decoder reads a T, whether by value, by pointer or inside
// another value.
func neverMarshalled[T any](t *testing.T, v *T) {
	type value struct{ V T }
	type pointer struct{ V *T }
	type values struct{ V []T }
	type anything struct{ V any }
	type secondary struct {
		A int
		V T
		B string
	}
	for _, f := range encodings {
		for _, held := range []any{
			v, *v, &v, value{*v}, &value{*v}, pointer{v}, &pointer{v}, values{[]T{*v}}, secondary{1, *v, "b"}, &secondary{1, *v, "b"},
			anything{v}, anything{*v}, []T{*v}, []*T{v}, [1]T{*v}, [1]*T{v}, []any{*v}, []any{v}, []value{{*v}},
			map[string]T{"k": *v}, map[string]*T{"k": v}, map[string]any{"k": *v}, map[string]pointer{"k": {v}},
		} {
			b, err := f.marshal(held)
			if err == nil && f.name == "encoding/gob" && reflect.ValueOf(v).Elem().IsZero() {
				continue // gob omits fields that are zero, and so reads them as zero
			} else if err == nil {
				t.Errorf("%s writes %T as %s", f.name, held, b)
			} else if kind := reflect.TypeOf(held).Kind(); f.name != "encoding/gob" && (f.name != "encoding/xml" || kind != reflect.Map) && !errors.Is(err, p256k1.ErrMarshal) {
				t.Errorf("%s of %T: %v", f.name, held, err) // xml cannot write maps, and gob sometimes reports that it finds no fields
			}
		}
		for _, text := range f.bad {
			field := `{"V":` + text + `}`
			if f.name == "encoding/xml" {
				text, field = "<T>"+text+"</T>", "<value><V>"+text+"</V></value>"
			}
			var one T
			var inside value
			var behind pointer
			for i, target := range []any{&one, &inside, &behind} {
				if i > 0 {
					text = field
				}
				if err := f.unmarshal([]byte(text), target); err == nil {
					t.Errorf("%s reads %s as %T", f.name, text, target)
				} else if strings.Contains(text, `"00"`) && !errors.Is(err, p256k1.ErrMarshal) {
					t.Errorf("%s of %s: %v", f.name, text, err)
				}
			}
		}
	}
	before := fmt.Sprintf("%#v", v)
	err := any(v).(encoding.TextUnmarshaler).UnmarshalText([]byte("secret 00"))
	if !errors.Is(err, p256k1.ErrMarshal) || strings.Contains(err.Error(), "secret 00") || fmt.Sprintf("%#v", v) != before {
		t.Errorf("UnmarshalText of %T: %v", v, err)
	}
}

// TestNeverRead decodes the gob of another type. Without UnmarshalBinary, gob would skip every field and succeed.
func TestNeverRead(t *testing.T) {
	for _, target := range []any{new(struct{ V p256k1.PrivateKey }), new(struct{ V *curve.Scalar }), new(struct{ V curve.Point })} {
		var stream bytes.Buffer
		if err := gob.NewEncoder(&stream).Encode(struct{ V struct{ D string } }{struct{ D string }{"00"}}); err != nil {
			t.Fatal(err)
		}
		if err := gob.NewDecoder(&stream).Decode(target); err == nil {
			t.Errorf("encoding/gob reads a %T", target)
		}
	}
	once, _, err := ellswift.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{once, *once, libtest.SecretKey(t), *libtest.SecretKey(t), new(curve.Scalar), curve.Scalar{}, new(curve.Point), curve.Point{}} {
		if b, err := v.(encoding.BinaryMarshaler).MarshalBinary(); b != nil || !errors.Is(err, p256k1.ErrMarshal) {
			t.Errorf("MarshalBinary of %T: %x, %v", v, b, err)
		}
		if u, ok := v.(encoding.BinaryUnmarshaler); ok && !errors.Is(u.UnmarshalBinary(nil), p256k1.ErrMarshal) {
			t.Errorf("UnmarshalBinary of %T succeeds", v)
		}
	}
}

// TestNeverMarshalled checks that encoders do not silently omit secrets, and that decoders do not silently leave
// secrets unset.
func TestNeverMarshalled(t *testing.T) {
	k := libtest.SecretKey(t)
	s, g := signer.NewP256K1Signer(), signer.NewP256K1Gen()
	if err := s.InitSec(k.Bytes()); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Generate(); err != nil {
		t.Fatal(err)
	}
	neverMarshalled(t, k)
	neverMarshalled(t, libtest.ScalarOf(k))
	neverMarshalled(t, k.PublicKey().Point())
	neverMarshalled(t, ecdsa.NewSigner(k, nil))
	neverMarshalled(t, schnorr.NewSigner(k, nil))
	once, _, err := ellswift.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	neverMarshalled(t, once)
	neverMarshalled(t, new(ecdsa.Batch))
	neverMarshalled(t, new(schnorr.Batch))
	neverMarshalled(t, new(ecdsa.Pool))
	neverMarshalled(t, new(schnorr.Pool))
	neverMarshalled(t, new(ecdsa.Options))
	neverMarshalled(t, new(schnorr.Options))
	neverMarshalled(t, s)
	neverMarshalled(t, g)
	// Zero values must be refused as well.
	neverMarshalled(t, new(p256k1.PrivateKey))
	neverMarshalled(t, new(curve.Scalar))
	neverMarshalled(t, new(curve.Point))
	neverMarshalled(t, new(ecdsa.Signer))
	neverMarshalled(t, new(schnorr.Signer))
	neverMarshalled(t, new(ellswift.PrivateKey))
	neverMarshalled(t, new(signer.P256K1Signer))
	neverMarshalled(t, new(signer.P256K1Gen))
	if b, err := json.Marshal(map[p256k1.PrivateKey]int{*k: 1}); err == nil || !strings.Contains(err.Error(), p256k1.ErrMarshal.Error()) {
		t.Errorf("as the key of a map: %s, %v", b, err)
	}
}
