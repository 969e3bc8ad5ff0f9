package consttime

import (
	"context"
	"os"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Command is the main function of a command that takes no arguments. It calls run with a temporary folder dir, which it
// removes afterwards. If there are arguments, or run ends with an error of package must, Command prints the error and
// exits with status 1.
func Command(name string, run func(ctx context.Context, dir string)) {
	must.Main(name, func(ctx context.Context) error {
		if len(os.Args) > 1 {
			must.Fail("takes no arguments, got %q", os.Args[1:])
		}
		dir := must.Get(os.MkdirTemp("", "consttime"))
		defer os.RemoveAll(dir)
		run(ctx, dir)
		return nil
	})
}
