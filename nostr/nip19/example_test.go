package nip19_test

import (
	"fmt"
	"log"

	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

// The examples of NIP-19.
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
	fmt.Println(key) // which hides itself

	room := make([]byte, 0, 63)
	nsec, err = nip19.AppendPrivateKey(room, key)
	fmt.Println(len(nsec), nip19.Is(nip19.Secret, nsec), err)
	clear(nsec)
	// Output:
	// 7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg <nil>
	// p256k1.PrivateKey(secret)
	// 63 true <nil>
}

// The id of an event as programs show it.
func ExampleAppendEncode() {
	e := nostr.Event{Kind: 1, Content: "hello"}
	id, err := e.ComputeID()
	if err != nil {
		log.Fatal(err)
	}
	note := nip19.AppendEncode(nil, nip19.Note, &id)
	fmt.Printf("%s\n", note)
	var again [32]byte
	fmt.Println(nip19.Decode(&again, nip19.Note, note), again == id)
	fmt.Println(nip19.Decode(&again, nip19.Public, note))
	// Output:
	// note17d2r9sfe7n9n2aat2fyhevz8kffn87pd9pj90wls7dyk9ujdnxgq5sx6yl
	// <nil> true
	// not an npub
}
