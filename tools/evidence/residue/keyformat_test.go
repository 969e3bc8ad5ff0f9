//go:build linux

package residue

import (
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/keyformat"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

// formats are the operations that write a key in a format and read it again.
var formats = []operation{
	format("PKCS #8", keyformat.MarshalPKCS8PrivateKey, keyformat.ParsePKCS8PrivateKey),
	format("SEC 1", keyformat.MarshalECPrivateKey, keyformat.ParseECPrivateKey),
	format("PEM", keyformat.MarshalPrivateKeyPEM, keyformat.ParsePrivateKeyPEM),
	format("JWK", keyformat.MarshalPrivateKeyJWK, keyformat.ParsePrivateKeyJWK),
	format("nsec", func(k *p256k1.PrivateKey) ([]byte, error) { return nip19.AppendPrivateKey(make([]byte, 0, 63), k) }, nip19.ParsePrivateKey),
}

func format(name string, write func(*p256k1.PrivateKey) ([]byte, error), read func([]byte) (*p256k1.PrivateKey, error)) operation {
	return operation{"keyformat, " + name, func(in input, out output) {
		k := newKey(in)
		b := must(write(k))
		l := must(read(b))
		clear(b)
		if !k.Equal(l) {
			panic("another key")
		}
		copy(out, l.PublicKey().Bytes())
		k.Zero()
		l.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), isPublic(d, out)
	}}
}
