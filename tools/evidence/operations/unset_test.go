package operations

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// functions returns every exported function and method, by name.
func functions() map[string]reflect.Value {
	all := make(map[string]reflect.Value)
	for _, f := range exportedFunctions {
		v := reflect.ValueOf(f)
		name := path.Base(runtime.FuncForPC(v.Pointer()).Name())
		all[strings.Replace(name, "v2.", "p256k1.", 1)] = v
	}
	for _, v := range exportedTypes {
		for m := range reflect.TypeOf(v).Methods() {
			all[reflect.TypeOf(v).Elem().String()+"."+m.Name] = m.Func
		}
	}
	return all
}

// calls calls f with every combination of arguments that begins with the given ones, and passes the results to see, or
// the text of a panic.
func calls(f reflect.Value, arguments [][]reflect.Value, see func(results []reflect.Value, panics any), given ...reflect.Value) {
	if len(given) < len(arguments) {
		for _, v := range arguments[len(given)] {
			calls(f, arguments, see, append(slices.Clone(given), v)...)
		}
		return
	}
	defer func() {
		if p := recover(); p != nil {
			see(nil, p)
		}
	}()
	if f.Type().IsVariadic() {
		see(f.CallSlice(given), nil)
	} else {
		see(f.Call(given), nil)
	}
}

// forged returns a signature of the digest that would be valid for a key at infinity: r = (z/s·G + r/s·∞).x for s = z.
func forged(in *In) ecdsa.Signature {
	z := oracle.Bytes(oracle.Fn.Reduce(oracle.Int(in.Digest)))
	return must(ecdsa.ParseCompact(append(oracle.G.Compressed()[1:], z[:]...)))
}

func values[T any](all ...T) (v []reflect.Value) {
	for _, a := range all {
		v = append(v, reflect.ValueOf(&a).Elem())
	}
	return v
}

// given returns the valid and the invalid values of some types, and the errors with which functions must refuse the
// invalid values.
func given(in *In, t reflect.Type) (valid, invalid []reflect.Value, want error) {
	wiped := in.Key().Negate()
	wiped.Zero()
	switch t {
	case reflect.TypeFor[*p256k1.PrivateKey]():
		return values(in.Key()), values(nil, new(p256k1.PrivateKey), wiped, wiped.Negate()), p256k1.ErrNoKey
	case reflect.TypeFor[*p256k1.PublicKey]():
		return values(in.Pub()), values(nil, new(p256k1.PublicKey)), p256k1.ErrNoKey
	case reflect.TypeFor[*p256k1.XOnlyPublicKey]():
		return values(in.X()), values(nil, new(p256k1.XOnlyPublicKey)), p256k1.ErrNoKey
	case reflect.TypeFor[*curve.Scalar]():
		return values(in.K()), values(new(curve.Scalar)), p256k1.ErrRange
	case reflect.TypeFor[*curve.Point]():
		return values(in.Q()), values(new(curve.Point)), p256k1.ErrInfinity
	case reflect.TypeFor[ecdsa.RecoverableSignature]():
		return values(in.Recoverable()), values(ecdsa.RecoverableSignature{}), ecdsa.ErrRecover
	case reflect.TypeFor[ecdsa.Signature]():
		return values(ecdsa.Signature{}, forged(in)), nil, nil
	case reflect.TypeFor[[]byte]():
		forged := append(oracle.G.Compressed()[1:], append(make([]byte, 31), 1)...) // R = 1·G − e·∞
		return values(in.Digest, nil, make([]byte, 31), make([]byte, 32), make([]byte, 33), forged, make([]byte, 65)), nil, nil
	case reflect.TypeFor[context.Context]():
		return values(context.Background()), nil, nil
	}
	switch t.Kind() {
	case reflect.Slice: // with one element
		list := func(v reflect.Value) reflect.Value { return reflect.Append(reflect.MakeSlice(t, 0, 1), v) }
		valid, invalid, want = given(in, t.Elem())
		for i, v := range invalid {
			invalid[i] = list(v)
		}
		return []reflect.Value{list(valid[0])}, invalid, want
	case reflect.Pointer:
		return []reflect.Value{reflect.New(t.Elem())}, nil, nil
	}
	return []reflect.Value{reflect.Zero(t)}, nil, nil
}

// accepts lists the arguments that may be invalid, with the reason.
var accepts = map[string]string{
	"ecdsa.SignRecoverableBatch, argument 0":  "it is the memory for the signatures",
	"musig2.Sort, argument 0":                 "it sorts keys and checks none",
	"silentpayments.Scanner.Scan, argument 2": "without eligible inputs there is no tweak",
	"frost.Session.Invalid, argument 1":       "the session is unset",
	"frost.Session.Invalid, argument 2":       "the session is unset",
}

// ofLibrary reports whether a function belongs to the library's module.
func ofLibrary(name string) bool {
	pkg, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"p256k1", "curve", "ecdsa", "schnorr", "ecdh", "ellswift", "keyformat"}, pkg)
}

// isZero reports whether a result is the zero value, or a list of zero values in the places of invalid items.
func isZero(v reflect.Value) bool {
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() == reflect.Uint8 {
		return v.IsZero()
	}
	for i := range v.Len() {
		if !v.Index(i).IsZero() {
			return false
		}
	}
	return true
}

// TestUnset passes a key that is nil, was wiped or was never set, the scalar 0, infinity and an empty signature to
// every function that takes one. The function must not panic, succeed, return true or return bytes. For some of the
// other arguments, functions of the library must return the documented error.
func TestUnset(t *testing.T) {
	in, tested := Seeded("unset"), 0
	for name, f := range functions() {
		if strings.HasPrefix(name, "curve.") || slices.Contains(textual, name[strings.LastIndex(name, ".")+1:]) {
			continue // the zero values of curve's types are valid; TestNil and texts call the other methods
		}
		arguments := make([][]reflect.Value, f.Type().NumIn())
		for i := range arguments {
			arguments[i], _, _ = given(in, f.Type().In(i))
		}
		for i := range arguments {
			_, invalid, want := given(in, f.Type().In(i))
			which := fmt.Sprintf("%s, argument %d", name, i)
			if invalid == nil || accepts[which] != "" {
				continue
			}
			tested++
			arguments := slices.Clone(arguments)
			for _, v := range invalid {
				arguments[i] = []reflect.Value{v}
				named, fails := false, false
				calls(f, arguments, func(results []reflect.Value, panics any) {
					if panics != nil {
						t.Errorf("%s: panic: %v", which, panics)
					}
					for _, r := range results {
						err, _ := r.Interface().(error)
						signer, signs := r.Interface().(crypto.Signer)
						if signs && !r.IsNil() {
							_, err = signer.Sign(nil, in.Digest, crypto.SHA256)
						}
						if err == nil && r.Type() == reflect.TypeFor[error]() {
							t.Errorf("%s: no error", which)
						}
						fails = fails || signs || r.Type() == reflect.TypeFor[error]()
						named = named || errors.Is(err, want)
					}
					for _, r := range results {
						_, isError := r.Interface().(error)
						_, signs := r.Interface().(crypto.Signer)
						shows := fails || r.Kind() == reflect.Bool || r.Kind() == reflect.Slice
						if shows && !isError && !signs && !isZero(r) && !strings.Contains(name, ".Append") {
							t.Errorf("%s: %v", which, r)
						}
					}
				})
				if fails && !named && ofLibrary(name) {
					t.Errorf("%s: another error than %v", which, want)
				}
			}
		}
	}
	t.Logf("result: %d arguments of exported functions are refused if they are invalid", tested)
}

// TestLengths passes slices of different lengths to every function that takes several slices with one element for each
// item. Functions of the library must panic with a message that contains their names and the lengths, as package p256k1
// documents. Other functions must panic or return an error.
func TestLengths(t *testing.T) {
	in, tested := Seeded("lengths"), 0
	for name, f := range functions() {
		var lists []int
		for i := range f.Type().NumIn() {
			if list := f.Type().In(i); list.Kind() == reflect.Slice && list.Elem().Kind() != reflect.Uint8 {
				lists = append(lists, i)
			}
		}
		if len(lists) < 2 {
			continue
		}
		for _, longer := range lists {
			which := fmt.Sprintf("%s, argument %d", name, longer)
			if accepts[which] != "" {
				continue
			}
			tested++
			arguments := make([][]reflect.Value, f.Type().NumIn())
			for i := range arguments {
				valid, _, _ := given(in, f.Type().In(i))
				arguments[i] = valid[:1]
				if slices.Contains(lists, i) && i != longer {
					arguments[i] = []reflect.Value{reflect.MakeSlice(f.Type().In(i), 0, 0)}
				}
			}
			calls(f, arguments, func(results []reflect.Value, panics any) {
				prefix, text := name[:strings.Index(name, ".")]+": ", fmt.Sprint(panics)
				if ofLibrary(name) {
					prefix += name[strings.LastIndex(name, ".")+1:] + " of "
				}
				if panics != nil && (!strings.HasPrefix(text, prefix) || !strings.Contains(text, "1") || !strings.Contains(text, "0")) {
					t.Errorf("%s: panic: %s", which, text)
				}
				if panics == nil && (ofLibrary(name) || results[len(results)-1].IsZero()) {
					t.Errorf("%s: no error", which)
				}
			})
		}
	}
	t.Logf("result: %d slices of another length are refused", tested)
}
