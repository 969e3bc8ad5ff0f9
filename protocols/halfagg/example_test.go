package halfagg_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/halfagg"
	"p256k1.mleku.dev/v2/schnorr"
)

// A node aggregates the signatures of three announcements and sends 128 bytes instead of 192.
func Example() {
	var claims []halfagg.Claim
	var sigs [][64]byte
	for _, text := range []string{"one", "two", "three"} {
		key, err := p256k1.GenerateKey()
		if err != nil {
			log.Fatal(err)
		}
		claim := halfagg.Claim{PublicKey: [32]byte(key.PublicKey().XOnly().Bytes()), Message: sha256.Sum256([]byte(text))}
		sig, err := schnorr.Sign(key, claim.Message[:], nil)
		if err != nil {
			log.Fatal(err)
		}
		claims, sigs = append(claims, claim), append(sigs, sig)
	}
	two, err := halfagg.Aggregate(claims[:2], sigs[:2])
	if err != nil {
		log.Fatal(err)
	}
	all, err := halfagg.Add(two, claims[:2], claims[2:], sigs[2:])
	fmt.Println(len(all) == halfagg.Size(3), err, halfagg.Verify(all, claims))

	claims[1].Message[0]++
	_, err = halfagg.Aggregate(claims, sigs)
	var invalid p256k1.Failures
	fmt.Println(errors.As(err, &invalid), invalid[0].Index, err)
	// Output:
	// true <nil> true
	// true 1 halfagg: signature is not valid (index 1)
}
