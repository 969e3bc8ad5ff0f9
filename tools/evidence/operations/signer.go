package operations

import (
	"bytes"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/signer"
)

// signerShared is the oracle of the agreements of P256K1Signer, in which both keys have even y.
func signerShared(what string, hash func(in *In, p oracle.Point) []byte) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) {
		p := lifted(in.peer()).Mul(even(in.d(), in.pub()))
		want := hash(in, p)
		return append(append(halves(in.d()), coordinates("shared point", p)...), opaque(what, want)), r.is(want)
	}
}

// pairOf is the oracle of a result that is a secret key with its x coordinate, whatever the key is.
func pairOf(_ *In, r Results) ([]Secret, bool) {
	d := oracle.Int(r[0].Bytes)
	return ofKey(d), r[1:].is(number(oracle.G.Mul(d).X))
}

// holder returns a signer with Key, which its caller has to wipe.
func holder(in *In, out *Out) *signer.P256K1Signer {
	s := signer.NewP256K1Signer()
	check(s.InitSec(in.Secret))
	out.hold()
	return s
}

// withHolder makes an operation on a signer from holder.
func withHolder(name string, right oracleOf, run func(s *signer.P256K1Signer, in *In, out *Out)) Op {
	o := onSecrets(name, Varies, right, func(in *In, out *Out) {
		s := holder(in, out)
		run(s, in, out)
		s.Zero()
	})
	o.Called = []any{run}
	return o
}

var signers = []Op{
	withHolder("signer.P256K1Signer.InitSec", pairOf, func(s *signer.P256K1Signer, in *In, out *Out) {
		check(s.InitKey(in.Key()))
		b := s.Sec()
		out.hold()
		out.Secret(b)
		out.Bytes(s.Pub())
	}),
	onSecrets("signer.P256K1Signer.Generate", Varies, pairOf, func(in *In, out *Out) {
		var s signer.P256K1Signer
		check(s.Generate())
		out.hold()
		out.FreshSecret(s.Sec())
		out.Fresh(s.Pub())
		s.Zero()
	}),
	withHolder("signer.P256K1Signer.PubCompressed", gives(func(in *In) parts { return parts{in.pub().Compressed()} }),
		func(s *signer.P256K1Signer, _ *In, out *Out) { out.Bytes(must(s.PubCompressed())) }),
	withHolder("signer.P256K1Signer.Sign", signedSchnorr(theDigest, fresh),
		func(s *signer.P256K1Signer, in *In, out *Out) { out.Fresh(must(s.Sign(in.Digest))) }),
	withHolder("signer.P256K1Signer.ECDH", signerShared("hash of the shared point", sha256Of),
		func(s *signer.P256K1Signer, in *In, out *Out) { out.Secret(must(s.ECDH(in.PeerX().Bytes()))) }),
	withHolder("signer.P256K1Signer.ECDHRaw", signerShared("shared x", xOf),
		func(s *signer.P256K1Signer, in *In, out *Out) { out.Secret(must(s.ECDHRaw(in.PeerX().Bytes()))) }),
	// This stack is new and still small, and it must not grow while a key is on it. On a platform that passes no
	// arguments in registers, such as 386, the key is on the stack as long as the function that Use calls runs.
	onSecrets("signer.P256K1Signer.ECDH, on a new stack", Varies, signerShared("hash of the shared point", sha256Of),
		func(in *In, out *Out) {
			s := holder(in, out)
			shared := make(chan []byte)
			deep, done := int(in.Aux[1]%96), make(chan struct{})
			go func() {
				Deeper(deep, func() { shared <- must(s.ECDH(in.PeerX().Bytes())) })
				<-done // keeps the stack from being reused before the search
			}()
			out.Secret(<-shared)
			s.Zero()
			out.End = append(out.End, func() { close(done) })
		}).untimed("it runs another operation in a goroutine, which changes nothing about its time"),
	onPublic("signer.P256K1Signer, shared", Varies, "signatures and public keys; other operations run the rest with signers of their own", func(in *In, out *Out) {
		sig := must(in.Nostr().Sign(in.Msg))
		for _, s := range []*signer.P256K1Signer{in.Nostr(), in.Watcher()} {
			ok := must(s.Verify(in.Msg, sig))
			out.True(ok)
			ok = must(s.Verify(in.Msg, in.flip(sig)))
			out.False(ok)
		}
		mine := must(in.Nostr().ECDH(in.PeerX().Bytes()))
		theirs := signer.NewP256K1Signer()
		check(theirs.InitSec(in.OtherSecret))
		out.True(bytes.Equal(mine, must(theirs.ECDH(in.Watcher().Pub()))) && bytes.Equal(in.Nostr().Sec(), in.Secret))
		check(theirs.InitPub(in.X().Bytes()))
		out.True(theirs.Sec() == nil && bytes.Equal(theirs.Pub(), in.Watcher().Pub()))
		out.Values(in.Nostr().Pub())
	}),
	onSecrets("signer.P256K1Gen", Varies,
		func(in *In, r Results) ([]Secret, bool) {
			d := oracle.Int(r[0].Bytes)
			p := oracle.G.Mul(d)
			return ofKey(d), r[1:].is(number(p.X), p.Neg().Compressed())
		}, func(in *In, out *Out) {
			g := signer.NewP256K1Gen()
			pub := must(g.Generate())
			out.hold()
			g.Negate()
			out.hold()
			secret, x := g.KeyPairBytes()
			out.hold()
			out.FreshSecret(secret)
			out.Fresh(x, pub)
			g.Negate()
			must(g.Generate()) // wipes the previous pair
		}),
	onPublic("signer.P256K1Gen, shared", Varies, "a pair that was made earlier", func(in *In, out *Out) {
		secret, x := in.Gen().KeyPairBytes()
		out.True(bytes.Equal(must(p256k1.ParsePrivateKey(secret)).PublicKey().XOnly().Bytes(), x))
	}),
}
