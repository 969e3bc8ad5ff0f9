package frost_test

import (
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
)

// Two signers compute the ECDH secret of their threshold key and a Nostr client's key, which NIP-44 uses for
// encryption.
func ExampleAgree() {
	key, client := must(p256k1.GenerateKey()), must(p256k1.GenerateKey())
	group, shares, err := frost.Deal(key, 2, 3, nil)
	if err != nil {
		log.Fatal(err)
	}
	own, other := must(frost.Agree(shares[1], client.PublicKey())), must(frost.Agree(shares[2], client.PublicKey()))
	message := other.Bytes() // the other signer encrypts it for the recipient, and sends it
	parts := []frost.AgreementShare{own, must(frost.ParseAgreementShare(message))}
	signers := must(group.Signers(1, 2))
	x, err := signers.SharedX(client.PublicKey(), parts)
	fmt.Println(len(x), err)
	// Output: 32 <nil>
}
