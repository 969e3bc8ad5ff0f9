package conformance

import (
	"bytes"
	"encoding/json"
	"testing"

	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
)

// TestRealWorldSignatures verifies signatures from Bitcoin's blocks and Nostr's events. All signatures are valid, and
// those of ECDSA recover their key. If one bit of the key, the digest or the signature is flipped, the signature must
// not be valid. The bit is random, but the same in every run (see oracle.SeedEnv).
func TestRealWorldSignatures(t *testing.T) {
	for _, f := range []struct{ name, want string }{
		{"bitcoin-block-277647-sigs.jsonl", "732 ecdsa, 385 of them with a key of 65 bytes, 366 of them of high s"},
		{"bitcoin-block-300025-sigs.jsonl", "1424 ecdsa, 825 of them with a key of 65 bytes, 524 of them of high s"},
		{"bitcoin-block-btcd-1602407a-sigs.jsonl", "2916 ecdsa, 53 of them with a key of 65 bytes"},
		{"bitcoin-block-btcd-21868c2c-sigs.jsonl", "349 ecdsa, 2 of them with a key of 65 bytes"},
		{"bitcoin-block-rust-c835b2ad-sigs.jsonl", "3138 ecdsa, 66 of them with a key of 65 bytes"},
		{"bitcoin-block367891-sigs.jsonl", "824 ecdsa, 168 of them with a key of 65 bytes, 3 of them of high s"},
		{"bitcoin-block866342-sigs.jsonl", "5580 ecdsa, 2373 schnorr, 599 of them with a key of 65 bytes"},
		{"nostr-events-sigs.jsonl", "1254 schnorr"},
	} {
		t.Run(f.name, func(t *testing.T) {
			count := tally{}
			r := oracle.New(t)
			flipAny := func(b []byte) []byte { return flip(b, r.IntN(8*len(b))) }
			var together batches
			var checks []func() // checks of signatures, to be run on all cores
			vectors.Lines(t, "realworld/"+f.name, func(n int, line []byte) {
				var row struct {
					T, Pub, H, Sig string
					LowS           *bool `json:"low_s"`
				}
				if err := json.Unmarshal(line, &row); err != nil {
					t.Fatalf("line %d: %v", n, err)
				}
				count.add(row.T)
				pub, digest, sig := unhex(row.Pub), unhex(row.H), unhex(row.Sig)
				if len(pub) == 65 {
					count.add("of them with a key of 65 bytes")
				}
				if low := row.LowS; low != nil && !*low {
					count.add("of them of high s")
				}
				badPub, badDigest, badSig := flipAny(pub), flipAny(digest), flipAny(sig)
				var verify func(pub, digest, sig []byte) bool
				switch row.T {
				case "ecdsa":
					verify = func(pub, digest, sig []byte) bool { return verifyDER(t, pub, digest, sig) }
					bit := r.IntN(512)
					add := func(pub, digest, der []byte, valid bool) {
						parsed, _ := ecdsa.ParseDER(der)
						together.addECDSA(pub, digest, parsed, valid)
					}
					add(pub, digest, sig, true)
					if n%4 == 0 {
						add(badPub, digest, sig, false)
						add(pub, badDigest, sig, false)
						add(pub, digest, badSig, false)
					}
					checks = append(checks, func() { checkRealECDSA(t, n, pub, digest, sig, *row.LowS, bit) })
				case "schnorr":
					verify = schnorr.VerifyBytes
					together.addSchnorr(pub, digest, sig, true)
					if n%32 == 0 {
						together.addSchnorr(badPub, digest, sig, false)
						together.addSchnorr(pub, badDigest, sig, false)
						together.addSchnorr(pub, digest, badSig, false)
					}
				default:
					t.Fatalf("line %d: type %q", n, row.T)
				}
				checks = append(checks, func() {
					if !verify(pub, digest, sig) {
						t.Errorf("line %d: not valid: %s", n, line)
					}
					if verify(badPub, digest, sig) || verify(pub, badDigest, sig) || verify(pub, digest, badSig) {
						t.Errorf("line %d: valid with key %x, digest %x or signature %x: %s", n, badPub, badDigest, badSig, line)
					}
				})
			})
			onAllCores(len(checks), func(i int) { checks[i]() })
			together.check(t)
			count.want(t, f.want)
		})
	}
}

// verifyDER reports whether the encoded signature is valid for the encoded key.
func verifyDER(t testing.TB, pub, digest, der []byte) bool {
	valid := false
	if k, ok := parsePublicKey(t, pub); ok {
		sig, ok := parseDER(t, der)
		valid = ok && ecdsa.Verify(k, digest, sig)
	}
	if ecdsa.VerifyDER(pub, digest, der) != valid {
		t.Errorf("key %x, digest %x, signature %x: VerifyDER says %v", pub, digest, der, !valid)
	}
	return valid
}

// checkRealECDSA checks what verifyDER leaves out: the low-S rule, recovery, and the compact form with one bit flipped.
func checkRealECDSA(t testing.TB, n int, pub, digest, der []byte, low bool, bit int) {
	k, ok := parsePublicKey(t, pub)
	if !ok || (!bytes.Equal(pub, k.Bytes()) && !bytes.Equal(pub, k.BytesUncompressed())) {
		t.Errorf("line %d: key %x", n, pub)
		return
	}
	sig, ok := parseDER(t, der)
	if !ok || sig.IsLowS() != low {
		t.Errorf("line %d: signature %x, low s: %v, want %v", n, der, sig.IsLowS(), low)
		return
	}
	checkValidECDSA(t, k, digest, sig)
	compact := flip(sig.Bytes(), bit)
	if bad, ok := parseCompact(t, compact); (ok && ecdsa.Verify(k, digest, bad)) || ecdsa.VerifyCompact(pub, digest, compact) {
		t.Errorf("line %d: valid with the signature %x", n, compact)
	}
}
