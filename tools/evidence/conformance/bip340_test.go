package conformance

import "testing"

func TestBIP340(t *testing.T) {
	count := tally{}
	for _, row := range readCSV(t, "bip340/test-vectors.csv") {
		index, secret, aux, comment := row[0], row[1], row[3], row[7]
		pub, msg, sig, want := unhex(row[2]), unhex(row[4]), unhex(row[5]), row[6] == "TRUE"
		count.addResult(want)
		checkSchnorr(t, index+" "+comment, pub, msg, sig, want)
		if secret == "" {
			continue
		}
		count.add("signed")
		priv := privateKey(unhex(secret))
		checkSignSchnorr(t, index, priv, pub, msg, unhex32(aux), sig)
	}
	count.want(t, "9 valid, 10 invalid, 8 signed")
}
