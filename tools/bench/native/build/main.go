// Command build compiles libsecp256k1 and its own benchmark program into the user's cache directory and prints their
// paths. A second run only prints the paths.
//
//	go run ./tools/bench/native/build
package main

import (
	"context"
	"fmt"
	"os"

	"p256k1.mleku.dev/v2/tools/bench/native"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() {
	must.Main("build", func(ctx context.Context) error {
		b := must.Get(native.Current.Ensure(ctx, os.Stderr))
		fmt.Printf("library   %s\nbench     %s\nversion   %s (%s)\ncompiler  %s\n", b.Library, b.Bench, b.Version, b.Revision, b.Compiler)
		return nil
	})
}
