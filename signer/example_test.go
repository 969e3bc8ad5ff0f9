package signer_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/signer"
)

// A program that uses the interface signer.I works with every implementation of it.
func Example() {
	var s signer.I = signer.NewP256K1Signer()
	if err := s.Generate(); err != nil {
		log.Fatal(err)
	}
	defer s.Zero()

	id := sha256.Sum256([]byte("the serialized event"))
	sig, err := s.Sign(id[:])
	if err != nil {
		log.Fatal(err)
	}

	// The relay knows only the public key.
	var relay signer.I = signer.NewP256K1Signer()
	if err := relay.InitPub(s.Pub()); err != nil {
		log.Fatal(err)
	}
	valid, err := relay.Verify(id[:], sig)
	fmt.Println(valid, err)
	_, err = relay.Sign(id[:])
	fmt.Println(errors.Is(err, p256k1.ErrNoKey), err)

	// Output:
	// true <nil>
	// true signer: secret key: no key
}

func ExampleP256K1Signer() {
	s := signer.NewP256K1Signer()
	_, err := s.Verify(nil, nil)
	fmt.Println(errors.Is(err, p256k1.ErrNoKey), err)

	if err := s.InitSec(append(make([]byte, 31), 3)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", s.Sec())
	fmt.Printf("%x\n", s.Pub())
	compressed, err := s.PubCompressed()
	fmt.Printf("%x %v\n", compressed, err)

	// Output:
	// true signer: public key: no key
	// 0000000000000000000000000000000000000000000000000000000000000003
	// f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9
	// 02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9 <nil>
}

func ExampleP256K1Signer_InitKey() {
	key, err := p256k1.GenerateKey() // or nip19.ParsePrivateKey, which reads an nsec
	if err != nil {
		log.Fatal(err)
	}
	s := signer.NewP256K1Signer()
	defer s.Zero()
	fmt.Println(s.InitKey(key))
	key.Zero() // the signer has its own copy
	_, err = s.Sign(make([]byte, 32))
	fmt.Println(err)
	fmt.Println(s.InitKey(key))
	// Output:
	// <nil>
	// <nil>
	// signer: secret key: no key: nil, wiped or never set
}

func ExampleI_ECDH() {
	var alice, bob signer.I = signer.NewP256K1Signer(), signer.NewP256K1Signer()
	for _, s := range []signer.I{alice, bob} {
		if err := s.Generate(); err != nil {
			log.Fatal(err)
		}
	}
	for _, agree := range []func(s signer.I, pub []byte) ([]byte, error){signer.I.ECDH, signer.I.ECDHRaw} {
		a, err := agree(alice, bob.Pub())
		if err != nil {
			log.Fatal(err)
		}
		b, err := agree(bob, alice.Pub())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(bytes.Equal(a, b))
	}
	// Output:
	// true
	// true
}

// This loop searches for a public key that begins with a zero byte.
func ExampleGen() {
	var g signer.Gen = signer.NewP256K1Gen()
	for {
		compressed, err := g.Generate()
		if err != nil {
			log.Fatal(err)
		}
		if compressed[1] != 0 {
			continue
		}
		if compressed[0] == 3 { // take the point with even y
			g.Negate()
		}
		sec, pub := g.KeyPairBytes()
		fmt.Println(len(sec), len(pub), pub[0])
		return
	}
	// Output: 32 32 0
}
