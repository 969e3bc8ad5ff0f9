package operations

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
)

const (
	signatures    = "signatures, with their keys and messages"
	checksItsWork = "it signs with functions that other operations run, and verifies the signature in variable time"
)

// signedECDSA returns the oracle of Key's signatures of the digest. extra returns the additional data of RFC 6979.
func signedECDSA(extra func(in *In) []byte) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) { return ofECDSA(in, in.d(), extra(in), r[0].Bytes) }
}

// signedDER returns the oracle of Key's signatures in DER, which Key's public key may follow.
func signedDER(extra func(in *In) []byte) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) {
		sig, err := ecdsa.ParseDER(r[0].Bytes)
		all, right := ofECDSA(in, in.d(), extra(in), sig.Bytes())
		return all, right && err == nil && (len(r) == 1 || r[1:].is(in.pub().Compressed()))
	}
}

func none(*In) []byte       { return nil }
func withAux(in *In) []byte { return in.Aux[:] }

// ofECDSA returns all secrets in the computation of a signature by d, and reports whether sig begins with this
// signature, r‖s.
func ofECDSA(in *In, d *big.Int, extra, sig []byte) (all []Secret, right bool) {
	want, _ := oracle.SignRFC6979(d, in.Digest, extra)
	z := oracle.Fn.Reduce(oracle.Int(in.Digest))
	rd := oracle.Fn.Mul(want.R, d)
	zrd := oracle.Fn.Add(z, rd)
	k := oracle.Fn.Mul(zrd, oracle.Fn.Inv(want.S)) // k or its negation

	// The state of RFC 6979's generator, section 3.2, steps d to h.
	x, h := number(d), number(z)
	hk, v := make([]byte, 32), bytes.Repeat([]byte{1}, 32)
	for i := range byte(2) {
		hk = hmacSHA256(hk, v, []byte{i}, x, h, extra)
		v = hmacSHA256(hk, v)
		all = append(all, opaque(fmt.Sprintf("K of RFC 6979, %d", i), hk), opaque(fmt.Sprintf("V of RFC 6979, %d", i), v))
		all = append(all, pads("K of RFC 6979", hk)...)
	}
	v = hmacSHA256(hk, v) // the nonce
	n := oracle.Int(v)
	all = slices.Concat(all, scalar("signing key", d), ofNonce(n), scalar("inverse of the nonce", oracle.Fn.Inv(n)), scalar("r·d", rd), scalar("z + r·d", zrd))
	compact := want.Compact()
	right = bytes.HasPrefix(sig, compact[:]) && (n.Cmp(k) == 0 || n.Cmp(oracle.Fn.Neg(k)) == 0)
	return append(all, opaque("V of RFC 6979, 2", v)), right
}

// manySignedECDSA returns the oracle of a batch of signatures by Key and Other. The nonces share one inversion: a batch
// inverts the product of all nonces, and gets each inverse from the products of the first nonces.
func manySignedECDSA(extra func(in *In) []byte) oracleOf {
	return func(in *In, r Results) (all []Secret, right bool) {
		product, right := big.NewInt(1), true
		for i, d := range alternate(in.d(), in.e()) {
			more, ok := ofECDSA(in, d, extra(in), r[i].Bytes)
			all, right = append(all, more...), right && ok
			for k := range oracle.NoncesRFC6979(d, in.Digest, extra(in)) {
				product = oracle.Fn.Mul(product, k)
				break
			}
			all = slices.Concat(all, scalar("product of nonces", product), scalar("inverse of a product of nonces", oracle.Fn.Inv(product)))
		}
		return all, right
	}
}

func signRecoverableBatch(in *In, out *Out, opts *ecdsa.Options) {
	sigs, digests := make([]ecdsa.RecoverableSignature, many), slices.Repeat([][]byte{in.Digest}, many)
	check(ecdsa.SignRecoverableBatch(sigs, alternate(in.Key(), in.Other()), digests, opts))
	for _, sig := range sigs {
		out.Bytes(sig.Bytes())
	}
}

var ecdsas = []Op{
	onSecrets("ecdsa.Sign", 0, signedECDSA(none),
		func(in *In, out *Out) { out.Bytes(must(ecdsa.Sign(in.Key(), in.Digest, nil)).Bytes()) }),
	onSecrets("ecdsa.Sign, with entropy", 0, signedECDSA(withAux), func(in *In, out *Out) {
		out.Bytes(must(ecdsa.Sign(in.Key(), ecdsa.TruncateHash(in.Digest), &ecdsa.Options{Entropy: in.Aux})).Bytes())
	}),
	onSecrets("ecdsa.SignRecoverable", 0, signedECDSA(none),
		func(in *In, out *Out) { out.Bytes(must(ecdsa.SignRecoverable(in.Key(), in.Digest, nil)).Bytes()) }),
	onSecrets("ecdsa.SignRecoverable, checked", 0, signedECDSA(withAux), func(in *In, out *Out) {
		out.Bytes(must(ecdsa.SignRecoverable(in.Key(), in.Digest, &ecdsa.Options{Entropy: in.Aux, Checked: true})).Bytes())
	}).shown(checksItsWork),
	onSecrets("ecdsa.SignBatch", 1, manySignedECDSA(none), func(in *In, out *Out) {
		sigs := make([]ecdsa.Signature, many)
		check(ecdsa.SignBatch(sigs, alternate(in.Key(), in.Other()), slices.Repeat([][]byte{in.Digest}, many), nil))
		for _, sig := range sigs {
			out.Bytes(sig.Bytes())
		}
	}),
	onSecrets("ecdsa.SignRecoverableBatch", 1, manySignedECDSA(withAux),
		func(in *In, out *Out) { signRecoverableBatch(in, out, &ecdsa.Options{Entropy: in.Aux}) }),
	onSecrets("ecdsa.SignRecoverableBatch, checked", 1, manySignedECDSA(none),
		func(in *In, out *Out) { signRecoverableBatch(in, out, &ecdsa.Options{Checked: true}) }).shown(checksItsWork),
	onSecrets("ecdsa.Signer", Varies, signedDER(none), func(in *In, out *Out) {
		s := ecdsa.NewSigner(in.Key(), nil)
		out.hold()
		der := must(s.Sign(nil, in.Digest, crypto.SHA256))
		out.hold()
		out.Some(der, 64)
		out.Bytes(s.Public().(*p256k1.PublicKey).Bytes())
	}),
	onSecrets("ecdsa.Signer.Sign", Varies, signedDER(withAux), func(in *In, out *Out) {
		out.Some(must(in.ECDSASigner().Sign(bytes.NewReader(in.Aux[:]), in.Digest, nil)), 64)
	}),
	onSecrets("ecdsa.Signer, checked", Varies, signedDER(none), func(in *In, out *Out) {
		out.Bytes(must(ecdsa.NewSigner(in.Key(), &ecdsa.Options{Checked: true}).Sign(nil, in.Digest, crypto.SHA256)))
	}).shown(checksItsWork),

	onPublic("ecdsa.Verify", 0, signatures, func(in *In, out *Out) {
		sig := in.Sig()
		out.True(ecdsa.Verify(in.Pub(), in.Digest, sig), ecdsa.Verify(in.Ready(), in.Digest, sig))
		out.True(ecdsa.VerifyLowS(in.Pub(), in.Digest, sig))
		out.False(ecdsa.Verify(in.Peer(), in.Digest, sig), ecdsa.Verify(in.Pub(), in.Aux[:], sig))
		out.False(ecdsa.Verify(in.Ready(), in.Aux[:], sig))
	}),
	onPublic("ecdsa.Verify, from bytes", 0, signatures, func(in *In, out *Out) {
		sig := in.Sig()
		p := must(p256k1.ParsePublicKey(in.Pub().Bytes()))
		parsed := must(ecdsa.ParseDER(sig.DER()))
		out.True(ecdsa.Verify(p, in.Digest, parsed))
		parsed = must(ecdsa.ParseCompact(sig.Bytes()))
		out.True(ecdsa.Verify(p, in.Digest, parsed), ecdsa.VerifyDER(in.Pub().Bytes(), in.Digest, sig.DER()))
		out.True(ecdsa.VerifyCompact(in.Pub().BytesUncompressed(), in.Digest, sig.Bytes()))
		out.False(ecdsa.VerifyDER(in.Peer().Bytes(), in.Digest, sig.DER()))
		out.False(ecdsa.VerifyCompact(in.Peer().Bytes(), in.Digest, sig.Bytes()))
	}),
	onPublic("ecdsa.Recover", 0, signatures, func(in *In, out *Out) {
		sig := must(ecdsa.ParseRecoverable(in.Recoverable().Bytes()))
		bitcoin, compressed := must2(ecdsa.ParseRecoverableBitcoin(sig.BytesBitcoin(true)))
		ethereum := must(ecdsa.ParseRecoverableEthereum(sig.BytesEthereum()))
		short := must(ecdsa.ParseRecoverableERC2098(must(sig.NormalizeS().BytesERC2098())))
		out.True(sig == in.Recoverable() && sig == short, bitcoin == sig && compressed && ethereum == sig)
		out.True(must(ecdsa.Recover(in.Digest, sig)).Equal(in.Pub()))
	}),
	onPublic("ecdsa.RecoverBatch", Varies, signatures, func(in *In, out *Out) {
		keys, digests := make([]p256k1.PublicKey, many), slices.Repeat([][]byte{in.Digest}, many)
		sigs := slices.Repeat([]ecdsa.RecoverableSignature{in.Recoverable()}, many)
		check(ecdsa.RecoverBatch(keys, digests, sigs))
		digests[4], sigs[5] = in.Aux[:], ecdsa.RecoverableSignature{}
		var failures p256k1.Failures
		errors.As(ecdsa.RecoverBatch(keys, digests, sigs), &failures)
		out.True(len(failures) == 1 && failures[0].Index == 5 && errors.Is(failures[0], ecdsa.ErrRecover))
		for i := range keys {
			out.True(keys[i].Equal(in.Pub()) == (i != 4 && i != 5))
		}
	}),
	onPublic("ecdsa.Batch", Varies, signatures, func(in *In, out *Out) {
		var b ecdsa.Batch
		for range many {
			b.Add(in.Pub().Bytes(), in.Digest, in.Sig())
			b.AddDER(in.Pub().BytesUncompressed(), in.Digest, in.Sig().DER())
			b.AddKey(in.Ready(), in.Digest, in.Sig())
		}
		out.True(b.Verify() && len(b.Invalid(nil)) == 0)
		b.AddKey(in.Peer(), in.Digest, in.Sig())
		b.AddKey(in.Pub(), in.Digest, in.Sig())
		b.Add(in.Msg, in.Digest, in.Sig())
		b.Add(in.Pub().Bytes(), in.Aux[:], in.Sig())
		out.True(!b.Verify() && slices.Equal(b.Invalid(nil), []int{3 * many, 3*many + 2, 3*many + 3}) && b.Len() == 3*many+4)
		b.Reset()
		out.True(b.Len() == 0)
	}),
	onPublic("ecdsa.Pool", Varies, signatures, func(in *In, out *Out) {
		var p ecdsa.Pool
		out.True(must(p.VerifyDER(context.Background(), in.Pub().Bytes(), in.Digest, in.Sig().DER())))
		out.True(must(p.VerifyCompact(context.Background(), in.Pub().BytesUncompressed(), in.Digest, in.Sig().Bytes())))
		out.False(must(p.VerifyDER(context.Background(), in.Peer().Bytes(), in.Digest, in.Sig().DER())))
		out.False(must(p.VerifyCompact(context.Background(), in.Pub().Bytes(), in.Aux[:], in.Sig().Bytes())))
	}),
	onPublic("ecdsa.Signature", Varies, signatures, func(in *In, out *Out) {
		sig := in.Sig()
		b := sig.Bytes()
		s := must(new(curve.Scalar).SetBytes(b[32:]))
		high := must(ecdsa.ParseCompact(append(b[:32:32], s.Negate(s).Bytes()...)))
		out.True(sig.IsLowS() && !high.IsLowS() && high.NormalizeS() == sig && sig.NormalizeS() == sig)
		out.True(ecdsa.Verify(in.Pub(), in.Digest, high))
		out.False(ecdsa.VerifyLowS(in.Pub(), in.Digest, high))
		changed, err := ecdsa.ParseCompact(in.flip(b))
		out.False(err == nil && ecdsa.Verify(in.Pub(), in.Digest, changed))
		changed, err = ecdsa.ParseDER(in.flip(sig.DER()))
		out.False(err == nil && ecdsa.Verify(in.Pub(), in.Digest, changed))
		out.False(ecdsa.Verify(in.Pub(), in.flip(in.Digest), sig), ecdsa.VerifyDER(in.Msg, in.Digest, sig.DER()))
		out.Refused(failure(ecdsa.ParseDER(in.Msg)))
		out.Values(b, sig.DER(), ecdsa.TruncateHash(in.Msg))
	}),
	onPublic("ecdsa.RecoverableSignature", Varies, signatures, func(in *In, out *Out) {
		sig := in.Recoverable()
		b := sig.Bytes()
		out.True(int(b[64]) == sig.RecoveryID() && bytes.Equal(b[:64], sig.Signature().Bytes()))
		b[64] ^= 1
		p, err := ecdsa.Recover(in.Digest, must(ecdsa.ParseRecoverable(b)))
		out.False(err == nil && p.Equal(in.Pub()))
		out.Values(sig.BytesBitcoin(false), sig.BytesEthereum())
	}),
	texts(func(in *In) *ecdsa.Signature { sig := in.Sig(); return &sig }),
	texts(func(in *In) *ecdsa.RecoverableSignature { sig := in.Recoverable(); return &sig }),
}
