// Command build compiles libsecp256k1 and its own benchmark program into the user's cache directory and prints their
// paths. A second run only prints the paths.
//
//	go run ./tools/bench/native/build
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"p256k1.mleku.dev/v2/tools/bench/native"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := native.Ensure(ctx, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
	fmt.Printf("library   %s\nbench     %s\nversion   %s (%s)\ncompiler  %s\n", b.Library, b.Bench, b.Version, b.Revision, b.Compiler)
}
