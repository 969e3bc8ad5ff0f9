package main

import (
	"encoding/hex"
	"encoding/json"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip04"
	"github.com/nbd-wtf/go-nostr/nip19"
	"github.com/nbd-wtf/go-nostr/nip44"
)

var (
	sk   = hex.EncodeToString(secret)
	pk   = hex.EncodeToString(otherPub.SerializeCompressed()[1:])
	text = []byte(`{"id":"1cab8cb4ba88efb75f28c2756650770176a5c0c92cfc08928a9d7df0bf6c005b","pubkey":"` + pk + `","created_at":1,"kind":1,"tags":[],"content":"hello","sig":"` + pk + pk + `"}`)
)

var nostrRows = []row{
	{"generate a key", func() any {
		sk := nostr.GeneratePrivateKey()
		return len(sk) / 2
	}},
	{"derive the public key, in hexadecimal", func() any {
		pk, err := nostr.GetPublicKey(sk)
		check(err)
		return pk
	}},
	{"check that a text is a public key", func() any {
		return nostr.IsValidPublicKey(pk)
	}},
	{"sign an event", func() any {
		event := nostr.Event{CreatedAt: 1, Kind: 1, Tags: nostr.Tags{}, Content: "hello"}
		err := event.Sign(sk)
		check(err)
		return event.ID
	}},
	{"check an event's signature", func() any {
		event := nostr.Event{CreatedAt: 1, Kind: 1, Tags: nostr.Tags{}, Content: "hello"}
		check(event.Sign(sk))
		good, err := event.CheckSignature()
		check(err)
		return good
	}},
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
	{"encode a public key as npub (NIP-19)", func() any {
		npub, err := nip19.EncodePublicKey(pk)
		check(err)
		return npub
	}},
	{"compute a shared x coordinate (NIP-04)", func() any {
		x, err := nip04.ComputeSharedSecret(pk, sk)
		check(err)
		return x
	}},
	{"compute a conversation key (NIP-44)", func() any {
		key, err := nip44.GenerateConversationKey(pk, sk)
		check(err)
		return key[:]
	}},
}
