package consttime

import (
	"context"
	"fmt"
	"os"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Command is the main function of a command that takes no arguments. It calls run with a temporary folder dir, which it
// removes afterwards. If run ends with an error of package must, Command prints the error and exits with status 1.
func Command(name string, run func(ctx context.Context, dir string)) {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "%s: takes no arguments, got %q\n", name, os.Args[1:])
		os.Exit(2)
	}
	must.Main(name, func(ctx context.Context) error {
		dir := must.Get(os.MkdirTemp("", "consttime"))
		defer os.RemoveAll(dir)
		return must.Catch(func() { run(ctx, dir) })
	})
}
