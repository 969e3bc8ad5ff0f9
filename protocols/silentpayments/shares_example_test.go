package silentpayments_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
)

// Two signers, each with the private key of one input, pay to an address together.
func ExampleOutputsFromShares() {
	to := []silentpayments.Recipient{{Scan: key("scan").PublicKey(), Spend: key("spend").PublicKey()}}
	alice, bob := key("alice"), key("bob")
	inputs := []silentpayments.UnsignedInput{
		{TxID: sha256.Sum256([]byte("first")), ScriptPubKey: taproot(alice)},
		{TxID: sha256.Sum256([]byte("second")), ScriptPubKey: taproot(bob)},
	}

	// Each signer makes shares with the keys it has.
	shares, err := silentpayments.CreateShares(inputs, []*p256k1.PrivateKey{alice, nil}, to)
	if err != nil {
		log.Fatal(err)
	}
	_, err = silentpayments.OutputsFromShares(inputs, shares, to)
	fmt.Println("without Bob:", errors.Is(err, silentpayments.ErrShare))
	others, err := silentpayments.CreateShares(inputs, []*p256k1.PrivateKey{nil, bob}, to)
	if err != nil {
		log.Fatal(err)
	}

	// Alice verifies Bob's shares, and computes the outputs before she signs.
	if err := silentpayments.VerifyShares(inputs, others); err != nil {
		log.Fatal(err)
	}
	outputs, err := silentpayments.OutputsFromShares(inputs, append(shares, others...), to)
	if err != nil {
		log.Fatal(err)
	}

	// A signer that has all keys, such as a hardware signer, makes one share for all inputs.
	all, err := silentpayments.CreateGlobalShares(inputs, []*p256k1.PrivateKey{alice, bob}, to)
	if err != nil {
		log.Fatal(err)
	}
	same, err := silentpayments.OutputsFromShares(inputs, all, to)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same output:", outputs[0].Equal(same[0]), all[0].Input == silentpayments.All)
	// Output:
	// without Bob: true
	// the same output: true true
}

func taproot(key *p256k1.PrivateKey) []byte {
	return append([]byte{0x51, 0x20}, key.PublicKey().XOnly().Bytes()...)
}
