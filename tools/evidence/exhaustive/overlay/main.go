// Command overlay writes the patch with which the library computes in a small group:
//
//	overlay=$(go run ./tools/evidence/exhaustive/overlay -o DIR)
//	go test -v -overlay "$overlay" -tags exhaustive,order13 ./tools/evidence/exhaustive
package main

import (
	"flag"
	"fmt"
	"os"

	"p256k1.mleku.dev/v2/tools/evidence/internal/small"
)

func main() {
	root := flag.String("root", ".", "the library's `folder`")
	dir := flag.String("o", "", "the `folder` to write to, which must exist")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	p, err := small.Patch(*root)
	if err == nil {
		var path string
		if path, err = p.Write(*dir); err == nil {
			fmt.Println(path)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "overlay:", err)
		os.Exit(1)
	}
}
