// Command overlay writes the patch with which the library computes in a small group:
//
//	overlay=$(go run ./tools/evidence/exhaustive/overlay -o DIR)
//	go test -v -overlay "$overlay" -tags exhaustive,order13 ./tools/evidence/exhaustive
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"p256k1.mleku.dev/v2/tools/evidence/internal/small"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() {
	root := flag.String("root", ".", "the library's `folder`")
	dir := flag.String("o", "", "the `folder` to write to, which must exist")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	must.Main("overlay", func(context.Context) error {
		fmt.Println(must.Get(must.Get(small.Patch(*root)).Write(*dir)))
		return nil
	})
}
