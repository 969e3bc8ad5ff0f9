package conformance

import "testing"

// TestBitcoinCoreTaprootKeyPath verifies the signatures of key-path spends in Bitcoin Core's Taproot tests. The digests
// were computed from the transactions.
func TestBitcoinCoreTaprootKeyPath(t *testing.T) {
	type spend struct {
		ID, Case, Pub, H, Sig string
		Valid                 bool
	}
	each(t, "bitcoin-core/taproot-keypath-sigs.jsonl", "298 valid, 38 invalid", func(r *report, c spend) {
		r.verdict(c.Valid, valid, invalid)
		checkSchnorr(r, unhex(c.Pub), unhex(c.H), unhex(c.Sig), c.Valid)
	})
}
