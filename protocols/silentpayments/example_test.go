package silentpayments_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/schnorr"
)

// This example follows a payment from the recipient's address until the recipient spends the output.
func Example() {
	// The recipient has two private keys. The scanning computer has only b_scan and B_spend, and hands out an address
	// with label 1.
	scan, spend := key("scan"), key("spend")
	scanner, err := silentpayments.NewScanner(scan, spend.PublicKey(), 1)
	if err != nil {
		log.Fatal(err)
	}
	address, err := scanner.Labeled(1)
	if err != nil {
		log.Fatal(err)
	}

	// The sender spends a Taproot output. The transaction is not signed yet.
	coin := key("coin")
	input := silentpayments.Input{
		TxID:         sha256.Sum256([]byte("an earlier transaction")),
		Index:        3,
		ScriptPubKey: append([]byte{0x51, 0x20}, coin.PublicKey().XOnly().Bytes()...),
	}
	outputs, err := silentpayments.CreateOutputs([]silentpayments.Input{input}, []*p256k1.PrivateKey{coin}, []silentpayments.Recipient{address})
	if err != nil {
		log.Fatal(err)
	}

	// After the transaction was signed and included in a block, the scanner finds the payment.
	input.Witness = [][]byte{make([]byte, 64)}
	onChain := [][32]byte{sha256.Sum256([]byte("somebody else's")), [32]byte(outputs[0].Bytes())}
	tweak, err := silentpayments.Tweak([]silentpayments.Input{input})
	if err != nil {
		log.Fatal(err)
	}
	found, err := scanner.Scan(context.Background(), tweak, onChain)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range found {
		fmt.Println("output", f.Output, "label", f.Label)

		// Only the wallet that has b_spend can spend the output.
		priv, err := f.PrivateKey(spend)
		if err != nil {
			log.Fatal(err)
		}
		msg := []byte("the hash of a transaction")
		sig, err := schnorr.Sign(priv, msg, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(schnorr.VerifyBytes(onChain[f.Output][:], msg, sig[:]))
	}
	// Output:
	// output 1 label 1
	// true
}

// A wallet scans transactions, given the tweak of each transaction and eight bytes of each output from an index server.
func ExampleScanner_ScanTweaks() {
	scanner, err := silentpayments.NewScanner(key("scan"), key("spend").PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	tweaks := [][33]byte{[33]byte(key("a").PublicKey().Bytes()), [33]byte(key("b").PublicKey().Bytes())}
	prefixes := [][]uint64{{0x0123456789abcdef}, {1, 2}}
	hits, err := scanner.ScanTweaks(context.Background(), tweaks, prefixes)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(hits), "of", len(tweaks), "transactions")
	// Output: 0 of 2 transactions
}

// An index server computes the tweaks of all transactions of a block, and gives them to scanners.
func ExampleTweakBatch() {
	coin := silentpayments.Input{
		ScriptPubKey: append([]byte{0x51, 0x20}, key("coin").PublicKey().XOnly().Bytes()...),
		Witness:      [][]byte{make([]byte, 64)},
	}
	noKey := silentpayments.Input{Index: 1, ScriptPubKey: []byte{0x51}} // anyone can spend this output
	tweaks, err := silentpayments.TweakBatch([][]silentpayments.Input{{coin, noKey}, {noKey}})
	if err != nil {
		log.Fatal(err)
	}
	for i, tweak := range tweaks {
		fmt.Printf("transaction %d: %d bytes\n", i, len(tweak.Bytes()))
	}
	// Output:
	// transaction 0: 33 bytes
	// transaction 1: 0 bytes
}

// A wallet sends its change to its own address with label 0.
func ExampleScanner_Change() {
	scanner, err := silentpayments.NewScanner(key("scan"), key("spend").PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	change := scanner.Change()
	fmt.Println(change.Scan.Equal(scanner.Recipient().Scan), change.Spend.Equal(scanner.Recipient().Spend))
	// Output: true false
}

// A recipient publishes its address as text, and a sender reads it.
func ExampleParseAddress() {
	scanner, err := silentpayments.NewScanner(key("scan"), key("spend").PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	text, err := scanner.Recipient().Address(silentpayments.Testnet)
	if err != nil {
		log.Fatal(err)
	}
	to, network, err := silentpayments.ParseAddress(text)
	fmt.Println(len(text), text[:5], to.Spend.Equal(key("spend").PublicKey()), network, err)
	// Output: 117 tsp1q true tsp <nil>
}

// key returns a private key that everybody knows. Never use such a key for funds.
func key(name string) *p256k1.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	k, err := p256k1.ParsePrivateKey(seed[:])
	if err != nil {
		log.Fatal(err)
	}
	return k
}
