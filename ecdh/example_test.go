package ecdh_test

import (
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
)

// pair returns the private keys 3 and 4.
func pair() (alice, bob *p256k1.PrivateKey) {
	for i, k := range []**p256k1.PrivateKey{&alice, &bob} {
		var err error
		if *k, err = p256k1.ParsePrivateKey(append(make([]byte, 31), 3+byte(i))); err != nil {
			log.Fatal(err)
		}
	}
	return alice, bob
}

// The result is the x coordinate of 12·G. Hash it before using it as a key.
func ExampleX() {
	alice, bob := pair()
	x, err := ecdh.X(alice, bob.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	same, err := ecdh.X(bob, alice.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x %v\n", x, x == same)
	// Output: d01115d548e7561b15c38f004d734633687cf4419620095bc5b0f47070afe85a true
}

// XFromXOnly needs only the x coordinate of the peer's public key.
func ExampleXFromXOnly() {
	alice, bob := pair()
	x, err := ecdh.XFromXOnly(alice, bob.PublicKey().XOnly())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", x)
	// Output: d01115d548e7561b15c38f004d734633687cf4419620095bc5b0f47070afe85a
}

// The SHA-256 hash of the shared point is the shared secret of libsecp256k1 and Lightning.
func ExampleSHA256() {
	alice, bob := pair()
	secret, err := ecdh.SHA256(alice, bob.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	same, err := ecdh.SHA256(bob, alice.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x %v\n", secret, secret == same)
	// Output: 7793f54cf24463535ec6738f7afe1984c128398182a5046cb006f4b6e89af817 true
}

// Nostr's NIP-44 derives the keys of messages from the conversation key.
func ExampleNIP44ConversationKey() {
	key := func(last byte) *p256k1.PrivateKey {
		k, err := p256k1.ParsePrivateKey(append(make([]byte, 31), last))
		if err != nil {
			log.Fatal(err)
		}
		return k
	}
	alice, bob := key(1), key(2)
	conversation, err := ecdh.NIP44ConversationKey(alice, bob.PublicKey().XOnly())
	if err != nil {
		log.Fatal(err)
	}
	same, err := ecdh.NIP44ConversationKey(bob, alice.PublicKey().XOnly())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x %v\n", conversation, conversation == same)
	// Output: c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d true
}

// A client receives many gift wraps from a relay. The sender encrypted each gift wrap with a new key.
func ExampleNIP44ConversationKeyBatch() {
	receiver, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	once, err := p256k1.GenerateKeys(100)
	if err != nil {
		log.Fatal(err)
	}
	pubs := make([]*p256k1.XOnlyPublicKey, len(once))
	for i, k := range once {
		pubs[i] = k.PublicKey().XOnly()
	}
	keys := make([][32]byte, len(pubs))
	if err := ecdh.NIP44ConversationKeyBatch(keys, receiver, pubs); err != nil {
		log.Fatal(err)
	}
	same, err := ecdh.NIP44ConversationKey(once[7], receiver.PublicKey().XOnly())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(keys[7] == same)
	// Output: true
}
