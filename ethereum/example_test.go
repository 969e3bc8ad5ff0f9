package ethereum_test

import (
	"context"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ethereum"
)

// sign signs a hash with the key 1, which everybody knows.
func sign(hash [32]byte) [65]byte {
	one := make([]byte, 32)
	one[31] = 1
	k, err := p256k1.ParsePrivateKey(one)
	if err != nil {
		log.Fatal(err)
	}
	sig, err := ecdsa.SignRecoverable(k, hash[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	return [65]byte(sig.BytesEthereum())
}

// A server recovers the address of the wallet that signed a message.
func ExampleSender() {
	sig := sign(ethereum.PersonalHash([]byte("sign in")))

	want, err := ethereum.ParseAddress("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
	if err != nil {
		log.Fatal(err)
	}
	a, err := ethereum.Sender(ethereum.PersonalHash([]byte("sign in")), sig)
	fmt.Println(a, a == want, err)
	a, err = ethereum.Sender(ethereum.PersonalHash([]byte("another message")), sig)
	fmt.Println(a == want, err)
	// Output:
	// 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf true <nil>
	// false <nil>
}

// The v of a legacy transaction can encode the chain.
func ExampleLegacyV() {
	parity, chain, protected, err := ethereum.LegacyV(38)
	fmt.Println(parity, chain, protected, err)
	_, err = ethereum.TypedV(38)
	fmt.Println(err)
	// Output:
	// 1 1 true <nil>
	// ethereum: typed transaction: invalid v: 38, want 0 or 1
}

// The senders of a block are recovered together.
func ExampleSenders() {
	hashes := [][32]byte{ethereum.Keccak256([]byte("one")), ethereum.Keccak256([]byte("two"))}
	sigs := [][65]byte{sign(hashes[0]), {}} // the second signature is missing
	senders := make([]ethereum.Address, 2)
	err := ethereum.Senders(senders, hashes, sigs)
	fmt.Println(senders[0])
	fmt.Println(err)
	// Output:
	// 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf
	// ecdsa: signature: r out of range: not in [1, n-1] (index 1)
}

// The senders of large blocks are recovered on all cores, and a context can end the recovery.
func ExampleRecoverer_Senders() {
	hash := ethereum.Keccak256([]byte("one"))
	senders := make([]ethereum.Address, 1)
	err := ethereum.Recoverer{}.Senders(context.Background(), senders, [][32]byte{hash}, [][65]byte{sign(hash)})
	fmt.Println(senders[0], err)
	// Output:
	// 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf <nil>
}

// A program with its own type of transactions need not copy their hashes and signatures into slices.
func ExampleRecoverer_Each() {
	type transaction struct {
		text   string
		sig    [65]byte
		sender ethereum.Address
		err    error
	}
	txs := []transaction{{text: "one", sig: sign(ethereum.Keccak256([]byte("one")))}, {text: "two"}} // the second is not signed
	err := ethereum.Recoverer{}.Each(context.Background(), len(txs),
		func(i int, hash *[32]byte, sig *[65]byte) error {
			*hash, *sig = ethereum.Keccak256([]byte(txs[i].text)), txs[i].sig
			return nil
		},
		func(i int, a ethereum.Address, err error) { txs[i].sender, txs[i].err = a, err })
	fmt.Println(err)
	for _, tx := range txs {
		fmt.Println(tx.sender, tx.err)
	}
	// Output:
	// <nil>
	// 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf <nil>
	// 0x0000000000000000000000000000000000000000 ecdsa: signature: r out of range: not in [1, n-1]
}

// The result for an input without s is empty.
func ExampleEcrecover() {
	hash := ethereum.Keccak256([]byte("one"))
	sig := sign(hash)
	input := append(hash[:], make([]byte, 31)...)
	input = append(append(input, sig[64]), sig[:64]...)
	fmt.Printf("%x\n", ethereum.Ecrecover(nil, input))
	fmt.Printf("%x\n", ethereum.Ecrecover(nil, input[:96]))
	// Output:
	// 0000000000000000000000007e5f4552091a69125d5dfcb7b8c2659029395bdf
	//
}
