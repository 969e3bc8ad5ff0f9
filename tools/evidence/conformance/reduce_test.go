package conformance

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	decred "p256k1.mleku.dev/v2/compat/decred"
	decredecdsa "p256k1.mleku.dev/v2/compat/decred/ecdsa"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// plus returns a + m in 32 bytes.
func plus(a, m *big.Int) []byte { return slice(oracle.Bytes(new(big.Int).Add(a, m))) }

// plusP returns the encoding of a point, of 33 or 65 bytes, with p added to x.
func plusP(b []byte) []byte { return slices.Concat(b[:1], plus(oracle.Int(b[1:33]), oracle.P), b[33:]) }

// TestReducedKeys makes a signature that is valid for a key P with a small x, and tries x + p as the key, which is
// congruent. Other numbers out of range prove little, because a function that wrongly reduces them may still refuse the
// signature. TestRefused of package operations shows that no parser reduces, and package exhaustive passes r and s of n
// and more.
//
// The test needs no private key: for random u₁ and u₂, R = u₁·G + u₂·P, r = x(R), s = r/u₂ and z = u₁·s.
func TestReducedKeys(t *testing.T) {
	report, random := newReport(t), oracle.New(t)
	for _, p := range smallX() {
		for range 4 {
			u1, u2 := random.ValidScalar(), random.ValidScalar()
			R := oracle.G.Mul(u1).Add(p.Mul(u2))
			if R.IsInfinity() {
				continue
			}
			r := oracle.Fn.Reduce(R.X)
			s := oracle.Fn.Mul(r, oracle.Fn.Inv(u2))
			z := slice(oracle.Bytes(oracle.Fn.Mul(u1, s)))
			if r.Sign() == 0 {
				continue
			}
			for _, key := range [][]byte{p.Compressed(), p.Uncompressed()} {
				offer(report, "x", key, z, r, s, true)
				offer(report, "x + p", plusP(key), z, r, s, false)
			}
		}
	}
}

// offer passes a signature to functions that verify ECDSA: one by one, in batches, and as Decred does.
func offer(report *report, what string, pub, digest []byte, r, s *big.Int, valid bool) {
	compact := append(slice(oracle.Bytes(r)), slice(oracle.Bytes(s))...)
	report.given("%s: key %x, digest %x, signature %x", what, pub, digest, compact)
	report.same("VerifyCompact", ecdsa.VerifyCompact(pub, digest, compact), valid)
	sig := must(ecdsa.ParseCompact(compact))
	report.same("VerifyDER", ecdsa.VerifyDER(pub, digest, sig.DER()), valid)
	key, err := p256k1.ParsePublicKey(pub)
	report.same("Verify", err == nil && ecdsa.Verify(key, digest, sig), valid)
	decredKey, err := decred.ParsePubKey(pub)
	report.same("Decred's Verify", err == nil && must(decredecdsa.ParseDERSignature(sig.DER())).Verify(digest, decredKey), valid)

	// In batches, the signature is among valid items of other keys and of the same key, so that it takes every code
	// path of a batch: a single item, a few items, lifted keys, and keys that share tables.
	for _, n := range []int{1, 3, 9, 17, 40} {
		for _, others := range []int{0, 2, 7} {
			if others >= n {
				continue
			}
			var b ecdsa.Batch
			var bad []int
			for i := range n - 1 - others {
				companions[i%len(companions)](&b)
			}
			for range others + 1 {
				if !valid {
					bad = append(bad, b.Len())
				}
				b.Add(pub, digest, sig)
			}
			report.sameBatch(fmt.Sprintf("%d of them these", others+1), &b, bad)
		}
	}
}

// companions add valid items to a batch.
var companions = func() (all []func(b *ecdsa.Batch)) {
	for i := range int64(23) {
		key := privateKey(plus(big.NewInt(i), big.NewInt(1000)))
		digest := plus(big.NewInt(i), oracle.G.X)
		sig := must(ecdsa.Sign(key, digest, nil))
		all = append(all, func(b *ecdsa.Batch) { b.Add(key.PublicKey().Bytes(), digest, sig) })
	}
	return all
}()
