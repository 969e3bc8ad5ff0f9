package hmacsha256_test

import (
	"fmt"

	"p256k1.mleku.dev/v2/hmacsha256"
	"p256k1.mleku.dev/v2/secret"
)

// HKDF (RFC 5869) derives keys from a shared secret: Extract is one HMAC, and so is each block of Expand. This program
// leaves the derived key in memory that it can wipe, and nothing else.
func ExampleSum() {
	shared := []byte("a secret that two parties share")
	key := secret.New[[32]byte]()
	defer secret.Zero(key)
	secret.Do(func() {
		prk := hmacsha256.Sum([]byte("salt"), shared)
		*key = hmacsha256.Sum(prk[:], []byte("info"), []byte{1})
	})
	fmt.Printf("%x\n", key[:8])
	// Output: 8dc494651e77906c
}
