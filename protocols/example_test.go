package protocols_test

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/musig2"
)

// The error names the key that is missing.
func ExampleBlameError() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		panic(err)
	}
	_, err = musig2.Aggregate([]*p256k1.PublicKey{key.PublicKey(), nil})
	var blame *protocols.BlameError
	if errors.As(err, &blame) {
		fmt.Println(blame.Participants, err)
	}
	// Output: [1] musig2: public key: participant 1: no key
}
