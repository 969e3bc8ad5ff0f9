package conformance

import (
	"encoding/json"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestBitcoinCoreTaprootKeyPath verifies the signatures of key-path spends in Bitcoin Core's Taproot tests. The digests
// were computed from the transactions.
func TestBitcoinCoreTaprootKeyPath(t *testing.T) {
	type spend struct {
		T, ID, Case, Pub, H, Sig string
		Valid                    bool
	}
	each(t, "bitcoin-core/taproot-keypath-sigs.jsonl", "298 valid, 38 invalid", func(r *report, c spend) {
		r.same("type", c.T, "schnorr")
		r.verdict(c.Valid, valid, invalid)
		checkSchnorr(r, unhex(c.Pub), unhex(c.H), unhex(c.Sig), c.Valid)
	})
}

// TestBitcoinCorePrivateKeys parses the private keys of key_io_valid.json, in the Wallet Import Format. The other rows
// are addresses, which contain hashes.
func TestBitcoinCorePrivateKeys(t *testing.T) {
	const want = "16 private keys, 54 addresses"
	each(t, "bitcoin-core/key_io_valid.json", want, func(r *report, row [3]json.RawMessage) {
		var text, want string
		var kind struct{ IsPrivkey, IsCompressed bool }
		for i, v := range []any{&text, &want, &kind} {
			libtest.Check(r, json.Unmarshal(row[i], v))
		}
		r.verdict(kind.IsPrivkey, "private keys", "addresses")
		if !kind.IsPrivkey {
			return
		}
		secret := must(decodeBase58Check(text))[1:]
		if kind.IsCompressed && len(secret) == 33 && secret[32] == 1 {
			secret = secret[:32]
		}
		priv := privateKey(secret)
		r.same("key", priv, unhex(want))
		// The file has no public key, so the key is compared with the oracle's result.
		checkEncodings(r, priv.PublicKey(), oracle.G.Mul(oracle.Int(secret)).Uncompressed())
	})
}
