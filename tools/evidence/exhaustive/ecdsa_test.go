//go:build exhaustive

package exhaustive

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// A signature is (r, s) with the recovery id.
type signature struct{ r, s, id int }

// sign computes the signature of SEC 1, section 4.1.3, with the nonce k and low s.
func sign(d, z, k int) (sig signature, ok bool) {
	if k == 0 || k >= n {
		return sig, false
	}
	sig.r = xModN[k]
	sig.s = inverse[k] * ((z + sig.r*d) % n) % n
	if sig.r == 0 || sig.s == 0 {
		return signature{}, false
	}
	sig.id = choose(odd[k], 1, 0)
	if sig.s > (n-1)/2 {
		sig.s = n - sig.s
		sig.id ^= 1
	}
	if points[k].X.Cmp(big.NewInt(n)) >= 0 {
		sig.id |= 2
	}
	return sig, true
}

// equation reports whether (r, s) is valid for the key d and the hash z, by SEC 1, section 4.1.4.
func equation(d, z, r, s int) bool {
	if r < 1 || r >= n || s < 1 || s >= n {
		return false
	}
	w := inverse[s]
	k := (z*w + r*w%n*d) % n
	return k != 0 && xModN[k] == r
}

func compact(r, s int) (b [64]byte) {
	x, y := bytes32(r), bytes32(s)
	copy(b[:32], x[:])
	copy(b[32:], y[:])
	return b
}

// checkSignature checks functions that verify signatures with (r, s) and the key d, and returns whether (r, s) is
// valid.
func checkSignature(t *testing.T, rand *oracle.Rand, d, z, r, s int) (valid bool) {
	digest := congruent(rand, z)
	b := compact(r, s)
	inRange := r > 0 && r < n && s > 0 && s < n
	sig, err := ecdsa.ParseCompact(b[:])
	failsLike(t, err, inRange, p256k1.ErrRange, "parsing r = %d, s = %d", r, s)
	sig = ecdsa.Unchecked(b)
	low := inRange && s <= (n-1)/2
	failIf(t, sig.IsLowS() != low && inRange, "IsLowS of s = %d: %v", s, !low)
	pub := publicKeys[d]
	want := equation(d, z, r, s)
	same(t, ecdsa.Verify(pub, digest[:], sig), want, "d = %d, z = %d: (%d, %d) verified", d, z, r, s)
	verifyTogether(t, rand, pub, digest[:], sig, want)
	if want || few {
		got := ecdsa.VerifyCompact(pub.Bytes(), digest[:], b[:])
		same(t, got, want, "d = %d, z = %d: (%d, %d) verified from bytes", d, z, r, s)
		got = ecdsa.VerifyLowS(pub, digest[:], sig)
		same(t, got, want && low, "d = %d, z = %d: (%d, %d) verified with low s", d, z, r, s)
	}
	if inRange {
		normal := compact(r, min(s, n-s))
		same(t, string(sig.NormalizeS().Bytes()), string(normal[:]), "NormalizeS of s = %d", s)
	}
	return want
}

// together is a batch of signatures. invalid holds the indexes of its invalid signatures.
var (
	together ecdsa.Batch
	invalid  []int
)

// verifyTogether adds a signature to the batch together. At random times it verifies the batch and empties it.
func verifyTogether(t *testing.T, rand *oracle.Rand, pub *p256k1.PublicKey, digest []byte, sig ecdsa.Signature, want bool) {
	if !want {
		invalid = append(invalid, together.Len())
	}
	switch rand.IntN(3) {
	case 0:
		together.Add(pub.Bytes(), digest, sig)
	case 1:
		together.Add(pub.BytesUncompressed(), digest, sig)
	case 2:
		together.AddKey(pub, digest, sig)
	}
	if rand.IntN(40) == 0 {
		got := together.Invalid(nil)
		failIf(t, !slices.Equal(got, invalid) || together.Verify() != (len(invalid) == 0),
			"of %d signatures in a batch these are invalid: %v, want %v", together.Len(), got, invalid)
		together.Reset()
		invalid = invalid[:0]
	}
}

// TestVerifyECDSA verifies every (r, s) for every digest and every key, with r and s from 0 to n + 1.
func TestVerifyECDSA(t *testing.T) {
	c := newCount(t, "ECDSA")
	for range rounds(t, n, n, n, n) {
		for v := range c.every(cases(t), n+2, n+2, n, n-1) {
			r, s, z, d := v[0], v[1], v[2], v[3]+1
			if k := 1 + c.IntN(n-1); !few && c.IntN(2) == 0 { // otherwise almost no signature would be valid
				r = xModN[k]
				s = (z + r*d) % n * inverse[k] % n
			}
			c.add("signatures verified")
			c.addIf(checkSignature(t, c.Rand, d, z, r, s), "valid")
		}
	}
}

// TestSignECDSA signs every digest with every key and every nonce from 0 to n + 1. It verifies the result, and
// signatures close to it.
func TestSignECDSA(t *testing.T) {
	c := newCount(t, "ECDSA")
	rand := c.Rand
	for range rounds(t, n, n, n) {
		for v := range c.every(cases(t)/4, n-1, n, n+2) {
			d, z, k := v[0]+1, v[1], v[2]
			nonce := bytes32(k)
			sig, ok := ecdsa.SignWithNonce(curveScalar(d), curveScalar(z), &nonce)
			want, wantOK := sign(d, z, k)
			b := compact(want.r, want.s)
			encoded := append(b[:], byte(want.id))
			if !wantOK {
				encoded = nil
			}
			failIf(t, ok != wantOK || string(sig.Bytes()) != string(encoded),
				"d = %d, z = %d, k = %d: %x, %v, want %v, %v", d, z, k, sig.Bytes(), ok, want, wantOK)
			if k != 0 && k < n {
				inBatch, ok := ecdsa.SignInBatch(curveScalar(d), curveScalar(z), curveScalar(k))
				failIf(t, ok != wantOK || inBatch != sig,
					"d = %d, z = %d, k = %d: %x, %v in a batch, want %v, %v", d, z, k, inBatch.Bytes(), ok, want, wantOK)
			}
			if !ok {
				c.add("nonces refused")
				continue
			}
			c.add("signatures made")
			c.addIf(want.id&1 == 1 != odd[k], "with s negated")
			c.addIf(want.id&2 == 0, "of points with x < n")
			for _, s := range []int{want.s, n - want.s} {
				isValid := checkSignature(t, rand, d, z, want.r, s)
				failIf(t, !isValid, "d = %d, z = %d, k = %d: %v is not valid", d, z, k, want)
			}
			checkSignature(t, rand, d, z, want.r, 1+rand.IntN(n-1))
			checkSignature(t, rand, d, mod(z+1), want.r, want.s)
			checkSignature(t, rand, 1+rand.IntN(n-1), z, want.r, want.s)
		}
	}
}

// TestRecover recovers the key from every R, s and digest, and from R that are not in the group.
func TestRecover(t *testing.T) {
	c := newCount(t, "recovery")
	order := big.NewInt(n)
	unchecked := func(r, s, id int) ecdsa.RecoverableSignature {
		b := compact(r, s)
		return ecdsa.UncheckedRecoverable([65]byte(append(b[:], byte(id))))
	}
	// check recovers the key for R and for −R, both by itself and in a batch. The logarithms of the keys must be want
	// and wantOther, where 0 means that there is no key.
	check := func(k, z, r, s, id, want, wantOther int) {
		digest := congruent(c.Rand, z)
		signatures := []ecdsa.RecoverableSignature{unchecked(r, s, id), unchecked(r, s, id^1), unchecked(r, s, id)}
		var keys [3]p256k1.PublicKey
		err := ecdsa.RecoverBatch(keys[:], [][]byte{digest[:], digest[:], digest[:]}, signatures)
		lost := 0
		for i, want := range []int{want, wantOther, want} {
			alone, err := ecdsa.Recover(digest[:], signatures[i])
			failsLike(t, err, want != 0, ecdsa.ErrRecover, "R = %d·G, z = %d, (%d, %d), id %d", k, z, r, s, id)
			failIf(t, (keys[i].Bytes() != nil) != (want != 0) || (want != 0 && !keys[i].Equal(alone)),
				"R = %d·G, z = %d, (%d, %d), id %d: %v, in a batch at %d %v", k, z, r, s, id, alone, i, keys[i])
			if want == 0 {
				lost++
				continue
			}
			same(t, logOf[string(alone.Bytes())], want, "R = %d·G, z = %d, (%d, %d), id %d", k, z, r, s, id)
		}
		var failures p256k1.Failures
		errors.As(err, &failures)
		failIf(t, len(failures) != lost,
			"z = %d, (%d, %d), id %d: RecoverBatch has the failures %v, want %d", z, r, s, id, err, lost)
	}
	for range rounds(t, n, n, n) {
		for v := range c.every(cases(t)/4, n-1, n, n) {
			k, s, z := v[0]+1, v[1], v[2]
			r, id := xModN[k], choose(odd[k], 1, 0)
			if x := points[k].X; x.Cmp(order) >= 0 {
				ecdsa.SetOrder(oracle.Bytes(new(big.Int).Sub(x, big.NewInt(int64(r)))))
				id |= 2
			}
			if r == 0 || s == 0 {
				c.add("with r = 0 or s = 0")
				check(k, z, r, s, id, 0, 0)
				continue
			}
			want := mod((s*k - z) * inverse[r])
			check(k, z, r, s, id, want, mod((-s*k-z)*inverse[r]))
			if want == 0 {
				c.add("that are infinity")
				continue
			}
			c.add("keys, and as many from −R")
			failIf(t, !equation(want, z, r, s),
				"R = %d·G, z = %d, (%d, %d): the oracle disagrees with itself", k, z, r, s)
		}
	}
	outside := func(r, s, id int, mayBe bool) {
		digest := congruent(c.Rand, c.IntN(n))
		pub, err := ecdsa.Recover(digest[:], unchecked(r, s, id))
		failIf(t, !mayBe && !errors.Is(err, ecdsa.ErrRecover), "r = %d, id %d: recovered %v (%v)", r, id, pub, err)
		c.add("of R that is not of the group")
	}
	// Without bit 1 of the id the x coordinate is r. A point with this x coordinate is in the group only for r = 1, so
	// results for other r mean nothing.
	for r := range n + 2 {
		for id := range 2 {
			outside(r, 1+c.IntN(n-1), id, r > 0 && r < n && isOnCurve(big.NewInt(int64(r))))
		}
	}
	// With bit 1, r plus the order may be p or more, or 2²⁵⁶ or more, or not an x coordinate.
	for _, order := range []*big.Int{
		new(big.Int).Sub(oracle.P, big.NewInt(1)), // r + order = p
		new(big.Int).Sub(two256, big.NewInt(1)),   // r + order = 2²⁵⁶
		offCurve(),
	} {
		ecdsa.SetOrder(oracle.Bytes(order))
		for id := range 2 {
			outside(1, 1+c.IntN(n-1), 2|id, false)
		}
	}
}

// offCurve returns x − 1 for an x that no point has.
func offCurve() *big.Int {
	for x := int64(2); ; x++ {
		if !isOnCurve(big.NewInt(x)) {
			return big.NewInt(x - 1)
		}
	}
}
