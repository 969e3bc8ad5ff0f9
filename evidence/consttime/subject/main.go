//go:build amd64

// Command subject is the program that is looked at: grind runs it under valgrind,
// lint disassembles it. It runs everything in the library that takes secrets.
package main

import (
	"crypto/rand"
	"flag"
	"fmt"
	"os"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/internal/platform"
	"p256k1.mleku.dev/protocols/musig2"
)

func main() {
	adx := flag.Bool("adx", false, "use the assembly whatever CPUID says, which under valgrind says nothing of ADX")
	flag.Parse()
	if *adx {
		useADX()
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
	session *musig2.Session
}

// prepare makes the ceremony from keys and nonces that everybody knows.
func prepare() {
	key := must(p256k1.NewPrivateKey([]byte("the key that the ceremony is for"))).PublicKey()
	ceremony.sum = must(musig2.NewAggregateNonce(append(key.Bytes(), key.Negate().Bytes()...)))
	ceremony.session = must(musig2.NewSession(must(musig2.Aggregate([]*p256k1.PublicKey{key, key.Negate()})), ceremony.sum, []byte("message")))
}

// growStack has Go make the stack large before secrets are on it: in copying a stack
// the runtime looks at words that were never set, which memcheck reports.
//
//go:noinline
func growStack() byte {
	var frame [64 << 10]byte
	return frame[len(os.Args)]
}
