//go:build amd64

// Command subject is the program under test: grind runs it under valgrind, and lint disassembles it. It calls every
// operation on secrets that package operations does not exclude.
package main

import (
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

func main() {
	roots := flag.Bool("roots", false, "print the addresses of the operations' functions, for lint")
	flag.Parse()
	all := append(slices.DeleteFunc(operations.All, func(o operations.Op) bool { return o.Public != "" || o.Untimed != "" }), dropIns...)
	if *roots {
		for _, o := range all {
			for _, f := range append(o.Called, o.Run) {
				fmt.Println(reflect.ValueOf(f).Pointer())
			}
		}
		return
	}
	growStack()
	// A second round takes other branches that depend on public values, such as parities of public keys, and r and s of
	// signatures.
	for range 2 {
		for _, o := range all {
			run(&o)
		}
	}
	fmt.Printf(`{"Backend": %q, "Valgrind": %t, "Count": %d, "Results": "%x"}`, platform.Name(), underValgrind, revealed, results.Sum(nil))
	if lost {
		os.Exit(1)
	}
}

// run runs an operation on secrets and reveals its results.
func run(o *operations.Op) {
	var b []byte
	for range operations.Size / 32 {
		b = append(b, draw()...)
	}
	rand.Reader = publicReader{}
	operations.Declassify = func([]byte, int) {}
	if o.Shown == "" {
		rand.Reader = secretReader{}
		operations.Declassify = func(b []byte, secret int) { reveal(o.Name+", declassified", b, secret) }
		hide(b[:96])
		hide(b[128:]) // the digest stays public
	}
	out := operations.NewOut()
	o.Run(operations.New(b), out)
	for _, p := range out.Results() {
		if o.Shown != "" {
			p.Secret = 0
		}
		reveal(o.Name, p.Bytes, p.Secret)
		if !p.Fresh { // some of these depend on the time
			results.Write(p.Bytes)
		}
	}
	if wrong := out.Results().Wrong(); wrong != "" {
		panic(o.Name + ": " + wrong)
	}
}

// growStack makes Go enlarge the stack before secrets are on it. When the runtime copies a stack, it reads words that
// were never set, which memcheck reports.
//
//go:noinline
func growStack() byte {
	var frame [512 << 10]byte
	return frame[len(os.Args)]
}
