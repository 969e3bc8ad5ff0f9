package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

func TestShows(t *testing.T) {
	k := libtest.SecretKey(t)
	secret := k.Bytes()
	d := oracle.Int(secret)
	for _, format := range []string{"%v", "%+v", "%#v", "%d", "%x", "%X", "%o", "%b"} {
		for _, v := range []any{secret, [32]byte(secret), oracle.Limbs(d), d} {
			// Skip the formats in which a 256-bit integer is not written limb by limb.
			if _, wide := v.(interface{ BitLen() int }); wide && format[1] > 'b' && format[1] != 'd' && format[1] != 'v' {
				continue
			}
			if text := fmt.Sprintf(format, v); format != "%#v" && !libtest.Shows(text, secret) {
				t.Errorf("%s of %T is not noticed: %s", format, v, text)
			}
		}
	}
	for _, text := range []string{string(secret), fmt.Sprintf("%q", secret), fmt.Sprintf("%+q", secret), fmt.Sprint(oracle.Limbs(d))} {
		if !libtest.Shows(text, secret) {
			t.Errorf("not noticed: %s", text)
		}
	}
	if libtest.Shows(fmt.Sprint(k.Negate().Bytes(), k.PublicKey()), secret) {
		t.Error("noticed where there is nothing")
	}
}

func TestFormatPrivateKey(t *testing.T) {
	k := libtest.SecretKey(t)
	const want = "p256k1.PrivateKey(secret)"
	for _, v := range []any{k, *k, new(p256k1.PrivateKey), p256k1.PrivateKey{}} {
		for _, format := range libtest.Formats() {
			// fmt does not call Format for these verbs, which TestFormatHolders covers.
			if strings.ContainsAny(format, "Tpw") {
				continue
			}
			if text := fmt.Sprintf(format, v); text != want {
				t.Errorf("%s of %T: %s", format, v, text)
			}
		}
	}
	if text := fmt.Sprint((*p256k1.PrivateKey)(nil)); text != "<nil>" {
		t.Errorf("nil: %s", text)
	}
	if text := fmt.Sprintf("%T %T", k, *k); text != "*p256k1.PrivateKey p256k1.PrivateKey" {
		t.Error(text)
	}
}

// holders returns values that hold the key in the ways in which programs hold keys. Package fmt does not call methods
// of values in unexported fields, but prints the values.
func holders(k *p256k1.PrivateKey) []any {
	type byValue struct{ Key p256k1.PrivateKey }
	type byPointer struct {
		Key *p256k1.PrivateKey
		Any any
	}
	type unexported struct{ key p256k1.PrivateKey }
	type unexportedPointer struct{ key *p256k1.PrivateKey }
	type embedded struct{ *p256k1.PrivateKey }
	return []any{
		k, *k, unexported{*k}, &unexported{*k}, unexportedPointer{k}, &unexportedPointer{k},
		byValue{*k}, &byValue{*k}, byPointer{k, k}, &byPointer{k, *k}, embedded{k}, &embedded{k}, &k,
		[]p256k1.PrivateKey{*k}, []*p256k1.PrivateKey{k}, [1]p256k1.PrivateKey{*k}, []any{k, *k},
		map[string]p256k1.PrivateKey{"k": *k}, map[*p256k1.PrivateKey]*p256k1.PrivateKey{k: k},
		fmt.Errorf("key %v", k), k.PublicKey(),
	}
}

// signers returns signers and generators that hold a private key, each with its key.
func signers(t *testing.T, k *p256k1.PrivateKey) map[any][]byte {
	s, g := signer.NewP256K1Signer(), signer.NewP256K1Gen()
	libtest.SetRandom(t, bytes.NewReader(bytes.Repeat(k.Bytes(), 2))) // four bytes of a random secret may be those of a name
	if _, err := g.Generate(); err != nil {
		t.Fatal(err)
	}
	if err := s.InitSec(k.Bytes()); err != nil {
		t.Fatal(err)
	}
	generated, _ := g.KeyPairBytes()
	return map[any][]byte{
		ecdsa.NewSigner(k, nil): k.Bytes(), *ecdsa.NewSigner(k, nil): k.Bytes(),
		schnorr.NewSigner(k, nil): k.Bytes(), *schnorr.NewSigner(k, nil): k.Bytes(),
		s: k.Bytes(), *s: k.Bytes(), g: generated, *g: generated,
	}
}

func TestFormatHolders(t *testing.T) {
	k := libtest.SecretKey(t)
	subjects := signers(t, k)
	for _, v := range holders(k) {
		subjects[&v] = k.Bytes()
	}
	for v, secret := range subjects {
		if p, ok := v.(*any); ok {
			v = *p
		}
		for _, format := range libtest.Formats() {
			if text := fmt.Sprintf(format, v); libtest.Shows(text, secret) {
				t.Errorf("%s of %T: %s", format, v, text)
				break
			}
		}
	}
}

// shown returns the verbs for which package fmt shows a secret that v holds, with some flags or none.
func shown(v any, secret []byte) (verbs string) {
	for _, format := range libtest.Formats() {
		verb := format[len(format)-1:]
		if !strings.Contains(verbs, verb) && libtest.Shows(fmt.Sprintf(format, v), secret) {
			verbs += verb
		}
	}
	return verbs
}

// hidden returns values that hold a T in the ways in which programs do, each with the verbs that nevertheless show the
// secret.
func hidden[T any](v *T) map[any]string {
	type exported struct{ V T }
	type exportedPointer struct{ V *T }
	type exportedAny struct{ V any }
	type unexported struct{ v T }
	type unexportedPointer struct{ v *T }
	// all has every verb except %T, which shows only types, and except %c and %q, for which a limb is not a valid
	// character.
	const all = "ABCDEFGHIJKLMNOPQRSUVWXYZabdefghijklmnoprstuvwxyz"
	address := strings.Replace(all, "p", "", 1)
	// unfit has every verb that does not fit a pointer. For these verbs, fmt shows the value behind the pointer.
	const unfit = "ABCDEFGHIJKLMNOPQRSUVWYZacefghijklmnqrstuyz"
	list := []struct {
		v     any
		verbs string
	}{
		{v, "w"}, {*v, "pw"}, {&v, ""},
		{exported{*v}, "pw"}, {&exported{*v}, "w"},
		{exportedPointer{v}, ""}, {&exportedPointer{v}, ""},
		{exportedAny{*v}, "pw"}, {&exportedAny{*v}, "w"}, {exportedAny{v}, ""},
		{unexported{*v}, all}, {&unexported{*v}, address}, {exportedAny{unexported{*v}}, all}, {[]unexported{{*v}}, address},
		{unexportedPointer{v}, unfit}, {&unexportedPointer{v}, unfit}, {[]unexportedPointer{{v}}, unfit},
		{[]T{*v}, "w"}, {[]*T{v}, ""}, {[]any{*v}, "w"}, {[]any{v}, ""}, {[1]T{*v}, "pw"}, {&[1]T{*v}, "w"},
		{map[int]T{1: *v}, "w"}, {map[int]*T{1: v}, ""}, {map[*T]bool{v: true}, ""},
	}
	verbs := make(map[any]string)
	for _, h := range list {
		verbs[&h.v] = h.verbs
	}
	return verbs
}

// TestFormatHidden checks what the comments of curve.Scalar.Format and curve.Point.Format claim about package fmt.
func TestFormatHidden(t *testing.T) {
	k := libtest.SecretKey(t)
	shared, err := new(curve.Point).LiftX(oracle.G.Mul(oracle.Int(k.Bytes())).Compressed()[1:])
	if err != nil {
		t.Fatal(err)
	}
	x, _ := shared.BytesX()
	for _, c := range []struct {
		secret  []byte
		text    string
		hidden  map[any]string
		visible []any // values for which fmt calls Format
	}{
		{k.Bytes(), "curve.Scalar(hidden)", hidden(libtest.ScalarOf(k)), []any{libtest.ScalarOf(k), *libtest.ScalarOf(k)}},
		{x, "curve.Point(hidden)", hidden(shared), []any{shared, *shared}},
	} {
		for v, want := range c.hidden {
			v := *v.(*any)
			if got := shown(v, c.secret); got != want {
				t.Errorf("%T is shown with %q, want %q", v, got, want)
			}
		}
		for _, v := range c.visible {
			for _, format := range libtest.Formats() {
				if text := fmt.Sprintf(format, v); text != c.text && !strings.ContainsAny(format, "Tpw") {
					t.Errorf("%s of %T: %s", format, v, text)
				}
			}
			for _, format := range []string{"", "%d %d", "%[2]v", "%*d", "%!"} { // each of these formats is wrong for a single argument
				if text := fmt.Sprint(v) + fmt.Sprintf(format, v); !strings.HasPrefix(text, c.text) || libtest.Shows(text, c.secret) {
					t.Errorf("%q of %T: %s", format, v, text)
				}
			}
		}
	}
}

func TestLogPrivateKey(t *testing.T) {
	k := libtest.SecretKey(t)
	var out bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		l := slog.New(h).With("with", k)
		for _, v := range holders(k) {
			l.Info("message", "key", v, slog.Group("group", "key", v))
		}
	}
	log.New(&out, "", 0).Print(holders(k)...)
	for _, v := range holders(k) {
		b, _ := json.Marshal(v) // json refuses some of the values
		out.Write(b)
	}
	if out.Len() < 5000 || libtest.Shows(out.String(), k.Bytes()) {
		t.Errorf("logged %s", out.String())
	}
}

// TestLogPlaceholder lets the handlers of slog write secrets. For values that are not pointers, and in WebAssembly,
// where LogValue is left out to save size, the handlers write errors instead.
func TestLogPlaceholder(t *testing.T) {
	k := libtest.SecretKey(t)
	point := k.PublicKey().Point()
	for _, c := range []struct {
		v    any
		text string
	}{
		{k, "p256k1.PrivateKey(secret)"}, {*k, "p256k1.PrivateKey(secret)"}, {new(p256k1.PrivateKey), "p256k1.PrivateKey(secret)"},
		{libtest.ScalarOf(k), "curve.Scalar(hidden)"}, {*libtest.ScalarOf(k), "curve.Scalar(hidden)"},
		{point, "curve.Point(hidden)"}, {*point, "curve.Point(hidden)"},
		{ecdsa.NewSigner(k, nil), "ecdsa.Signer(secret)"}, {*ecdsa.NewSigner(k, nil), "ecdsa.Signer(secret)"},
		{schnorr.NewSigner(k, nil), "schnorr.Signer(secret)"}, {*schnorr.NewSigner(k, nil), "schnorr.Signer(secret)"},
		{signer.NewP256K1Signer(), "signer.P256K1Signer(secret)"}, {*signer.NewP256K1Signer(), "signer.P256K1Signer(secret)"},
		{signer.NewP256K1Gen(), "signer.P256K1Gen(secret)"}, {*signer.NewP256K1Gen(), "signer.P256K1Gen(secret)"},
		{new(ellswift.PrivateKey), "ellswift.PrivateKey(secret)"}, {ellswift.PrivateKey{}, "ellswift.PrivateKey(secret)"},
	} {
		asError := runtime.GOARCH == "wasm" || reflect.TypeOf(c.v).Kind() != reflect.Pointer
		if asError {
			c.text = p256k1.ErrMarshal.Error()
		}
		var text, object bytes.Buffer
		slog.New(slog.NewTextHandler(&text, nil)).Info("", "one", c.v, slog.Group("group", "two", c.v))
		slog.New(slog.NewJSONHandler(&object, nil)).With("one", c.v).Info("", slog.Group("group", "two", c.v))
		var got struct {
			One   string
			Group struct{ Two string }
		}
		if err := json.Unmarshal(object.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if (!asError && (got.One != c.text || got.Group.Two != c.text || !strings.HasSuffix(text.String(), " one="+c.text+" group.two="+c.text+"\n"))) ||
			strings.Count(object.String(), c.text) != 2 || strings.Count(text.String(), c.text) != 2 {
			t.Errorf("%T: %s%s", c.v, text.String(), object.String())
		}
	}
}
