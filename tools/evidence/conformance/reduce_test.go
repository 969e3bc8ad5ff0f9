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
func (d doors) letIn(t *testing.T, what string, b []byte, ok bool) {
	t.Helper()
	for name, door := range d {
		if door(b) != ok {
			t.Errorf("%s: %s returns %v for %x, want %v", name, what, !ok, b, ok)
		}
	}
}

// accepts returns a function that reports whether the parser accepts bytes.
func accepts[T any](parse func(b []byte) (T, error)) func(b []byte) bool {
	return func(b []byte) bool { _, err := parse(b); return err == nil }
}

// pointDoors parse points in encodings of 33 and 65 bytes.
var pointDoors = doors{
	"p256k1.ParsePublicKey": accepts(p256k1.ParsePublicKey),
	"curve.Point.SetBytes":  accepts(new(curve.Point).SetBytes),
	"compat/decred":         accepts(decred.ParsePubKey),
}

// compressedDoors parse points in encodings of 33 bytes only.
var compressedDoors = doors{
	"musig2.ParsePublicNonce, first":  func(b []byte) bool { _, err := musig2.ParsePublicNonce(beside(b, g)); return err == nil },
	"musig2.ParsePublicNonce, second": func(b []byte) bool { _, err := musig2.ParsePublicNonce(beside(g, b)); return err == nil },
	"musig2.ParseAggregateNonce":      func(b []byte) bool { _, err := musig2.ParseAggregateNonce(beside(b, g)); return err == nil },
}

// smallPoints returns points with x so small that x + p fits in 32 bytes.
func smallPoints(t *testing.T) (all []oracle.Point) {
	t.Helper()
	for x := int64(1); len(all) < 12; x++ {
		if p, ok := oracle.LiftX(big.NewInt(x)); ok {
			all = append(all, p, p.Neg())
		}
	}
	return all
}

// plus returns a + m in 32 bytes.
func plus(a, m *big.Int) []byte {
	b := oracle.Bytes(new(big.Int).Add(a, m))
	return b[:]
}

// TestReducedPoints tries encodings of points in which p is added to a coordinate.
func TestReducedPoints(t *testing.T) {
	for _, p := range smallPoints(t) {
		good := p.Compressed()
		bad := append(good[:1:1], plus(p.X, oracle.P)...)
		for _, d := range []doors{pointDoors, compressedDoors} {
			d.letIn(t, "x", good, true)
			d.letIn(t, "x + p", bad, false)
		}
		pointDoors.letIn(t, "x, y", p.Uncompressed(), true)
		long := p.Uncompressed()
		copy(long[1:], plus(p.X, oracle.P))
		pointDoors.letIn(t, "x + p, y", long, false)

		x := oracle.Bytes(p.X)
		xDoors.letIn(t, "x", x[:], true)
		xDoors.letIn(t, "x + p", plus(p.X, oracle.P), false)
	}
	y1, ok := oracle.DecodePoint(unhex("02" + "1fe1e5ef3fceb5c135ab7741333ce5a6e80d68167653f6b2b24bcbcfaaaff507"))
	if !ok {
		t.Fatal("the point with y = ±1 is not on the curve")
	}
	if y1.Y.Cmp(big.NewInt(1)) != 0 {
		y1 = y1.Neg()
	}
	long := y1.Uncompressed()
	pointDoors.letIn(t, "x, y", long, true)
	pointDoors.letIn(t, "x, y + p", append(long[:33:33], plus(y1.Y, oracle.P)...), false)
}

// xDoors parse x coordinates of 32 bytes.
var xDoors = doors{
	"p256k1.ParseXOnlyPublicKey": accepts(p256k1.ParseXOnlyPublicKey),
	"curve.Point.LiftX":          accepts(new(curve.Point).LiftX),
	"nip19.ParsePublicKey": func(b []byte) bool {
		_, err := nip19.ParsePublicKey(nip19.AppendEncode(nil, nip19.Public, (*[32]byte)(b)))
		return err == nil
	},
}

// scalarDoors parse numbers from 1 to n − 1 in 32 bytes.
var scalarDoors = doors{
	"p256k1.ParsePrivateKey": accepts(p256k1.ParsePrivateKey),
	"curve.Scalar.SetBytes":  accepts(new(curve.Scalar).SetBytes),
	"nip19.ParsePrivateKey": func(b []byte) bool {
		_, err := nip19.ParsePrivateKey(nip19.AppendEncode(nil, nip19.Secret, (*[32]byte)(b)))
		return err == nil
	},
	"musig2.ParsePartialSignature": accepts(musig2.ParsePartialSignature),
	"ecdsa.ParseCompact, r":        func(b []byte) bool { _, err := ecdsa.ParseCompact(beside(b, one32)); return err == nil },
	"ecdsa.ParseCompact, s":        func(b []byte) bool { _, err := ecdsa.ParseCompact(beside(one32, b)); return err == nil },
	"ecdsa.ParseDER, r":            func(b []byte) bool { _, err := ecdsa.ParseDER(signatureDER(b, one32)); return err == nil },
	"ecdsa.ParseDER, s":            func(b []byte) bool { _, err := ecdsa.ParseDER(signatureDER(one32, b)); return err == nil },
	"ecdsa.ParseRecoverable, r":    func(b []byte) bool { _, err := ecdsa.ParseRecoverable(append(beside(b, one32), 0)); return err == nil },
	"ecdsa.ParseRecoverable, s":    func(b []byte) bool { _, err := ecdsa.ParseRecoverable(append(beside(one32, b), 0)); return err == nil },
	"compat/decred/ecdsa, DER, r": func(b []byte) bool {
		_, err := decredecdsa.ParseDERSignature(signatureDER(b, one32))
		return err == nil
	},
	"compat/decred/ecdsa, DER, s": func(b []byte) bool {
		_, err := decredecdsa.ParseDERSignature(signatureDER(one32, b))
		return err == nil
	},
	"PublicKey.TweakAdd":       accepts(sevenG.TweakAdd),
	"PublicKey.TweakMul":       accepts(sevenG.TweakMul),
	"PrivateKey.TweakAdd":      accepts(seven.TweakAdd),
	"PrivateKey.TweakMul":      accepts(seven.TweakMul),
	"PrivateKey.TweakAddXOnly": accepts(seven.TweakAddXOnly),
	"XOnlyPublicKey.TweakAdd":  accepts(sevenG.XOnly().TweakAdd),
}

var (
	one32    = append(make([]byte, 31), 1)
	seven, _ = p256k1.ParsePrivateKey(append(make([]byte, 31), 7))
	sevenG   = seven.PublicKey()
	g        = oracle.G.Compressed()
)

func beside(r, s []byte) []byte { return slices.Concat(r, s) }

func signatureDER(r, s []byte) []byte {
	der, err := asn1.Marshal(struct{ R, S *big.Int }{oracle.Int(r), oracle.Int(s)})
	if err != nil {
		panic(err)
	}
	return der
}

// TestReducedScalars tries numbers to which n is added.
func TestReducedScalars(t *testing.T) {
	r := oracle.New(t)
	room := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), oracle.N) // smaller numbers plus n fit in 32 bytes
	values := []*big.Int{big.NewInt(1), big.NewInt(2), new(big.Int).Sub(room, big.NewInt(1))}
	for range 50 {
		v := new(big.Int).Mod(r.ValidScalar(), room)
		if v.Sign() > 0 {
			values = append(values, v)
		}
	}
	for _, v := range values {
		b := oracle.Bytes(v)
		scalarDoors.letIn(t, "a number below n", b[:], true)
		scalarDoors.letIn(t, "that number plus n", plus(v, oracle.N), false)
	}
}

// TestReducedKeys makes a signature that is valid for a key P with a small x, and tries x + p as the key. It needs no
// private key: for random u₁ and u₂, R = u₁·G + u₂·P, r = x(R), s = r/u₂ and z = u₁·s.
func TestReducedKeys(t *testing.T) {
	r := oracle.New(t)
	for _, p := range smallPoints(t) {
		for range 4 {
			u1, u2 := r.ValidScalar(), r.ValidScalar()
			R := oracle.G.Mul(u1).Add(p.Mul(u2))
			if R.IsInfinity() {
				continue
			}
			sig := oracle.Signature{R: oracle.Fn.Reduce(R.X)}
			sig.S = oracle.Fn.Mul(sig.R, oracle.Fn.Inv(u2))
			z := oracle.Bytes(oracle.Fn.Mul(u1, sig.S))
			if sig.R.Sign() == 0 {
				continue
			}
			good := p.Compressed()
			offer(t, "x", good, z[:], sig, true)
			offer(t, "x, y", p.Uncompressed(), z[:], sig, true)
			offer(t, "x + p", append(good[:1:1], plus(p.X, oracle.P)...), z[:], sig, false)
			long := p.Uncompressed()
			copy(long[1:], plus(p.X, oracle.P))
			offer(t, "x + p, y", long, z[:], sig, false)
		}
	}
}

// TestReducedSignatures makes signatures with a small r or s, and tries them with r + n or s + n in place of r or s.
// For a small r it needs no private key: R has a small x, and P = (s·R − z·G)/r. A digest plus n is congruent modulo n,
// so its signatures are valid (SEC 1, section 4.1.4).
func TestReducedSignatures(t *testing.T) {
	r := oracle.New(t)
	small := smallPoints(t)
	for i := range 40 {
		R := small[i%len(small)]
		z, s := r.ValidScalar(), r.ValidScalar()
		k := r.ValidScalar()
		if i%2 == 1 {
			z.Rsh(z, 130)
			s = new(big.Int).Rsh(s, 130)
			R = oracle.G.Mul(k)
		}
		if s.Sign() == 0 {
			continue
		}
		sig := oracle.Signature{R: oracle.Fn.Reduce(R.X), S: s}
		p := R.Mul(s).Add(oracle.G.Mul(oracle.Fn.Neg(z))).Mul(oracle.Fn.Inv(sig.R))
		if p.IsInfinity() {
			continue
		}
		digest, pub := oracle.Bytes(z), p.Compressed()
		offer(t, "r, s", pub, digest[:], sig, true)
		if i%2 == 0 {
			offer(t, "r + n, s", pub, digest[:], oracle.Signature{R: new(big.Int).Add(sig.R, oracle.N), S: s}, false)
		} else {
			offer(t, "r, s + n", pub, digest[:], oracle.Signature{R: sig.R, S: new(big.Int).Add(s, oracle.N)}, false)
			offer(t, "r, s, the digest plus n", pub, plus(z, oracle.N), sig, true)
		}
	}
}

// offer passes a signature to functions that verify ECDSA: one by one32, in batches, and as Decred does.
func offer(t *testing.T, what string, pub, digest []byte, s oracle.Signature, valid bool) {
	t.Helper()
	r32, s32 := oracle.Bytes(s.R), oracle.Bytes(s.S)
	compact, der := beside(r32[:], s32[:]), signatureDER(r32[:], s32[:])
	check := func(name string, got bool) {
		t.Helper()
		if got != valid {
			t.Errorf("%s with %s: %v for the key %x, the digest %x and the signature %x, want %v", name, what, got, pub, digest, compact, valid)
		}
	}
	check("VerifyCompact", ecdsa.VerifyCompact(pub, digest, compact))
	check("VerifyDER", ecdsa.VerifyDER(pub, digest, der))
	key, keyErr := p256k1.ParsePublicKey(pub)
	sig, sigErr := ecdsa.ParseCompact(compact)
	check("Verify", keyErr == nil && sigErr == nil && ecdsa.Verify(key, digest, sig))
	decredKey, err1 := decred.ParsePubKey(pub)
	decredSig, err2 := decredecdsa.ParseDERSignature(der)
	check("Decred's Verify", err1 == nil && err2 == nil && decredSig.Verify(digest, decredKey))

	// In batches, the signature is among valid items of other keys and of the same key, so that it takes every code
	// path of a batch: a single item, a few items, lifted keys, and keys that share tables.
	for _, n := range []int{1, 3, 9, 17, 40} {
		for _, same := range []int{0, 2, 7} {
			if same >= n {
				continue
			}
			var b ecdsa.Batch
			for i := range n - 1 - same {
				other := companions[i%len(companions)]
				b.Add(other.pub, other.digest, other.sig)
			}
			for range same + 1 {
				b.Add(pub, digest, sig)
			}
			invalid := b.Invalid(nil)
			check(fmt.Sprintf("a Batch of %d, %d of them these", n, same+1), len(invalid) == 0)
			if !valid && len(invalid) != same+1 {
				t.Errorf("a Batch of %d with %s: items %d are not valid, want the last %d", n, what, invalid, same+1)
			}
		}
	}
}

// companion is a valid item of a batch.
type companion struct {
	pub, digest []byte
	sig         ecdsa.Signature
}

var companions = func() (all []companion) {
	for i := range 23 {
		key, _ := p256k1.ParsePrivateKey(plus(big.NewInt(int64(i)), big.NewInt(1000)))
		digest := plus(big.NewInt(int64(i)), oracle.G.X)
		sig, err := ecdsa.Sign(key, digest, nil)
		if err != nil {
			panic(err)
		}
		all = append(all, companion{key.PublicKey().Bytes(), digest, sig})
	}
	return all
}()
