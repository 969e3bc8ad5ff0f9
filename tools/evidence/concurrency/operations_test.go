package concurrency

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"encoding"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// A world is what all goroutines share. Nobody writes to it.
type world struct {
	secret, tweak, digest, msg []byte
	aux                        *[32]byte

	priv, other *p256k1.PrivateKey
	pub, peer   *p256k1.PublicKey
	x, peerX    *p256k1.XOnlyPublicKey
	ready       *p256k1.PublicKey // pub with a table
	k, l        *curve.Scalar
	p, q        *curve.Point // q is not normalized

	sig         ecdsa.Signature
	recoverable ecdsa.RecoverableSignature
	schnorrSig  []byte

	ecdsaSigner    *ecdsa.Signer
	schnorrSigner  *schnorr.Signer
	nostr, watcher *signer.P256K1Signer
	gen            *signer.P256K1Gen

	transport *transport
	message   []byte // for it
	*protocols
}

func newWorld(t testing.TB) *world {
	t.Helper()
	r := oracle.NewSeeded("concurrency")
	w := &world{tweak: r.Bytes(32), digest: r.Bytes(32), msg: r.Bytes(100), aux: (*[32]byte)(r.Bytes(32))}
	w.tweak[0] = 1
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	d := oracle.Bytes(r.ValidScalar())
	w.secret = d[:]
	w.priv, err = p256k1.NewPrivateKey(w.secret)
	must(err)
	w.other, err = w.priv.TweakAdd(w.tweak)
	must(err)
	w.pub, w.peer = w.priv.PublicKey(), w.other.PublicKey()
	w.x, w.peerX = w.pub.XOnly(), w.peer.XOnly()
	w.ready = w.pub.Precomputed()
	w.k, err = w.priv.Scalar()
	must(err)
	w.l, err = w.other.Scalar()
	must(err)
	w.p = w.pub.Point()
	w.q = new(curve.Point).Add(w.p, w.peer.Point())
	w.recoverable, err = ecdsa.SignRecoverable(w.priv, w.digest)
	must(err)
	w.sig = w.recoverable.Signature()
	s, err := schnorr.Sign(w.priv, w.msg, w.aux)
	must(err)
	w.schnorrSig = s[:]
	w.ecdsaSigner, w.schnorrSigner = ecdsa.NewSigner(w.priv), schnorr.NewSigner(w.priv)
	w.nostr, w.watcher, w.gen = signer.NewP256K1Signer(), signer.NewP256K1Signer(), signer.NewP256K1Gen()
	must(w.nostr.InitSec(w.secret))
	must(w.watcher.InitPub(w.x.Bytes()))
	_, err = w.gen.Generate()
	must(err)
	w.transport, w.message = newTransport(t), append([]byte{21}, w.msg...) // a transaction
	w.protocols = newProtocols(w)
	return w
}

// An operation calls the functions or methods of which it has the names, those that write to their receiver on one of its own,
// and returns what they returned. Of those that are random it returns what does not depend on the randomness.
type operation struct {
	of, names string
	do        func(w *world) []any
}

// list is for functions with several results.
func list(v ...any) []any { return v }

// join appends lists.
func join(lists ...[]any) (all []any) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// encodings are the methods that encode calls.
const encodings = "AppendBinary AppendText Format MarshalBinary MarshalText String UnmarshalBinary UnmarshalText"

// encode calls what packages fmt and encoding call, of the shared value v, or of own to decode into it.
func (w *world) encode(v interface {
	fmt.Stringer
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.TextAppender
	encoding.TextMarshaler
}, own interface {
	fmt.Formatter
	encoding.BinaryUnmarshaler
	encoding.TextUnmarshaler
}) []any {
	text, err := v.MarshalText()
	binary, err2 := v.MarshalBinary()
	before := []byte("before")
	return join(list(text, err, binary, err2, v.String(), fmt.Sprintf("%v %x %d", v, v, v)), list(v.AppendText(before)), list(v.AppendBinary(before)),
		list(own.UnmarshalText(text), fmt.Sprint(own), own.UnmarshalBinary(w.msg), own.UnmarshalBinary(binary), fmt.Sprint(own)))
}

var operations = []operation{
	{"p256k1", "GenerateKey NewPrivateKey NewPrivateKeyFromScalar NewPublicKey NewPublicKeyFromPoint NewXOnlyPublicKey", func(w *world) []any {
		fresh, err := p256k1.GenerateKey()
		same, err2 := p256k1.NewPrivateKey(fresh.Bytes())
		return join(
			list(err, err2, fresh.Equal(same), fresh.PublicKey().Equal(same.PublicKey())),
			list(p256k1.NewPrivateKey(w.secret)), list(p256k1.NewPrivateKey(w.msg)),
			list(p256k1.NewPrivateKeyFromScalar(w.l)),
			list(p256k1.NewPublicKey(w.pub.Bytes())), list(p256k1.NewPublicKey(w.pub.BytesUncompressed())), list(p256k1.NewPublicKey(w.msg)),
			list(p256k1.NewPublicKeyFromPoint(w.q)), list(p256k1.NewXOnlyPublicKey(w.x.Bytes())), list(p256k1.NewXOnlyPublicKey(w.msg)))
	}},
	{"p256k1", "GenerateKeys NewPrivateKeys", func(w *world) []any {
		fresh, err := p256k1.GenerateKeys(9)
		secrets := make([][]byte, len(fresh))
		for i, k := range fresh {
			secrets[i] = k.Bytes()
		}
		same, err2 := p256k1.NewPrivateKeys(secrets)
		results := list(err, err2, fresh[0].Equal(fresh[1]))
		for i := range fresh {
			results = append(results, fresh[i].Equal(same[i]), fresh[i].PublicKey().Equal(same[i].PublicKey()))
		}
		known, err := p256k1.NewPrivateKeys([][]byte{w.secret, w.tweak, w.secret})
		for _, k := range known {
			results = append(results, k)
		}
		none, err2 := p256k1.NewPrivateKeys([][]byte{w.secret, w.msg})
		return append(results, err, len(none), err2)
	}},
	{"p256k1.PrivateKey", "Bytes Equal Format Negate Public PublicKey Scalar TweakAdd TweakAddXOnly TweakMul Zero", func(w *world) []any {
		own, err := p256k1.NewPrivateKey(w.secret)
		own.Zero()
		return join(
			list(w.priv.Bytes(), w.priv.Equal(w.priv), w.priv.Equal(w.other), fmt.Sprint(w.priv), w.priv.Negate(), w.priv.Public(), w.priv.PublicKey()), list(w.priv.Scalar()),
			list(w.priv.TweakAdd(w.tweak)), list(w.priv.TweakAddXOnly(w.tweak)), list(w.priv.TweakMul(w.tweak)), list(err, own, w.priv.Equal(own)))
	}},
	{"p256k1.PrivateKey", "LogValue MarshalBinary MarshalText UnmarshalBinary UnmarshalText Use", func(w *world) []any {
		var used []byte
		err := w.priv.Use(func(d curve.Scalar) error { used = d.Bytes(); return nil })
		return join(list(err, used, w.priv.LogValue().String(), w.priv.UnmarshalText(w.msg), w.priv.UnmarshalBinary(w.msg)),
			list(w.priv.MarshalText()), list(w.priv.MarshalBinary()))
	}},
	{"p256k1.PublicKey", "Bytes BytesUncompressed Equal IsYOdd Negate Point Precomputed TweakAdd TweakMul XOnly", func(w *world) []any {
		return join(
			list(w.ready, w.ready.Equal(w.pub), w.ready.Precomputed() == w.ready, w.pub.Precomputed(), w.ready.Negate(), w.ready.Point(), w.ready.XOnly()),
			list(ecdsa.Verify(w.ready, w.digest, w.sig), ecdsa.Verify(w.ready, w.msg, w.sig), schnorr.Verify(w.ready.XOnly(), w.msg, w.schnorrSig)),
			list(w.pub.Bytes(), w.pub.BytesUncompressed(), w.pub.Equal(w.pub), w.pub.Equal(w.peer), w.pub.IsYOdd(), w.pub.Negate(), w.pub.Point(), w.pub.XOnly()),
			list(w.pub.TweakAdd(w.tweak)), list(w.pub.TweakMul(w.tweak)))
	}},
	{"p256k1.XOnlyPublicKey", "Bytes CheckTweakAdd Equal Point Precomputed PublicKey TweakAdd", func(w *world) []any {
		sum, err := w.x.TweakAdd(w.tweak)
		return list(w.x.Precomputed(), w.x.Bytes(), w.x.Equal(w.x), w.x.Equal(w.peerX), w.x.Point(), w.x.PublicKey(), sum, err,
			w.x.CheckTweakAdd(w.tweak, sum.XOnly().Bytes(), sum.IsYOdd()), w.x.CheckTweakAdd(w.tweak, w.x.Bytes(), false))
	}},

	{"p256k1.PublicKey", encodings, func(w *world) []any { return w.encode(w.pub, new(p256k1.PublicKey)) }},
	{"p256k1.XOnlyPublicKey", encodings, func(w *world) []any { return w.encode(w.x, new(p256k1.XOnlyPublicKey)) }},
	{"ecdsa.Signature", encodings, func(w *world) []any { return w.encode(&w.sig, new(ecdsa.Signature)) }},
	{"ecdsa.RecoverableSignature", encodings, func(w *world) []any { return w.encode(&w.recoverable, new(ecdsa.RecoverableSignature)) }},

	{"curve.Scalar", "Add Bytes CondNegate Equal Format Invert InvertVartime IsHigh IsZero Mul Negate Select Set SetBytes SetBytesReduced SetUint64 SetWeight Sub Zero", func(w *world) []any {
		own := func() *curve.Scalar { return new(curve.Scalar) }
		zero := own().Set(w.k)
		zero.Zero()
		return join(
			list(own().Add(w.k, w.l), own().Sub(w.k, w.l), own().Mul(w.k, w.l), own().Negate(w.k), own().CondNegate(w.k, 1),
				own().Invert(w.k), own().InvertVartime(w.k), own().Select(w.k, w.l, 0), own().Set(w.k), own().SetBytesReduced(w.aux), own().SetUint64(7), own().SetWeight((*[16]byte)(w.aux[:])),
				w.k.Bytes(), w.k.Equal(w.k), w.k.Equal(w.l), fmt.Sprint(w.k), w.k.IsHigh(), w.k.IsZero(), zero),
			list(own().SetBytes(w.secret)), list(own().SetBytes(w.msg)))
	}},
	{"curve.Point", "Add Bytes BytesUncompressed BytesX CondNegate Double EncodeToCurve Equal EqualXModNVartime FillElligatorSwiftVartime HashToCurve IsInfinity IsPrecomputed IsYOdd LiftX Negate Normalize NormalizeVartime " +
		"PrecomputeVartime Select Set SetBytes SetElligatorSwiftVartime SetGenerator Sub Zero", func(w *world) []any {
		own := func() *curve.Point { return new(curve.Point) }
		infinity := own().Set(w.p)
		infinity.Zero()
		var encoded []any
		for i := range byte(60) {
			var encoding [64]byte
			found := w.q.FillElligatorSwiftVartime(&encoding, &[32]byte{i}, int(i%3))
			encoded = append(encoded, found, encoding, own().SetElligatorSwiftVartime(&encoding))
		}
		return join(
			list(own().Add(w.p, w.q), own().Sub(w.p, w.q), own().Add(w.q, w.q), own().Double(w.q), own().Negate(w.q), own().CondNegate(w.q, 1), own().Select(w.p, w.q, 0),
				own().Set(w.q), own().Set(w.q).Normalize(), own().Set(w.q).NormalizeVartime(), own().Set(w.q).PrecomputeVartime(), w.q.IsPrecomputed(), own().SetGenerator(), infinity,
				w.q.Bytes(), w.q.BytesUncompressed(), w.q.Equal(w.q), w.q.Equal(w.p), w.q.EqualXModNVartime(w.k), w.q.IsInfinity(), w.q.IsYOdd()),
			list(w.q.BytesX()), list(own().SetBytes(w.pub.Bytes())), list(own().LiftX(w.x.Bytes())), list(own().SetBytes(w.msg)),
			list(own().HashToCurve(w.msg, w.aux[:])), list(own().EncodeToCurve(w.msg, w.aux[:])), encoded)
	}},
	{"curve", "DoubleScalarBaseMultBatchVartime ElligatorSwiftScalarMult EqualXModNBatchVartime ExpandMessageXMD InvertBatch Lanes LiftXBatch NormalizeBatch ScalarBaseMultBatch ScalarMultBatch SumHasXModNVartime SumIsLiftXVartime SumHasXModNBatchVartime", func(w *world) []any {
		const n = 19
		k, l, own := slices.Repeat([]curve.Scalar{*w.k}, n), slices.Repeat([]curve.Scalar{*w.l}, n), make([]curve.Point, n)
		p, x, equal := slices.Repeat([]curve.Point{*w.p, *w.q}, n)[:n], slices.Repeat([][32]byte{[32]byte(w.x.Bytes())}, n), make([]bool, n)
		k[3], x[4] = curve.Scalar{}, [32]byte{}
		var results []any
		add := func() {
			for i := range own {
				results = append(results, new(curve.Point).Set(&own[i]))
			}
		}
		results = append(results, list(curve.ElligatorSwiftScalarMult(w.k, (*[64]byte)(slices.Repeat(w.aux[:], 2))))...)
		uniform := make([]byte, 100)
		results = append(results, curve.ExpandMessageXMD(uniform, w.msg, w.aux[:]), uniform)
		curve.ScalarBaseMultBatch(own, k)
		add()
		curve.ScalarMultBatch(own, w.k, p)
		add()
		curve.DoubleScalarBaseMultBatchVartime(own, k, p, l, l)
		curve.EqualXModNBatchVartime(equal, k, k, p, l, nil)
		add()
		results = append(results, fmt.Sprint(equal))
		curve.SumHasXModNBatchVartime(equal, k, k, slices.Repeat([][33]byte{[33]byte(w.pub.Bytes())}, n), l, l)
		results = append(results, fmt.Sprint(equal), curve.SumHasXModNVartime(w.k, w.pub.Bytes(), w.l, w.k), curve.SumIsLiftXVartime(w.k, w.x.Bytes(), w.l, w.peerX.Bytes()))
		for i := range own {
			own[i].Double(&own[i])
		}
		curve.NormalizeBatch(own)
		add()
		results = append(results, curve.LiftXBatch(own, x), curve.Lanes())
		add()
		curve.InvertBatch(k, k)
		for i := range k {
			results = append(results, &k[i])
		}
		return results
	}},
	{"curve.Scalar", "LogValue MarshalBinary MarshalText UnmarshalBinary UnmarshalText", func(w *world) []any {
		return join(list(w.k.LogValue().String(), w.k.UnmarshalText(w.msg), w.k.UnmarshalBinary(w.msg)), list(w.k.MarshalText()), list(w.k.MarshalBinary()))
	}},
	{"curve.Point", "Format LogValue MarshalBinary MarshalText UnmarshalBinary UnmarshalText", func(w *world) []any {
		return join(list(fmt.Sprint(w.q), w.q.LogValue().String(), w.q.UnmarshalText(w.msg), w.q.UnmarshalBinary(w.msg)), list(w.q.MarshalText()), list(w.q.MarshalBinary()))
	}},
	{"curve.Point", "DoubleScalarBaseMultBytesVartime DoubleScalarBaseMultVartime MultiScalarMultVartime ScalarBaseMult ScalarMult", func(w *world) []any {
		own := func() *curve.Point { return new(curve.Point) }
		return join(list(own().ScalarBaseMult(w.k), own().ScalarMult(w.k, w.q), own().DoubleScalarBaseMultVartime(w.k, w.q, w.l),
			own().MultiScalarMultVartime([]*curve.Scalar{w.k, w.l, w.k}, []*curve.Point{w.p, w.q, w.q})),
			list(own().DoubleScalarBaseMultBytesVartime(w.k, w.pub.Bytes(), w.l)))
	}},

	{"ecdsa", "NewCheckedSigner NewSigner ParseCompact ParseDER ParseRecoverable ParseRecoverableBitcoin ParseRecoverableEthereum Recover " +
		"Sign SignChecked SignRecoverable SignWithEntropy TruncateHash Verify VerifyCompact VerifyDER VerifyLowS", func(w *world) []any {
		return join(
			list(ecdsa.NewSigner(w.priv).Public()), list(ecdsa.Sign(w.priv, w.digest)), list(ecdsa.SignRecoverable(w.priv, w.digest)), list(ecdsa.SignWithEntropy(w.priv, w.digest, w.aux)),
			list(ecdsa.NewCheckedSigner(w.priv).Public()), list(ecdsa.SignChecked(w.priv, w.digest, w.aux)),
			list(ecdsa.ParseCompact(w.sig.Bytes())), list(ecdsa.ParseDER(w.sig.DER())), list(ecdsa.ParseDER(w.msg)), list(ecdsa.ParseRecoverable(w.recoverable.Bytes())),
			list(ecdsa.ParseRecoverableBitcoin(w.recoverable.BytesBitcoin(true))), list(ecdsa.Recover(w.digest, w.recoverable)),
			list(ecdsa.ParseRecoverableEthereum(w.recoverable.BytesEthereum())), list(ecdsa.TruncateHash(w.msg)),
			list(ecdsa.Verify(w.pub, w.digest, w.sig), ecdsa.VerifyLowS(w.pub, w.digest, w.sig), ecdsa.Verify(w.pub, w.msg, w.sig), ecdsa.Verify(w.peer, w.digest, w.sig)),
			list(ecdsa.VerifyDER(w.pub.Bytes(), w.digest, w.sig.DER()), ecdsa.VerifyCompact(w.pub.BytesUncompressed(), w.digest, w.sig.Bytes()), ecdsa.VerifyDER(w.peer.Bytes(), w.digest, w.sig.DER())))
	}},
	{"ecdsa", "RecoverBatch SignBatch", func(w *world) []any {
		keys, sigs := make([]*p256k1.PublicKey, 9), make([]ecdsa.Signature, 9)
		digests, recoverable := slices.Repeat([][]byte{w.digest}, 9), slices.Repeat([]ecdsa.RecoverableSignature{w.recoverable}, 9)
		digests[4], recoverable[5] = w.tweak, ecdsa.RecoverableSignature{}
		found := ecdsa.RecoverBatch(keys, digests, recoverable)
		err := ecdsa.SignBatch(sigs, slices.Repeat([]*p256k1.PrivateKey{w.priv, w.other, w.priv}, 3), digests)
		results := list(found, err, ecdsa.SignBatch(sigs[:1], []*p256k1.PrivateKey{w.priv}, [][]byte{w.msg}))
		for i := range keys {
			results = append(results, keys[i], sigs[i])
		}
		return results
	}},
	{"ecdsa.Batch", "Add AddKey Invalid Len Reset Verify", func(w *world) []any {
		var own ecdsa.Batch
		own.Add(w.pub.Bytes(), w.digest, w.sig)
		all := own.Verify()
		own.AddKey(w.peer, w.digest, w.sig)
		own.AddKey(w.pub, w.digest, w.sig)
		own.Add(w.msg, w.digest, w.sig)
		results := list(all, own.Verify(), fmt.Sprint(own.Invalid(nil)), own.Len())
		own.Reset()
		return append(results, own.Len())
	}},
	{"ecdsa.Signature", "Bytes DER IsLowS NormalizeS", func(w *world) []any {
		return list(w.sig.Bytes(), w.sig.DER(), w.sig.IsLowS(), w.sig.NormalizeS())
	}},
	{"ecdsa.RecoverableSignature", "Bytes BytesBitcoin BytesEthereum RecoveryID Signature", func(w *world) []any {
		return list(w.recoverable.Bytes(), w.recoverable.BytesBitcoin(false), w.recoverable.BytesEthereum(), w.recoverable.RecoveryID(), w.recoverable.Signature())
	}},
	{"ecdsa.Signer", "Public Sign", func(w *world) []any {
		return join(list(w.ecdsaSigner.Public()), list(w.ecdsaSigner.Sign(nil, w.digest, crypto.SHA256)), list(w.ecdsaSigner.Sign(bytes.NewReader(w.msg), w.digest, nil)))
	}},

	{"ecdsa.Signer", "LogValue MarshalText UnmarshalText", func(w *world) []any {
		return join(list(w.ecdsaSigner.LogValue().String()), list(w.ecdsaSigner.MarshalText()), list(w.ecdsaSigner.UnmarshalText(w.msg)))
	}},

	{"schnorr", "NewCheckedSigner NewSigner NewTag Sign SignChecked TaggedHash Verify VerifyBytes", func(w *world) []any {
		fresh, err := schnorr.Sign(w.priv, w.msg, nil)
		return join(
			list(schnorr.NewSigner(w.priv).Public(), err, schnorr.Verify(w.x, w.msg, fresh[:])), list(schnorr.Sign(w.priv, w.msg, w.aux)),
			list(schnorr.NewCheckedSigner(w.priv).Public()), list(schnorr.SignChecked(w.priv, w.msg, w.aux)),
			list(schnorr.NewTag("tag"), schnorr.TaggedHash("tag", w.msg, w.digest), schnorr.Verify(w.x, w.msg, w.schnorrSig), schnorr.Verify(w.peerX, w.msg, w.schnorrSig),
				schnorr.VerifyBytes(w.x.Bytes(), w.msg, w.schnorrSig), schnorr.VerifyBytes(w.x.Bytes(), w.digest, w.schnorrSig)))
	}},
	{"schnorr", "SignBatch", func(w *world) []any {
		sigs := make([][64]byte, 9)
		err := schnorr.SignBatch(sigs, slices.Repeat([]*p256k1.PrivateKey{w.priv, w.other, w.priv}, 3), slices.Repeat([][]byte{w.msg}, 9))
		results := list(err)
		for i, sig := range sigs {
			results = append(results, schnorr.Verify(w.x, w.msg, sig[:]) != (i%3 == 1), schnorr.Verify(w.peerX, w.msg, sig[:]) == (i%3 == 1))
		}
		return results
	}},
	{"schnorr.Batch", "Add AddKey Invalid Len Reset Verify", func(w *world) []any {
		var own schnorr.Batch
		for range 9 {
			own.Add(w.x.Bytes(), w.msg, w.schnorrSig)
			own.AddKey(w.x, w.msg, w.schnorrSig)
		}
		all := own.Verify()
		own.Add(w.x.Bytes(), w.digest, w.schnorrSig)
		own.AddKey(w.peerX, w.msg, w.schnorrSig)
		results := list(all, own.Verify(), fmt.Sprint(own.Invalid(nil)), own.Len())
		own.Reset()
		return append(results, own.Len())
	}},
	{"schnorr.Tag", "Sum", func(w *world) []any {
		tag := schnorr.NewTag("tag")
		return list(tag.Sum(w.msg, w.digest))
	}},
	{"schnorr.Signer", "Public Sign SignMessage", func(w *world) []any {
		return join(list(w.schnorrSigner.Public()), list(w.schnorrSigner.Sign(bytes.NewReader(w.msg), w.digest, crypto.SHA256)),
			list(w.schnorrSigner.SignMessage(bytes.NewReader(w.msg), w.msg, crypto.SHA256)))
	}},

	{"schnorr.Signer", "LogValue MarshalText UnmarshalText", func(w *world) []any {
		return join(list(w.schnorrSigner.LogValue().String()), list(w.schnorrSigner.MarshalText()), list(w.schnorrSigner.UnmarshalText(w.msg)))
	}},

	{"ecdh", "NIP44ConversationKey SHA256 X XFromXOnly", func(w *world) []any {
		return join(list(ecdh.X(w.priv, w.peer)), list(ecdh.XFromXOnly(w.priv, w.peerX)), list(ecdh.SHA256(w.priv, w.peer)), list(ecdh.NIP44ConversationKey(w.priv, w.peerX)))
	}},

	{"ellswift", "Decode Encode GenerateKey NewPrivateKey", func(w *world) []any {
		encoding, err := ellswift.Encode(w.pub, w.aux)
		other, err2 := ellswift.NewPrivateKey(w.other, &encoding)
		key, fresh, err3 := ellswift.GenerateKey()
		return list(encoding, err, other == nil, err2, key != nil, err3, ellswift.Decode(&encoding), ellswift.Decode(&fresh) != nil)
	}},
	{"ellswift.PrivateKey", "ECDH Format LogValue MarshalBinary MarshalText UnmarshalBinary UnmarshalText X Zero", func(w *world) []any {
		own := func() *ellswift.PrivateKey {
			priv, err := p256k1.NewPrivateKey(w.secret)
			if err != nil {
				panic(err)
			}
			encoding, err := ellswift.Encode(priv.PublicKey(), w.aux)
			if err != nil {
				panic(err)
			}
			k, err := ellswift.NewPrivateKey(priv, &encoding)
			if err != nil {
				panic(err)
			}
			return k
		}
		theirs, err := ellswift.Encode(w.peer, w.aux)
		wiped := own()
		wiped.Zero()
		return join(list(err), list(own().ECDH(&theirs, true)), list(own().ECDH(&theirs, false)), list(own().X(&theirs)), list(wiped.X(&theirs)),
			list(wiped.LogValue().String(), fmt.Sprint(wiped)), list(wiped.MarshalText()), list(wiped.UnmarshalText(w.msg)),
			list(wiped.MarshalBinary()), list(wiped.UnmarshalBinary(w.msg)))
	}},

	{"signer", "NewP256K1Gen NewP256K1Signer", func(w *world) []any {
		return list(signer.NewP256K1Gen() != nil, signer.NewP256K1Signer() != nil)
	}},
	{"signer.P256K1Signer", "LogValue MarshalText UnmarshalText", func(w *world) []any {
		return join(list(w.nostr.LogValue().String()), list(w.nostr.MarshalText()), list(w.nostr.UnmarshalText(w.msg)))
	}},
	{"signer.P256K1Gen", "LogValue MarshalText UnmarshalText", func(w *world) []any {
		return join(list(w.gen.LogValue().String()), list(w.gen.MarshalText()), list(w.gen.UnmarshalText(w.msg)))
	}},
	{"signer.P256K1Signer", "ECDH ECDHRaw Generate InitPub InitSec Pub Sec Sign Verify Zero", func(w *world) []any {
		own := signer.NewP256K1Signer()
		sec, pub := own.InitSec(w.secret), own.InitPub(w.peerX.Bytes())
		generated := own.Generate()
		own.Zero()
		fresh, err := w.nostr.Sign(w.msg)
		return join(list(sec, pub, generated, own.Pub(), w.nostr.Sec(), w.nostr.Pub(), w.watcher.Pub(), err),
			list(w.nostr.ECDH(w.peerX.Bytes())), list(w.nostr.ECDHRaw(w.peerX.Bytes())),
			list(w.watcher.Verify(w.msg, fresh)), list(w.nostr.Verify(w.msg, w.schnorrSig)), list(w.watcher.Verify(w.digest, w.schnorrSig)))
	}},
	{"signer.P256K1Gen", "Generate KeyPairBytes Negate", func(w *world) []any {
		own := signer.NewP256K1Gen()
		pub, err := own.Generate()
		own.Negate()
		sec, x := own.KeyPairBytes()
		sharedSec, sharedX := w.gen.KeyPairBytes()
		priv, err2 := p256k1.NewPrivateKey(sec)
		return list(err, err2, bytes.Equal(pub[1:], x), priv.PublicKey().Bytes()[0]^pub[0], sharedSec, sharedX)
	}},
}

// text returns results as a text in which nothing is hidden.
func text(results []any) string {
	var b strings.Builder
	for _, v := range results {
		switch v := v.(type) {
		case *p256k1.PrivateKey:
			if v != nil {
				fmt.Fprintf(&b, "%x %x\n", v.Bytes(), v.PublicKey().BytesUncompressed())
			}
		case *p256k1.PublicKey:
			if v != nil {
				fmt.Fprintf(&b, "%x\n", v.BytesUncompressed())
			}
		case *p256k1.XOnlyPublicKey:
			if v != nil {
				fmt.Fprintf(&b, "%x\n", v.Bytes())
			}
		case *curve.Scalar:
			if v != nil {
				fmt.Fprintf(&b, "%x\n", v.Bytes())
			}
		case *curve.Point:
			if v != nil {
				fmt.Fprintf(&b, "%x\n", v.BytesUncompressed())
			}
		case ecdsa.Signature:
			fmt.Fprintf(&b, "%x\n", v.Bytes())
		case ecdsa.RecoverableSignature:
			fmt.Fprintf(&b, "%x\n", v.Bytes())
		case []byte, [32]byte, [64]byte, byte, schnorr.Tag:
			fmt.Fprintf(&b, "%x\n", v)
		case nil, error, bool, int, string:
			fmt.Fprintf(&b, "%v\n", v)
		default:
			panic(fmt.Sprintf("a result of type %T", v))
		}
	}
	return b.String()
}

// TestAlone checks what the others compare with: that results do not change from call to call, and some of them against the
// oracle, so that not all are errors.
func TestAlone(t *testing.T) {
	w := newWorld(t)
	for _, o := range operations {
		if first, second := text(o.do(w)), text(o.do(w)); first != second {
			t.Errorf("%s: %s\nthen\n%s", o.of, first, second)
		}
	}
	d := new(big.Int).SetBytes(w.secret)
	pub := oracle.G.Mul(d)
	sig, _ := oracle.SignRFC6979(d, w.digest, nil)
	schnorrSig, _ := oracle.SignSchnorr(d, w.msg, *w.aux)
	x, _ := oracle.ECDHX(d, oracle.G.Mul(oracle.Fn.Add(d, oracle.Int(w.tweak))))
	sum := sha256.Sum256(w.msg)
	for _, c := range []struct {
		of   string
		want any
	}{
		{"p256k1.PublicKey", pub.Uncompressed()},
		{"ecdsa", [64]byte(sig.Compact())},
		{"schnorr", schnorrSig},
		{"ecdh", x},
		{"curve.Point", oracle.G.Uncompressed()},
		{"schnorr.Signer", func() any {
			sig, _ := oracle.SignSchnorr(d, sum[:], [32]byte(w.msg))
			return sig
		}()},
	} {
		var all string
		for _, o := range operations {
			if o.of == c.of {
				all += text(o.do(w))
			}
		}
		if want := text([]any{c.want}); !strings.Contains(all, want) {
			t.Errorf("%s: %s\nlacks %s", c.of, all, want)
		}
	}
}
