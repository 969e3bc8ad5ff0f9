// The program peers runs the calls of other libraries in docs/migrating.md, and prints their results. The test adds the
// rows of the page to the other files of this folder. output.json has the output. testdata/here.go makes a program of
// the calls of this library, with the same results.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// The values that all rows use.
var (
	secret = bytes.Repeat([]byte{0x0a}, 32)
	other  = bytes.Repeat([]byte{0x0b}, 32) // a second key
	tweak  = bytes.Repeat([]byte{0x0c}, 32)
	root   = tweak // the root of a tree of scripts
	aux    = [32]byte(bytes.Repeat([]byte{0x0d}, 32))
	hash   = sha256.Sum256([]byte("hello"))
	digest = hash[:]
)

var results = map[string]map[string]string{} // by table and task

func main() {
	b, err := json.MarshalIndent(results, "", "\t")
	check(err)
	fmt.Printf("%s\n", b)
}

func show(results ...any) (text string) {
	for _, r := range results {
		switch r := r.(type) {
		case interface{ DER() []byte }:
			text += hex.EncodeToString(r.DER())
		case interface{ Bytes() []byte }:
			text += hex.EncodeToString(r.Bytes())
		case bool, string, int:
			text += fmt.Sprint(r)
		default:
			text += fmt.Sprintf("%x", r)
		}
	}
	return text
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
