package operations

import (
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/keyformat"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

// reread takes the key that was read, which has to be Key.
func reread(in *In, out *Out, text []byte, k *p256k1.PrivateKey, err error) {
	clear(text)
	check(err)
	out.hold()
	out.True(k.Equal(in.Key()))
	k.Zero()
}

var formats = []Op{
	onSecrets("keyformat, PKCS #8", Varies, nil, func(in *In, out *Out) {
		der := must(keyformat.MarshalPKCS8PrivateKey(in.Key()))
		Declassify(der[len(der)-64:], 64) // the public key
		k, err := keyformat.ParsePKCS8PrivateKey(der)
		reread(in, out, der, k, err)
	}),
	onSecrets("keyformat, SEC 1", Varies, nil, func(in *In, out *Out) {
		der := must(keyformat.MarshalECPrivateKey(in.Key()))
		Declassify(der[len(der)-64:], 64)
		k, err := keyformat.ParseECPrivateKey(der)
		reread(in, out, der, k, err)
	}),
	// The ends of lines and strings, which parsers of text look for, depend on all of it: memcheck would not see more, so the
	// texts are declassified, and only lint reads these parsers.
	onSecrets("keyformat, PEM", Varies, nil, func(in *In, out *Out) {
		text := must(keyformat.MarshalPrivateKeyPEM(in.Key()))
		Declassify(text, 128) // digits: 96 bytes of 135
		k, err := keyformat.ParsePrivateKeyPEM(text)
		reread(in, out, text, k, err)
	}),
	onSecrets("keyformat, JWK", Varies, nil, func(in *In, out *Out) {
		text := must(keyformat.MarshalPrivateKeyJWK(in.Key()))
		Declassify(text, 3*43)
		k, err := keyformat.ParsePrivateKeyJWK(text)
		reread(in, out, text, k, err)
	}),
	onSecrets("nip19, nsec", Varies, nil, func(in *In, out *Out) {
		text := must(nip19.AppendPrivateKey(make([]byte, 0, 63), in.Key()))
		k, err := nip19.ParsePrivateKey(text)
		reread(in, out, text, k, err)
	}),
	onSecrets("nip19.Decode", Varies, gives(func(in *In) parts { return parts{nil, in.Secret} }),
		func(in *In, out *Out) {
			text := nip19.AppendEncode(nil, nip19.Secret, (*[32]byte)(in.Secret))
			var key [32]byte
			check(nip19.Decode(&key, nip19.Secret, text))
			out.Some(text, 58)
			out.Secret(key[:])
		}).unsearched("texts and arrays that are its caller's"),

	onPublic("nip19, npub", Varies, "public keys, and whether a text begins as that of a key does", func(in *In, out *Out) {
		text := must(nip19.AppendPublicKey(nil, in.X()))
		x := must(nip19.ParsePublicKey(text))
		out.True(x.Equal(in.X()) && nip19.Is(nip19.Public, text) && !nip19.Is(nip19.Secret, text))
		out.Values(text)
	}),
	onPublic("keyformat, public keys", Varies, "public keys, in files and in JSON", func(in *In, out *Out) {
		der := must(keyformat.MarshalPKIXPublicKey(in.Pub()))
		p := must(keyformat.ParsePKIXPublicKey(der))
		out.True(p.Equal(in.Pub()))
		text := must(keyformat.MarshalPublicKeyPEM(in.Pub()))
		p = must(keyformat.ParsePublicKeyPEM(text))
		out.True(p.Equal(in.Pub()))
		jwk := must(keyformat.MarshalPublicKeyJWK(in.Pub()))
		p = must(keyformat.ParsePublicKeyJWK(jwk))
		out.True(p.Equal(in.Pub()))
		thumbprint := must(keyformat.Thumbprint(in.Pub()))
		out.Values(der, text, jwk, thumbprint)
	}),
	onPublic("keyformat.SignES256K", Varies, "a signer, which has the secret, and signatures", func(in *In, out *Out) {
		sig := must(keyformat.SignES256K(in.ECDSASigner(), in.Msg))
		out.FreshSome(sig, 0)
		out.True(keyformat.VerifyES256K(in.Pub(), in.Msg, sig))
		out.False(keyformat.VerifyES256K(in.Pub(), in.Msg, in.flip(sig)))
		out.False(keyformat.VerifyES256K(in.Peer(), in.Msg, sig))
	}),
}
