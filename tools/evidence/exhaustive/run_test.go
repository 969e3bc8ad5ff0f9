//go:build !exhaustive

package exhaustive

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"testing"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/evidence/internal/small"

	// So that a change in the library runs this test again: of what the go commands below read the cache knows nothing.
	_ "p256k1.mleku.dev/v2/ecdh"
	_ "p256k1.mleku.dev/v2/ecdsa"
	_ "p256k1.mleku.dev/v2/schnorr"
)

// The orders of every run, of which -short has the first two, and those for P256K1_LONG=1.
var (
	orders     = []int{7, 13, 199}
	longOrders = []int{3319, 10903}
)

// root is the folder of the library.
const root = "../../.."

// isLong reports whether a long run is asked for.
func isLong(t testing.TB) bool {
	t.Helper()
	const env = "P256K1_LONG"
	switch s := os.Getenv(env); s {
	case "", "0":
		return false
	case "1":
		return true
	default:
		t.Fatalf("%s=%q, want 1 or nothing", env, s)
		return false
	}
}

// goTest runs the tests of one order with the patched library, in the build that these tests have but for the tags, and returns
// what it prints.
func goTest(t testing.TB, order int, library *patch.Patch, arguments ...string) (output []byte, err error) {
	t.Helper()
	overlay, err := library.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	command, err := exec.LookPath("go")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("NOTHING WAS TRIED: %v", err)
	}
	tags := fmt.Sprintf("exhaustive,order%d", order)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				tags += "," + s.Value
			}
		}
	}
	arguments = append([]string{"test", "-v", "-count=1", "-timeout=4h", "-tags=" + tags, "-overlay=" + overlay}, arguments...)
	return exec.CommandContext(t.Context(), command, append(arguments, ".")...).CombinedOutput()
}

var (
	result  = regexp.MustCompile(`(?m)^ *\S+\.go:\d+: (result: .*)$`)
	skipped = regexp.MustCompile(`(?m)^ *--- SKIP`)
)

// TestOrders runs the tests of all orders.
func TestOrders(t *testing.T) {
	all := orders
	switch {
	case isLong(t):
		all = append(all, longOrders...)
	case testing.Short():
		all = all[:2]
	}
	for _, order := range all {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			library, err := small.Patch(root)
			if err != nil {
				t.Fatal(err)
			}
			output, err := goTest(t, order, library)
			if err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			results := result.FindAllSubmatch(output, -1)
			for _, r := range results {
				t.Logf("%s", r[1])
			}
			if len(results) < 30 || skipped.Match(output) || !bytes.Contains(output, []byte("\nPASS\n")) {
				t.Errorf("only %d results, or skips:\n%s", len(results), output)
			}
		})
	}
}
