package cli

import (
	"fmt"
	"io"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// complain writes an error on a line of its own. It redacts text in the error that looks like a secret key, because the
// user may have typed a key in place of a file name or a command.
func complain(w io.Writer, err error) {
	fmt.Fprintln(w, "p256k1: "+show.Redact(show.Error(err)))
}
