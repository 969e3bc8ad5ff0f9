package main

import (
	"encoding/hex"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ethereum"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/nostr/nip44"
	"p256k1.mleku.dev/v2/schnorr"
)

var (
	key      = must(p256k1.ParsePrivateKey(secret))
	pub      = key.PublicKey()
	otherPub = must(p256k1.ParsePrivateKey(other)).PublicKey()
	signed   = must(ecdsa.SignRecoverable(key, digest, nil))
	k        = must(key.Scalar())
	relays   = []string{"wss://relay.example"}
	event    = nostr.Event{CreatedAt: 1, Kind: 1, Content: "hello"}
	_        = must(0, event.Sign(key))
	pk       = otherPub.XOnly().String()
	text     = []byte(`{"id":"1cab8cb4ba88efb75f28c2756650770176a5c0c92cfc08928a9d7df0bf6c005b","pubkey":"` + pk + `","created_at":1,"kind":1,"tags":[],"content":"hello","sig":"` + pk + pk + `"}`)
)

func must[T any](v T, err error) T {
	check(err)
	return v
}

func isWiped(key *p256k1.PrivateKey) bool {
	_, err := ecdsa.Sign(key, digest, nil)
	return err != nil
}

// What stands before and after the cells of some rows, if … is the cell:
//
//	generate a key: …; len(key.Bytes())
//	parse a public key: b := pub.BytesUncompressed(); …
//	parse a BIP-340 public key: b := pub.XOnly().Bytes(); …
//	encode a signature in DER: sig := signed.Signature(); …
//	parse a signature in DER: der := signed.Signature().DER(); …
//	compare two signatures: sig, other := signed.Signature(), must(ecdsa.Sign(key, digest, nil)); …
//	verify with ECDSA: sig := signed.Signature(); …
//	recover the signer of a Bitcoin message: b := signed.BytesBitcoin(true); …; append(pub.Bytes(), map[bool]byte{true: 1}[compressed])
//	sign with BIP-340: …; schnorr.Verify(pub.XOnly(), digest, sig[:])
//	encode a BIP-340 signature in 64 bytes: sig := must(schnorr.Sign(key, digest, &schnorr.Options{AuxRand: &aux})); …
//	verify with BIP-340: sig := must(schnorr.Sign(key, digest, nil)); b, pub := sig[:], pub.XOnly(); …
//	derive the private key of a Taproot output key: tweak := schnorr.TaggedHash("TapTweak", pub.XOnly().Bytes(), root); …
//	P + Q: p, q := pub.Point(), otherPub.Point(); …
//	wipe a private key: key := must(p256k1.ParsePrivateKey(secret)); …; isWiped(key)
//	verify a signature in DER: sig := signed.Signature(); …
//	get r and s of a signature: sig := signed.Signature(); …
//	parse a public key of 65 bytes: b := pub.BytesUncompressed(); …
//	parse a public key of 33 bytes: b := pub.Bytes(); …; pub.BytesUncompressed()
//	recover the signer: b := signed.Bytes(); …; pub.BytesUncompressed()
//	recover the signer of a wallet's signature: b := signed.BytesEthereum(); …; pub.BytesUncompressed()
//	verify a signature of 64 bytes: b := signed.Signature().Bytes(); …
//	go-nostr, generate a key: …; len(sk) / 2
//	check that a text is a public key: pk := otherPub.XOnly().String(); var pub p256k1.XOnlyPublicKey; …
//	sign an event: …; event.ID
//	check an event's signature: …; err == nil
//	parse an event: …; event.Content
//	decrypt a message (NIP-44): c := must(nip44.New(key, otherPub.XOnly())); payload := must(c.Encrypt(nil, []byte("hello"))); …; string(message)
//	encode a public key as npub (NIP-19): pub := otherPub.XOnly(); …
//	encode a private key as nsec: …; string(nsec)
//	decode an npub: npub := must(nip19.EncodePublicKey(otherPub.XOnly())); …
//	decode an nsec: nsec := must(nip19.AppendPrivateKey(nil, key)); …
//	decode an nevent: nevent := must(nip19.Event{ID: event.ID}.Encode()); …
//	compute a shared x coordinate (NIP-04): pub := otherPub.XOnly(); …
//	compute a conversation key (NIP-44): priv, pub := key, otherPub.XOnly(); …
