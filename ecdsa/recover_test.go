package ecdsa

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// checkRecover compares Recover with the oracle, and verifies the signature with the recovered key.
func checkRecover(t testing.TB, hash []byte, r, s *big.Int, id int) (*p256k1.PublicKey, error) {
	t.Helper()
	want, ok := oracle.RecoverECDSA(hash, oracle.Signature{R: r, S: s, RecID: id})
	digest := TruncateHash(hash)
	got, err := Recover(digest, rawRecoverable(r, s, id))
	if (err == nil) != ok {
		t.Fatalf("digest %x, r = %x, s = %x, id %d: %v, want %v", digest, r, s, id, err, ok)
	}
	if !ok {
		libtest.CheckErrorIs(t, err, ErrRecover, "ecdsa: no public key recoverable: ")
		if got != nil {
			t.Fatalf("digest %x, r = %x, s = %x, id %d: a key beside the error", digest, r, s, id)
		}
		return nil, err
	}
	if !bytes.Equal(got.BytesUncompressed(), want.Uncompressed()) {
		t.Fatalf("digest %x, r = %x, s = %x, id %d: %x, want %x", digest, r, s, id, got.Bytes(), want.Compressed())
	}
	if !Verify(got, digest, raw(r, s)) {
		t.Fatalf("digest %x, r = %x, s = %x, id %d: does not verify with the key", digest, r, s, id)
	}
	return got, nil
}

// TestRecover tries values of r near p − n, and values for which r, r + n, both or neither are x coordinates of points.
func TestRecover(t *testing.T) {
	rand := oracle.New(t)
	wrap := new(big.Int).Sub(oracle.P, oracle.N)
	rs := []*big.Int{big.NewInt(1), big.NewInt(3), big.NewInt(5), big.NewInt(7), add(oracle.N, -1), add(oracle.N, -2), oracle.HalfN}
	for _, b := range oracle.WrapR() {
		rs = append(rs, oracle.Int(b[:]))
	}
	for d := int64(-4); d <= 8; d++ {
		rs = append(rs, add(wrap, d))
	}
	end := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), oracle.N)
	rs = append(rs, add(end, -1), end, add(end, 1)) // r + n is 2²⁵⁶ or differs from it by 1
	random := 20
	if testing.Short() {
		random = 4
	}
	for range random {
		rs = append(rs, rand.ValidScalar())
	}
	for _, r := range rs {
		found := make(map[string]bool)
		s, digest := rand.ValidScalar(), rand.Bytes(32)
		for id := range 4 {
			k, err := checkRecover(t, digest, r, s, id)
			if id >= 2 && r.Cmp(wrap) >= 0 && err == nil {
				t.Errorf("r = %x ≥ p − n is recovered with id %d", r, id)
			}
			if err == nil {
				found[string(k.Bytes())] = true
			}
		}
		if r.IsInt64() && (r.Int64() == 2 || r.Int64() == 4 || r.Int64() == 6 || r.Int64() == 16) && len(found) != 4 {
			t.Errorf("r = %x has %d keys, want 4", r, len(found))
		}
	}
}

func TestRecoverNothing(t *testing.T) {
	five, one := big.NewInt(5), big.NewInt(1)
	for id := range 2 { // 5 is not the x coordinate of a point
		_, err := checkRecover(t, []byte{1}, five, one, id)
		if !errors.Is(err, p256k1.ErrNotOnCurve) {
			t.Errorf("r = 5: %v", err)
		}
	}
	for id := range 4 {
		for _, v := range [][2]*big.Int{{new(big.Int), one}, {one, new(big.Int)}, {new(big.Int), new(big.Int)}} {
			_, err := checkRecover(t, []byte{1}, v[0], v[1], id)
			libtest.CheckErrorIs(t, err, ErrRecover, "zero")
		}
	}
	// If s·R = z·G, the key is infinity: R = k·G and z = s·k.
	rand := oracle.New(t)
	for range 5 {
		k, s := rand.ValidScalar(), rand.ValidScalar()
		R := oracle.G.Mul(k)
		digest := oracle.Bytes(oracle.Fn.Mul(s, k))
		_, err := checkRecover(t, digest[:], oracle.Fn.Reduce(R.X), s, int(R.Y.Bit(0)))
		if !errors.Is(err, p256k1.ErrInfinity) {
			t.Errorf("Q = infinity: %v", err)
		}
		// If −R takes the place of R, the key is −2z/r·G.
		if _, err := checkRecover(t, digest[:], oracle.Fn.Reduce(R.X), s, 1^int(R.Y.Bit(0))); err != nil {
			t.Error(err)
		}
	}
}

func TestRecoverDigest(t *testing.T) {
	rand := oracle.New(t)
	for _, hash := range hashes(rand) {
		r := oracle.Fn.Reduce(oracle.G.Mul(rand.ValidScalar()).X)
		if _, err := checkRecover(t, hash, r, rand.ValidScalar(), rand.IntN(2)); err != nil {
			t.Errorf("%x: %v", hash, err)
		}
	}
}
