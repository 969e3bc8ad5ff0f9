package frost_test

import (
	"crypto/sha256"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/schnorr"
)

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// Three participants share a key, and any two of them sign.
func Example() {
	// A dealer makes the shares. Each participant receives a share, and checks that it belongs to the group.
	key := must(p256k1.GenerateKey())
	group, shares, err := frost.Deal(key, 2, 3, nil)
	key.Zero()
	if err != nil {
		log.Fatal(err)
	}
	for _, share := range shares {
		if !group.Has(share) {
			log.Fatal("a wrong share")
		}
	}

	// Participants 2 and 0 sign with the Taproot output key that commits to no scripts.
	signers := must(group.Signers(2, 0))
	tag := schnorr.NewTag("TapTweak")
	tweak := tag.Sum(signers.PublicKey().XOnly().Bytes())
	signers = must(signers.TweakXOnly(tweak[:]))
	message := sha256.Sum256([]byte("a transaction"))

	// Each signer makes a secret nonce, which it keeps, and sends the public nonce to the coordinator.
	secret2, public2, err := frost.NewNonce(shares[2], signers, message[:])
	if err != nil {
		log.Fatal(err)
	}
	secret0, public0, err := frost.NewNonce(shares[0], signers, message[:])
	if err != nil {
		log.Fatal(err)
	}
	nonces := []frost.PublicNonce{public2, public0} // in the order of the signers

	// The coordinator sends the sum of the nonces to the signers, and each signer signs.
	session := must(frost.NewSession(signers, must(frost.AggregateNonces(nonces)), message[:]))
	sigs := []frost.PartialSignature{
		must(session.Sign(secret2, shares[2])),
		must(session.Sign(secret0, shares[0])),
	}

	signature := must(session.Combine(sigs, nonces))
	fmt.Println(schnorr.Verify(signers.PublicKey().XOnly(), message[:], signature[:]))
	_, err = session.Sign(secret0, shares[0])
	fmt.Println(err)
	sigs[0] = sigs[1]
	_, err = session.Combine(sigs, nonces)
	fmt.Println(err)
	// Output:
	// true
	// frost: signing: secret nonce was used, or was wiped or never set
	// frost: participant 2: partial signature is not valid
}
