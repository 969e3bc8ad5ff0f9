package conformance

import (
	"encoding/csv"
	"testing"

	"p256k1.mleku.dev/v2/internal/vectors"
)

func TestBIP340(t *testing.T) {
	rows, err := csv.NewReader(vectors.Open(t, "bip340/test-vectors.csv")).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	count := newTally(t)
	for _, row := range rows[1:] {
		index, secret, aux, comment := row[0], row[1], row[3], row[7]
		pub, msg, sig, want := unhex(t, row[2]), unhex(t, row[4]), unhex(t, row[5]), row[6] == "TRUE"
		count.addResult(want)
		checkSchnorr(t, index+" "+comment, pub, msg, sig, want)
		if secret == "" {
			continue
		}
		count.add("signed")
		priv := privateKey(t, unhex(t, secret))
		checkSignSchnorr(t, index, priv, pub, msg, unhex32(t, aux), sig)
	}
	count.want("9 valid, 10 invalid, 8 signed")
}
