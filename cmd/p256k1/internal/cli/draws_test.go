package cli

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

func TestDraws(t *testing.T) {
	printed := func(args ...string) func() [][]byte {
		return func() [][]byte { return [][]byte{[]byte(run(t, three, args...).out)} }
	}
	libtest.CheckDraws(t,
		libtest.Draw{Function: "cmd/p256k1/internal/cli.newKeyNew", Bytes: 32, Keys: 1, Results: printed("key", "new")},
		libtest.Draw{Function: "cmd/p256k1/internal/cli.newSample", Bytes: 32, Results: printed("sample", "-n", "1")},
		libtest.Draw{Function: "cmd/p256k1/internal/cli.signing.sign", Bytes: 32,
			Results: printed("sign", "--scheme", "schnorr", "--digest", "00000000000000000000000000000000000000000000000000000000000000ff")},
	)
}
