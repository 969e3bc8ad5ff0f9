package dropin

import (
	"strings"
	"testing"
)

// TestEdges calls most functions with arguments that are nil, zero, or the same variable. Only the calls of theirs may
// differ, as docs/drop-in.md says: for a point off the curve, this library returns 0, 0.
func TestEdges(t *testing.T) {
	notShort(t)
	const theirs = "*secp256k1.KoblitzCurve.ScalarMult, "
	want, got := bothPrint(t, btcec.as("edges"), 16_000)
	differ := 0
	for i := range want {
		call, result, _ := strings.Cut(got[i], ": ")
		switch {
		case want[i] == got[i]:
		case strings.HasPrefix(call, theirs) && strings.HasPrefix(result, "0 0 "):
			differ++
		default:
			t.Errorf("the original module:\n%s\nthe replacement:\n%s", want[i], got[i])
		}
	}
	if differ == 0 {
		t.Errorf("no call of %s differs", theirs)
	}
	t.Logf("result: %d calls with nil, zero or equal arguments, of which %d differ, as the page says", len(want), differ)
}
