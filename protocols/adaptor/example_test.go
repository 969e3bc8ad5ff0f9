package adaptor_test

import (
	"crypto/sha256"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/schnorr"
)

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// Alice sells Bob a signature in exchange for a secret that Bob has. She learns the secret from the signature that he
// publishes.
func Example() {
	alice, secret := must(p256k1.GenerateKey()), must(p256k1.GenerateKey())
	point, key := secret.PublicKey(), alice.PublicKey().XOnly()
	payment := []byte("a payment to Bob")

	pre := must(adaptor.SignSchnorr(alice, point, payment))

	// Bob verifies the pre-signature that Alice sent, and adapts it.
	fmt.Println(pre.Verify(key, point, payment))
	sig := must(pre.Adapt(secret))
	fmt.Println(schnorr.Verify(key, payment, sig[:]))

	// Alice sees the signature in a block.
	extracted := must(pre.Extract(sig[:], point))
	fmt.Println(extracted.Equal(secret))
	// Output:
	// true
	// true
	// true
}

// This is the same exchange with ECDSA.
func ExampleSignECDSA() {
	alice, secret := must(p256k1.GenerateKey()), must(p256k1.GenerateKey())
	digest := sha256.Sum256([]byte("a payment to Bob"))
	pre := must(adaptor.SignECDSA(alice, secret.PublicKey(), digest[:]))
	fmt.Println(pre.Verify(alice.PublicKey(), secret.PublicKey(), digest[:]))
	sig := must(pre.Adapt(secret))
	fmt.Println(ecdsa.VerifyLowS(alice.PublicKey(), digest[:], sig))
	fmt.Println(must(pre.Extract(sig, secret.PublicKey())).Equal(secret))
	// Output:
	// true
	// true
	// true
}
