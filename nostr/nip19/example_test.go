package nip19_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

// The npub and the nsec are examples of NIP-19.
func Example() {
	pub, err := nip19.ParsePublicKey([]byte("npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"))
	if err != nil {
		log.Fatal(err)
	}
	text, err := nip19.AppendPublicKey(nil, pub)
	fmt.Printf("%v %s %v\n", pub, text, err)

	nsec := []byte("nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5")
	key, err := nip19.ParsePrivateKey(nsec)
	clear(nsec)
	if err != nil {
		log.Fatal(err)
	}
	defer key.Zero()
	fmt.Println(key) // printing does not show the key

	room := make([]byte, 0, 63)
	nsec, err = nip19.AppendPrivateKey(room, key)
	fmt.Println(len(nsec), nip19.Is(nip19.Secret, nsec), err)
	clear(nsec)
	// Output:
	// 7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg <nil>
	// p256k1.PrivateKey(secret)
	// 63 true <nil>
}

// A program shows the id of an event as a note.
func ExampleEncodeNote() {
	e := nostr.Event{Kind: 1, Content: "hello"}
	id, err := e.ComputeID()
	if err != nil {
		log.Fatal(err)
	}
	note := nip19.EncodeNote(id)
	fmt.Println(note)
	again, err := nip19.ParseNote(note)
	fmt.Println(again == id, err)
	_, err = nip19.ParsePublicKey([]byte(note))
	fmt.Println(errors.Is(err, nip19.ErrPrefix), err)
	// Output:
	// note17d2r9sfe7n9n2aat2fyhevz8kffn87pd9pj90wls7dyk9ujdnxgq5sx6yl
	// true <nil>
	// true nip19: wrong prefix: note, want npub
}

// Clients share profiles, events and addresses as texts that can include relays.
func ExampleParseProfile() {
	p, err := nip19.ParseProfile("nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(nostr.PubKey(p.PubKey), p.Relays)

	kind := uint32(1)
	event, err := nip19.Event{ID: [32]byte{1}, Relays: p.Relays[:1], Author: &p.PubKey, Kind: &kind}.Encode()
	fmt.Println(event[:20], err)
	address, err := nip19.Address{Identifier: "a-page", PubKey: p.PubKey, Kind: 30023}.Encode()
	fmt.Println(address[:20], err)
	pub, err := p256k1.ParseXOnlyPublicKey(p.PubKey[:])
	if err != nil {
		log.Fatal(err)
	}
	npub, err := nip19.EncodePublicKey(pub)
	fmt.Println(npub[:20], err)
	// Output:
	// 3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d [wss://r.x.com wss://djbas.sadkb.com]
	// nevent1qqsqzqqqqqqqq <nil>
	// naddr1qqrxzttsv9nk2q <nil>
	// npub180cvv07tjdrrgpa <nil>
}

// A program stores bookmarks as JSON. A kind of NIP-19 has 32 bits, so the program does not convert it to the 16 bits
// of an event's kind, but the other way round.
func ExampleEvent_MarshalText() {
	kind := uint32(65537)
	text, err := json.Marshal(nip19.Event{ID: [32]byte{1}, Kind: &kind})
	fmt.Println(string(text), err)
	var read nip19.Event
	fmt.Println(json.Unmarshal(text, &read), read.ID[0], *read.Kind == uint32(nostr.Event{Kind: 1}.Kind))
	// Output:
	// "nevent1qqsqzqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqrqsqqzqqp8dzzst" <nil>
	// <nil> 1 false
}

// AppendEncode and Decode are for programs that store ids and keys as bytes.
func ExampleAppendEncode() {
	text := nip19.AppendEncode(nil, nip19.Note, &[32]byte{1})
	var id [32]byte
	fmt.Println(nip19.Decode(&id, nip19.Note, text), id[0])
	// Output: <nil> 1
}
