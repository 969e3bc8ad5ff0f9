//go:build !linux

package residue

import (
	"runtime"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

func TestResidue(t *testing.T) {
	libtest.Untested(t, "there is no /proc/<pid>/mem on ", runtime.GOOS, ": NOTHING WAS SEARCHED")
}
