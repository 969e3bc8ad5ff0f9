// The program edges calls most functions and methods that the modules export, with arguments that are nil, zero values,
// or the same variable, and with bytes that encode numbers out of range.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"reflect"
	"slices"

	"github.com/btcsuite/btcd/btcec/v2"
	becdsa "github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/ellswift"
	bschnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
)

var functions = map[string]any{
	"AddNonConst": secp256k1.AddNonConst, "DecompressY": secp256k1.DecompressY, "DoubleNonConst": secp256k1.DoubleNonConst,
	"GenerateSharedSecret": secp256k1.GenerateSharedSecret, "NonceRFC6979": secp256k1.NonceRFC6979, "ScalarBaseMultNonConst": secp256k1.ScalarBaseMultNonConst,
	"ScalarMultNonConst": secp256k1.ScalarMultNonConst, "GeneratePrivateKeyFromRand": secp256k1.GeneratePrivateKeyFromRand,
	"NewPrivateKey": secp256k1.NewPrivateKey, "PrivKeyFromBytes": secp256k1.PrivKeyFromBytes, "NewPublicKey": secp256k1.NewPublicKey,
	"ParsePubKey": secp256k1.ParsePubKey, "MakeJacobianPoint": secp256k1.MakeJacobianPoint,
	"ecdsa.Sign": ecdsa.Sign, "ecdsa.SignCompact": ecdsa.SignCompact, "ecdsa.RecoverCompact": ecdsa.RecoverCompact,
	"ecdsa.ParseDERSignature": ecdsa.ParseDERSignature, "ecdsa.NewSignature": ecdsa.NewSignature,
	"schnorr.Sign": schnorr.Sign, "schnorr.ParseSignature": schnorr.ParseSignature, "schnorr.NewSignature": schnorr.NewSignature,
	"schnorr.ParsePubKey":    schnorr.ParsePubKey,
	"btcec.PrivKeyFromBytes": btcec.PrivKeyFromBytes, "btcec.ParseJacobian": btcec.ParseJacobian, "btcec.JacobianToByteSlice": btcec.JacobianToByteSlice,
	"btcec.IsCompressedPubKey": btcec.IsCompressedPubKey, "btcec.ToSerialized": btcec.ToSerialized, "btcec.PrivKeyFromScalar": btcec.PrivKeyFromScalar,
	"btcec/ecdsa.ParseSignature": becdsa.ParseSignature, "btcec/ecdsa.ParseDERSignature": becdsa.ParseDERSignature,
	"btcec/ecdsa.RecoverCompact": becdsa.RecoverCompact,
	"btcec/schnorr.Sign":         bschnorr.Sign, "btcec/schnorr.ParseSignature": bschnorr.ParseSignature, "btcec/schnorr.ParsePubKey": bschnorr.ParsePubKey,
	"btcec/schnorr.SerializePubKey": bschnorr.SerializePubKey, "btcec/schnorr.NewSignature": bschnorr.NewSignature,
	"ellswift.XSwiftEC": ellswift.XSwiftEC, "ellswift.XSwiftECInv": ellswift.XSwiftECInv, "ellswift.EllswiftECDHXOnly": ellswift.EllswiftECDHXOnly,
	"ellswift.V2Ecdh":      ellswift.V2Ecdh,
	"musig2.AggregateKeys": musig2.AggregateKeys, "musig2.AggregateNonces": musig2.AggregateNonces, "musig2.Sign": musig2.Sign,
	"musig2.CombineSigs": musig2.CombineSigs, "musig2.NewContext": musig2.NewContext, "musig2.NewPartialSignature": musig2.NewPartialSignature,
	"musig2.AggregateKeys with an index": func(keys []*btcec.PublicKey, sort bool, index int) (*musig2.AggregateKey, error) {
		a, _, _, err := musig2.AggregateKeys(slices.Clone(keys), sort, musig2.WithUniqueKeyIndex(index))
		return a, err
	},
	"musig2.AggregateKeys with a hash": func(keys []*btcec.PublicKey, hash, root []byte) (*musig2.AggregateKey, error) {
		a, _, _, err := musig2.AggregateKeys(keys, false, musig2.WithKeysHash(hash), musig2.WithTaprootKeyTweak(root))
		return a, err
	},
	"musig2.AggregateKeys with a tweak": func(keys []*btcec.PublicKey, tweak [32]byte, isXOnly bool) (*musig2.AggregateKey, error) {
		a, _, _, err := musig2.AggregateKeys(keys, false, musig2.WithKeyTweaks(musig2.KeyTweakDesc{Tweak: tweak, IsXOnly: isXOnly}))
		return a, err
	},
	"musig2.Sign with a tweak": func(nonce [musig2.SecNonceSize]byte, key *btcec.PrivateKey, combined [musig2.PubNonceSize]byte,
		keys []*btcec.PublicKey, tweak [32]byte, isXOnly bool) (*musig2.PartialSignature, error) {
		return musig2.Sign(nonce, key, combined, keys, [32]byte{}, musig2.WithTweaks(musig2.KeyTweakDesc{Tweak: tweak, IsXOnly: isXOnly}))
	},
	"musig2.Sign with the key 0": func() (*musig2.PartialSignature, error) {
		key, nonces := new(btcec.PrivateKey), good(reflect.TypeFor[*musig2.Nonces](), 0).Interface().(*musig2.Nonces)
		secret := nonces.SecNonce
		copy(secret[64:], key.PubKey().SerializeCompressed())
		return musig2.Sign(secret, key, nonces.PubNonce, []*btcec.PublicKey{key.PubKey()}, [32]byte{})
	},
	"musig2.GenNonces": func(random io.Reader, pub *btcec.PublicKey, priv *btcec.PrivateKey, other *btcec.PublicKey, aux []byte) (*musig2.Nonces, error) {
		return musig2.GenNonces(musig2.WithCustomRand(random), musig2.WithPublicKey(pub), musig2.WithNonceSecretKeyAux(priv),
			musig2.WithNonceCombinedKeyAux(other), musig2.WithNonceAuxInput(aux))
	},
	"musig2.NewContext with signers": func(key *btcec.PrivateKey, signers []*btcec.PublicKey, root []byte) (*btcec.PublicKey, error) {
		c, err := musig2.NewContext(key, false, musig2.WithKnownSigners(signers), musig2.WithTaprootTweakCtx(root))
		if err != nil {
			return nil, err
		}
		return c.CombinedKey()
	},
	"musig2.NewContext with some signers": func(key *btcec.PrivateKey, n int) (bool, error) {
		c, err := musig2.NewContext(key, false, musig2.WithNumSigners(n))
		if err != nil {
			return false, err
		}
		return c.RegisterSigner(key.PubKey())
	},
	"musig2.NewSession": func(key *btcec.PrivateKey, signers []*btcec.PublicKey, nonces *musig2.Nonces) ([66]byte, error) {
		c, err := musig2.NewContext(key, false, musig2.WithKnownSigners(signers))
		if err != nil {
			return [66]byte{}, err
		}
		s, err := c.NewSession(musig2.WithPreGeneratedNonce(nonces))
		if err != nil || nonces == nil {
			return [66]byte{}, err
		}
		return s.PublicNonce(), nil
	},
	"musig2.CombineSigs with tweaks": func(R *btcec.PublicKey, keys []*btcec.PublicKey, sort bool, root []byte) *bschnorr.Signature {
		return musig2.CombineSigs(R, nil, musig2.WithTaprootTweakedCombine([32]byte{}, keys, root, sort))
	},
}

// receivers lists the types whose methods are called.
var receivers = []reflect.Type{
	reflect.TypeFor[*secp256k1.FieldVal](), reflect.TypeFor[*secp256k1.ModNScalar](), reflect.TypeFor[*secp256k1.JacobianPoint](),
	reflect.TypeFor[*secp256k1.PublicKey](), reflect.TypeFor[*secp256k1.PrivateKey](), reflect.TypeFor[*secp256k1.KoblitzCurve](),
	reflect.TypeFor[*ecdsa.Signature](), reflect.TypeFor[*schnorr.Signature](), reflect.TypeFor[*bschnorr.Signature](),
	reflect.TypeFor[*musig2.Context](), reflect.TypeFor[*musig2.Session](), reflect.TypeFor[*musig2.PartialSignature](),
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// good returns a value of the type that is not an edge case, a different one for each n, or the zero value for an
// unknown type.
func good(t reflect.Type, n int) reflect.Value {
	d := bytes.Repeat([]byte{byte(7 + n)}, 32)
	key := secp256k1.PrivKeyFromBytes(d)
	var j secp256k1.JacobianPoint
	key.PubKey().AsJacobian(&j)
	nonces := must(musig2.GenNonces(musig2.WithPublicKey(key.PubKey()), musig2.WithCustomRand(bytes.NewReader(d))))
	keys := []*btcec.PublicKey{key.PubKey(), secp256k1.PrivKeyFromBytes([]byte{9}).PubKey()}
	context := must(musig2.NewContext(key, false, musig2.WithKnownSigners(keys)))
	partial := musig2.NewPartialSignature(&key.Key, key.PubKey())
	for _, v := range []any{
		key, key.PubKey(), &key.Key, &j.X, &j, d, (*[32]byte)(d), new(big.Int).SetBytes(j.X.Bytes()[:]), secp256k1.S256(), ecdsa.Sign(key, d),
		must(schnorr.Sign(key, d)), must(bschnorr.Sign(key, d)), new(bytes.Buffer), keys, nonces, nonces.SecNonce, nonces.PubNonce,
		[][musig2.PubNonceSize]byte{nonces.PubNonce, nonces.PubNonce}, &partial, []*musig2.PartialSignature{&partial}, context,
		must(context.NewSession(musig2.WithPreGeneratedNonce(nonces))), 7,
	} {
		switch of := reflect.TypeOf(v); {
		case of == t:
			return reflect.ValueOf(v)
		case of.Kind() == reflect.Pointer && of.Elem() == t:
			return reflect.ValueOf(v).Elem()
		}
	}
	if t == reflect.TypeFor[io.Reader]() {
		return reflect.ValueOf(bytes.NewReader(bytes.Repeat(d, 9)))
	}
	if t == reflect.TypeFor[io.Writer]() {
		return reflect.ValueOf(new(bytes.Buffer))
	}
	return reflect.Zero(t)
}

// render describes a value by its methods.
func render(v reflect.Value) (s string) {
	defer func() {
		if recover() != nil {
			s = "something incomplete"
		}
	}()
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return "nil"
	}
	switch x := v.Interface().(type) {
	case nil:
		return "nil"
	case error:
		return fmt.Sprintf("error %q of %v", x, errors.Unwrap(x))
	case *secp256k1.PublicKey:
		return fmt.Sprintf("%x", x.SerializeUncompressed())
	case *secp256k1.PrivateKey:
		return fmt.Sprintf("%x", x.Serialize())
	case *secp256k1.FieldVal:
		y := *x
		return y.Normalize().String()
	case secp256k1.FieldVal:
		return x.Normalize().String()
	case secp256k1.JacobianPoint:
		return render(reflect.ValueOf(&x))
	case *secp256k1.JacobianPoint:
		y := *x
		y.ToAffine()
		return fmt.Sprint(y.X, y.Y, y.Z)
	case interface{ Serialize() []byte }:
		return fmt.Sprintf("%x", x.Serialize())
	case *musig2.PartialSignature:
		return fmt.Sprint(x.S)
	case *musig2.AggregateKey:
		return fmt.Sprintf("%x", x.FinalKey.SerializeUncompressed())
	case *musig2.Nonces, fmt.Stringer, []byte, bool, int, uint32, *[32]byte, [66]byte:
		return fmt.Sprintf("%v", x)
	}
	return v.Kind().String()
}

// call calls f, and prints the results and the arguments after the call.
func call(name string, f reflect.Value, args []reflect.Value) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Fprintf(out, "%s: panics\n", name)
		}
	}()
	line := name + ":"
	for _, r := range append(f.Call(args), args...) {
		line += " " + render(r)
	}
	fmt.Fprintln(out, line)
}

// show is not used, but calls.go needs it.
func show(v any) any { return v }

// extremes returns encodings of the numbers at the ends of their ranges and behind them: the numbers themselves, pairs,
// pairs in DER, and public keys, also hybrid ones with either parity.
func extremes() (all [][]byte) {
	curve, one := secp256k1.S256().Params(), big.NewInt(1)
	var numbers [][]byte
	for _, v := range []*big.Int{
		new(big.Int), one, new(big.Int).Sub(curve.N, one), curve.N, new(big.Int).Add(curve.N, one), new(big.Int).Sub(curve.P, one),
		curve.P, new(big.Int).Add(curve.P, one), new(big.Int).Sub(new(big.Int).Lsh(one, 256), one),
	} {
		numbers = append(numbers, v.FillBytes(make([]byte, 32)))
	}
	x, y := curve.Gx.FillBytes(make([]byte, 32)), curve.Gy.FillBytes(make([]byte, 32))
	integer := func(b []byte) []byte {
		if b = bytes.TrimLeft(b, "\x00"); len(b) == 0 || b[0] >= 0x80 {
			b = append([]byte{0}, b...)
		}
		return append([]byte{2, byte(len(b))}, b...)
	}
	all = append(all, numbers...)
	for _, v := range numbers {
		for _, prefix := range []byte{2, 3, 4, 6, 7} {
			all = append(all, append([]byte{prefix}, v...), slices.Concat([]byte{prefix}, v, y), slices.Concat([]byte{prefix}, x, v))
		}
		for _, w := range append(numbers[:5:5], x) {
			pair := append(integer(v), integer(w)...)
			all = append(all, slices.Concat(v, w), slices.Concat(w, v), append([]byte{31}, append(v, w...)...), append([]byte{0x30, byte(len(pair))}, pair...))
		}
	}
	for _, prefix := range []byte{4, 5, 6, 7} {
		all = append(all, slices.Concat([]byte{prefix}, x, y), slices.Concat([]byte{prefix}, x, new(big.Int).Sub(curve.P, curve.Gy).Bytes()))
	}
	return all
}

// recoveries calls a function that recovers keys with each recovery code, and with r for which r and r + n are at the
// ends of the field, or r + n would be one of them if it were reduced. Some of these numbers are x coordinates of points.
func recoveries(name string, f func(sig, hash []byte) (*btcec.PublicKey, bool, error)) {
	curve := secp256k1.S256().Params()
	for i := range int64(40) {
		r := big.NewInt(i)
		if i >= 10 {
			r.Sub(curve.P, curve.N).Add(r, big.NewInt(i-24))
		}
		for code := byte(26); code < 36; code++ {
			sig := append([]byte{code}, append(r.FillBytes(make([]byte, 32)), bytes.Repeat([]byte{7}, 32)...)...)
			call(fmt.Sprintf("%s, code %d, r = %x", name, code, r), reflect.ValueOf(f), []reflect.Value{reflect.ValueOf(sig), reflect.ValueOf(sig[33:])})
		}
	}
}

// wraps verifies signatures with keys for which R, in the verification, has an x coordinate at an end of the field or
// near n. r is x, or differs from it by n or by p − n, so the signature is valid only if r or r + n is x without a
// reduction modulo p.
func wraps() {
	curve := secp256k1.S256().Params()
	gap := new(big.Int).Sub(curve.P, curve.N)
	for i := range int64(60) {
		v := big.NewInt(i % 20)
		v.Add(v, []*big.Int{new(big.Int), curve.N, new(big.Int).Sub(curve.P, big.NewInt(20))}[i/20])
		var x, y, one secp256k1.FieldVal
		if x.SetByteSlice(v.Bytes()) || !secp256k1.DecompressY(&x, i&1 == 1, &y) {
			continue
		}
		for _, add := range []*big.Int{new(big.Int), gap, new(big.Int).Neg(curve.N)} {
			var r, s, e secp256k1.ModNScalar
			sum := new(big.Int).Add(v, add)
			if sum.Sign() <= 0 || r.SetByteSlice(sum.Bytes()) {
				continue
			}
			// Q = (s·R − e·G)/r
			sig, hash := ecdsa.NewSignature(&r, s.SetInt(9)), bytes.Repeat([]byte{7}, 32)
			e.SetByteSlice(hash)
			r.InverseNonConst()
			R := secp256k1.MakeJacobianPoint(&x, y.Normalize(), one.SetInt(1))
			var Q secp256k1.JacobianPoint
			secp256k1.ScalarMultNonConst(s.Mul(&r), &R, &R)
			secp256k1.ScalarBaseMultNonConst(e.Mul(&r).Negate(), &Q)
			secp256k1.AddNonConst(&R, &Q, &Q)
			Q.ToAffine()
			fmt.Fprintf(out, "x = %x, r = %x: valid %v\n", v, sum, sig.Verify(hash, secp256k1.NewPublicKey(&Q.X, &Q.Y)))
		}
	}
}

// holding returns values of the type with the encoding b in each place that it fits, in a good value for argument n.
func holding(t reflect.Type, n int, b []byte) (all []reflect.Value) {
	switch {
	case t == reflect.TypeFor[[]byte]():
		return []reflect.Value{reflect.ValueOf(b)}
	case t == reflect.TypeFor[io.Reader]() && len(b) == 32:
		return []reflect.Value{reflect.ValueOf(bytes.NewReader(b))}
	case t == reflect.TypeFor[*[32]byte]() && len(b) == 32:
		return []reflect.Value{reflect.ValueOf((*[32]byte)(b))}
	case t == reflect.TypeFor[[][musig2.PubNonceSize]byte]():
		for _, nonce := range holding(t.Elem(), n, b) {
			list := good(t, n).Interface().([][musig2.PubNonceSize]byte)
			list[1] = nonce.Interface().([musig2.PubNonceSize]byte)
			all = append(all, reflect.ValueOf(list))
		}
		return all
	}
	places := map[reflect.Type]map[int]int{ // by the place, the length of what stands there
		reflect.TypeFor[[32]byte]():                  {0: 32},
		reflect.TypeFor[[musig2.PubNonceSize]byte](): {0: 33, 33: 33},
		reflect.TypeFor[[musig2.SecNonceSize]byte](): {0: 32, 32: 32, 64: 33},
	}
	for _, place := range slices.Sorted(maps.Keys(places[t])) {
		if places[t][place] == len(b) {
			v := reflect.New(t).Elem()
			v.Set(good(t, n))
			reflect.Copy(v.Slice(place, t.Len()), reflect.ValueOf(b))
			all = append(all, v)
		}
	}
	return all
}

// play makes all calls.
func play() {
	for _, t := range receivers {
		for m := range t.NumMethod() {
			if name := t.Method(m).Name; name != "EarlySessionNonce" {
				functions[t.String()+"."+name] = t.Method(m).Func.Interface()
			}
		}
	}
	recoveries("ecdsa.RecoverCompact", ecdsa.RecoverCompact)
	recoveries("btcec/ecdsa.RecoverCompact", becdsa.RecoverCompact)
	wraps()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		f := reflect.ValueOf(functions[name])
		n := f.Type().NumIn()
		if f.Type().IsVariadic() {
			n--
		}
		args := func(edge func(i int) bool, value func(t reflect.Type) reflect.Value) (list []reflect.Value) {
			for i := range n {
				t := f.Type().In(i)
				if edge(i) {
					list = append(list, value(t))
				} else {
					list = append(list, good(t, i))
				}
			}
			return list
		}
		for mask := range min(1<<n, 64) {
			if mask&3 == 3 && (name == "ecdsa.Sign" || name == "ecdsa.SignCompact") {
				continue // Decred's function does not terminate for the key 0 and the hash 0
			}
			edge := func(i int) bool { return mask>>i&1 == 1 }
			call(fmt.Sprintf("%s, nil %b", name, mask), f, args(edge, reflect.Zero))
			call(fmt.Sprintf("%s, zero %b", name, mask), f, args(edge, func(t reflect.Type) reflect.Value {
				switch t.Kind() {
				case reflect.Pointer:
					return reflect.New(t.Elem())
				case reflect.Slice:
					return reflect.MakeSlice(t, 1, 1)
				case reflect.Int:
					return reflect.ValueOf(-2)
				}
				return reflect.Zero(t)
			}))
		}
		same := args(func(int) bool { return true }, func(t reflect.Type) reflect.Value { return good(t, 0) })
		for i := range same {
			for j := range i {
				if same[i].Type() == same[j].Type() {
					same[i] = same[j]
				}
			}
		}
		call(name+", the same", f, same)
		for i := range n {
			for j, b := range extremes() {
				for k, v := range holding(f.Type().In(i), i, b) {
					list := slices.Clone(same)
					list[i] = v
					if _, ok := list[0].Interface().(*musig2.Session); ok {
						list[0] = good(list[0].Type(), 0) // a call changes the session
					}
					call(fmt.Sprintf("%s, extreme %d in place %d of argument %d", name, j, k, i), f, list)
				}
			}
		}
	}
}
