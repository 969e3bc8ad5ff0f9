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
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/protocols/musig2"
)

// The tests in this file pass numbers to parsers that are out of range, but congruent modulo p or n to numbers that the
// parsers accept. Other numbers out of range prove little, because a parser that wrongly reduces them may still refuse
// the reduced numbers. LiftXBatch, ParsePrivateKeys and keyformat are tested in their own packages.

// doors maps the name of a parser of the library to a function that reports whether the parser accepts bytes.
type doors map[string]func(b []byte) bool

// letIn checks that every parser accepts b if ok is true, and that every parser refuses b otherwise.
func (d doors) letIn(r *report, what string, b []byte, ok bool) {
	for name, door := range d {
		if door(b) != ok {
			r.errorf("%s: %s returns %v for %x, want %v", name, what, !ok, b, ok)
		}
	}
}

// accepts returns a function that reports whether the parser accepts bytes.
func accepts[T any](parse func(b []byte) (T, error)) func(b []byte) bool {
	return func(b []byte) bool { return result(parse(b)) != nil }
}

// between returns a function that reports whether the parser accepts bytes after and before other bytes.
func between[T any](prefix []byte, parse func(b []byte) (T, error), suffix []byte) func(b []byte) bool {
	return func(b []byte) bool { return result(parse(slices.Concat(prefix, b, suffix))) != nil }
}

// inDER returns functions that report whether the parser of DER accepts bytes as r and as s.
func inDER[T any](parse func(der []byte) (T, error)) (r, s func(b []byte) bool) {
	return func(b []byte) bool { return result(parse(signatureDER(b, one32))) != nil },
		func(b []byte) bool { return result(parse(signatureDER(one32, b))) != nil }
}

// inNIP19 returns a function that reports whether the parser accepts bytes in the encoding of NIP-19.
func inNIP19[T any](prefix string, parse func(text []byte) (T, error)) func(b []byte) bool {
	return func(b []byte) bool { return result(parse(nip19.AppendEncode(nil, prefix, (*[32]byte)(b)))) != nil }
}

var (
	one32  = append(make([]byte, 31), 1)
	seven  = privateKey(append(make([]byte, 31), 7))
	sevenG = seven.PublicKey()
	g      = oracle.G.Compressed()

	derR, derS             = inDER(ecdsa.ParseDER)
	decredDERR, decredDERS = inDER(decredecdsa.ParseDERSignature)

	// pointDoors parse points in encodings of 33 and 65 bytes.
	pointDoors = doors{
		"p256k1.ParsePublicKey": accepts(p256k1.ParsePublicKey),
		"curve.Point.SetBytes":  accepts(new(curve.Point).SetBytes),
		"compat/decred":         accepts(decred.ParsePubKey),
	}

	// compressedDoors parse points in encodings of 33 bytes only.
	compressedDoors = doors{
		"musig2.ParsePublicNonce, first":  between(nil, musig2.ParsePublicNonce, g),
		"musig2.ParsePublicNonce, second": between(g, musig2.ParsePublicNonce, nil),
		"musig2.ParseAggregateNonce":      between(nil, musig2.ParseAggregateNonce, g),
	}

	// xDoors parse x coordinates of 32 bytes.
	xDoors = doors{
		"p256k1.ParseXOnlyPublicKey": accepts(p256k1.ParseXOnlyPublicKey),
		"curve.Point.LiftX":          accepts(new(curve.Point).LiftX),
		"nip19.ParsePublicKey":       inNIP19(nip19.Public, nip19.ParsePublicKey),
	}

	// scalarDoors parse numbers from 1 to n − 1 in 32 bytes.
	scalarDoors = doors{
		"p256k1.ParsePrivateKey":       accepts(p256k1.ParsePrivateKey),
		"curve.Scalar.SetBytes":        accepts(new(curve.Scalar).SetBytes),
		"nip19.ParsePrivateKey":        inNIP19(nip19.Secret, nip19.ParsePrivateKey),
		"musig2.ParsePartialSignature": accepts(musig2.ParsePartialSignature),
		"ecdsa.ParseCompact, r":        between(nil, ecdsa.ParseCompact, one32),
		"ecdsa.ParseCompact, s":        between(one32, ecdsa.ParseCompact, nil),
		"ecdsa.ParseDER, r":            derR,
		"ecdsa.ParseDER, s":            derS,
		"ecdsa.ParseRecoverable, r":    between(nil, ecdsa.ParseRecoverable, append(one32[:32:32], 0)),
		"ecdsa.ParseRecoverable, s":    between(one32, ecdsa.ParseRecoverable, []byte{0}),
		"compat/decred/ecdsa, DER, r":  decredDERR,
		"compat/decred/ecdsa, DER, s":  decredDERS,
		"PublicKey.TweakAdd":           accepts(sevenG.TweakAdd),
		"PublicKey.TweakMul":           accepts(sevenG.TweakMul),
		"PrivateKey.TweakAdd":          accepts(seven.TweakAdd),
		"PrivateKey.TweakMul":          accepts(seven.TweakMul),
		"PrivateKey.TweakAddXOnly":     accepts(seven.TweakAddXOnly),
		"XOnlyPublicKey.TweakAdd":      accepts(sevenG.XOnly().TweakAdd),
	}
)

func signatureDER(r, s []byte) []byte {
	return must(asn1.Marshal(struct{ R, S *big.Int }{oracle.Int(r), oracle.Int(s)}))
}

// plus returns a + m in 32 bytes.
func plus(a, m *big.Int) []byte { return slice(oracle.Bytes(new(big.Int).Add(a, m))) }

// plusP returns the encoding of a point, of 33 or 65 bytes, with p added to x.
func plusP(b []byte) []byte { return slices.Concat(b[:1], plus(oracle.Int(b[1:33]), oracle.P), b[33:]) }

// TestReducedPoints tries encodings of points in which p is added to a coordinate. The points have coordinates so small
// that the sum fits in 32 bytes.
func TestReducedPoints(t *testing.T) {
	r := newReport(t)
	for _, p := range smallX() {
		good, long := p.Compressed(), p.Uncompressed()
		for _, d := range []doors{pointDoors, compressedDoors} {
			d.letIn(r, "x", good, true)
			d.letIn(r, "x + p", plusP(good), false)
		}
		pointDoors.letIn(r, "x, y", long, true)
		pointDoors.letIn(r, "x + p, y", plusP(long), false)
		xDoors.letIn(r, "x", good[1:], true)
		xDoors.letIn(r, "x + p", plusP(good)[1:], false)
	}
	for _, p := range smallY() {
		long := p.Uncompressed()
		pointDoors.letIn(r, "x, y", long, true)
		pointDoors.letIn(r, "x, y + p", append(long[:33:33], plus(p.Y, oracle.P)...), false)
	}
}

// TestReducedScalars tries numbers to which n is added.
func TestReducedScalars(t *testing.T) {
	r, random := newReport(t), oracle.New(t)
	room := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), oracle.N) // smaller numbers plus n fit in 32 bytes
	values := []*big.Int{big.NewInt(1), big.NewInt(2), new(big.Int).Sub(room, big.NewInt(1))}
	for range 50 {
		values = append(values, new(big.Int).Mod(random.ValidScalar(), room))
	}
	for _, v := range values {
		if v.Sign() > 0 {
			scalarDoors.letIn(r, "a number below n", slice(oracle.Bytes(v)), true)
			scalarDoors.letIn(r, "that number plus n", plus(v, oracle.N), false)
		}
	}
}

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
