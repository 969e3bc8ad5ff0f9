package nip44_test

import (
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/nostr/nip44"
)

// Each side makes a conversation from its private key and the other side's public key.
func Example() {
	alice, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	bob, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	to, err := nip44.New(alice, bob.PublicKey().XOnly())
	if err != nil {
		log.Fatal(err)
	}
	defer to.Zero()
	payload, err := to.Encrypt(nil, []byte("good morning"))
	if err != nil {
		log.Fatal(err)
	}

	from, err := nip44.New(bob, alice.PublicKey().XOnly())
	if err != nil {
		log.Fatal(err)
	}
	defer from.Zero()
	message, err := from.Decrypt(nil, payload)
	fmt.Printf("%s %v\n", message, err)

	payload[50] ^= 1
	_, err = from.Decrypt(nil, payload)
	fmt.Println(errors.Is(err, nip44.ErrPayload))
	// Output:
	// good morning <nil>
	// true
}

// A program that stores conversation keys makes conversations from the stored keys.
func ExampleFromKey() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	shared, err := ecdh.NIP44ConversationKey(key, key.PublicKey().XOnly())
	if err != nil {
		log.Fatal(err)
	}
	note := nip44.FromKey(&shared)
	clear(shared[:])
	defer note.Zero()
	_, err = note.Encrypt(nil, nil)
	fmt.Println(errors.Is(err, nip44.ErrSize), nip44.MaxSize >= 5<<28)
	_, err = note.Decrypt(nil, []byte("#3"))
	fmt.Println(errors.Is(err, nip44.ErrVersion), err)
	fmt.Println(note)
	// Output:
	// true true
	// true nip44: unknown version: the payload begins with #
	// nip44.Conversation(secret)
}
