// Package rules tests rules that hold for all packages of the library. For example, packages import only certain other
// packages, and every exported identifier is used by an example or by another package. No function accepts a key that
// was never set, and no text shows a key.
package rules

import (
	"os"
	"testing"
)

// TestMain runs the tests in the root of the library.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	m.Run()
}
