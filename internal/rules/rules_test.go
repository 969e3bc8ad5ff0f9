// Package rules tests rules that hold for all packages of the library: which package may import which, that every
// exported identifier has an example, that no function accepts a key that was never set, and that texts do not show
// keys.
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
