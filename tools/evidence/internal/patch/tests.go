package patch

import (
	"bytes"
	"os/exec"
	"regexp"
	"runtime/debug"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// Go runs "go test" with the arguments on the package of the test t, and returns its output. The build has the tags of
// t's build, plus the patch and the given tags. If there is no go command, t is skipped, or fails if CI is "true".
func (p *Patch) Go(t testing.TB, tags string, arguments ...string) (output []byte, err error) {
	t.Helper()
	overlay := libtest.Must(p.Write(t.TempDir()))
	libtest.Need(t, "go")
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				tags += "," + s.Value
			}
		}
	}
	arguments = append([]string{"test", "-tags=" + tags, "-overlay=" + overlay}, append(arguments, ".")...)
	return exec.CommandContext(t.Context(), "go", arguments...).CombinedOutput()
}

var (
	result  = regexp.MustCompile(`(?m)^ *\S+\.go:\d+: (result: .*)$`)
	skipped = regexp.MustCompile(`(?m)^ *--- SKIP`)
)

// Results logs the lines with results that other tests printed. It fails t if one of these tests failed or was skipped,
// or if there are fewer results than expected.
func Results(t testing.TB, output []byte, err error, least int) {
	t.Helper()
	results := result.FindAllSubmatch(output, -1)
	for _, r := range results {
		t.Logf("%s", r[1])
	}
	if err != nil || len(results) < least || skipped.Match(output) || !bytes.Contains(output, []byte("\nPASS\n")) {
		t.Errorf("%v, with %d results of %d or more:\n%s", err, len(results), least, output)
	}
}
