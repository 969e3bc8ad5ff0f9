package patch

import (
	"errors"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestResults checks which outputs of other tests count as passed.
func TestResults(t *testing.T) {
	const good = "=== RUN   TestA\n    a_test.go:1: result: 1\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n        a_test.go:2: result: 2\nPASS\n"
	failed := errors.New("exit status 1")
	for _, c := range []struct {
		output string
		err    error
		least  int
		want   string
	}{
		{good, nil, 2, "passed"},
		{good, nil, 3, "failed"},
		{good, failed, 2, "failed"},
		{strings.Replace(good, "\nPASS\n", "\n", 1), nil, 2, "failed"},
		{strings.Replace(good, "--- PASS: TestA (", "--- SKIP: TestA (", 1), nil, 2, "failed"},
		{strings.Replace(good, "--- PASS: TestA/b", "--- SKIP: TestA/b", 1), nil, 2, "failed"},
		{strings.Replace(good, "result: 2", "no result", 1), nil, 2, "failed"},
	} {
		if got := libtest.Outcome(t, func(t testing.TB) { Results(t, []byte(c.output), c.err, c.least) }); got != c.want {
			t.Errorf("%s, not %s: %+v", got, c.want, c)
		}
	}
}
