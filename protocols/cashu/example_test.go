package cashu_test

import (
	"encoding/json"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/cashu"
)

// Bob, the mint, signs a secret for Alice. Alice pays Carol with the signed secret, and Carol redeems it with Bob.
func Example() {
	// Bob has a key for each amount.
	bob, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	mint := bob.PublicKey()

	// Alice blinds her secret, which is 32 random bytes as hexadecimal text.
	secret := []byte("407915bc212be61a77e3e6d2aeb4c727980bda51cd06a6afc29e2861768a7837")
	r, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	blinded, err := cashu.Blind(secret, r)
	if err != nil {
		log.Fatal(err)
	}

	// Bob signs without learning the secret.
	sig, err := cashu.Sign(bob, blinded)
	if err != nil {
		log.Fatal(err)
	}

	// Alice checks the proof: Bob signed her secret, with the key that he published.
	c, err := cashu.Unblind(mint, secret, sig, r)
	if err != nil {
		log.Fatal(err)
	}

	// Carol receives secret, c, sig.DLEQ and r, and can verify the token without asking Bob.
	fmt.Println("Carol:", sig.DLEQ.VerifyToken(mint, secret, c, r))

	// Bob receives secret and c from Carol, and cannot link them to Alice. He accepts each secret once.
	spent := map[string]bool{}
	y, err := cashu.HashToCurveVartime(secret) // NUT-07 identifies a secret by Y
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		if spent[y.String()] {
			fmt.Println("Bob: spent")
			continue
		}
		fmt.Println("Bob:", cashu.Verify(bob, secret, c))
		spent[y.String()] = true
	}
	// Output:
	// Carol: true
	// Bob: true
	// Bob: spent
}

func ExampleHashToCurve() {
	// A wallet that asks a mint whether a secret was spent sends Y, so that the mint does not learn the secret.
	y, err := cashu.HashToCurve([]byte("407915bc212be61a77e3e6d2aeb4c727980bda51cd06a6afc29e2861768a7837"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output: 02aad97535777fe006cd6a04df849cb2febea2a8cc138683c7dc401cd150ff11de
}

// A wallet detects that a mint signs with a key other than its published key.
func ExampleDLEQ_Verify() {
	bob, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	marked, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	r, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	blinded, err := cashu.Blind([]byte("secret"), r)
	if err != nil {
		log.Fatal(err)
	}
	sig, err := cashu.Sign(marked, blinded)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sig.DLEQ.Verify(bob.PublicKey(), blinded, sig.C))
	_, err = cashu.Unblind(bob.PublicKey(), []byte("secret"), sig, r)
	fmt.Println(err)
	// Output:
	// false
	// cashu: blind signature: proof is not valid
}

// A wallet decodes a mint's answer, and encodes the proof for a token.
func ExampleBlindSignature() {
	var answer struct {
		ID     string `json:"id"`
		Amount uint64 `json:"amount"`
		cashu.BlindSignature
	}
	err := json.Unmarshal([]byte(`{
		"id": "00882760bfa2eb41",
		"amount": 8,
		"C_": "02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2",
		"dleq": {
			"e": "9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73d9",
			"s": "9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73da"
		}
	}`), &answer)
	if err != nil {
		log.Fatal(err)
	}
	var proof struct {
		cashu.DLEQ
		R string `json:"r"` // hexadecimal
	}
	proof.DLEQ = *answer.DLEQ
	proof.R = "0000000000000000000000000000000000000000000000000000000000000001"
	text, err := json.MarshalIndent(proof, "", "  ")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output:
	// {
	//   "e": "9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73d9",
	//   "s": "9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73da",
	//   "r": "0000000000000000000000000000000000000000000000000000000000000001"
	// }
}

// Old mints send no proof, so a wallet must unblind their signatures without verification.
func ExampleUnblindWithoutProof() {
	bob, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	r, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	blinded, err := cashu.Blind([]byte("secret"), r)
	if err != nil {
		log.Fatal(err)
	}
	sig, err := cashu.Sign(bob, blinded)
	if err != nil {
		log.Fatal(err)
	}
	sig.DLEQ = nil
	_, err = cashu.Unblind(bob.PublicKey(), []byte("secret"), sig, r)
	fmt.Println(err)
	c, err := cashu.UnblindWithoutProof(bob.PublicKey(), sig, r)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cashu.Verify(bob, []byte("secret"), c))
	// Output:
	// cashu: blind signature: proof is not valid
	// true
}
