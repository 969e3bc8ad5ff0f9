//go:build !faults

package faults

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/evidence/faults/fault"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"

	// A change in the library must run this test again. The test cache does not see the files that the go command below
	// reads, but it sees imports.
	_ "p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	_ "p256k1.mleku.dev/v2/protocols/adaptor"
	_ "p256k1.mleku.dev/v2/protocols/dleq"
	_ "p256k1.mleku.dev/v2/protocols/frost"
	_ "p256k1.mleku.dev/v2/protocols/musig2"
	_ "p256k1.mleku.dev/v2/schnorr"
)

// build builds the tests with the tag faults, and with a copy of the library that has the hooks and the plantable
// errors.
func build(t *testing.T) (program string) {
	t.Helper()
	library := libtest.Must(patch.New("../../.."))
	hooked := make(map[string]bool) // the files that import package fault
	for _, c := range append(slices.Clone(planted), hooks...) {
		if !hooked[c.File] {
			hooked[c.File] = true
			libtest.Check(t, library.Edit(c.File, "", "import (\n", "import (\n"+`"p256k1.mleku.dev/v2/tools/evidence/faults/fault"`+"\n"))
		}
		if err := library.Edit(c.File, c.Function, c.Old, strings.Replace(c.New, "%q", fmt.Sprintf("%q", c.Name), 1)); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
	}
	program = filepath.Join(t.TempDir(), "faults.test")
	if output, err := library.Go(t, "faults", "-c", "-o", program); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return program
}

// run runs the program with one error planted in the library, or none.
func run(ctx context.Context, program, planted string, arguments ...string) (output []byte, err error) {
	c := exec.CommandContext(ctx, program, append([]string{"-test.v"}, arguments...)...)
	c.Env = append(os.Environ(), fault.Env+"="+planted)
	return c.CombinedOutput()
}

// TestFaults runs the tests of faults on the library, and then on the library with one error in the check at a time.
// The tests must find each error. SECURITY.md says how many there are, and TestCounts of internal/rules compares.
func TestFaults(t *testing.T) {
	program := build(t)
	t.Run("as it is", func(t *testing.T) {
		var arguments []string
		if testing.Short() {
			arguments = append(arguments, "-test.short")
		}
		output, err := run(t.Context(), program, "", arguments...)
		patch.Results(t, output, err, 5*11) // for each scheme
	})
	t.Run("planted", func(t *testing.T) {
		tried, found, want := 0, 0, len(planted)
		for i, p := range planted {
			if testing.Short() { // a third of the errors, chosen by the process id
				want = len(planted) / 3
				if i%3 != os.Getpid()%3 {
					continue
				}
			}
			tried++
			output, err := run(t.Context(), program, p.Name, "-test.short", "-test.failfast", "-test.run=^(TestChecked|TestTable)$")
			switch {
			case err == nil:
				t.Errorf("%s: not found", p.Name)
			case !bytes.Contains(output, []byte("--- FAIL: Test")):
				t.Errorf("%s: %v\n%s", p.Name, err, output)
			default:
				found++
			}
		}
		if tried < want {
			t.Errorf("only %d errors were tried, want %d", tried, want)
		}
		t.Logf("result: of %d errors in the check, %d were tried, and %d were found", len(planted), tried, found)
	})
}
