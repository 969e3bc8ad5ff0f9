package dropin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

// TestRefusedNonces runs tests of signing with values that nobody can find by trying. A generator first returns the
// largest number, n, 0 and 1, and functions refuse the nonce 1 as if r or s were 0, or because the hash for it is n.
// Signatures must then have the first nonce of RFC 6979, as they have without the patch. The tests are Decred's, and
// those of this project whose results are the oracle's or btcec's. The tests in testdata/forced then force hashes of n
// and more, and wrong signatures.
func TestRefusedNonces(t *testing.T) {
	refused := slices.Concat(bytes.Repeat([]byte{255}, 32), oracle.N.Bytes(), make([]byte, 63), []byte{1})
	forced := bytes.Repeat([]byte{0xee}, 32)
	beyond := func(i int64) string { // n + i
		return fmt.Sprintf("[32]byte([]byte(%q))", new(big.Int).Add(oracle.N, big.NewInt(i)).Bytes())
	}
	p := libtest.Must(patch.New(root))
	libtest.Check(t, p.Files("testdata/forced"))
	const musig2, own = "compat/btcec/v2/schnorr/musig2/", "compat/btcec/v2/schnorr/sign.go"
	for _, e := range [][4]string{
		{"rfc6979/rfc6979.go", "", "again  bool\n", "again  bool\nbefore int\n"},
		{"rfc6979/rfc6979.go", "Generator.Next", "if g₁.again {", fmt.Sprintf(
			"if g₁.before++; g₁.before <= 4 {\n*nonce₂ = [32]byte([]byte(%q[32*g₁.before-32:]))\nreturn nil\n}\nif g₁.again {", refused)},
		{"ecdsa/ecdsa.go", "RecoverableSignature.setWithNonce", "var point₇ curve.Point", "if *nonce₄ == [32]byte{31: 1} {\nreturn false\n}\nvar point₇ curve.Point"},
		{"compat/decred/ecdsa/signature.go", "sign", "if sig₆.r.IsZero()", "if new(secp256k1.ModNScalar).SetInt(1).Equals(nonce₂) || sig₆.r.IsZero()"},
		{"compat/decred/ecdsa/signature.go", "sign", "sig₆ := ", fmt.Sprintf("if string(hash₃) == %q {\nsum := %s\nR₅.X.SetBytes(&sum)\n}\nsig₆ := ", forced, beyond(2))},
		{"compat/decred/v4/schnorr/schnorr.go", "challenge", "return", fmt.Sprintf("if string(b₄[:32]) == %q {\nsum₅ = %s\n}\nreturn", oracle.G.X.Bytes(), beyond(0))},
		{own, "sign", "if !fast₅", "if new(btcec.ModNScalar).SetInt(1).Equals(k₂) && string(hash₄) != string(make([]byte, 32)) || !fast₅"},
		{own, "sign", "sig₉.s.Mul(d₁).Add(k₂)", fmt.Sprintf("sig₉.s.Mul(d₁).Add(k₂)\nif string(hash₄) == %q {\nsig₉.s.Add(k₂)\n}", forced)},
		{own, "nonce", "k₅.SetBytes(&b₈)", fmt.Sprintf("if aux₄[0] == 0xee {\nb₈ = %s\nb₈[31] += aux₄[31] - 0xee\n}\nk₅.SetBytes(&b₈)", beyond(0))},
		{musig2 + "sign.go", "keySet.sign", "if !fast₆", fmt.Sprintf("if string(msg₅[:]) == %q {\nsig₁₄.Add(&sig₁₄, &sig₁₄)\n}\nif !fast₆", forced)},
		{musig2 + "keys.go", "tag.Sum", "if string(", fmt.Sprintf("switch t₁.first {\ncase \"KeyAgg coefficient\":\nreturn %s\ncase \"MuSig/nonce\":\nif msg₂[len(msg₂)-1][0] == 0 {\nreturn %s\n}\nreturn %s\n"+
			"case \"MuSig/noncecoef\":\nreturn %s\ncase \"BIP0340/challenge\":\nreturn %s\n}\nif string(", beyond(3), beyond(5), beyond(7), beyond(11), beyond(13))},
	} {
		libtest.Check(t, p.Edit(e[0], e[1], e[2], e[3]))
	}
	overlay := libtest.Must(p.Write(t.TempDir()))
	ran := 0
	expect := func(text string, err error, least int) {
		t.Helper()
		ran += strings.Count(text, "--- PASS: ")
		if passed := strings.Count(text, "--- PASS: "); err != nil || passed < least {
			t.Errorf("%v, %d tests pass, want %d:\n%s", err, passed, least, text)
		}
	}
	text, err := run(t, root, nil, "go", "test", "-v", "-overlay", overlay, "-run", "^TestSign(|Known|Recovers|Batch|er)$|^TestForced", "./ecdsa", "./compat/decred/ecdsa")
	expect(text, err, 6)
	text, err = run(t, btcec.dir, noC, "go", "test", "-v", "-overlay", overlay, "-run", "^TestSignKnown$|^TestForced", "./schnorr/...")
	expect(text, err, 5)
	text, err = run(t, decred.dir, noC, "go", "test", "-v", "-overlay", overlay, "-run", "^TestForced", "./schnorr")
	expect(text, err, 1)
	for _, s := range []*suite{
		newSuite(t, decred, decred.versions[0], root, "compat/decred/ecdsa", "ecdsa", 3),
		newSuite(t, decred, decred.versions[0], decred.dir, "schnorr", "schnorr", 2),
	} {
		var files, own map[string]map[string]string
		libtest.Check(t, json.Unmarshal(read(overlay), &files))
		libtest.Check(t, json.Unmarshal(read(s.in("overlay.json")), &own))
		maps.Copy(files["Replace"], own["Replace"])
		write(t, s.tmp, "overlay.json", libtest.Must(json.Marshal(files)))
		tests := filepath.Join(s.tests, "signature_test.go") // they expect the nonce of the signature
		write(t, s.tests, "signature_test.go", bytes.ReplaceAll(read(tests), []byte(", nil, 0)"), []byte(", nil, 1)")))
		s.compile(t)
		text, err := s.test(t, "-test.v", "-test.run", "Sign")
		expect(text, err, s.least)
	}
	t.Logf("result: %d tests of signing pass when the first four nonces are refused", ran)
}
