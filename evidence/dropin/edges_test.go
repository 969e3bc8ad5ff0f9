package dropin

import (
	"strings"
	"testing"
)

// theirEdges are the calls of the program edges that differ, with reasons: what the page lists.
var theirEdges = map[string]string{
	"*musig2.Context.RegisterSigner, zero 10": "a key off the curve",
	"musig2.NewContext with signers, zero 1":  "a key off the curve",
	"*secp256k1.KoblitzCurve.ScalarMult, ":    "a point off the curve",
	"ellswift.XSwiftEC, zero ":                "arguments, which are left alone here",
}

// TestEdges calls all with arguments that are nil, zero, or one and the same. What panics here panics there, and what panics
// nowhere gives the same.
func TestEdges(t *testing.T) {
	d := &dropIn{path: btcec.path, versions: btcec.versions, name: "edges", dir: btcec.dir, needs: decred}
	dir, theirs, ours := programs(t, d, d.versions[0])
	want, got := strings.Split(mustRun(t, dir, theirs, "1", "1"), "\n"), strings.Split(mustRun(t, dir, ours, "1", "1"), "\n")
	if len(want) != len(got) || len(want) < 1500 {
		t.Fatalf("%d calls there, %d here", len(want), len(got))
	}
	panics, differ := 0, 0
	for i := range want {
		switch name, _, _ := strings.Cut(want[i], ":"); {
		case want[i] == got[i]:
		case strings.HasSuffix(want[i], ": panics"):
			panics++
		default:
			known := false
			for prefix := range theirEdges {
				known = known || strings.HasPrefix(name, prefix)
			}
			if differ++; !known {
				t.Errorf("\n%s there,\n%s here", want[i], got[i])
			}
		}
	}
	t.Logf("result: %d calls with nil, zero or equal arguments there and here: %d panic there alone, none here alone, %d differ otherwise, as the page says",
		len(want), panics, differ)
}
