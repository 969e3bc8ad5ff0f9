package musig2_test

import (
	"bytes"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
)

// Three signers make one signature. Real signers would send bytes to each other. In this example all of them are in one
// program.
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

	// Every signer computes the aggregate key.
	keys, err := musig2.Aggregate(musig2.Sort(public))
	if err != nil {
		panic(err)
	}

	// Partial signatures must be in the order of the keys.
	ordered := make([]*p256k1.PrivateKey, len(privs))
	for i, key := range musig2.Sort(public) {
		for _, priv := range privs {
			if priv.PublicKey().Equal(key) {
				ordered[i] = priv
			}
		}
	}

	// First round: each signer generates a nonce, and sends its public part.
	var secrets []*musig2.SecretNonce
	var nonces []musig2.PublicNonce
	for _, priv := range ordered {
		secret, nonce, err := musig2.NewNonce(priv, keys, msg)
		if err != nil {
			panic(err)
		}
		received, err := musig2.ParsePublicNonce(nonce.Bytes())
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

	// Anyone can combine the partial signatures.
	sig, err := session.Combine(sigs, nonces)
	if err != nil {
		panic(err)
	}
	fmt.Println(schnorr.Verify(keys.PublicKey().XOnly(), msg, sig[:]))

	// A nonce can sign only once.
	_, err = session.Sign(secrets[0], ordered[0])
	fmt.Println(err)
	// Output:
	// true
	// musig2: signing: secret nonce was used, or was wiped or never set
}

func ExampleKeySet_TweakXOnly() {
	// This is the Taproot output key that commits to no scripts (BIP-86).
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

// A signer without state and randomness, such as a signer in a vault, signs together with an online signer. The vault
// signs last.
func ExampleSignDeterministic() {
	msg := []byte("two agree")
	online, safe := key(1), key(2)
	keys, err := musig2.Aggregate([]*p256k1.PublicKey{online.PublicKey(), safe.PublicKey()})
	if err != nil {
		panic(err)
	}
	secret, nonce, err := musig2.NewNonce(online, keys, msg)
	if err != nil {
		panic(err)
	}
	defer secret.Zero() // wipes the nonce if the other signer never answers

	// The vault needs one round: it receives the sum of the other signers' nonces.
	others, err := musig2.AggregateNonces([]musig2.PublicNonce{nonce})
	if err != nil {
		panic(err)
	}
	received, err := musig2.ParseAggregateNonce(others.Bytes())
	if err != nil {
		panic(err)
	}
	safeNonce, safeSig, err := musig2.SignDeterministic(safe, received, keys, msg, nil)
	if err != nil {
		panic(err)
	}

	// The online signer receives the vault's nonce and signature together.
	nonces := []musig2.PublicNonce{nonce, safeNonce}
	sum, err := musig2.AggregateNonces(nonces)
	if err != nil {
		panic(err)
	}
	session, err := musig2.NewSession(keys, sum, msg)
	if err != nil {
		panic(err)
	}
	theirs, err := musig2.ParsePartialSignature(safeSig.Bytes())
	if err != nil {
		panic(err)
	}
	fmt.Println(session.VerifyPartial(theirs, safeNonce, safe.PublicKey()))
	ours, err := session.Sign(secret, online)
	if err != nil {
		panic(err)
	}
	sig, err := session.Combine([]musig2.PartialSignature{ours, theirs}, nonces)
	if err != nil {
		panic(err)
	}
	fmt.Println(schnorr.Verify(keys.PublicKey().XOnly(), msg, sig[:]))
	// Output:
	// true
	// true
}

// Combine names the signer whose partial signature is invalid.
func ExampleSession_Combine() {
	privs := []*p256k1.PrivateKey{key(1), key(2)}
	keys, err := musig2.Aggregate([]*p256k1.PublicKey{privs[0].PublicKey(), privs[1].PublicKey()})
	if err != nil {
		panic(err)
	}
	secrets, nonces := make([]*musig2.SecretNonce, 2), make([]musig2.PublicNonce, 2)
	for i, priv := range privs {
		if secrets[i], nonces[i], err = musig2.NewNonce(priv, keys, []byte("pay")); err != nil {
			panic(err)
		}
	}
	sum, err := musig2.AggregateNonces(nonces)
	if err != nil {
		panic(err)
	}
	session, err := musig2.NewSession(keys, sum, []byte("pay"))
	if err != nil {
		panic(err)
	}
	sig, err := session.Sign(secrets[0], privs[0])
	if err != nil {
		panic(err)
	}
	secrets[1].Zero() // the second signer does not sign, and repeats the first signer's partial signature

	_, err = session.Combine([]musig2.PartialSignature{sig, sig}, nonces)
	var who *protocols.BlameError
	fmt.Println(errors.As(err, &who), who.Participants, errors.Is(err, musig2.ErrPartialSignature))
	// Output: true [1] true
}

// Wallets derive keys from an aggregate key's xpub.
func ExampleKeySet_Derive() {
	keys, err := musig2.Aggregate([]*p256k1.PublicKey{key(1).PublicKey(), key(2).PublicKey()})
	if err != nil {
		panic(err)
	}
	extended, err := keys.ExtendedKey([4]byte{0x04, 0x88, 0xb2, 0x1e}) // xpub, before base58check
	if err != nil {
		panic(err)
	}
	fmt.Printf("%x\n", extended[45:])
	address, err := keys.Derive(0, 7) // m/0/7
	if err != nil {
		panic(err)
	}
	fmt.Println(address.PublicKey())
	// Output:
	// 031fc559d9c96c5953895d3150e64ebf3dd696a0b08e758650b48ff6251d7e60d1
	// 02d1025359a2ea377752c2367ec298f62da83aa91b2cfb745fe7417b8a09bf724d
}

// A tweak makes an aggregate key commit to a contract.
func ExampleKeySet_Tweak() {
	keys, err := musig2.Aggregate([]*p256k1.PublicKey{key(1).PublicKey(), key(2).PublicKey()})
	if err != nil {
		panic(err)
	}
	tweak := schnorr.TaggedHash("a contract", keys.PublicKey().Bytes(), []byte("its terms"))
	tweaked, err := keys.Tweak(tweak[:])
	if err != nil {
		panic(err)
	}
	want, err := keys.PublicKey().TweakAdd(tweak[:])
	fmt.Println(tweaked.PublicKey().Equal(want), err)
	// Output: true <nil>
}

// key returns a private key that everybody knows. Never use such a key for funds.
func key(n byte) *p256k1.PrivateKey {
	key, err := p256k1.ParsePrivateKey(bytes.Repeat([]byte{n}, 32))
	if err != nil {
		panic(err)
	}
	return key
}
