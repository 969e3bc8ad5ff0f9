package operations

import (
	"bytes"
	"encoding/base64"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/keyformat"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/secret"
)

// rereads returns the operation that writes a key and reads it back. The part of the text that public returns is
// declassified after writing. At least the given number of its bytes must depend on the key until then.
func rereads(name string, write func(*p256k1.PrivateKey) ([]byte, error), read func([]byte) (*p256k1.PrivateKey, error), public func([]byte) []byte, secret int) Op {
	o := onSecrets(name, Varies, nil, func(in *In, out *Out) {
		text := must(write(in.Key()))
		Declassify(public(text), secret)
		k, err := read(text)
		clear(text)
		check(err)
		out.hold()
		out.True(k.Equal(in.Key()))
		k.Zero()
	})
	o.Called = []any{write, read}
	return o
}

func publicKey(der []byte) []byte { return der[len(der)-64:] }
func allOf(text []byte) []byte    { return text }
func noneOf([]byte) []byte        { return nil }

func appendNsec(k *p256k1.PrivateKey) ([]byte, error) {
	return nip19.AppendPrivateKey(make([]byte, 0, 63), k)
}

var formats = []Op{
	rereads("keyformat, PKCS #8", keyformat.MarshalPKCS8PrivateKey, keyformat.ParsePKCS8PrivateKey, publicKey, 64),
	rereads("keyformat, SEC 1", keyformat.MarshalECPrivateKey, keyformat.ParseECPrivateKey, publicKey, 64),
	// A parser of text looks for the ends of lines and strings, so its branches depend on the whole text, and memcheck
	// could say no more about the parser. The texts are therefore declassified, and only lint reads these parsers.
	rereads("keyformat, PEM", keyformat.MarshalPrivateKeyPEM, keyformat.ParsePrivateKeyPEM, allOf, 128), // digits of 96 bytes
	rereads("keyformat, JWK", keyformat.MarshalPrivateKeyJWK, keyformat.ParsePrivateKeyJWK, allOf, 3*43),
	onSecrets("keyformat, files of other kinds", Varies, nil, func(in *In, out *Out) {
		der := must(keyformat.MarshalECPrivateKey(in.Key()))
		padded := append(secret.Make[byte](1 + len(der))[:0], "\x30\x75\x02\x01\x01\x04\x21\x00"...) // a zero before the secret, as some encoders write it
		secret.Do(func() { padded = append(padded, der[7:]...) })
		k, err := keyformat.ParseECPrivateKey(padded)
		check(err)
		out.hold()
		out.True(k.Equal(in.Key()))
		k.Zero()
		text := must(keyformat.MarshalPrivateKeyPEM(in.Key()))
		text[bytes.Index(text, []byte("\n-----END"))-1] = '!' // not a character of Base64
		_, err = keyformat.ParsePrivateKeyPEM(text)
		out.Refused(err)
		copy(der[len(der)-65:], in.Peer().BytesUncompressed()) // another key's public key
		_, err = keyformat.ParseECPrivateKey(der)
		out.Refused(err)
		short := append(secret.Make[byte](64)[:0], "\x30\x3e\x02\x01\x00\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x0a"...)
		short = append(short, "\x04\x27\x30\x25\x02\x01\x01\x04\x20"...)
		secret.Do(func() { short = append(short, der[7:39]...) }) // PKCS #8 without the public key
		pem := secret.Make[byte](200)[:0]
		for _, label := range []string{"PRIVATE KEY", "EC PARAMETERS"} {
			pem = append(append(append(pem[:0], "-----BEGIN "...), label...), "-----\n"...)
			pem = base64.StdEncoding.AppendEncode(pem, short)
			pem = append(append(append(pem, "\n-----END "...), label...), "-----\n"...)
			if k, err = keyformat.ParsePrivateKeyPEM(pem); err == nil {
				out.True(k.Equal(in.Key()))
				k.Zero()
			}
		}
		out.Refused(err) // a key as the parameters of a curve
		for _, b := range [][]byte{der, padded, text, short, pem} {
			clear(b)
		}
	}).untimed("the same functions as of the files before"),
	rereads("nip19, nsec", appendNsec, nip19.ParsePrivateKey, noneOf, 0),
	onSecrets("nip19.Decode", Varies, gives(func(in *In) parts { return parts{nil, in.Secret} }),
		func(in *In, out *Out) {
			text := nip19.AppendEncode(nil, nip19.Secret, (*[32]byte)(in.Secret))
			var key [32]byte
			check(nip19.Decode(&key, nip19.Secret, text))
			out.Some(text, 58)
			out.Secret(key[:])
		}).unsearched("its texts and arrays belong to its caller"),

	onPublic("nip19, npub", Varies, "public keys, and whether a text has the prefix of a key", func(in *In, out *Out) {
		text := must(nip19.AppendPublicKey(nil, in.X()))
		x := must(nip19.ParsePublicKey(text))
		out.True(x.Equal(in.X()) && nip19.Is(nip19.Public, text) && !nip19.Is(nip19.Secret, text))
		out.Values(text)
	}),
	onPublic("nip19, public texts", Varies, "ids, public keys and relays", func(in *In, out *Out) {
		x := [32]byte(in.X().Bytes())
		note, npub := nip19.EncodeNote(x), must(nip19.EncodePublicKey(in.X()))
		out.True(must(nip19.ParseNote(note)) == x)
		profile := must(nip19.Profile{PubKey: x, Relays: []string{"wss://a.example"}}.Encode())
		event := must(nip19.Event{ID: x, Author: &x}.Encode())
		address := must(nip19.Address{Identifier: "d", PubKey: x, Kind: 1}.Encode())
		out.True(must(nip19.ParseProfile(profile)).PubKey == x && must(nip19.ParseEvent(event)).ID == x)
		out.True(must(nip19.ParseAddress(address)).PubKey == x)
		out.Values(note, npub, profile, event, address)
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
		out.Values(der, text, jwk, must(keyformat.Thumbprint(in.Pub())))
	}),
	onPublic("keyformat.SignES256K", Varies, "a signer that holds the secret, and signatures", func(in *In, out *Out) {
		sig := must(keyformat.SignES256K(in.ECDSASigner(), in.Msg))
		out.FreshSome(sig, 0)
		out.True(keyformat.VerifyES256K(in.Pub(), in.Msg, sig))
		out.False(keyformat.VerifyES256K(in.Pub(), in.Msg, in.flip(sig)))
		out.False(keyformat.VerifyES256K(in.Peer(), in.Msg, sig))
	}),
}
