package dropin

import (
	"strings"
	"testing"
)

// theirEdges has the calls of the program edges whose results differ. It maps the beginning of a call to the beginning
// of this library's result. The page docs/drop-in.md lists these calls.
var theirEdges = map[string]string{
	"*secp256k1.KoblitzCurve.ScalarMult, ": "0 0 ", // a point off the curve
}

// TestEdges calls most functions with arguments that are nil, zero, or the same variable.
func TestEdges(t *testing.T) {
	notShort(t)
	d := &dropIn{path: btcec.path, versions: btcec.versions, name: "edges", dir: btcec.dir, needs: decred}
	want, got := bothPrint(t, d, 1500)
	differ := make(map[string]int)
	for i := range want {
		if want[i] == got[i] {
			continue
		}
		name, result, _ := strings.Cut(got[i], ": ")
		known := false
		for prefix, here := range theirEdges {
			if strings.HasPrefix(name, prefix) && strings.HasPrefix(result, here) && result != "panics" {
				known = true
				differ[prefix]++
			}
		}
		if !known {
			t.Errorf("the original module:\n%s\nthe replacement:\n%s", want[i], got[i])
		}
	}
	if len(differ) != len(theirEdges) {
		t.Errorf("of the calls in theirEdges, only these differ: %v", differ)
	}
	t.Logf("result: %d calls with nil, zero or equal arguments, of which these differ, as the page says: %v", len(want), differ)
}
