// Package rules tests rules that hold for all packages of the library. For example, packages import only certain other
// packages, and every exported identifier is used by an example or by another package. No function accepts a key that
// was never set, and no text shows a key.
package rules

import (
	"os"
	"sync"
	"testing"
)

// TestMain runs the tests in the root of the library.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	m.Run()
}

// tellFolder changes to the same folder again. The go command keeps the result of a test until a file changes that the
// test has read, but does not see what TestMain does, so that it would look for the files in the folder of the package.
var tellFolder = sync.OnceFunc(func() {
	if err := os.Chdir("."); err != nil {
		panic(err)
	}
})
