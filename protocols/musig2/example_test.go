package musig2_test

import (
	"fmt"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/protocols/musig2"
	"p256k1.mleku.dev/schnorr"
)

// Three signers make one signature. What each of them sends is bytes; here they are in one program.
func Example() {
	msg := []byte("three agree")
	privs, err := p256k1.GenerateKeys(3)
	if err != nil {
		panic(err)
	}
	var public []*p256k1.PublicKey
	for _, priv := range privs {
		public = append(public, priv.PublicKey())
	}

	// Everybody computes the aggregate key.
	keys, err := musig2.Aggregate(musig2.Sort(public))
	if err != nil {
		panic(err)
	}

	// Partial signatures stand in the order of the keys.
	ordered := make([]*p256k1.PrivateKey, len(privs))
	for i, key := range musig2.Sort(public) {
		for _, priv := range privs {
			if priv.PublicKey().Equal(key) {
				ordered[i] = priv
			}
		}
	}

	// First round: each signer makes a nonce, and sends its public part.
	var secrets []*musig2.SecretNonce
	var nonces []musig2.PublicNonce
	for _, priv := range ordered {
		secret, nonce, err := musig2.NewNonce(priv, keys, msg)
		if err != nil {
			panic(err)
		}
		received, err := musig2.NewPublicNonce(nonce.Bytes())
		if err != nil {
			panic(err)
		}
		secrets, nonces = append(secrets, secret), append(nonces, received)
	}
	sum, err := musig2.AggregateNonces(nonces)
	if err != nil {
		panic(err)
	}

	// Second round: each signer signs, and sends a partial signature.
	session, err := musig2.NewSession(keys, sum, msg)
	if err != nil {
		panic(err)
	}
	var sigs []musig2.PartialSignature
	for i, priv := range ordered {
		sig, err := session.Sign(secrets[i], priv)
		if err != nil {
			panic(err)
		}
		sigs = append(sigs, sig)
	}

	// Anybody combines them.
	sig, err := session.Combine(sigs, nonces)
	if err != nil {
		panic(err)
	}
	fmt.Println(schnorr.Verify(keys.PublicKey().XOnly(), msg, sig[:]))

	// A nonce signs once.
	_, err = session.Sign(secrets[0], ordered[0])
	fmt.Println(err)
	// Output:
	// true
	// musig2: signing: secret nonce was used
}

func ExampleKeySet_TweakXOnly() {
	// The output key of Taproot that commits to no scripts (BIP-86).
	privs, err := p256k1.GenerateKeys(2)
	if err != nil {
		panic(err)
	}
	internal, err := musig2.Aggregate([]*p256k1.PublicKey{privs[0].PublicKey(), privs[1].PublicKey()})
	if err != nil {
		panic(err)
	}
	x := internal.PublicKey().XOnly()
	tweak := schnorr.TaggedHash("TapTweak", x.Bytes())
	output, err := internal.TweakXOnly(tweak[:])
	if err != nil {
		panic(err)
	}
	key := output.PublicKey()
	fmt.Println(x.CheckTweakAdd(tweak[:], key.XOnly().Bytes(), key.IsYOdd()))
	// Output: true
}
