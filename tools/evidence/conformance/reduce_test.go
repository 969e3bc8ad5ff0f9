package conformance

import (
	"encoding/asn1"
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

// The tests in this file pass numbers to functions that are out of range, but congruent modulo p or n to numbers with
// which a signature would be valid. Other numbers out of range prove little, because a function that wrongly reduces
// them may still refuse the signature. TestRefused of package operations shows that no parser reduces.

func signatureDER(r, s []byte) []byte {
	return must(asn1.Marshal(struct{ R, S *big.Int }{oracle.Int(r), oracle.Int(s)}))
}

// plus returns a + m in 32 bytes.
func plus(a, m *big.Int) []byte { return slice(oracle.Bytes(new(big.Int).Add(a, m))) }

// plusP returns the encoding of a point, of 33 or 65 bytes, with p added to x.
func plusP(b []byte) []byte { return slices.Concat(b[:1], plus(oracle.Int(b[1:33]), oracle.P), b[33:]) }

// TestReducedKeys makes a signature that is valid for a key P with a small x, and tries x + p as the key. It needs no
// private key: for random u₁ and u₂, R = u₁·G + u₂·P, r = x(R), s = r/u₂ and z = u₁·s.
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

// TestReducedSignatures makes signatures with a small r or s, and tries them with r + n or s + n in place of r or s.
// For a small r it needs no private key: R has a small x, and P = (s·R − z·G)/r. A digest plus n is congruent modulo n,
// so its signatures are valid (SEC 1, section 4.1.4).
func TestReducedSignatures(t *testing.T) {
	report, random := newReport(t), oracle.New(t)
	small := smallX()
	for i := range 40 {
		R, z, s := small[i%len(small)], random.ValidScalar(), random.ValidScalar()
		if i%2 == 1 {
			z.Rsh(z, 130)
			s = new(big.Int).Rsh(s, 130)
			R = oracle.G.Mul(random.ValidScalar())
		}
		if s.Sign() == 0 {
			continue
		}
		r := oracle.Fn.Reduce(R.X)
		p := R.Mul(s).Add(oracle.G.Mul(oracle.Fn.Neg(z))).Mul(oracle.Fn.Inv(r))
		if p.IsInfinity() {
			continue
		}
		digest, pub := slice(oracle.Bytes(z)), p.Compressed()
		offer(report, "r, s", pub, digest, r, s, true)
		if i%2 == 0 {
			offer(report, "r + n, s", pub, digest, new(big.Int).Add(r, oracle.N), s, false)
		} else {
			offer(report, "r, s + n", pub, digest, r, new(big.Int).Add(s, oracle.N), false)
			offer(report, "r, s, the digest plus n", pub, plus(z, oracle.N), r, s, true)
		}
	}
}

// offer passes a signature to functions that verify ECDSA: one by one, in batches, and as Decred does.
func offer(report *report, what string, pub, digest []byte, r, s *big.Int, valid bool) {
	compact := append(slice(oracle.Bytes(r)), slice(oracle.Bytes(s))...)
	der := signatureDER(compact[:32], compact[32:])
	report.given("%s: key %x, digest %x, signature %x", what, pub, digest, compact)
	report.same("VerifyCompact", ecdsa.VerifyCompact(pub, digest, compact), valid)
	report.same("VerifyDER", ecdsa.VerifyDER(pub, digest, der), valid)
	key, keyErr := p256k1.ParsePublicKey(pub)
	sig, sigErr := ecdsa.ParseCompact(compact)
	report.same("Verify", keyErr == nil && sigErr == nil && ecdsa.Verify(key, digest, sig), valid)
	decredKey, keyErr := decred.ParsePubKey(pub)
	decredSig, sigErr := decredecdsa.ParseDERSignature(der)
	report.same("Decred's Verify", keyErr == nil && sigErr == nil && decredSig.Verify(digest, decredKey), valid)

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
