package dropin

import (
	"strings"
	"testing"
)

// theirEdges are the calls of the program edges that differ, with reasons: what the page lists.
var theirEdges = map[string]string{
	"*musig2.Context.RegisterSigner, zero 10":    "a key off the curve",
	"musig2.NewContext with signers, zero 1":     "a key off the curve",
	"*secp256k1.KoblitzCurve.ScalarMult, ":       "a point off the curve",
	"ellswift.XSwiftEC, zero ":                   "arguments, which are left alone here",
	"*musig2.PartialSignature.Verify, ":          "a signature without S, which panics there for malformed nonces",
	"musig2.NewContext with some signers, zero ": "less than 0 signers, which panic there",
	"musig2.AggregateKeys with a hash, nil ":     "tweaks of no keys, which panic there",
}

// TestEdges calls all with arguments that are nil, zero, or one and the same.
func TestEdges(t *testing.T) {
	d := &dropIn{path: btcec.path, versions: btcec.versions, name: "edges", dir: btcec.dir, needs: decred}
	dir, theirs, ours := programs(t, d, d.versions[0])
	want, got := strings.Split(mustRun(t, dir, theirs, "1", "1"), "\n"), strings.Split(mustRun(t, dir, ours, "1", "1"), "\n")
	if len(want) != len(got) || len(want) < 1500 {
		t.Fatalf("%d calls there, %d here", len(want), len(got))
	}
	differ := 0
	for i := range want {
		if want[i] == got[i] {
			continue
		}
		known := false
		for prefix := range theirEdges {
			known = known || strings.HasPrefix(want[i], prefix)
		}
		if differ++; !known || strings.HasSuffix(got[i], ": panics") {
			t.Errorf("\n%s there,\n%s here", want[i], got[i])
		}
	}
	t.Logf("result: %d calls with nil, zero or equal arguments there and here: %d differ, as the page says", len(want), differ)
}
