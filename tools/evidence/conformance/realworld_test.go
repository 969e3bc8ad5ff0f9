package conformance

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

// TestRealWorldSignatures verifies signatures from Bitcoin's blocks and Nostr's events. All signatures are valid, and
// those of ECDSA recover their key. If one bit of the key, the digest or the signature is flipped, the signature must
// not be valid. The bit is random, but the same in every run (see oracle.SeedEnv).
func TestRealWorldSignatures(t *testing.T) {
	type row struct {
		T, Pub, H, Sig string
		LowS           *bool `json:"low_s"`
	}
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
			all, random := newReport(t), oracle.New(t)
			flipAny := func(b []byte) []byte { return flip(b, random.IntN(8*len(b))) }
			var inBatch batches
			var checks []func() // checks of signatures, to be run on all cores
			for i, c := range readAll[row](t, "realworld/"+f.name) {
				r := all.about("row %d: %+v", i, c)
				r.add(c.T)
				pub, digest, sig := unhex(c.Pub), unhex(c.H), unhex(c.Sig)
				r.addIf(len(pub) == 65, "of them with a key of 65 bytes")
				r.addIf(c.LowS != nil && !*c.LowS, "of them of high s")
				badPub, badDigest, badSig := flipAny(pub), flipAny(digest), flipAny(sig)
				verify, add, rarely := schnorr.VerifyBytes, inBatch.addSchnorr, 32
				switch c.T {
				case "ecdsa":
					verify = func(pub, digest, sig []byte) bool { return verifyDER(r, pub, digest, sig) }
					add = func(pub, digest, der []byte, valid bool) {
						parsed, _ := ecdsa.ParseDER(der)
						inBatch.addECDSA(pub, digest, parsed, valid)
					}
					rarely = 4
					bit := random.IntN(512)
					checks = append(checks, func() { checkRealECDSA(r, pub, digest, sig, *c.LowS, bit) })
				case "schnorr":
				default:
					r.errorf("unknown type")
				}
				add(pub, digest, sig, true)
				if i%rarely == rarely-1 {
					add(badPub, digest, sig, false)
					add(pub, badDigest, sig, false)
					add(pub, digest, badSig, false)
				}
				checks = append(checks, func() {
					r.is(verify(pub, digest, sig), "it is valid")
					r.is(!verify(badPub, digest, sig), "it is invalid with the key %x", badPub)
					r.is(!verify(pub, badDigest, sig), "it is invalid with the digest %x", badDigest)
					r.is(!verify(pub, digest, badSig), "the signature %x is invalid", badSig)
				})
			}
			onAllCores(len(checks), func(i int) { checks[i]() })
			inBatch.check(all)
			all.want(f.want)
		})
	}
}

// verifyDER reports whether the encoded signature is valid for the encoded key.
func verifyDER(r *report, pub, digest, der []byte) bool {
	valid := false
	if k, ok := parsePublicKey(r, pub); ok {
		sig, ok := parseDER(r, der)
		valid = ok && ecdsa.Verify(k, digest, sig)
	}
	r.same("VerifyDER", ecdsa.VerifyDER(pub, digest, der), valid)
	return valid
}

// checkRealECDSA checks what verifyDER leaves out: the low-S rule, recovery, and the compact form with one bit flipped.
func checkRealECDSA(r *report, pub, digest, der []byte, low bool, bit int) {
	k, sig := publicKey(pub), must(ecdsa.ParseDER(der))
	r.is(bytes.Equal(pub, k.Bytes()) || bytes.Equal(pub, k.BytesUncompressed()), "the key encodes as %x again", pub)
	r.same("low s", sig.IsLowS(), low)
	checkValidECDSA(r, k, digest, sig)
	compact := flip(sig.Bytes(), bit)
	bad, ok := parseCompact(r, compact)
	r.is(!ok || !ecdsa.Verify(k, digest, bad), "%x is invalid", compact)
	r.is(!ecdsa.VerifyCompact(pub, digest, compact), "the bytes %x are invalid", compact)
}
