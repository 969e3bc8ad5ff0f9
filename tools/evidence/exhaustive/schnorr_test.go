//go:build exhaustive

package exhaustive

import (
	"encoding/binary"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

// hashModN returns the tagged hash modulo n.
func hashModN(tag string, parts ...[]byte) int {
	h := oracle.TaggedHash(tag, parts...)
	return int(new(big.Int).Mod(oracle.Int(h[:]), big.NewInt(n)).Int64())
}

func challenge(rx, px string, msg []byte) int {
	return hashModN("BIP0340/challenge", []byte(rx), []byte(px), msg)
}

// nonceOf returns the nonce that BIP-340 derives, modulo n.
func nonceOf(d int, msg []byte, aux [32]byte) int {
	t := oracle.TaggedHash("BIP0340/aux", aux[:])
	for i, b := range bytes32(even(d)) {
		t[i] ^= b
	}
	return hashModN("BIP0340/nonce", t[:], []byte(encoded[d][1:]), msg)
}

// message returns the i-th message.
func message(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }

// TestSignSchnorr signs with every key until each pair of nonce and challenge has occurred with it, unless there are
// too many such pairs.
func TestSignSchnorr(t *testing.T) {
	c := newCount(t, "Schnorr")
	type triple struct{ d, k, e int }
	seen := map[triple]bool{}
	limit := max(cases(t)/4, 2*n)
	all := product(limit/4, []int{n - 1, n - 1, n})
	c.how = " (all there are)"
	if all <= limit/4 {
		limit *= 100 // enough for the last combination to occur
	} else {
		all, c.how = limit, " (not all there are)"
	}
	for i := 0; i < limit && len(seen) < all; i++ {
		d := 1 + i%(n-1)
		msg, aux := message(i), [32]byte(c.Bytes(32))
		priv := privateKeys[d]
		sig, err := schnorr.Sign(priv, msg, &schnorr.Options{AuxRand: &aux})
		k := nonceOf(d, msg, aux)
		if k == 0 {
			c.add("nonces of 0 refused")
			failIf(t, err == nil, "d = %d, message %d: signed with the nonce 0", d, i)
			continue
		}
		rx, px := encoded[k][1:], encoded[d][1:]
		e := challenge(rx, px, msg)
		s := bytes32((even(k) + e*even(d)) % n)
		failIf(t, err != nil || string(sig[:]) != rx+string(s[:]),
			"d = %d, k = %d, e = %d: %x, %v, want %x%x", d, k, e, sig, err, rx, s)
		c.add("signatures made")
		if seen[triple{d, k, e}] {
			continue
		}
		seen[triple{d, k, e}] = true
		c.add("combinations of key, nonce and challenge")
		failIf(t, !schnorr.Verify(priv.PublicKey().XOnly(), msg, sig[:]) || !schnorr.VerifyBytes([]byte(px), msg, sig[:]),
			"d = %d, k = %d, e = %d: %x does not verify", d, k, e, sig)
	}
	var keys, nonces, challenges [n]bool
	for v := range seen {
		keys[v.d], nonces[v.k], challenges[v.e] = true, true, true
	}
	for v := range n {
		for kind, had := range map[string]bool{"keys": keys[v], "nonces": nonces[v], "challenges": challenges[v]} {
			c.addIf(had, kind)
		}
	}
	if (all < limit && len(seen) < all) || c.results["keys"] < n-1 {
		t.Errorf("%d of %d combinations: %v", len(seen), all, c.results)
	}
}

// TestVerifySchnorr verifies every R and s by every key with every challenge. R is the x coordinate of a point of the
// group, of a point outside, or of no point, or is not below p. s goes from 0 to n + 1.
func TestVerifySchnorr(t *testing.T) {
	c := newCount(t, "Schnorr")
	// The keys are the points with even y. The values of R to try are their x coordinates and others.
	var keys []int
	type nonce struct {
		x string
		k int // 0 if not in the group
	}
	var nonces []nonce
	for k := 1; k < n; k++ {
		if !odd[k] {
			keys = append(keys, k)
			nonces = append(nonces, nonce{encoded[k][1:], k})
		}
	}
	for _, x := range []*big.Int{
		new(big.Int), big.NewInt(2), big.NewInt(3), // x coordinates of points outside the group, or of no point
		oracle.P, new(big.Int).Add(oracle.P, big.NewInt(1)), // 1 mod p is the x of G
		new(big.Int).Sub(two256, big.NewInt(1)),
	} {
		b := oracle.Bytes(x)
		nonces = append(nonces, nonce{x: string(b[:])})
	}

	// The batch alone gets a few signatures, which a batch verifies one by one. The batch together gets many, all of
	// them valid: among many signatures, a batch finds invalid ones only in a large group, in which different
	// coefficients of 128 bits are different scalars.
	var together, alone schnorr.Batch
	var wrong []int // indexes of the invalid signatures in alone
	check := func() {
		bad := alone.Invalid(nil)
		failIf(t, !slices.Equal(bad, wrong) || alone.Verify() != (len(bad) == 0),
			"of %d signatures in a batch these are invalid: %v, want %v", alone.Len(), bad, wrong)
		alone.Reset()
		wrong = wrong[:0]
	}
	checkTogether := func() {
		failIf(t, !together.Verify() || together.Invalid(nil) != nil,
			"a batch of %d valid signatures has invalid ones: %v", together.Len(), together.Invalid(nil))
		together.Reset()
	}
	for v := range c.every(cases(t)/2, len(keys), len(nonces), n+2, n) {
		d, nonce, s, e := keys[v[0]], nonces[v[1]], v[2], v[3]
		px := encoded[d][1:]
		// The challenge is a hash, so search for the next message that has the wanted challenge.
		i := c.IntN(1 << 30)
		for few && challenge(nonce.x, px, message(i)) != e {
			i++
		}
		msg := message(i)
		e = challenge(nonce.x, px, msg)
		if s < n && !few && c.IntN(2) == 0 {
			s = mod(nonce.k + e*d) // otherwise almost no signature would be valid
		}
		b := bytes32(s)
		sig := nonce.x + string(b[:])
		// R = s·G − e·P.
		k := mod(s - e*d)
		isValid := s < n && k != 0 && !odd[k] && k == nonce.k
		pub := publicKeys[d].XOnly()
		parsed, fromBytes := schnorr.Verify(pub, msg, []byte(sig)), schnorr.VerifyBytes([]byte(px), msg, []byte(sig))
		failIf(t, parsed != isValid || fromBytes != isValid,
			"d = %d, R = %x, e = %d, s = %d: verified %v, from bytes %v", d, nonce.x, e, s, parsed, fromBytes)
		if isValid {
			c.add("valid")
			together.AddKey(pub, msg, []byte(sig))
		} else {
			wrong = append(wrong, alone.Len())
		}
		alone.Add([]byte(px), msg, []byte(sig))
		if alone.Len() == 8 {
			check()
		}
		if together.Len() == 200 {
			checkTogether()
		}
		c.add("signatures verified, alone and in batches")
	}
	check()
	checkTogether()
	if !few {
		c.how += ", with random challenges"
	}
}
