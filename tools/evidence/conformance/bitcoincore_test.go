package conformance

import (
	"bytes"
	"encoding/json"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// TestBitcoinCoreTaprootKeyPath verifies the signatures of key-path spends in Bitcoin Core's Taproot tests. The digests
// were computed from the transactions.
func TestBitcoinCoreTaprootKeyPath(t *testing.T) {
	count := tally{}
	vectors.Lines(t, "bitcoin-core/taproot-keypath-sigs.jsonl", func(n int, line []byte) {
		var row struct {
			T, ID, Case, Pub, H, Sig string
			Valid                    bool
		}
		if err := json.Unmarshal(line, &row); err != nil || row.T != "schnorr" {
			t.Fatalf("line %d: %q, %v", n, row.T, err)
		}
		count.addResult(row.Valid)
		checkSchnorr(t, row.ID+" "+row.Case, unhex(row.Pub), unhex(row.H), unhex(row.Sig), row.Valid)
	})
	count.want(t, "298 valid, 38 invalid")
}

// TestBitcoinCorePrivateKeys parses the private keys of key_io_valid.json, in the Wallet Import Format. The other rows
// are addresses, which contain hashes.
func TestBitcoinCorePrivateKeys(t *testing.T) {
	var file [][3]json.RawMessage
	vectors.JSON(t, "bitcoin-core/key_io_valid.json", &file)
	count := tally{}
	for _, row := range file {
		var text, want string
		var about struct{ IsPrivkey, IsCompressed bool }
		for i, v := range []any{&text, &want, &about} {
			check(t, json.Unmarshal(row[i], v))
		}
		if !about.IsPrivkey {
			count.add("addresses")
			continue
		}
		count.add("private keys")
		payload, err := decodeBase58Check(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		secret := payload[1:]
		if about.IsCompressed && len(secret) == 33 && secret[32] == 1 {
			secret = secret[:32]
		}
		priv, ok := parsePrivateKey(t, secret)
		if !ok {
			t.Fatalf("%s is refused", text)
		}
		if got := priv.Bytes(); !bytes.Equal(got, unhex(want)) {
			t.Errorf("%s holds %x, want %s", text, got, want)
		}
		// The file has no public key, so the key is compared with the oracle's result.
		checkEncodings(t, priv.PublicKey(), oracle.G.Mul(oracle.Int(secret)).Uncompressed())
	}
	count.want(t, "16 private keys, 54 addresses")
}
