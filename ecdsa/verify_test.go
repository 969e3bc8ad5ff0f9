package ecdsa

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// solve returns the key Q that satisfies s·R = z·G + r·Q, where z is the digest as an integer and R the nonce point. r
// need not be the x coordinate of R.
func solve(t testing.TB, R oracle.Point, r, s *big.Int, digest []byte) oracle.Point {
	t.Helper()
	q := R.Mul(s).Add(oracle.G.Mul(oracle.Fn.Neg(oracle.DigestInt(digest)))).Mul(oracle.Fn.Inv(r))
	if q.IsInfinity() {
		t.Fatal("there is no such key")
	}
	return q
}

// TestVerifyRanges passes all pairs of r and s at the bounds of their range to the parsers except ParseDER and, without
// the parsers, to Recover and Verify.
func TestVerifyRanges(t *testing.T) {
	d := big.NewInt(5)
	pub := libtest.Private(t, d).PublicKey()
	precomputed := pub.Precomputed()
	bounds := oracle.RangeEdges()
	for _, rb := range bounds {
		for _, sb := range bounds {
			r, s := oracle.Int(rb[:]), oracle.Int(sb[:])
			sig := raw(r, s)
			want := inRange(r) && inRange(s)

			parsed, err := ParseCompact(sig.rs[:])
			switch {
			case want:
				libtest.CheckErrorIs(t, err, nil)
				if parsed != sig {
					t.Errorf("%x is parsed as %x", sig, parsed)
				}
			case !inRange(r):
				libtest.CheckErrorIs(t, err, p256k1.ErrRange, "signature: r ")
			default:
				libtest.CheckErrorIs(t, err, p256k1.ErrRange, "signature: s ")
			}
			if !want && parsed != (Signature{}) {
				t.Errorf("%x: a signature beside the error", parsed)
			}
			for _, v := range []byte{0, 1, 2, 3} {
				_, err := ParseRecoverable(append(sig.rs[:], v))
				_, _, err2 := ParseRecoverableBitcoin(append([]byte{27 + v}, sig.rs[:]...))
				_, err3 := ParseRecoverableEthereum(append(sig.rs[:], 27+v&1))
				if want {
					libtest.CheckErrorIs(t, err, nil)
					libtest.CheckErrorIs(t, err2, nil)
					libtest.CheckErrorIs(t, err3, nil)
					continue
				}
				libtest.CheckErrorIs(t, err, p256k1.ErrRange, "signature: ")
				libtest.CheckErrorIs(t, err2, p256k1.ErrRange, "signature: ")
				libtest.CheckErrorIs(t, err3, p256k1.ErrRange, "signature: ")
				if _, err := Recover(TruncateHash([]byte{1}), rawRecoverable(r, s, int(v))); !inRange(r) || !inRange(s) {
					libtest.CheckErrorIs(t, err, ErrRecover, "r or s")
				}
			}
			if low := sig.IsLowS(); low != (inRange(s) && s.Cmp(oracle.HalfN) <= 0) {
				t.Errorf("%x: IsLowS %v", sig, low)
			}
			if n := sig.NormalizeS(); !inRange(s) && n != sig {
				t.Errorf("%x: NormalizeS %x", sig, n)
			}

			digests := [][]byte{make([]byte, 32), TruncateHash([]byte{1})}
			if inRange(r) { // also the digest for which R is infinity
				z := oracle.Bytes(oracle.Fn.Neg(oracle.Fn.Mul(r, d)))
				digests = append(digests, z[:])
			}
			for _, digest := range digests {
				want := want && oracle.VerifyECDSA(oracle.G.Mul(d), digest, oracle.Signature{R: r, S: s})
				if got := Verify(pub, digest, sig); got != want || Verify(precomputed, digest, sig) != want {
					t.Errorf("%x of %x: %v, not %v, or another with a precomputed key", sig, digest, got, want)
				}
			}
		}
	}
}

// TestVerifyReduced adds n to r and to s of valid signatures. Code that reduces modulo n would accept the results.
func TestVerifyReduced(t *testing.T) {
	digest := sha256.Sum256([]byte("reduced"))
	check := func(r, s *big.Int, pub oracle.Point) {
		t.Helper()
		key := libtest.Public(t, pub)
		if !Verify(key, digest[:], raw(r, s)) {
			t.Fatalf("r = %x, s = %x is not valid", r, s)
		}
		n := oracle.N
		for _, bad := range []Signature{raw(new(big.Int).Add(r, n), s), raw(r, new(big.Int).Add(s, n)), raw(new(big.Int).Add(r, n), new(big.Int).Add(s, n))} {
			if Verify(key, digest[:], bad) || VerifyLowS(key, digest[:], bad) ||
				VerifyCompact(key.Bytes(), digest[:], bad.rs[:]) || VerifyDER(key.Bytes(), digest[:], bad.DER()) {
				t.Errorf("%x verifies", bad)
			}
			_, err := ParseCompact(bad.rs[:])
			libtest.CheckErrorIs(t, err, p256k1.ErrRange)
			_, err = ParseDER(bad.DER())
			libtest.CheckErrorIs(t, err, p256k1.ErrRange)
			for id := range 4 {
				_, err := Recover(digest[:], RecoverableSignature{[65]byte(append(bad.rs[:], byte(id)))})
				libtest.CheckErrorIs(t, err, ErrRecover)
			}
		}
	}
	for _, x := range []int64{1, 2, 3, 4, 6, 8} { // r is small, so that r + n fits
		R, _ := oracle.LiftX(big.NewInt(x))
		r, s := R.X, big.NewInt(x+1)
		check(r, s, solve(t, R, r, s, digest[:]))
	}
}

// TestVerifyWrapped verifies signatures whose nonce point has x ≥ n, so that r = x − n.
func TestVerifyWrapped(t *testing.T) {
	rand := oracle.New(t)
	for _, rb := range oracle.WrapR() {
		r := oracle.Int(rb[:])
		R, ok := oracle.LiftX(new(big.Int).Add(r, oracle.N))
		if !ok {
			t.Fatal("no such point")
		}
		for _, R := range []oracle.Point{R, R.Neg()} {
			s, digest := rand.ValidScalar(), rand.Bytes(32)
			q := solve(t, R, r, s, digest)
			key := libtest.Public(t, q)
			for i, s := range []*big.Int{s, oracle.Fn.Neg(s)} {
				low := s.Cmp(oracle.HalfN) <= 0
				if !Verify(key, digest, raw(r, s)) || !Verify(key.Precomputed(), digest, raw(r, s)) || VerifyLowS(key, digest, raw(r, s)) != low {
					t.Errorf("r = %x, s = %x is refused", r, s)
				}
				id := 2 | int(R.Y.Bit(0)) ^ i
				got, err := Recover(digest, rawRecoverable(r, s, id))
				if err != nil || !got.Equal(key) {
					t.Errorf("r = %x, s = %x, id %d: %v", r, s, id, err)
				}
				if Verify(key, digest, raw(add(r, 1), s)) || Verify(key, digest, raw(new(big.Int).Add(r, oracle.N), s)) {
					t.Errorf("another r than %x is accepted", r)
				}
			}
		}
	}

	// If r ≥ p − n, then r + n ≥ p, and code that reduced r + n modulo p would accept a point R with the x coordinate r
	// + n − p. Such an R is constructed here.
	for _, x := range []int64{1, 2, 3, 4, 6, 8} {
		R, _ := oracle.LiftX(big.NewInt(x))
		r := add(new(big.Int).Sub(oracle.P, oracle.N), x)
		for _, R := range []oracle.Point{R, R.Neg()} {
			s, digest := rand.ValidScalar(), rand.Bytes(32)
			q := solve(t, R, r, s, digest)
			if Verify(libtest.Public(t, q), digest, raw(r, s)) {
				t.Errorf("r = p − n + %d wraps", x)
			}
			for _, id := range []int{2, 3} {
				_, err := Recover(digest, rawRecoverable(r, s, id))
				libtest.CheckErrorIs(t, err, ErrRecover)
			}
			if !Verify(libtest.Public(t, solve(t, R, R.X, s, digest)), digest, raw(R.X, s)) {
				t.Errorf("r = %d is refused", x)
			}
		}
	}
	r := new(big.Int).Sub(oracle.P, oracle.N) // r + n = p ≡ 0, and no point has x = 0
	for range 4 {
		if q := rand.Point(); Verify(libtest.Public(t, q), rand.Bytes(32), raw(r, rand.ValidScalar())) {
			t.Error("r = p − n verifies")
		}
	}
	for id := range 4 {
		sig := oracle.Signature{R: r, S: big.NewInt(1), RecID: id}
		digest := TruncateHash([]byte{1})
		_, want := oracle.RecoverECDSA(digest, sig)
		if _, err := Recover(digest, rawRecoverable(sig.R, sig.S, id)); (err == nil) != want || (id >= 2 && want) {
			t.Errorf("r = p − n, id %d: %v", id, err)
		}
	}
}

// TestVerifyConstructed chooses u₁, u₂ and the key Q, and computes the signature from R = u₁·G + u₂·Q. In this way it
// tests any u₁ and u₂, which signing cannot choose.
func TestVerifyConstructed(t *testing.T) {
	rand := oracle.New(t)
	points := oracle.EdgePoints()
	for range 50 {
		points = append(points, rand.Point())
	}
	if testing.Short() {
		points = points[:40]
	}
	for i, q := range points {
		key := libtest.Public(t, q)
		u1, u2 := rand.Scalar(), rand.ValidScalar()
		switch i % 8 {
		case 0:
			u1 = new(big.Int) // z = 0
		case 1:
			u1 = u2
		case 2:
			u1 = oracle.Fn.Neg(u2)
		case 3:
			u1, u2 = oracle.Fn.Mul(oracle.Lambda, u2), oracle.Fn.Neg(u2)
		}
		R := oracle.G.Mul(u1).Add(q.Mul(u2))
		if R.IsInfinity() {
			continue
		}
		r := oracle.Fn.Reduce(R.X)
		s := oracle.Fn.Mul(r, oracle.Fn.Inv(u2))
		digest := oracle.Bytes(oracle.Fn.Mul(u1, s))
		sig := raw(r, s)
		if !Verify(key, digest[:], sig) {
			t.Fatalf("Q = %x, u₁ = %x, u₂ = %x: %x of %x is refused", q, u1, u2, sig, digest)
		}
		if low := s.Cmp(oracle.HalfN) <= 0; VerifyLowS(key, digest[:], sig) != low || sig.IsLowS() != low {
			t.Fatalf("s = %x: low is %v", s, !low)
		}
		if n := sig.NormalizeS(); !Verify(key, digest[:], n) || !VerifyLowS(key, digest[:], n) || !n.IsLowS() || n.NormalizeS() != n {
			t.Fatalf("s = %x is normalized to %x", s, n)
		}
		if Verify(key.Negate(), digest[:], sig) && u1.Sign() != 0 {
			t.Fatalf("Q = −%x: %x of %x is accepted", q, sig, digest)
		}
		if Verify(key, digest[:], raw(s, r)) && r.Cmp(s) != 0 {
			t.Fatalf("Q = %x: %x with r and s exchanged is accepted", q, sig)
		}
		got, err := Recover(digest[:], rawRecoverable(r, s, int(R.Y.Bit(0))|bit(R.X.Cmp(oracle.N) >= 0)<<1))
		if err != nil || !got.Equal(key) {
			t.Fatalf("Q = %x: %x of %x is recovered as another key (%v)", q, sig, digest, err)
		}
		wrong := bytes.Clone(sig.rs[:])
		wrong[i%64] ^= 1 << (i % 8)
		changed := digest
		changed[i%32] ^= 1 << (i % 8)
		if Verify(key, digest[:], Signature{[64]byte(wrong)}) || Verify(key, changed[:], sig) {
			t.Fatalf("Q = %x: %x of %x is accepted with a bit changed", q, sig, digest)
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestVerifyInfinity verifies signatures for which R = z/s·G + r/s·Q is infinity.
func TestVerifyInfinity(t *testing.T) {
	rand := oracle.New(t)
	for range 10 {
		d, r, s := rand.ValidScalar(), rand.ValidScalar(), rand.ValidScalar()
		z := oracle.Bytes(oracle.Fn.Neg(oracle.Fn.Mul(r, d)))
		if Verify(libtest.Private(t, d).PublicKey(), z[:], raw(r, s)) {
			t.Errorf("d = %x, z = −r·d: r = %x, s = %x is accepted", d, r, s)
		}
	}
}

// TestVerifyDigest checks that the verdict depends on the leftmost 32 bytes of a hash, and on no other bytes.
func TestVerifyDigest(t *testing.T) {
	rand := oracle.New(t)
	d := rand.ValidScalar()
	pub := libtest.Private(t, d).PublicKey()
	for _, hash := range hashes(rand) {
		verify := func(hash []byte, sig Signature) bool {
			if len(hash) != 32 && Verify(pub, hash, sig) {
				t.Errorf("%x is taken for a digest", hash)
			}
			return Verify(pub, TruncateHash(hash), sig)
		}
		sig, err := Sign(libtest.Private(t, d), TruncateHash(hash), nil)
		if err != nil || !verify(hash, sig) {
			t.Fatalf("%x: %x does not verify (%v)", hash, sig, err)
		}
		if !oracle.VerifyECDSA(oracle.G.Mul(d), hash, oracle.ParseCompact(sig.rs)) {
			t.Fatalf("%x: %x verifies here alone", hash, sig)
		}
		for i := range hash {
			hash[i] ^= 0x10
			if verify(hash, sig) != (i >= 32) {
				t.Errorf("%x: byte %d of %d: counts %v", hash, i, len(hash), i >= 32)
			}
			hash[i] ^= 0x10
		}
		if len(hash) <= 32 { // a shorter hash counts as an integer
			if !verify(append(make([]byte, 32-len(hash)), hash...), sig) {
				t.Errorf("%x does not verify with zeros before it", hash)
			}
		}
		if len(hash) >= 32 {
			if !verify(hash[:32], sig) || !verify(append(hash[:32:32], 1), sig) {
				t.Errorf("%x: the first 32 bytes do not verify", hash)
			}
		}
		if z := oracle.DigestInt(hash); z.Cmp(oracle.N) >= 0 { // z ≡ z − n
			reduced := oracle.Bytes(oracle.Fn.Reduce(z))
			if !verify(reduced[:], sig) {
				t.Errorf("%x does not verify reduced", hash)
			}
		}
	}
}

// TestVerifyBytes compares the verdicts of VerifyDER and VerifyCompact with the verdicts of Verify after parsing, for
// edge cases of keys and signatures in all encodings, valid and damaged.
func TestVerifyBytes(t *testing.T) {
	rand := oracle.New(t)
	valid := 0
	check := func(pub, digest, encoded []byte) {
		t.Helper()
		want := func(sig Signature, err error) bool {
			k, errKey := p256k1.ParsePublicKey(pub)
			return err == nil && errKey == nil && Verify(k, digest, sig)
		}
		if got := VerifyDER(pub, digest, encoded); got != want(ParseDER(encoded)) {
			t.Fatalf("key %x, digest %x, DER %x: %v", pub, digest, encoded, got)
		} else if got {
			valid++
		}
		if got := VerifyCompact(pub, digest, encoded); got != want(ParseCompact(encoded)) {
			t.Fatalf("key %x, digest %x, signature %x: %v", pub, digest, encoded, got)
		} else if got {
			valid++
		}
	}
	points := oracle.EdgePoints()
	if testing.Short() {
		points = points[:40]
	}
	for i, q := range points {
		u1, u2 := rand.Scalar(), rand.ValidScalar()
		if i%8 == 0 {
			u1 = new(big.Int)
		}
		R := oracle.G.Mul(u1).Add(q.Mul(u2))
		r := oracle.Fn.Reduce(R.X)
		s := oracle.Fn.Mul(r, oracle.Fn.Inv(u2))
		digest := oracle.Bytes(oracle.Fn.Mul(u1, s))
		var low, high []byte
		if sig := raw(r, s); sig.IsLowS() {
			low, high = sig.DER(), raw(r, oracle.Fn.Neg(s)).Bytes()
		} else {
			low, high = sig.NormalizeS().DER(), sig.Bytes()
		}
		before := valid
		for _, pub := range [][]byte{q.Compressed(), q.Uncompressed()} {
			for _, encoded := range [][]byte{low, high} {
				check(pub, digest[:], encoded)
			}
		}
		if valid != before+4 {
			t.Fatalf("key %x: %d valid of 4", q.Compressed(), valid-before)
		}
		pub := [][]byte{q.Compressed(), q.Uncompressed()}[i%2]
		for _, damaged := range append(oracle.BadEncodingsOf(q), nil, pub[1:], append([]byte{pub[0] ^ 1}, pub[1:]...), make([]byte, 33)) {
			check(damaged, digest[:], low)
			check(damaged, digest[:], high)
		}
		for _, damaged := range [][]byte{nil, digest[1:], append(digest[:], 0)} {
			check(pub, damaged, low)
			check(pub, damaged, high)
		}
		for _, encoded := range [][]byte{low, high} {
			for _, damaged := range [][]byte{nil, encoded[1:], append(bytes.Clone(encoded), 0)} {
				check(pub, digest[:], damaged)
			}
			damaged := bytes.Clone(encoded)
			damaged[rand.IntN(len(damaged))] ^= 1 << rand.IntN(8)
			check(pub, digest[:], damaged)
		}
	}
	for _, c := range derRules {
		b, err := hex.DecodeString(c.b)
		if err != nil {
			t.Fatal(err)
		}
		check(oracle.G.Compressed(), make([]byte, 32), b)
	}
	for _, r := range oracle.RangeEdges() {
		for _, s := range oracle.RangeEdges() {
			rs := append(r[:], s[:]...)
			check(oracle.G.Compressed(), make([]byte, 32), rs)
			check(oracle.G.Uncompressed(), make([]byte, 32), (&Signature{[64]byte(rs)}).DER())
		}
	}
}
