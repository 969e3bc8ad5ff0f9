package oracle

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/vectors"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBIP340Vectors(t *testing.T) {
	rows, err := csv.NewReader(vectors.Open(t, "bip340/test-vectors.csv")).ReadAll()
	if err != nil || len(rows) != 20 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		pub, msg, want := unhex(t, row[2]), unhex(t, row[4]), unhex(t, row[5])
		if got := VerifySchnorr(pub, msg, want); got != (row[6] == "TRUE") {
			t.Errorf("row %s: verified: %v", row[0], got)
		}
		if row[1] == "" {
			continue
		}
		sig, ok := SignSchnorr(Int(unhex(t, row[1])), msg, [32]byte(unhex(t, row[3])))
		if !ok || !bytes.Equal(sig[:], want) {
			t.Errorf("row %s: signed %x", row[0], sig)
		}
	}
}

func TestRFC6979Vectors(t *testing.T) {
	var file struct {
		Valid []struct {
			D, M, Signature string
			RecoveryID      int
		}
		ExtraEntropy []map[string]any
	}
	vectors.JSON(t, "tiny-secp256k1/ecdsa.json", &file)
	if len(file.Valid) < 2000 || len(file.ExtraEntropy) == 0 {
		t.Fatal("cases are missing")
	}
	check := func(d, m string, extra []byte, want string, recID int) {
		sig, ok := SignRFC6979(Int(unhex(t, d)), unhex(t, m), extra)
		compact := sig.Compact()
		if !ok || hex.EncodeToString(compact[:]) != want || sig.RecID != recID {
			t.Errorf("d %s, digest %s, extra %x: %x id %d, want %s id %d", d, m, extra, compact, sig.RecID, want, recID)
		}
	}
	valid := file.Valid
	if testing.Short() {
		valid = valid[:200]
	}
	for _, c := range valid {
		check(c.D, c.M, nil, c.Signature, c.RecoveryID)
	}
	n := Bytes(N)
	for _, c := range file.ExtraEntropy {
		d, m := c["d"].(string), c["m"].(string)
		for suffix, extra := range map[string][]byte{
			"0": make([]byte, 32), "1": append(make([]byte, 31), 1), "N": n[:], "Max": bytes.Repeat([]byte{0xff}, 32),
		} {
			check(d, m, extra, c["extraEntropy"+suffix].(string), int(c["recoveryId"+suffix].(float64)))
		}
	}
}

// TestRealSignatures tests signatures of a Bitcoin block: it verifies them, both as they are and with n − S in place of
// S, and recovers their keys.
func TestRealSignatures(t *testing.T) {
	seen := 0
	vectors.Lines(t, "realworld/bitcoin-block-300025-sigs.jsonl", func(n int, line []byte) {
		if n%20 != 1 {
			return
		}
		var row struct{ T, Pub, H, Sig string }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.T != "ecdsa" {
			return
		}
		seen++
		var der struct{ R, S *big.Int }
		if _, err := asn1.Unmarshal(unhex(t, row.Sig), &der); err != nil {
			t.Fatal(err)
		}
		pub, ok := DecodePoint(unhex(t, row.Pub))
		digest, sig := unhex(t, row.H), Signature{R: der.R, S: der.S}
		if !ok || !VerifyECDSA(pub, digest, sig) || !VerifyECDSA(pub, digest, sig.Negate()) {
			t.Fatalf("line %d refused", n)
		}
		found := 0
		for sig.RecID = range 4 {
			if q, ok := RecoverECDSA(digest, sig); ok && q.Equal(pub) {
				found++
			}
		}
		digest[n%32] ^= 1
		if found != 1 || VerifyECDSA(pub, digest, sig) {
			t.Fatalf("line %d: recovered %d times, or another digest accepted", n, found)
		}
	})
	if seen == 0 {
		t.Fatal("no signatures")
	}
}

func TestECDSA(t *testing.T) {
	r := New(t)
	for range 60 {
		d, k, digest := r.ValidScalar(), r.ValidScalar(), r.AnyDigest()
		pub := G.Mul(d)
		sig, ok := SignECDSA(d, digest, k)
		if !ok {
			t.Fatalf("d %x, k %x, digest %x: refused", d, k, digest)
		}
		if !sig.IsLowS() || !VerifyECDSA(pub, digest, sig) || !VerifyECDSA(pub, digest, sig.Negate()) {
			t.Fatalf("d %x, k %x, digest %x: bad signature %x", d, k, digest, sig)
		}
		if back := ParseCompact(sig.Compact()); back.R.Cmp(sig.R) != 0 || back.S.Cmp(sig.S) != 0 {
			t.Fatalf("%x does not survive", sig)
		}
		for _, sig := range []Signature{sig, sig.Negate()} {
			if q, ok := RecoverECDSA(digest, sig); !ok || !q.Equal(pub) {
				t.Fatalf("d %x, k %x, digest %x: recovered %x", d, k, digest, q)
			}
		}
		if len(digest) > 0 {
			digest[r.IntN(min(32, len(digest)))] ^= 1 << r.IntN(8)
			if VerifyECDSA(pub, digest, sig) {
				t.Fatalf("d %x, k %x: verifies for another digest, %x", d, k, digest)
			}
		}
	}

	digest := sha256.Sum256(nil)
	for _, bad := range RangeEdges() {
		v := Int(bad[:])
		_, asKey := SignECDSA(v, digest[:], one)
		_, asNonce := SignECDSA(one, digest[:], v)
		if want := v.Sign() > 0 && v.Cmp(N) < 0; asKey != want || asNonce != want {
			t.Errorf("%x as key %v, as nonce %v", v, asKey, asNonce)
		}
	}
	// For z = −r·d, signing computes S = 0, and verification computes R = infinity. For z = S·k, recovery computes a
	// key at infinity.
	d, k := big.NewInt(7), big.NewInt(11)
	z := Bytes(Fn.Neg(Fn.Mul(G.Mul(k).X, d)))
	if _, ok := SignECDSA(d, z[:], k); ok {
		t.Error("S = 0 accepted")
	}
	rx := Fn.Reduce(G.Mul(k).X)
	if VerifyECDSA(G.Mul(d), z[:], Signature{R: rx, S: one}) {
		t.Error("R at infinity accepted")
	}
	z = Bytes(k)
	if _, ok := RecoverECDSA(z[:], Signature{R: rx, S: one, RecID: int(G.Mul(k).Y.Bit(0))}); ok {
		t.Error("key at infinity recovered")
	}
}

func TestRecoverWrapped(t *testing.T) {
	digest := sha256.Sum256([]byte("wrap"))
	for i, b := range WrapR() {
		for id := range 4 {
			sig := Signature{R: Int(b[:]), S: big.NewInt(3), RecID: id}
			q, ok := RecoverECDSA(digest[:], sig)
			if (ok && !VerifyECDSA(q, digest[:], sig)) || (!ok && (id >= 2 || i < 4)) {
				t.Errorf("r = %x, id %d: %v", b, id, ok)
			}
		}
	}
	if _, ok := RecoverECDSA(digest[:], Signature{R: new(big.Int).Sub(P, N), S: one, RecID: 2}); ok {
		t.Error("r = P−N wrapped")
	}
	for _, id := range []int{-1, 4} {
		if _, ok := RecoverECDSA(digest[:], Signature{R: big.NewInt(2), S: one, RecID: id}); ok {
			t.Errorf("id %d accepted", id)
		}
	}
}

func TestNonces(t *testing.T) {
	// RFC 6979 truncates a digest to 32 bytes and reduces it modulo n.
	first := func(digest []byte) *big.Int {
		for k := range NoncesRFC6979(one, digest, nil) {
			return k
		}
		panic("unreachable")
	}
	n, zero := Bytes(N), make([]byte, 32)
	if first(n[:]).Cmp(first(zero)) != 0 || first(zero).Cmp(first(nil)) != 0 || first(append(n[:], 1)).Cmp(first(zero)) != 0 {
		t.Error("digest not reduced or truncated")
	}
	var seq []string
	for k := range NoncesRFC6979(one, zero, nil) {
		if seq = append(seq, k.String()); len(seq) == 5 {
			break
		}
	}
	slices.Sort(seq)
	if len(slices.Compact(seq)) != 5 {
		t.Error("the sequence repeats")
	}
}

func TestSchnorr(t *testing.T) {
	r := New(t)
	for range 30 {
		d, msg := r.ValidScalar(), r.Message(300)
		x := Bytes(G.Mul(d).X)
		sig, ok := SignSchnorr(d, msg, [32]byte(r.Bytes(32)))
		if !ok || !VerifySchnorr(x[:], msg, sig[:]) {
			t.Fatalf("d %x, message %x: bad signature %x", d, msg, sig)
		}
		if VerifySchnorr(x[:], append(msg, 0), sig[:]) || VerifySchnorr(x[:], msg, sig[:63]) || VerifySchnorr(x[:31], msg, sig[:]) {
			t.Fatalf("d %x, message %x: another message or length accepted", d, msg)
		}
		sig[r.IntN(64)] ^= 1 << r.IntN(8)
		if VerifySchnorr(x[:], msg, sig[:]) {
			t.Fatalf("d %x, message %x: wrong signature %x accepted", d, msg, sig)
		}
	}
	for _, d := range []*big.Int{new(big.Int), N} {
		if _, ok := SignSchnorr(d, nil, [32]byte{}); ok {
			t.Errorf("key %x accepted", d)
		}
	}
}

func TestECDHX(t *testing.T) {
	r := New(t)
	for range 30 {
		a, b := r.ValidScalar(), r.ValidScalar()
		x, ok1 := ECDHX(a, G.Mul(b))
		y, ok2 := ECDHX(b, G.Mul(a).Neg())
		if !ok1 || !ok2 || x != y {
			t.Fatalf("%x, %x: %x ≠ %x", a, b, x, y)
		}
	}
	for _, c := range []struct {
		d *big.Int
		p Point
	}{{new(big.Int), G}, {N, G}, {one, Point{}}, {one, Point{one, one}}, {one, Point{new(big.Int).Add(G.X, P), G.Y}}} {
		if _, ok := ECDHX(c.d, c.p); ok {
			t.Errorf("%x · %x accepted", c.d, c.p)
		}
	}
}

func TestTaggedHash(t *testing.T) {
	tag := sha256.Sum256([]byte("tag"))
	want := sha256.Sum256([]byte(strings.Repeat(string(tag[:]), 2) + "onetwo"))
	if TaggedHash("tag", []byte("one"), []byte("two")) != want {
		t.Error("TaggedHash")
	}
}
