package cli

import (
	"fmt"
	"io"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// complain writes an error on a line of its own. Arguments may stand in it, and
// somebody may have given a secret key where a file name or a command belongs.
func complain(w io.Writer, err error) {
	fmt.Fprintln(w, "p256k1: "+show.Redact(show.Error(err)))
}
