package main

import (
	"encoding/hex"
	"encoding/json"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip04"
	"github.com/nbd-wtf/go-nostr/nip19"
	"github.com/nbd-wtf/go-nostr/nip44"

	_ "github.com/nbd-wtf/go-nostr/keyer" // imported by the program of the page
	_ "p256k1.mleku.dev/v2/nostr"
	_ "p256k1.mleku.dev/v2/nostr/nip44"
)

var (
	sk   = hex.EncodeToString(secret)
	pk   = hex.EncodeToString(otherPub.SerializeCompressed()[1:])
	text = []byte(`{"id":"1cab8cb4ba88efb75f28c2756650770176a5c0c92cfc08928a9d7df0bf6c005b","pubkey":"` + pk + `","created_at":1,"kind":1,"tags":[],"content":"hello","sig":"` + pk + pk + `"}`)
)

var (
	relays = []string{"wss://relay.example"}
	event  = nostr.Event{CreatedAt: 1, Kind: 1, Tags: nostr.Tags{}, Content: "hello"}
	_      = event.Sign(sk)

	npub, _   = nip19.EncodePublicKey(pk)
	nsec, _   = nip19.EncodePrivateKey(sk)
	nevent, _ = nip19.EncodeEvent(event.ID, relays, event.PubKey)
)

var nostrRows = []row{
	{"generate a key", func() any { sk := nostr.GeneratePrivateKey(); return len(sk) / 2 }},
	{"derive the public key, in hexadecimal", func() any { pk, err := nostr.GetPublicKey(sk); check(err); return pk }},
	{"check that a text is a public key", func() any { return nostr.IsValidPublicKey(pk) }},
	{"sign an event", func() any { err := event.Sign(sk); check(err); return event.ID }},
	{"check an event's id", func() any { return event.CheckID() }},
	{"check an event's signature", func() any { good, err := event.CheckSignature(); check(err); return good }},
	{"parse an event", func() any {
		var event nostr.Event
		err := json.Unmarshal(text, &event)
		check(err)
		return event.Content
	}},
	{"decrypt a message (NIP-44)", func() any {
		key, err := nip44.GenerateConversationKey(pk, sk)
		check(err)
		payload, err := nip44.Encrypt("hello", key)
		check(err)
		message, err := nip44.Decrypt(payload, key)
		check(err)
		return message
	}},
	{"encode a public key as npub (NIP-19)", func() any { npub, err := nip19.EncodePublicKey(pk); check(err); return npub }},
	{"encode a private key as nsec", func() any { nsec, err := nip19.EncodePrivateKey(sk); check(err); return nsec }},
	{"decode an npub", func() any { _, pk, err := nip19.Decode(npub); check(err); return pk }},
	{"decode an nsec", func() any { _, sk, err := nip19.Decode(nsec); check(err); return sk }},
	{"decode an nevent", func() any {
		_, value, err := nip19.Decode(nevent)
		check(err)
		id := value.(nostr.EventPointer).ID
		return id
	}},
	{"encode an nevent", func() any {
		nevent, err := nip19.EncodeEvent(event.ID, relays, event.PubKey)
		check(err)
		return nevent
	}},
	{"encode an nprofile", func() any { nprofile, err := nip19.EncodeProfile(event.PubKey, relays); check(err); return nprofile }},
	{"encode an naddr", func() any {
		naddr, err := nip19.EncodeEntity(event.PubKey, 30023, "d", relays)
		check(err)
		return naddr
	}},
	{"compute a shared x coordinate (NIP-04)", func() any { x, err := nip04.ComputeSharedSecret(pk, sk); check(err); return x }},
	{"compute a conversation key (NIP-44)", func() any {
		key, err := nip44.GenerateConversationKey(pk, sk)
		check(err)
		return key[:]
	}},
}
