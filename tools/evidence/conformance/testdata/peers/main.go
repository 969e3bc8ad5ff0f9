// The program peers runs the calls of other libraries in docs/migrating.md, and prints their results. output.json has
// its output, with which tests compare the results of this library's calls. With the argument verify, the program
// checks events.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// A row of a table: the task, and the code for it. This library's code has the same result.
type row struct {
	task string
	do   func() any // the result: bytes, a bool, a number or text
}

// The values that all rows use. The tests use the same values.
var (
	secret  = bytes.Repeat([]byte{0x0a}, 32)
	other   = bytes.Repeat([]byte{0x0b}, 32) // a second key
	tweak   = bytes.Repeat([]byte{0x0c}, 32)
	root    = tweak // the root of a tree of scripts
	aux     = [32]byte(bytes.Repeat([]byte{0x0d}, 32))
	message = []byte("hello")
	hash    = sha256.Sum256(message)
	digest  = hash[:]
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "verify" {
		verify()
		return
	}
	tables := make(map[string]map[string]string)
	for name, rows := range map[string][]row{"btcec": btcecRows, "decred": decredRows, "go-ethereum": ethereumRows, "go-nostr": nostrRows, "version 1": v1Rows} {
		tables[name] = make(map[string]string)
		for _, r := range rows {
			tables[name][r.task] = show(r.do())
		}
	}
	b, err := json.MarshalIndent(tables, "", "\t")
	check(err)
	fmt.Printf("%s\n", b)
}

func show(result any) string {
	if b, ok := result.([]byte); ok {
		return hex.EncodeToString(b)
	}
	return fmt.Sprint(result)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
