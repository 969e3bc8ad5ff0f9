package rules

import (
	"crypto"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/types"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/keyformat"
	"p256k1.mleku.dev/v2/schnorr"
)

// These tests use values without a key: nil pointers, the zero values of the types, and wiped private keys.

// keys holds the keys that the functions in withKeys pass to the library.
type keys struct {
	k *p256k1.PrivateKey
	p *p256k1.PublicKey
	x *p256k1.XOnlyPublicKey
}

// tweaks lists the tweaks of keys, each with its function for private and its function for public keys.
var tweaks = []struct {
	name    string
	private func(k *p256k1.PrivateKey, t []byte) (*p256k1.PrivateKey, error)
	public  func(p *p256k1.PublicKey, t []byte) (*p256k1.PublicKey, error)
}{
	{"TweakAdd", (*p256k1.PrivateKey).TweakAdd, (*p256k1.PublicKey).TweakAdd},
	{"TweakMul", (*p256k1.PrivateKey).TweakMul, (*p256k1.PublicKey).TweakMul},
	{"TweakAddXOnly", (*p256k1.PrivateKey).TweakAddXOnly, func(p *p256k1.PublicKey, t []byte) (*p256k1.PublicKey, error) {
		return p.XOnly().TweakAdd(t)
	}},
	{"TweakAddBatch", (*p256k1.PrivateKey).TweakAdd, func(p *p256k1.PublicKey, t []byte) (*p256k1.PublicKey, error) {
		keys, err := p.TweakAddBatch([][]byte{t})
		if err != nil {
			return nil, err
		}
		return keys[0], nil
	}},
}

// withKeys lists the exported functions, except methods and the functions of package curve, that take a key, a
// signature, a scalar or a point. TestWithKeysComplete fails if a function is missing from the list.
var withKeys = map[string]func(a keys) (any, error){
	"p256k1.NewPrivateKey": func(a keys) (any, error) {
		d, err := a.k.Scalar()
		if err != nil {
			d = new(curve.Scalar)
		}
		return p256k1.NewPrivateKey(d)
	},
	"p256k1.NewPublicKey":    func(a keys) (any, error) { return p256k1.NewPublicKey(a.p.Point()) },
	"ecdsa.Sign":             func(a keys) (any, error) { return ecdsa.Sign(a.k, digest[:]) },
	"ecdsa.SignWithEntropy":  func(a keys) (any, error) { return ecdsa.SignWithEntropy(a.k, digest[:], &digest) },
	"ecdsa.SignRecoverable":  func(a keys) (any, error) { return ecdsa.SignRecoverable(a.k, digest[:]) },
	"ecdsa.SignChecked":      func(a keys) (any, error) { return ecdsa.SignChecked(a.k, digest[:], nil) },
	"ecdsa.NewCheckedSigner": func(a keys) (any, error) { return ecdsa.NewCheckedSigner(a.k).Sign(nil, digest[:], crypto.SHA256) },
	"ecdsa.NewSigner": func(a keys) (any, error) {
		s := ecdsa.NewSigner(a.k)
		s.Public()
		return s.Sign(nil, digest[:], crypto.SHA256)
	},
	"ecdsa.Verify": func(a keys) (any, error) {
		return falsehood(ecdsa.Verify(a.p, digest[:], ecdsa.Signature{}) || ecdsa.Verify(a.p, digest[:], forged()))
	},
	"ecdsa.VerifyLowS": func(a keys) (any, error) {
		return falsehood(ecdsa.VerifyLowS(a.p, digest[:], ecdsa.Signature{}) || ecdsa.VerifyLowS(a.p, digest[:], forged()))
	},
	"ecdsa.Recover": func(a keys) (any, error) { return ecdsa.Recover(digest[:], ecdsa.RecoverableSignature{}) },
	"ecdsa.RecoverBatch": func(a keys) (any, error) {
		dst := make([]p256k1.PublicKey, 1)
		if a.p != nil {
			dst[0] = *a.p
		}
		err := ecdsa.RecoverBatch(dst, [][]byte{digest[:]}, make([]ecdsa.RecoverableSignature, 1))
		if dst[0].Bytes() != nil {
			return &dst[0], err
		}
		return nil, err
	},
	"ecdsa.SignBatch": func(a keys) (any, error) {
		dst := []ecdsa.Signature{forged()}
		err := ecdsa.SignBatch(dst, []*p256k1.PrivateKey{a.k}, [][]byte{digest[:]})
		return dst[0], err
	},
	"schnorr.SignBatch": func(a keys) (any, error) {
		dst := [][64]byte{{1}}
		err := schnorr.SignBatch(dst, []*p256k1.PrivateKey{a.k}, [][]byte{digest[:]})
		return dst[0], err
	},
	"schnorr.Sign":             func(a keys) (any, error) { return schnorr.Sign(a.k, digest[:], nil) },
	"schnorr.SignChecked":      func(a keys) (any, error) { return schnorr.SignChecked(a.k, digest[:], nil) },
	"schnorr.NewCheckedSigner": func(a keys) (any, error) { return schnorr.NewCheckedSigner(a.k).SignMessage(nil, nil, nil) },
	"schnorr.NewSigner": func(a keys) (any, error) {
		s := schnorr.NewSigner(a.k)
		s.Public()
		if sig, err := s.SignMessage(nil, nil, nil); err == nil {
			return sig, nil
		}
		return s.Sign(nil, digest[:], crypto.SHA256)
	},
	"schnorr.Verify": func(a keys) (any, error) {
		sig := append(oracle.G.Compressed()[1:], append(make([]byte, 31), 1)...) // R = 1·G − e·∞
		return falsehood(schnorr.Verify(a.x, digest[:], make([]byte, 64)) || schnorr.Verify(a.x, digest[:], sig))
	},
	"ecdh.X":                    func(a keys) (any, error) { return ecdh.X(a.k, a.p) },
	"ecdh.XFromXOnly":           func(a keys) (any, error) { return ecdh.XFromXOnly(a.k, a.x) },
	"ecdh.SHA256":               func(a keys) (any, error) { return ecdh.SHA256(a.k, a.p) },
	"ecdh.NIP44ConversationKey": func(a keys) (any, error) { return ecdh.NIP44ConversationKey(a.k, a.x) },
	"ecdh.NIP44ConversationKeyBatch": func(a keys) (any, error) {
		dst := [][32]byte{{1}}
		err := ecdh.NIP44ConversationKeyBatch(dst, a.k, []*p256k1.XOnlyPublicKey{a.x})
		return dst[0], err
	},

	"ellswift.NewPrivateKey": func(a keys) (any, error) { return ellswift.NewPrivateKey(a.k, new([64]byte)) },
	"ellswift.Encode":        func(a keys) (any, error) { return ellswift.Encode(a.p, &digest) },

	"keyformat.MarshalPKCS8PrivateKey": func(a keys) (any, error) { return keyformat.MarshalPKCS8PrivateKey(a.k) },
	"keyformat.MarshalECPrivateKey":    func(a keys) (any, error) { return keyformat.MarshalECPrivateKey(a.k) },
	"keyformat.MarshalPrivateKeyPEM":   func(a keys) (any, error) { return keyformat.MarshalPrivateKeyPEM(a.k) },
	"keyformat.MarshalPrivateKeyJWK":   func(a keys) (any, error) { return keyformat.MarshalPrivateKeyJWK(a.k) },
	"keyformat.MarshalPKIXPublicKey":   func(a keys) (any, error) { return keyformat.MarshalPKIXPublicKey(a.p) },
	"keyformat.MarshalPublicKeyPEM":    func(a keys) (any, error) { return keyformat.MarshalPublicKeyPEM(a.p) },
	"keyformat.MarshalPublicKeyJWK":    func(a keys) (any, error) { return keyformat.MarshalPublicKeyJWK(a.p) },
	"keyformat.Thumbprint":             func(a keys) (any, error) { return keyformat.Thumbprint(a.p) },
	"keyformat.VerifyES256K": func(a keys) (any, error) {
		return falsehood(keyformat.VerifyES256K(a.p, []byte("digest"), forged().Bytes()))
	},
}

var digest = sha256.Sum256([]byte("digest"))

// forged returns a signature of digest that would be valid for a key at infinity: r = (z/s·G + r/s·∞).x with s = z.
func forged() ecdsa.Signature {
	sig, err := ecdsa.ParseCompact(append(oracle.G.Compressed()[1:], digest[:]...))
	if err != nil || !sig.IsLowS() {
		panic("choose another digest")
	}
	return sig
}

var errFalse = errors.New("false")

func falsehood(b bool) (any, error) {
	if b {
		return b, nil
	}
	return nil, errFalse
}

func TestWithKeysComplete(t *testing.T) {
	m, _ := loadModule(t)
	for _, p := range m {
		objects, _ := exported(p)
		for _, object := range objects {
			f, ok := object.(*types.Func)
			if !ok || p.Name() == "curve" { // the zero values of curve's types are valid
				continue
			}
			for param := range f.Signature().Params().Variables() {
				of := param.Type()
				if slice, ok := of.(*types.Slice); ok {
					of = slice.Elem()
				}
				if pointer, ok := of.(*types.Pointer); ok {
					of = pointer.Elem()
				}
				if named, ok := of.(*types.Named); ok && named.Obj().Pkg() != nil && withKeys[p.Name()+"."+f.Name()] == nil {
					t.Errorf("%s.%s takes a %s and is not tested without one", p.Name(), f.Name(), named.Obj().Name())
				}
			}
		}
	}
}

// TestNoPrivateKey passes nil and unset private keys to every function that takes a private key.
func TestNoPrivateKey(t *testing.T) {
	wiped := libtest.Private(t, big.NewInt(5))
	pub := wiped.PublicKey()
	wiped.Zero()
	one := append(make([]byte, 31), 1)
	for name, k := range map[string]*p256k1.PrivateKey{
		"nil": nil, "zero value": new(p256k1.PrivateKey), "wiped": wiped,
		"negated nil": (*p256k1.PrivateKey)(nil).Negate(), "negated zero value": new(p256k1.PrivateKey).Negate(), "negated wiped": wiped.Negate(),
	} {
		for f, call := range withKeys {
			result, err := call(keys{k, pub, pub.XOnly()})
			switch f {
			case "p256k1.NewPublicKey", "ecdsa.Verify", "ecdsa.VerifyLowS", "ecdsa.Recover", "ecdsa.RecoverBatch", "schnorr.Verify",
				"keyformat.MarshalPKIXPublicKey", "keyformat.MarshalPublicKeyPEM", "keyformat.MarshalPublicKeyJWK", "keyformat.Thumbprint", "keyformat.VerifyES256K",
				"ellswift.Encode":
				continue // these take no private key
			}
			want := p256k1.ErrNoKey
			if f == "p256k1.NewPrivateKey" { // this function is called with the scalar 0
				want = p256k1.ErrRange
			}
			libtest.CheckError(t, err, want)
			if v := reflect.ValueOf(result); v.IsValid() && !v.IsZero() {
				t.Errorf("%s of a %s key: %x beside the error", f, name, result)
			}
		}
		for _, op := range tweaks {
			r, err := op.private(k, one)
			libtest.CheckError(t, err, p256k1.ErrNoKey, "private key")
			if r != nil {
				t.Errorf("%s of a %s key: a key beside the error", op.name, name)
			}
		}
		if k.Bytes() != nil {
			t.Errorf("%s key: %x", name, k.Bytes())
		}
	}
}

// TestNoPublicKey passes nil and unset public keys to every function that takes a public key.
func TestNoPublicKey(t *testing.T) {
	testNoPublicKey(t, nil, nil)
	testNoPublicKey(t, new(p256k1.PublicKey), new(p256k1.XOnlyPublicKey))
}

func testNoPublicKey(t *testing.T, p *p256k1.PublicKey, x *p256k1.XOnlyPublicKey) {
	k := libtest.Private(t, big.NewInt(5))
	for f, call := range withKeys {
		switch f {
		case "ecdsa.Verify", "ecdsa.VerifyLowS", "schnorr.Verify", "keyformat.VerifyES256K":
			if _, err := call(keys{k, p, x}); err != errFalse {
				t.Errorf("%s with no key is true", f)
			}
		case "ecdsa.Recover", "ecdsa.RecoverBatch":
			if _, err := call(keys{k, p, x}); !errors.Is(err, ecdsa.ErrRecover) {
				t.Errorf("recovering from the zero value: %v", err)
			}
		case "p256k1.NewPublicKey": // this function is called with infinity
			result, err := call(keys{k, p, x})
			libtest.CheckError(t, err, p256k1.ErrInfinity, "public key")
			if v := reflect.ValueOf(result); !v.IsZero() {
				t.Errorf("%s: %x beside the error", f, result)
			}
		case "ecdh.X", "ecdh.XFromXOnly", "ecdh.SHA256", "ecdh.NIP44ConversationKey", "ecdh.NIP44ConversationKeyBatch",
			"keyformat.MarshalPKIXPublicKey", "keyformat.MarshalPublicKeyPEM", "keyformat.MarshalPublicKeyJWK", "keyformat.Thumbprint",
			"ellswift.Encode":
			result, err := call(keys{k, p, x})
			libtest.CheckError(t, err, p256k1.ErrNoKey, "public key")
			if v := reflect.ValueOf(result); !v.IsZero() {
				t.Errorf("%s: %x beside the error", f, result)
			}
		case "ellswift.NewPrivateKey": // the encoding belongs to another key
			_, err := call(keys{k, p, x})
			libtest.CheckErrorIs(t, err, ellswift.ErrEncoding)
		default:
			if _, err := call(keys{k, p, x}); err != nil {
				t.Errorf("%s takes no public key, but %v", f, err)
			}
		}
	}
	for _, op := range tweaks {
		for _, tweak := range [][]byte{make([]byte, 32), append(make([]byte, 31), 1)} {
			r, err := op.public(p, tweak)
			if r != nil {
				t.Errorf("%s of no public key: %v", op.name, r)
			}
			if op.name != "TweakMul" || tweak[31] != 0 {
				libtest.CheckError(t, err, p256k1.ErrNoKey, "public key")
			}
			if x.CheckTweakAdd(tweak, make([]byte, 32), false) || x.CheckTweakAdd(tweak, nil, false) {
				t.Error("CheckTweakAdd of no public key is true")
			}
		}
	}
	if p.Bytes() != nil || p.BytesUncompressed() != nil || x.Bytes() != nil {
		t.Error("no key has an encoding")
	}
}

// TestZeroValueMethods calls the methods of the zero values of keys and signatures, and of nil keys, except Format and
// Unmarshal methods, with every kind of argument: no call may panic, return true, or succeed where it can fail.
func TestZeroValueMethods(t *testing.T) {
	calls := 0
	for _, zero := range []any{
		new(p256k1.PrivateKey), new(p256k1.PublicKey), new(p256k1.XOnlyPublicKey), new(ecdsa.Signature), new(ecdsa.RecoverableSignature),
		(*p256k1.PrivateKey)(nil), (*p256k1.PublicKey)(nil), (*p256k1.XOnlyPublicKey)(nil),
	} {
		v := reflect.ValueOf(zero)
		for i := range v.NumMethod() {
			method := v.Type().Method(i).Name
			name := fmt.Sprintf("%T.%s", zero, method)
			if strings.HasSuffix(name, ".Format") || strings.Contains(name, ".Unmarshal") {
				continue // package fmt calls Format, and Unmarshal methods set the value: see TestFormatPrivateKey and text_test.go
			}
			if _, ofValue := v.Type().Elem().MethodByName(method); v.IsNil() && ofValue {
				continue // the documentation of package p256k1 names this exception
			}
			for _, args := range arguments(v.Method(i).Type()) {
				calls++
				for _, result := range v.Method(i).Call(args) {
					switch r := result.Interface().(type) {
					case nil:
						if result.Type() == reflect.TypeFor[error]() {
							t.Errorf("%s(%v) succeeds", name, args)
						}
					case bool:
						if r {
							t.Errorf("%s(%v) is true", name, args)
						}
					}
				}
			}
		}
	}
	if calls < 120 {
		t.Errorf("only %d calls", calls)
	}
}

// TestNoSignature encodes signatures that were never set.
func TestNoSignature(t *testing.T) {
	var sig ecdsa.Signature
	var recoverable ecdsa.RecoverableSignature
	for name, b := range map[string][]byte{
		"Bytes": sig.Bytes(), "DER": sig.DER(), "DER of the low one": sig.NormalizeS().DER(), "Bytes, recoverable": recoverable.Bytes(),
		"BytesEthereum": recoverable.BytesEthereum(), "BytesBitcoin": recoverable.BytesBitcoin(false), "compressed": recoverable.BytesBitcoin(true),
	} {
		if b != nil {
			t.Errorf("%s: %x", name, b)
		}
	}
}

// arguments returns lists of arguments for a function of the type, with nil, zero values and slices of several
// lengths.
func arguments(f reflect.Type) [][]reflect.Value {
	lists := [][]reflect.Value{nil}
	for i := range f.NumIn() {
		var next [][]reflect.Value
		for _, list := range lists {
			for _, v := range candidates(f.In(i)) {
				next = append(next, append(list[:len(list):len(list)], v))
			}
		}
		lists = next
	}
	return lists
}

func candidates(t reflect.Type) (all []reflect.Value) {
	if t.Kind() == reflect.Interface {
		for _, v := range []any{
			new(p256k1.PrivateKey), new(p256k1.PublicKey), new(p256k1.XOnlyPublicKey),
			(*p256k1.PrivateKey)(nil), (*p256k1.PublicKey)(nil), (*p256k1.XOnlyPublicKey)(nil), 0,
		} {
			all = append(all, reflect.ValueOf(v))
		}
	}
	if t == reflect.TypeFor[[]byte]() {
		for _, n := range []int{0, 31, 32, 33, 64, 65} {
			all = append(all, reflect.ValueOf(make([]byte, n)))
		}
		all = append(all, reflect.ValueOf(append(make([]byte, 31), 1)))
	}
	if t.Kind() == reflect.Bool {
		all = append(all, reflect.ValueOf(true))
	}
	if t == reflect.TypeFor[*curve.Scalar]() {
		return []reflect.Value{reflect.ValueOf(new(curve.Scalar))} // a nil scalar panics, because it is a programming error
	}
	return append(all, reflect.Zero(t))
}
