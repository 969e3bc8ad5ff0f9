package conformance

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/keyformat"
)

// hashes are the hash functions of the ECDSA files. An extendable-output function has the length that RFC 8692, section 2,
// gives it for ECDSA: 256 bits for SHAKE128, 512 for SHAKE256, of which ECDSA uses the leftmost 256. The vectors flagged
// Untruncatedhash would be valid if it used all of them.
var hashes = map[string]func(msg []byte) []byte{
	"SHA-256":  func(msg []byte) []byte { h := sha256.Sum256(msg); return h[:] },
	"SHA-512":  func(msg []byte) []byte { h := sha512.Sum512(msg); return h[:] },
	"SHA3-256": func(msg []byte) []byte { h := sha3.Sum256(msg); return h[:] },
	"SHA3-512": func(msg []byte) []byte { h := sha3.Sum512(msg); return h[:] },
	"SHAKE128": func(msg []byte) []byte { return sha3.SumSHAKE128(msg, 32) },
	"SHAKE256": func(msg []byte) []byte { return sha3.SumSHAKE256(msg, 64) },
}

func TestWycheproofECDSA(t *testing.T) {
	type verifier = func(*p256k1.PublicKey, []byte, ecdsa.Signature) bool
	for _, f := range []struct {
		name   string
		kind   string // type of the test groups
		parse  func(testing.TB, []byte) (ecdsa.Signature, bool)
		verify verifier
		want   string
	}{
		{"ecdsa_secp256k1_sha256_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "168 valid, 308 invalid"},
		{"ecdsa_secp256k1_sha512_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "237 valid, 309 invalid"},
		{"ecdsa_secp256k1_sha3_256_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "172 valid, 302 invalid"},
		{"ecdsa_secp256k1_sha3_512_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "237 valid, 303 invalid"},
		{"ecdsa_secp256k1_shake128_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "170 valid, 302 invalid"},
		{"ecdsa_secp256k1_shake256_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "239 valid, 303 invalid"},
		{"ecdsa_secp256k1_sha256_bitcoin_test.json", "EcdsaBitcoinVerify", parseDER, ecdsa.VerifyLowS, "162 valid, 301 invalid"},
		{"ecdsa_secp256k1_sha256_p1363_test.json", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "167 valid, 85 invalid"},
		{"ecdsa_secp256k1_sha512_p1363_test.json", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "236 valid, 86 invalid"},
		{"ecdsa_secp256k1_shake128_p1363_test.json", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "169 valid, 79 invalid"},
		{"ecdsa_secp256k1_shake256_p1363_test.json", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "238 valid, 80 invalid"},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var file struct {
				NumberOfTests int
				TestGroups    []struct {
					Type         string
					SHA          string
					PublicKey    struct{ Curve, Uncompressed, WX, WY string }
					PublicKeyDER string
					Tests        []struct {
						TcID                      int
						Comment, Msg, Sig, Result string
						Flags                     []string
					}
				}
			}
			wycheproof(t, f.name, &file)
			count := newTally(t)
			var together batches
			together.ecdsa.LowSOnly = f.kind == "EcdsaBitcoinVerify"
			for _, g := range file.TestGroups {
				hash := hashes[g.SHA]
				if g.Type != f.kind || hash == nil || g.PublicKey.Curve != "secp256k1" {
					t.Fatalf("group of type %q with %q on %q", g.Type, g.SHA, g.PublicKey.Curve)
				}
				uncompressed := unhex(t, g.PublicKey.Uncompressed)
				pub := publicKey(t, uncompressed)
				precomputed := pub.Precomputed()
				checkEncodings(t, pub, uncompressed)
				if k, err := keyformat.ParsePKIXPublicKey(unhex(t, g.PublicKeyDER)); err != nil || !k.Equal(pub) {
					t.Errorf("key %x in a SubjectPublicKeyInfo is %v (%v)", uncompressed, k, err)
				}
				xy := append(pad32(t, unhex(t, g.PublicKey.WX)), pad32(t, unhex(t, g.PublicKey.WY))...)
				if !bytes.Equal(xy, uncompressed[1:]) {
					t.Errorf("key %x has the coordinates %x", uncompressed, xy)
				}
				for _, test := range g.Tests {
					sum := hash(unhex(t, test.Msg))
					digest := ecdsa.TruncateHash(sum)
					want := test.Result == "valid"
					if !want && test.Result != "invalid" {
						t.Fatalf("#%d: result %q", test.TcID, test.Result)
					}
					count.add(test.Result)
					encoded := unhex(t, test.Sig)
					sig, ok := f.parse(t, encoded)
					together.addECDSA([][]byte{pub.Bytes(), uncompressed}[test.TcID%2], digest, sig, want)
					for _, pub := range [][]byte{pub.Bytes(), uncompressed} {
						got := ecdsa.VerifyDER(pub, digest, encoded) || ecdsa.VerifyCompact(pub, digest, encoded)
						if high := ok && !sig.IsLowS() && f.kind == "EcdsaBitcoinVerify"; got != want && !high {
							t.Errorf("#%d (%s, %v): valid from bytes %v, want %v", test.TcID, test.Comment, test.Flags, got, want)
						}
						if ecdsa.VerifyDER(pub[1:], digest, encoded) || ecdsa.VerifyCompact(pub, digest[1:], encoded) {
							t.Errorf("#%d (%s): valid with less than a key and a digest", test.TcID, test.Comment)
						}
					}
					if got := ok && f.verify(pub, digest, sig); got != want {
						t.Errorf("#%d (%s, %v): parsed %v, valid %v, want %v", test.TcID, test.Comment, test.Flags, ok, got, want)
					}
					if got := ok && f.verify(precomputed, digest, sig); got != want {
						t.Errorf("#%d (%s, %v): valid %v with a precomputed key, want %v", test.TcID, test.Comment, test.Flags, got, want)
					}
					if want {
						checkValidECDSA(t, pub, digest, sig)
						if f.verify(pub, sum, sig) != (len(sum) == 32) || !f.verify(pub, sum[:32], sig) {
							t.Errorf("#%d: not valid for the leftmost 32 bytes of the hash, or for a longer one", test.TcID)
						}
					}
				}
			}
			together.check(t)
			count.want(f.want)
		})
	}
}

// checkEncodings makes sure that a key has this uncompressed encoding, that its compressed one belongs to it, and that both
// parse to the same key.
func checkEncodings(t testing.TB, pub *p256k1.PublicKey, uncompressed []byte) {
	t.Helper()
	compressed := append([]byte{2 + uncompressed[64]&1}, uncompressed[1:33]...)
	if got := pub.BytesUncompressed(); !bytes.Equal(got, uncompressed) {
		t.Errorf("key %x encodes as %x", uncompressed, got)
	}
	if got := pub.Bytes(); !bytes.Equal(got, compressed) {
		t.Errorf("key %x encodes compressed as %x", uncompressed, got)
	}
	if k, err := p256k1.NewPublicKey(compressed); err != nil || !k.Equal(pub) {
		t.Errorf("key %x does not come back from its compressed encoding: %v", uncompressed, err)
	}
	x, err := p256k1.NewXOnlyPublicKey(uncompressed[1:33])
	if err != nil || !x.Equal(pub.XOnly()) || x.PublicKey().Equal(pub) == pub.IsYOdd() {
		t.Errorf("key %x does not come back from its x coordinate: %v", uncompressed, err)
	}
}
