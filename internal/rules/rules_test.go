// Package rules tests what holds for all packages of the library at once: which may
// import which, that nothing exported lacks an example or takes a key that was
// never set, and what becomes of keys in texts.
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
