//go:build amd64

// Command subject is the program that is looked at: grind runs it under valgrind,
// lint disassembles it. It runs everything in the library that takes secrets.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"

	"golang.org/x/crypto/ripemd160" //lint:ignore SA1019 Bitcoin's scripts have this hash
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
)

func main() {
	adx := flag.Bool("adx", false, "use the assembly whatever CPUID says, which under valgrind says nothing of ADX")
	flag.Parse()
	if *adx {
		useBroadwell()
	}
	growStack()
	prepare()
	rand.Reader = secretReader{}
	// A second round takes the other ways at what is not secret: parities of
	// public keys, r and s of signatures.
	for range 2 {
		for _, operation := range operations {
			operation()
		}
	}
	for _, leak := range planted {
		leak()
	}
	fmt.Printf("backend: %s\nvalgrind: %v\nresults: %d, %x\n", platform.Name(), underValgrind, revealed, results.Sum(nil))
	if lost {
		os.Exit(1)
	}
}

// ceremony is a session of others, which is public: lint does not look at how it is made.
var ceremony struct {
	sum     musig2.AggregateNonce
	nonce   [66]byte // its encoding
	session *musig2.Session
}

// payment is what everybody sees of a transaction, and the keys of its inputs.
var payment struct {
	keys   [][]byte
	inputs []silentpayments.Input
	tweak  *p256k1.PublicKey
}

// prepare makes the ceremony from keys and nonces that everybody knows, and the payment.
func prepare() {
	key := must(p256k1.NewPrivateKey([]byte("the key that the ceremony is for"))).PublicKey()
	ceremony.sum = must(musig2.NewAggregateNonce(append(key.Bytes(), key.Negate().Bytes()...)))
	ceremony.nonce = [66]byte(ceremony.sum.Bytes())
	ceremony.session = must(musig2.NewSession(must(musig2.Aggregate([]*p256k1.PublicKey{key, key.Negate()})), ceremony.sum, []byte("message")))
	payment.keys = [][]byte{[]byte("the key of an output of Taproot "), []byte("the key that a hash is locked by"), []byte("the key that is not compressed..")}
	taproot, hashed := must(p256k1.NewPrivateKey(payment.keys[0])).PublicKey().Bytes(), must(p256k1.NewPrivateKey(payment.keys[1])).PublicKey().Bytes()
	long := must(p256k1.NewPrivateKey(payment.keys[2])).PublicKey().BytesUncompressed()
	hash160 := func(script, b []byte) []byte {
		sum, h := sha256.Sum256(b), ripemd160.New()
		h.Write(sum[:])
		return h.Sum(script)
	}
	payment.inputs = []silentpayments.Input{
		{ScriptPubKey: append([]byte{0x51, 0x20}, taproot[1:]...), Witness: [][]byte{nil}},
		{Index: 1, ScriptPubKey: hash160([]byte{0, 0x14}, hashed), Witness: [][]byte{nil, hashed}},
		{Index: 2, ScriptPubKey: append(hash160([]byte{0x76, 0xa9, 0x14}, long), 0x88, 0xac), ScriptSig: long}, // does not count
	}
	payment.tweak = must(silentpayments.Tweak(payment.inputs))
}

// growStack has Go make the stack large before secrets are on it: in copying a stack
// the runtime looks at words that were never set, which memcheck reports.
//
//go:noinline
func growStack() byte {
	var frame [64 << 10]byte
	return frame[len(os.Args)]
}
