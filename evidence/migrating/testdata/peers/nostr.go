package main

import (
	"encoding/hex"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip04"
	"github.com/nbd-wtf/go-nostr/nip44"
)

var (
	sk = hex.EncodeToString(secret)
	pk = hex.EncodeToString(otherPub.SerializeCompressed()[1:])
)

var nostrRows = []row{
	{"generate a key", func() any {
		sk := nostr.GeneratePrivateKey()
		return len(sk) / 2
	}},
	{"its public key, in hex", func() any {
		pk, err := nostr.GetPublicKey(sk)
		check(err)
		return pk
	}},
	{"is this a public key", func() any {
		return nostr.IsValidPublicKey(pk)
	}},
	{"sign an event", func() any {
		event := nostr.Event{CreatedAt: 1, Kind: 1, Tags: nostr.Tags{}, Content: "hello"}
		err := event.Sign(sk)
		check(err)
		return event.ID
	}},
	{"check its signature", func() any {
		event := nostr.Event{CreatedAt: 1, Kind: 1, Tags: nostr.Tags{}, Content: "hello"}
		check(event.Sign(sk))
		good, err := event.CheckSignature()
		check(err)
		return good
	}},
	{"shared x (NIP-04)", func() any {
		x, err := nip04.ComputeSharedSecret(pk, sk)
		check(err)
		return x
	}},
	{"conversation key (NIP-44)", func() any {
		key, err := nip44.GenerateConversationKey(pk, sk)
		check(err)
		return key[:]
	}},
}
