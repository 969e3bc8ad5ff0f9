package musig2_test

import (
	"crypto/sha256"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
)

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// A server cosigns a tree of 1,000 transactions with the users whose money is in the tree. Each transaction has its own
// key set.
func ExampleCombineBatch() {
	const transactions = 1000
	server := must(p256k1.GenerateKey())
	users := must(p256k1.GenerateKeys(transactions))
	digests := make([][]byte, transactions)
	sets := make([][]*p256k1.PublicKey, transactions)
	for i, user := range users {
		digest := sha256.Sum256(fmt.Appendf(nil, "transaction %d", i))
		digests[i] = digest[:]
		sets[i] = []*p256k1.PublicKey{server.PublicKey(), user.PublicKey()}
	}
	keys := must(musig2.AggregateBatch(sets))

	// In the first round, the server and the user make nonces for each transaction.
	ours, ourNonces, err := musig2.NewNonceBatch(server, keys, digests)
	if err != nil {
		log.Fatal(err)
	}
	theirs := make([]*musig2.SecretNonce, transactions)
	params := make([]musig2.SessionParams, transactions)
	items := make([]musig2.Combination, transactions)
	for i, user := range users {
		secret, nonce, err := musig2.NewNonce(user, keys[i], digests[i])
		if err != nil {
			log.Fatal(err)
		}
		theirs[i] = secret
		items[i].Nonces = []musig2.PublicNonce{ourNonces[i], nonce}
		params[i] = musig2.SessionParams{Keys: keys[i], Nonce: must(musig2.AggregateNonces(items[i].Nonces)), Message: digests[i]}
	}
	sessions := must(musig2.NewSessionBatch(params))

	// In the second round, the server and the user make partial signatures for each transaction. User 7 sends a wrong
	// partial signature.
	for i, s := range sessions {
		items[i].Session = s
		items[i].Signatures = []musig2.PartialSignature{must(s.Sign(ours[i], server)), must(s.Sign(theirs[i], users[i]))}
	}
	items[7].Signatures[1] = items[8].Signatures[1]

	sigs, err := musig2.CombineBatch(items)
	fmt.Println(err)
	fmt.Println(len(sigs), schnorr.Verify(keys[8].PublicKey().XOnly(), digests[8], sigs[8][:]))
	// Output:
	// musig2: participant 1: partial signature is not valid (index 7)
	// 1000 true
}

// A server makes nonces before it knows which keys and messages it will sign with.
func ExampleNewNonceBatch() {
	server := must(p256k1.GenerateKey())
	const sessions = 100
	secrets, nonces, err := musig2.NewNonceBatch(server, make([]*musig2.KeySet, sessions), make([][]byte, sessions))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(secrets), "secret nonces to keep,", len(nonces), "public nonces of", len(nonces[0].Bytes()), "bytes to send")
	// Output: 100 secret nonces to keep, 100 public nonces of 66 bytes to send
}

// A server verifies partial signatures from many sessions together.
func ExampleInvalidPartials() {
	key := must(p256k1.GenerateKey())
	keys := must(musig2.Aggregate([]*p256k1.PublicKey{key.PublicKey()}))
	var partials []musig2.Partial
	for i := range 10 {
		message := []byte{byte(i)}
		secret, nonce, err := musig2.NewNonce(key, keys, message)
		if err != nil {
			log.Fatal(err)
		}
		s := must(musig2.NewSession(keys, must(musig2.AggregateNonces([]musig2.PublicNonce{nonce})), message))
		partials = append(partials, musig2.Partial{Session: s, Signature: must(s.Sign(secret, key)), Nonce: nonce, Key: key.PublicKey()})
	}
	partials[3].Signature = partials[4].Signature
	fmt.Println(musig2.InvalidPartials(partials))
	// Output: [3]
}

// A buyer and a seller have an aggregate key. The buyer exchanges its part of a signature for the seller's secret.
func ExampleNewAdaptorSession() {
	privs := must(p256k1.GenerateKeys(2)) // the seller's and the buyer's
	secret := must(p256k1.GenerateKey())
	point := secret.PublicKey()
	keys := must(musig2.Aggregate([]*p256k1.PublicKey{privs[0].PublicKey(), privs[1].PublicKey()}))
	payment := []byte("a payment")
	var secrets []*musig2.SecretNonce
	var nonces []musig2.PublicNonce
	for _, priv := range privs {
		n, nonce, err := musig2.NewNonce(priv, keys, payment)
		if err != nil {
			log.Fatal(err)
		}
		secrets, nonces = append(secrets, n), append(nonces, nonce)
	}
	sum := must(musig2.AggregateNonces(nonces))
	session := must(musig2.NewAdaptorSession(keys, sum, payment, point))

	// The seller signs first. The buyer must see a valid pre-signature before it sends its partial signature.
	sigs := []musig2.PartialSignature{must(session.Sign(secrets[0], privs[0])), must(session.Sign(secrets[1], privs[1]))}
	var pre *adaptor.SchnorrPreSignature = must(session.CombineAdaptor(sigs, nonces))
	fmt.Println(pre.Verify(keys.PublicKey().XOnly(), point, payment))

	// The seller receives the buyer's partial signature, adapts the pre-signature, and publishes the signature.
	sig := must(pre.Adapt(secret))
	fmt.Println(schnorr.Verify(keys.PublicKey().XOnly(), payment, sig[:]))

	// The buyer sees the published signature, and extracts the secret.
	fmt.Println(must(pre.Extract(sig[:], point)).Equal(secret))
	// Output:
	// true
	// true
	// true
}
