package conformance

import "testing"

func TestBIP340(t *testing.T) {
	each(t, "bip340/test-vectors.csv", "9 valid, 10 invalid, 8 signed", func(r *report, row []string) {
		secret, aux, want := row[1], row[3], row[6] == "TRUE"
		pub, msg, sig := unhex(row[2]), unhex(row[4]), unhex(row[5])
		r.verdict(want, valid, invalid)
		checkSchnorr(r, pub, msg, sig, want)
		if secret != "" {
			r.add("signed")
			checkSignSchnorr(r, privateKey(unhex(secret)), pub, msg, unhex32(aux), sig)
		}
	})
}
