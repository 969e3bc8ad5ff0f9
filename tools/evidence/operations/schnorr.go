package operations

import (
	"bytes"
	"context"
	"crypto"
	"crypto/sha256"
	"math/big"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

// signedSchnorr returns the oracle of signatures by Key of the message that msg returns. aux is the auxiliary
// randomness; nil stands for unknown randomness.
func signedSchnorr(msg func(in *In) []byte, aux func(in *In) *[32]byte) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) {
		all, right := ofSchnorr(in.d(), msg(in), r[0].Bytes)
		if aux(in) == nil {
			return all, right
		}
		want, _ := oracle.SignSchnorr(in.d(), msg(in), *aux(in))
		t := masked("BIP0340/aux", aux(in), number(even(in.d(), in.pub()))) // t of BIP-340
		return append(all, opaque("masked key", t)), right && r.is(want[:])
	}
}

// ofSchnorr returns the secrets in the computation of sig from d and msg, and reports whether sig is a valid signature.
func ofSchnorr(d *big.Int, msg, sig []byte) ([]Secret, bool) {
	p := oracle.G.Mul(d)
	px := number(p.X)
	ed := oracle.Fn.Mul(hashed("BIP0340/challenge", sig[:32], px, msg), even(d, p))
	k := oracle.Fn.Sub(oracle.Int(sig[32:]), ed)
	return slices.Concat(scalar("signing key", d), ofNonce(k), scalar("e·d", ed)), oracle.VerifySchnorr(px, msg, sig)
}

func theDigest(in *In) []byte     { return in.Digest }
func theMessage(in *In) []byte    { return in.Msg }
func fixed(in *In) *[32]byte      { return in.Aux }
func fresh(*In) *[32]byte         { return nil }
func zeros(*In) *[32]byte         { return new([32]byte) }
func hashedMessage(in *In) []byte { sum := sha256.Sum256(in.Msg); return sum[:] }

// manySignedSchnorr is the oracle of signBatchSchnorr.
func manySignedSchnorr(in *In, r Results) (all []Secret, right bool) {
	right = true
	for i, d := range alternate(in.d(), in.e()) {
		more, ok := ofSchnorr(d, in.Digest, r[i].Bytes)
		all, right = append(all, more...), right && ok
	}
	return all, right
}

func signBatchSchnorr(in *In, out *Out, opts *schnorr.Options) {
	sigs := make([][64]byte, many)
	check(schnorr.SignBatch(sigs, alternate(in.Key(), in.Other()), slices.Repeat([][]byte{in.Digest}, many), opts))
	for i := range sigs {
		out.Fresh(sigs[i][:])
	}
}

var schnorrs = []Op{
	onSecrets("schnorr.Sign", 0, signedSchnorr(theDigest, fixed), func(in *In, out *Out) {
		sig := must(schnorr.Sign(in.Key(), in.Digest, &schnorr.Options{AuxRand: in.Aux}))
		out.Bytes(sig[:])
	}),
	onSecrets("schnorr.Sign, fresh randomness", 0, signedSchnorr(theMessage, fresh), func(in *In, out *Out) {
		sig := must(schnorr.Sign(in.Key(), in.Msg, nil))
		out.Fresh(sig[:])
	}),
	onSecrets("schnorr.Sign, checked", 0, signedSchnorr(theDigest, fixed), func(in *In, out *Out) {
		sig := must(schnorr.Sign(in.Key(), in.Digest, &schnorr.Options{AuxRand: in.Aux, Checked: true}))
		out.Bytes(sig[:])
	}).shown(checksItsWork),
	onSecrets("schnorr.Sign, checked, fresh randomness", 0, signedSchnorr(theMessage, fresh), func(in *In, out *Out) {
		sig := must(schnorr.Sign(in.Key(), in.Msg, &schnorr.Options{Checked: true}))
		out.Fresh(sig[:])
	}).shown(checksItsWork),
	onSecrets("schnorr.SignBatch", 1, manySignedSchnorr, func(in *In, out *Out) { signBatchSchnorr(in, out, nil) }),
	onSecrets("schnorr.SignBatch, checked", 1, manySignedSchnorr,
		func(in *In, out *Out) { signBatchSchnorr(in, out, &schnorr.Options{Checked: true}) }).shown(checksItsWork),
	onSecrets("schnorr.Signer", Varies, signedSchnorr(theDigest, zeros), func(in *In, out *Out) {
		s := schnorr.NewSigner(in.Key(), nil)
		out.hold()
		sig, err := s.Sign(bytes.NewReader(make([]byte, 32)), in.Digest, crypto.SHA256)
		out.hold()
		check(err)
		out.Bytes(sig, s.Public().(*p256k1.XOnlyPublicKey).Bytes())
	}),
	onSecrets("schnorr.Signer.Sign", Varies, signedSchnorr(theDigest, fresh),
		func(in *In, out *Out) { out.Fresh(must(in.SchnorrSigner().Sign(nil, in.Digest, crypto.SHA256))) }),
	onSecrets("schnorr.Signer.SignMessage", Varies, signedSchnorr(hashedMessage, fixed), func(in *In, out *Out) {
		out.Bytes(must(in.SchnorrSigner().SignMessage(bytes.NewReader(in.Aux[:]), in.Msg, crypto.SHA256)))
	}),
	onSecrets("schnorr.Signer, checked", Varies, signedSchnorr(theDigest, fixed), func(in *In, out *Out) {
		out.Bytes(must(schnorr.NewSigner(in.Key(), &schnorr.Options{Checked: true}).SignMessage(bytes.NewReader(in.Aux[:]), in.Digest, nil)))
	}).shown(checksItsWork),
	onSecrets("schnorr.TaggedHash", 0,
		func(in *In, r Results) ([]Secret, bool) {
			sum := oracle.TaggedHash("secret", in.Secret)
			return nil, r.is(sum[:], sum[:])
		}, func(in *In, out *Out) {
			tag := schnorr.NewTag("secret")
			sum := tag.Sum(in.Secret)
			out.Bytes(sum[:])
			sum = schnorr.TaggedHash("secret", in.Secret)
			out.Bytes(sum[:])
		}).unsearched("it hashes memory that its caller holds, and does not promise to wipe it"),

	onPublic("schnorr.Verify", 0, signatures, func(in *In, out *Out) {
		out.True(schnorr.Verify(in.X(), in.Msg, in.SchnorrSig()))
		out.True(schnorr.Verify(in.Ready().XOnly(), in.Msg, in.SchnorrSig()))
		out.True(schnorr.VerifyBytes(in.X().Bytes(), in.Msg, in.SchnorrSig()))
		out.False(schnorr.Verify(in.PeerX(), in.Msg, in.SchnorrSig()))
		out.False(schnorr.Verify(in.X(), in.Digest, in.SchnorrSig()))
		out.False(schnorr.Verify(in.Ready().XOnly(), in.Digest, in.SchnorrSig()))
		out.False(schnorr.VerifyBytes(in.X().Bytes(), in.Digest, in.SchnorrSig()))
	}),
	onPublic("schnorr.Challenge", 0, signatures, func(in *In, out *Out) {
		e := schnorr.Challenge(in.SchnorrSig()[:32], in.X().Bytes(), in.Msg)
		var s curve.Scalar
		var r curve.Point
		must(s.SetBytes(in.SchnorrSig()[32:]))
		r.DoubleScalarBaseMultVartime(e.Negate(&e), in.X().Point(), &s)
		out.True(bytes.Equal(must(r.Normalize().BytesX()), in.SchnorrSig()[:32]))
	}),
	onPublic("schnorr.Verify, changed", Varies, signatures, func(in *In, out *Out) {
		out.False(schnorr.Verify(in.X(), in.Msg, in.flip(in.SchnorrSig())))
		out.False(schnorr.Verify(in.X(), in.flip(in.Msg), in.SchnorrSig()))
		out.False(schnorr.Verify(in.X(), append(bytes.Clone(in.Msg), 0), in.SchnorrSig()))
		out.False(schnorr.VerifyBytes(in.Msg, in.Msg, in.SchnorrSig()))
	}),
	onPublic("schnorr.Batch", Varies, signatures, func(in *In, out *Out) {
		var b schnorr.Batch
		for range many {
			b.Add(in.X().Bytes(), in.Msg, in.SchnorrSig())
			b.AddKey(in.X(), in.Msg, in.SchnorrSig())
		}
		out.True(b.Verify() && len(b.Invalid(nil)) == 0)
		b.Add(in.X().Bytes(), in.Digest, in.SchnorrSig())
		b.AddKey(in.Ready().XOnly(), in.Msg, in.SchnorrSig())
		b.AddKey(in.PeerX(), in.Msg, in.SchnorrSig())
		out.True(!b.Verify() && slices.Equal(b.Invalid(nil), []int{2 * many, 2*many + 2}) && b.Len() == 2*many+3)
		b.Reset()
		out.True(b.Len() == 0)
	}),
	onPublic("schnorr.Pool", Varies, signatures, func(in *In, out *Out) {
		var p schnorr.Pool
		out.True(must(p.Verify(context.Background(), in.X().Bytes(), in.Msg, in.SchnorrSig())))
		out.False(must(p.Verify(context.Background(), in.X().Bytes(), in.Digest, in.SchnorrSig())))
	}),
}
