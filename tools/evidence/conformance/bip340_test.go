package conformance

import "testing"

func TestBIP340(t *testing.T) {
	count := newTally(t)
	for _, row := range readCSV(t, "bip340/test-vectors.csv") {
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
