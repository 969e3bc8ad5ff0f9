package conformance

import (
	"encoding/hex"
	"fmt"
	"log"

	"golang.org/x/crypto/sha3"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// Example_ethereum finds out who signed a message for Ethereum: the wallet sends 65 bytes, and the address of the key that is
// recovered from them is the account.
func Example_ethereum() {
	keccak256 := func(data ...[]byte) []byte {
		h := sha3.NewLegacyKeccak256()
		for _, d := range data {
			h.Write(d)
		}
		return h.Sum(nil)
	}
	address := func(pub *p256k1.PublicKey) string {
		return "0x" + hex.EncodeToString(keccak256(pub.BytesUncompressed()[1:])[12:])
	}

	// What personal_sign signs (EIP-191).
	message := []byte("hello")
	digest := keccak256([]byte("\x19Ethereum Signed Message:\n"), fmt.Append(nil, len(message)), message)

	key, err := p256k1.NewPrivateKey(append(make([]byte, 31), 1))
	if err != nil {
		log.Fatal(err)
	}
	sig, err := ecdsa.SignRecoverable(key, digest)
	if err != nil {
		log.Fatal(err)
	}
	sent := sig.BytesEthereum()

	received, err := ecdsa.ParseRecoverableEthereum(sent)
	if err != nil {
		log.Fatal(err)
	}
	pub, err := ecdsa.Recover(digest, received)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(address(pub))
	// Output: 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf
}
