package operations

import (
	"math/big"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
)

const (
	publicKeys = "public keys, which reveal everything that went into them"
	// publicTweak is not for operations on private keys, which wipe their copies of tweaks.
	publicTweak = "the caller holds the tweak of a public key, and whoever has both public keys can check a guess of it"
)

// many is a number of items that fills eight lanes and leaves a remainder.
const many = 9

// alternate returns many items, alternately a and b.
func alternate[T any](a, b T) []T {
	all := make([]T, many)
	for i := range all {
		if all[i] = a; i%2 == 1 {
			all[i] = b
		}
	}
	return all
}

var keys = []Op{
	onSecrets("p256k1.ParsePrivateKey", 2, givesKey((*In).d),
		func(in *In, out *Out) { out.Key(must(p256k1.ParsePrivateKey(in.Secret))) }),
	onSecrets("p256k1.ParsePrivateKey, public half", 1, gives(func(in *In) parts { return parts{in.pub().Compressed()} }),
		func(in *In, out *Out) {
			k := must(p256k1.ParsePrivateKey(in.Secret))
			out.Bytes(k.PublicKey().Bytes(), k.PublicKey().XOnly().Bytes())
			k.Zero()
		}),
	onSecrets("p256k1.GenerateKey", 2, generated, func(in *In, out *Out) { out.FreshKey(must(p256k1.GenerateKey())) }),
	onSecrets("p256k1.NewPrivateKey", 2, givesKey((*In).d),
		func(in *In, out *Out) { out.Key(must(p256k1.NewPrivateKey(in.K()))) }),
	onSecrets("p256k1.ParsePrivateKeys", 2*many+1,
		func(in *In, r Results) ([]Secret, bool) {
			return ofResult(in.t()), r.isKey(0, in.d()) && r.isKey(2, in.t()) && r.isKey(2*many-2, in.d())
		}, func(in *In, out *Out) { out.Key(must(p256k1.ParsePrivateKeys(alternate(in.Secret, in.Tweak)))...) }),
	onSecrets("p256k1.GenerateKeys", 2*many+1,
		func(in *In, r Results) (all []Secret, right bool) {
			right = len(r) == 2*many
			for i := 0; right && i < len(r); i += 2 {
				d := oracle.Int(r[i].Bytes)
				all, right = append(all, ofKey(d)...), r.isKey(i, d)
			}
			return all, right
		}, func(in *In, out *Out) { out.FreshKey(must(p256k1.GenerateKeys(many))...) }),
	onSecrets("p256k1.PrivateKey.Bytes", 1, gives(func(in *In) parts { return parts{in.Secret} }),
		func(in *In, out *Out) { out.Secret(in.Key().Bytes()) }),
	onSecrets("p256k1.PrivateKey.Scalar", 1, gives(func(in *In) parts { return parts{in.Secret} }), func(in *In, out *Out) {
		d := must(in.Key().Scalar())
		out.hold()
		out.Secret(d.Bytes())
		d.Zero()
	}),
	onSecrets("p256k1.PrivateKey.Use", 0, gives(func(in *In) parts { return parts{in.Secret} }), func(in *In, out *Out) {
		check(in.Key().Use(func(d curve.Scalar) error {
			out.Secret(d.Bytes())
			return nil
		}))
	}),
	onSecrets("p256k1.PrivateKey.Equal", 0,
		gives(func(in *In) parts { return parts{[]byte{1}, []byte{0}} }), func(in *In, out *Out) {
			out.Bool(in.Key().Equal(in.Key()), in.Key().Equal(in.Other()))
		}),
	onSecrets("p256k1.PrivateKey.PublicKey", 0,
		gives(func(in *In) parts { return parts{in.pub().Compressed(), in.pub().Compressed()} }), func(in *In, out *Out) {
			out.Bytes(in.Key().PublicKey().Bytes(), in.Key().Public().(*p256k1.PublicKey).Bytes())
		}),
	onSecrets("p256k1.PrivateKey.Negate", 2, givesKey(func(in *In) *big.Int { return oracle.Fn.Neg(in.d()) }),
		func(in *In, out *Out) { out.Key(in.Key().Negate()) }),
	onSecrets("p256k1.PrivateKey.TweakAdd", 2, givesKey(func(in *In) *big.Int { return oracle.Fn.Add(in.d(), in.t()) }),
		func(in *In, out *Out) { out.Key(must(in.Key().TweakAdd(in.Tweak))) }),
	onSecrets("p256k1.PrivateKey.TweakAddXOnly", 2,
		givesKey(func(in *In) *big.Int { return oracle.Fn.Add(even(in.d(), in.pub()), in.t()) }),
		func(in *In, out *Out) { out.Key(must(in.Key().TweakAddXOnly(in.Tweak))) }),
	onSecrets("p256k1.PrivateKey.TweakMul", 2, givesKey(func(in *In) *big.Int { return oracle.Fn.Mul(in.d(), in.t()) }),
		func(in *In, out *Out) { out.Key(must(in.Key().TweakMul(in.Tweak))) }),
	onSecrets("p256k1.PrivateKey.Zero", 1, nil, func(in *In, out *Out) {
		k := must(p256k1.ParsePrivateKey(in.Secret))
		k.Zero()
		out.True(len(k.Bytes()) == 0)
	}),
	onSecrets("p256k1.NewPublicKey", 0, gives(func(in *In) parts { return parts{in.pub().Compressed()} }),
		func(in *In, out *Out) { out.Bytes(must(p256k1.NewPublicKey(in.P())).Bytes()) }),
	onSecrets("p256k1.PublicKey.TweakAdd", 2,
		gives(func(in *In) parts { return parts{in.pub().Add(oracle.G.Mul(in.t())).Compressed()} }),
		func(in *In, out *Out) { out.Bytes(must(hidden(in).TweakAdd(in.Tweak)).Bytes()) }).unsearched(publicTweak),
	onSecrets("p256k1.PublicKey.TweakAddBatch", many+4,
		func(in *In, r Results) ([]Secret, bool) {
			sum, other := in.pub().Add(oracle.G.Mul(in.t())), in.pub().Add(in.peer())
			return nil, r.is(alternate(sum.Compressed(), other.Compressed())...)
		}, func(in *In, out *Out) {
			for _, p := range must(hidden(in).TweakAddBatch(alternate(in.Tweak, in.OtherSecret))) {
				out.Bytes(p.Bytes())
			}
		}).unsearched(publicTweak),
	onSecrets("p256k1.PublicKey.TweakMul", 2, gives(func(in *In) parts { return parts{in.pub().Mul(in.t()).Compressed()} }),
		func(in *In, out *Out) { out.Bytes(must(hidden(in).TweakMul(in.Tweak)).Bytes()) }).unsearched(publicTweak),
	onSecrets("p256k1.XOnlyPublicKey.TweakAdd", 2,
		gives(func(in *In) parts { return parts{lifted(in.pub()).Add(oracle.G.Mul(in.t())).Compressed()} }),
		func(in *In, out *Out) { out.Bytes(must(hidden(in).XOnly().TweakAdd(in.Tweak)).Bytes()) }).unsearched(publicTweak),

	onPublic("p256k1.ParsePublicKey", 0, publicKeys, func(in *In, out *Out) {
		p := must(p256k1.ParsePublicKey(in.Pub().Bytes()))
		out.Bytes(p.BytesUncompressed())
		out.True(p.Equal(in.Pub()))
		p = must(p256k1.ParsePublicKey(in.Pub().BytesUncompressed()))
		out.Bytes(p.Bytes())
		out.True(p.Equal(in.Pub()))
	}).right(gives(func(in *In) parts { return parts{in.pub().Uncompressed(), nil, in.pub().Compressed()} })),
	onPublic("p256k1.ParseXOnlyPublicKey", 0, publicKeys, func(in *In, out *Out) {
		out.Bytes(must(p256k1.ParseXOnlyPublicKey(in.X().Bytes())).Bytes())
	}).right(gives(func(in *In) parts { return parts{in.pub().Compressed()[1:]} })),
	onPublic("p256k1.XOnlyPublicKey.CheckTweakAdd", 2, publicKeys, func(in *In, out *Out) {
		sum := must(in.X().TweakAdd(in.Tweak))
		x, odd := sum.XOnly().Bytes(), sum.IsYOdd()
		out.True(in.X().CheckTweakAdd(in.Tweak, x, odd))
		out.False(in.X().CheckTweakAdd(in.Tweak, x, !odd), in.X().CheckTweakAdd(in.Tweak, in.flip(x), odd))
		out.False(in.PeerX().CheckTweakAdd(in.Tweak, x, odd))
	}),
	onPublic("p256k1.PublicKey", Varies, publicKeys, func(in *In, out *Out) {
		p := in.Pub()
		n := p.Negate()
		out.True(p.Equal(p) && !p.Equal(in.Peer()) && !p.Equal(n))
		out.True(n.IsYOdd() != p.IsYOdd() && n.XOnly().Equal(p.XOnly()) && n.Negate().Equal(p))
		out.Values(p.Bytes(), p.BytesUncompressed(), p.Point(), p.XOnly(), p.IsYOdd())
	}),
	onPublic("p256k1.XOnlyPublicKey", Varies, publicKeys, func(in *In, out *Out) {
		x := in.X()
		out.True(x.Equal(x) && !x.Equal(in.PeerX()) && x.PublicKey().XOnly().Equal(x) && !x.PublicKey().IsYOdd())
		out.Values(x.Bytes(), x.Point())
	}),
	onPublic("p256k1.PublicKey.Precomputed", Varies, publicKeys, func(in *In, out *Out) {
		p := in.Pub().Precomputed()
		out.True(p.Equal(in.Pub()) && p.Precomputed() == p && !in.Pub().Point().IsPrecomputed())
		out.True(p.Point().IsPrecomputed())
		out.Values(p, p.Negate(), p.Point(), p.XOnly(), in.X().Precomputed())
	}),
	texts(func(in *In) *p256k1.PublicKey { return in.Pub() }),
	texts(func(in *In) *p256k1.XOnlyPublicKey { return in.X() }),
}

// hidden returns the public key of Key, which the operation treats as a secret.
func hidden(in *In) *p256k1.PublicKey { return must(p256k1.NewPublicKey(in.P())) }
