package migrating

import (
	"encoding/hex"
	"testing"

	"golang.org/x/crypto/sha3"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/nostr/nip44"
	"p256k1.mleku.dev/v2/schnorr"
)

var (
	key      = keyOf(secret)
	pub      = key.PublicKey()
	otherPub = keyOf(other).PublicKey()
	signed   = must(ecdsa.SignRecoverable(key, digest))
	k        = must(key.Scalar())
)

func keyOf(b []byte) *p256k1.PrivateKey { return must(p256k1.NewPrivateKey(b)) }

// here are the rows, by the name of the table.
var here = map[string][]row{
	"btcec": {
		{"generate a key", func(t *testing.T) any {
			key, err := p256k1.GenerateKey()
			check(t, err)
			return len(key.Bytes())
		}},
		{"parse a private key", func(t *testing.T) any {
			key, err := p256k1.NewPrivateKey(secret)
			check(t, err)
			return key.Bytes()
		}},
		{"its 32 bytes", func(t *testing.T) any {
			return key.Bytes()
		}},
		{"its public key", func(t *testing.T) any {
			pub := key.PublicKey()
			return pub.Bytes()
		}},
		{"parse a public key", func(t *testing.T) any {
			b := pub.BytesUncompressed()
			pub, err := p256k1.NewPublicKey(b)
			check(t, err)
			return pub.Bytes()
		}},
		{"its 33 bytes", func(t *testing.T) any {
			return pub.Bytes()
		}},
		{"its 65 bytes", func(t *testing.T) any {
			return pub.BytesUncompressed()
		}},
		{"its 32 bytes of BIP-340", func(t *testing.T) any {
			return pub.XOnly().Bytes()
		}},
		{"parse those", func(t *testing.T) any {
			b := pub.XOnly().Bytes()
			pub, err := p256k1.NewXOnlyPublicKey(b)
			check(t, err)
			return pub.Bytes()
		}},
		{"are two the same", func(t *testing.T) any {
			return pub.Equal(otherPub)
		}},
		{"sign with ECDSA", func(t *testing.T) any {
			sig, err := ecdsa.Sign(key, digest)
			check(t, err)
			return sig.DER()
		}},
		{"a signature in DER", func(t *testing.T) any {
			sig := signed.Signature()
			return sig.DER()
		}},
		{"parse DER", func(t *testing.T) any {
			der := signed.Signature().DER()
			sig, err := ecdsa.ParseDER(der)
			check(t, err)
			return sig.DER()
		}},
		{"are two signatures the same", func(t *testing.T) any {
			sig, other := signed.Signature(), must(ecdsa.Sign(key, digest))
			return sig == other
		}},
		{"verify with ECDSA", func(t *testing.T) any {
			sig := signed.Signature()
			return ecdsa.Verify(pub, digest, sig)
		}},
		{"sign a Bitcoin message", func(t *testing.T) any {
			sig, err := ecdsa.SignRecoverable(key, digest)
			check(t, err)
			b := sig.BytesBitcoin(true)
			return b
		}},
		{"who signed it", func(t *testing.T) any {
			b := signed.BytesBitcoin(true)
			sig, compressed, err := ecdsa.ParseRecoverableBitcoin(b)
			check(t, err)
			pub, err := ecdsa.Recover(digest, sig)
			check(t, err)
			return append(pub.Bytes(), map[bool]byte{true: 1}[compressed])
		}},
		{"sign with BIP-340", func(t *testing.T) any {
			sig, err := schnorr.Sign(key, digest, nil)
			check(t, err)
			return schnorr.Verify(pub.XOnly(), digest, sig[:])
		}},
		{"… with given randomness", func(t *testing.T) any {
			sig, err := schnorr.Sign(key, digest, &aux)
			check(t, err)
			return sig[:]
		}},
		{"its 64 bytes", func(t *testing.T) any {
			sig, err := schnorr.Sign(key, digest, &aux)
			check(t, err)
			return sig[:]
		}},
		{"verify with BIP-340", func(t *testing.T) any {
			sig, err := schnorr.Sign(key, digest, nil)
			check(t, err)
			b, pub := sig[:], pub.XOnly()
			return schnorr.Verify(pub, digest, b)
		}},
		{"shared x", func(t *testing.T) any {
			x, err := ecdh.X(key, otherPub)
			check(t, err)
			return x[:]
		}},
		{"Taproot's output key", func(t *testing.T) any {
			tweak := schnorr.TaggedHash("TapTweak", pub.XOnly().Bytes(), root)
			output, err := pub.XOnly().TweakAdd(tweak[:])
			check(t, err)
			return output.Bytes()
		}},
		{"… its private key", func(t *testing.T) any {
			tweak := schnorr.TaggedHash("TapTweak", pub.XOnly().Bytes(), root)
			output, err := key.TweakAddXOnly(tweak[:])
			check(t, err)
			return output.Bytes()
		}},
		{"child of a private key (BIP-32)", func(t *testing.T) any {
			child, err := key.TweakAdd(tweak)
			check(t, err)
			return child.Bytes()
		}},
		{"child of a public key", func(t *testing.T) any {
			child, err := pub.TweakAdd(tweak)
			check(t, err)
			return child.Bytes()
		}},
		{"a scalar from bytes", func(t *testing.T) any {
			k, err := new(curve.Scalar).SetBytes(tweak)
			check(t, err)
			return k.Bytes()
		}},
		{"k·G", func(t *testing.T) any {
			p := new(curve.Point).ScalarBaseMult(k)
			return p.Bytes()
		}},
		{"k·P", func(t *testing.T) any {
			p := otherPub.Point()
			q := new(curve.Point).ScalarMult(k, p)
			return q.Bytes()
		}},
		{"P + Q", func(t *testing.T) any {
			p, q := pub.Point(), otherPub.Point()
			p.Add(p, q)
			return p.Bytes()
		}},
		{"wipe a private key", func(t *testing.T) any {
			key := keyOf(secret)
			key.Zero()
			_, err := ecdsa.Sign(key, digest)
			return err != nil
		}},
	},
	"decred": {
		{"generate a key", func(t *testing.T) any {
			key, err := p256k1.GenerateKey()
			check(t, err)
			return len(key.Bytes())
		}},
		{"parse a private key", func(t *testing.T) any {
			key, err := p256k1.NewPrivateKey(secret)
			check(t, err)
			return key.Bytes()
		}},
		{"a private key from a scalar", func(t *testing.T) any {
			key, err := p256k1.NewPrivateKeyFromScalar(k)
			check(t, err)
			return key.Bytes()
		}},
		{"parse a public key", func(t *testing.T) any {
			b := pub.BytesUncompressed()
			pub, err := p256k1.NewPublicKey(b)
			check(t, err)
			return pub.Bytes()
		}},
		{"r and s", func(t *testing.T) any {
			sig := signed.Signature()
			b := sig.Bytes()
			r, s := b[:32], b[32:]
			return append(r, s...)
		}},
		{"shared x", func(t *testing.T) any {
			x, err := ecdh.X(key, otherPub)
			check(t, err)
			return x[:]
		}},
	},
	"go-ethereum": {
		{"generate a key", func(t *testing.T) any {
			key, err := p256k1.GenerateKey()
			check(t, err)
			return len(key.Bytes())
		}},
		{"parse a private key", func(t *testing.T) any {
			key, err := p256k1.NewPrivateKey(secret)
			check(t, err)
			return key.Bytes()
		}},
		{"its 32 bytes", func(t *testing.T) any {
			return key.Bytes()
		}},
		{"parse a public key of 65 bytes", func(t *testing.T) any {
			b := pub.BytesUncompressed()
			pub, err := p256k1.NewPublicKey(b)
			check(t, err)
			return pub.Bytes()
		}},
		{"parse one of 33 bytes", func(t *testing.T) any {
			b := pub.Bytes()
			pub, err := p256k1.NewPublicKey(b)
			check(t, err)
			return pub.BytesUncompressed()
		}},
		{"its 65 bytes", func(t *testing.T) any {
			return pub.BytesUncompressed()
		}},
		{"its 33 bytes", func(t *testing.T) any {
			return pub.Bytes()
		}},
		{"sign", func(t *testing.T) any {
			sig, err := ecdsa.SignRecoverable(key, digest)
			check(t, err)
			b := sig.Bytes()
			return b
		}},
		{"sign as wallets do", func(t *testing.T) any {
			sig, err := ecdsa.SignRecoverable(key, digest)
			check(t, err)
			b := sig.BytesEthereum()
			return b
		}},
		{"who signed", func(t *testing.T) any {
			b := signed.Bytes()
			sig, err := ecdsa.ParseRecoverable(b)
			check(t, err)
			pub, err := ecdsa.Recover(digest, sig)
			check(t, err)
			return pub.BytesUncompressed()
		}},
		{"… for a wallet's signature", func(t *testing.T) any {
			b := signed.BytesEthereum()
			sig, err := ecdsa.ParseRecoverableEthereum(b)
			check(t, err)
			pub, err := ecdsa.Recover(digest, sig)
			check(t, err)
			return pub.BytesUncompressed()
		}},
		{"verify 64 bytes", func(t *testing.T) any {
			b := signed.Signature().Bytes()
			sig, err := ecdsa.ParseCompact(b)
			check(t, err)
			return ecdsa.VerifyLowS(pub, digest, sig)
		}},
		{"the address", func(t *testing.T) any {
			h := sha3.NewLegacyKeccak256()
			h.Write(pub.BytesUncompressed()[1:])
			address := h.Sum(nil)[12:]
			return address
		}},
	},
	"go-nostr": {
		{"generate a key", func(t *testing.T) any {
			key, err := p256k1.GenerateKey()
			check(t, err)
			sk := hex.EncodeToString(key.Bytes())
			return len(sk) / 2
		}},
		{"its public key, in hex", func(t *testing.T) any {
			pk := key.PublicKey().XOnly().String()
			return pk
		}},
		{"is this a public key", func(t *testing.T) any {
			pk := otherPub.XOnly().String()
			var pub p256k1.XOnlyPublicKey
			err := pub.UnmarshalText([]byte(pk))
			return err == nil
		}},
		{"sign an event", func(t *testing.T) any {
			event := nostr.Event{CreatedAt: 1, Kind: 1, Content: "hello"}
			err := event.Sign(key)
			check(t, err)
			return event.ID[:]
		}},
		{"check its signature", func(t *testing.T) any {
			event := nostr.Event{CreatedAt: 1, Kind: 1, Content: "hello"}
			check(t, event.Sign(key))
			err := event.Verify()
			return err == nil
		}},
		{"parse an event", func(t *testing.T) any {
			pk := otherPub.XOnly().String()
			text := []byte(`{"id":"1cab8cb4ba88efb75f28c2756650770176a5c0c92cfc08928a9d7df0bf6c005b","pubkey":"` + pk + `","created_at":1,"kind":1,"tags":[],"content":"hello","sig":"` + pk + pk + `"}`)
			event, err := nostr.Parse(text)
			check(t, err)
			return event.Content
		}},
		{"encrypt and decrypt (NIP-44)", func(t *testing.T) any {
			pub := otherPub.XOnly()
			c, err := nip44.New(key, pub)
			check(t, err)
			payload, err := c.Encrypt(nil, []byte("hello"))
			check(t, err)
			message, err := c.Decrypt(nil, payload)
			check(t, err)
			return string(message)
		}},
		{"as an npub (NIP-19)", func(t *testing.T) any {
			pub := otherPub.XOnly()
			npub, err := nip19.AppendPublicKey(nil, pub)
			check(t, err)
			return string(npub)
		}},
		{"shared x (NIP-04)", func(t *testing.T) any {
			pub := otherPub.XOnly()
			x, err := ecdh.XFromXOnly(key, pub)
			check(t, err)
			return x[:]
		}},
		{"conversation key (NIP-44)", func(t *testing.T) any {
			priv, pub := key, otherPub.XOnly()
			key, err := ecdh.NIP44ConversationKey(priv, pub)
			check(t, err)
			return key[:]
		}},
	},
}
