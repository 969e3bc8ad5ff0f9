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

// What stands before and after the cells of some rows, if … is the cell:
//
//	generate a key: …; len(sk) / 2
//	sign an event: …; event.ID
//	parse an event: var event nostr.Event; …; event.Content
//	decrypt a message (NIP-44): key, err := nip44.GenerateConversationKey(pk, sk); payload, err := nip44.Encrypt("hello", key); …
//	compute a conversation key (NIP-44): …; key[:]
