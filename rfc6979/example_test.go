package rfc6979_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/rfc6979"
)

// The nonce for the key 1 and the message "Satoshi Nakamoto" is a test case of many libraries.
func ExampleGenerator() {
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	var z, k curve.Scalar
	z.SetBytesReduced(&digest)

	var nonces rfc6979.Generator
	defer nonces.Zero()
	key := [32]byte{31: 1}
	nonces.Init(&key, (*[32]byte)(z.Bytes()), nil)
	for {
		var nonce [32]byte
		if err := nonces.Next(&nonce); err != nil {
			log.Fatal(err)
		}
		if _, err := k.SetBytes(nonce[:]); err == nil && k.IsZero() == 0 {
			break // the first nonce is almost always in [1, n−1]
		}
	}
	r, err := new(curve.Point).ScalarBaseMult(&k).BytesX()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("k = %x\nr = %x\n", k.Bytes(), r)
	nonces.Zero()
	err = nonces.Next(new([32]byte))
	fmt.Println(errors.Is(err, rfc6979.ErrUnseeded))
	// Output:
	// k = 8f8a276c19f4149656b280621e358cce24f5f52542772691ee69063b74f15d15
	// r = 934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8
	// true
}
