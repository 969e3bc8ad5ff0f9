package dleq_test

import (
	"crypto/sha256"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/dleq"
)

// Each of two services holds a share of a key. A service returns its part of the ECDH secret with a client's key B, and
// proves that it used its own key share.
func Example() {
	service, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	client, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	request := sha256.Sum256([]byte("request 17"))
	// The proof cannot be replayed for another request, and is verified before it leaves.
	opts := &dleq.Options{Message: &request, Checked: true}

	c, proof, err := dleq.Prove(service, client.PublicKey(), opts)
	if err != nil {
		log.Fatal(err)
	}

	// Anyone who has the three points can verify the proof.
	fmt.Println(dleq.Verify(service.PublicKey(), client.PublicKey(), c, proof[:], opts))
	fmt.Println(dleq.Verify(service.PublicKey(), client.PublicKey(), c.Negate(), proof[:], opts))
	// Output:
	// true
	// false
}

func ExampleInvalid() {
	var items []dleq.Item
	for range 10 {
		key, err := p256k1.GenerateKey()
		if err != nil {
			log.Fatal(err)
		}
		b := key.PublicKey()
		c, proof, err := dleq.Prove(key, b, nil)
		if err != nil {
			log.Fatal(err)
		}
		items = append(items, dleq.Item{A: key.PublicKey(), B: b, C: c, Proof: proof[:]})
	}
	items[3].Proof[7] ^= 1

	fmt.Println(dleq.Invalid(nil, items))
	// Output: [3]
}
