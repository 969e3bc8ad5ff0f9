package main

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"fmt"
	"math/big"
	"runtime/debug"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// counts is what was done.
type counts struct {
	turns, keys, signatures, refused, secrets, recomputed int64
}

func (c *counts) add(d counts) {
	c.turns += d.turns
	c.keys += d.keys
	c.signatures += d.signatures
	c.refused += d.refused
	c.secrets += d.secrets
	c.recomputed += d.recomputed
}

// A turn uses all of the library with two fresh keys and checks every result: by
// the operation that undoes it or does it in another way, or because something was
// changed, and in some turns against the oracle. It depends on the seed and its
// number alone, but for the randomness that the library takes from the system.
type turn struct {
	*oracle.Rand
	counts counts
	oracle bool

	priv, other *p256k1.PrivateKey
	pub, peer   *p256k1.PublicKey
	d           *big.Int // the key priv
}

// wrong is the panic of a turn with a wrong result.
type wrong string

// runTurn runs turn number n, and says what was wrong.
func runTurn(seed string, n int64, withOracle bool) (counts, error) {
	t := &turn{Rand: oracle.NewSeeded(fmt.Sprintf("%s\x00%d", seed, n)), oracle: withOracle}
	err := t.try(t.makeKeys, t.tweakKeys, t.signECDSA, t.signSchnorr, t.agree, t.nostr, t.group)
	return t.counts, err
}

// try runs the parts of a turn until one panics.
func (t *turn) try(parts ...func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case wrong:
			err = fmt.Errorf("key %x: %s", t.d, string(p))
		default:
			err = fmt.Errorf("key %x: panic: %v\n%s", t.d, p, debug.Stack())
		}
	}()
	for _, part := range parts {
		part()
	}
	t.counts.turns++
	return nil
}

// check ends the turn unless something is so.
func (t *turn) check(so bool, format string, args ...any) {
	if !so {
		panic(wrong(fmt.Sprintf(format, args...)))
	}
}

// must is for what no input of ours makes fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(wrong(err.Error()))
	}
	return v
}

// flip returns b with one bit changed.
func (t *turn) flip(b []byte) []byte {
	b = bytes.Clone(b)
	b[t.IntN(len(b))] ^= 1 << t.IntN(8)
	return b
}

func (t *turn) makeKeys() {
	// Half of the keys are anywhere, the others where carries are.
	t.d = oracle.Fn.Reduce(oracle.Int(t.Bytes(32)))
	if t.Uint64()&1 == 0 || t.d.Sign() == 0 {
		t.d = t.ValidScalar()
	}
	b := oracle.Bytes(t.d)
	t.priv = must(p256k1.NewPrivateKey(b[:]))
	t.pub = t.priv.PublicKey()
	t.other = must(p256k1.GenerateKey())
	t.peer = t.other.PublicKey()
	for _, k := range []*p256k1.PrivateKey{t.priv, t.other} {
		p := k.PublicKey()
		t.check(k.Equal(must(p256k1.NewPrivateKey(k.Bytes()))) && k.Equal(k.Negate().Negate()), "private key %x is another one", k.Bytes())
		t.check(p.Equal(must(p256k1.NewPublicKey(p.Bytes()))) && p.Equal(must(p256k1.NewPublicKey(p.BytesUncompressed()))), "public key %x is parsed as another one", p.Bytes())
		t.check(p.XOnly().Equal(must(p256k1.NewXOnlyPublicKey(p.Bytes()[1:]))), "x-only key %x is parsed as another one", p.Bytes())
		t.check(p.Negate().IsYOdd() != p.IsYOdd() && p.Negate().XOnly().Equal(p.XOnly()), "the negative of %x", p.Bytes())
		t.counts.keys++
	}
	if t.oracle {
		t.check(bytes.Equal(t.pub.BytesUncompressed(), oracle.G.Mul(t.d).Uncompressed()), "public key %x", t.pub.Bytes())
		for _, b := range [][]byte{t.flip(t.pub.Bytes()), t.flip(t.pub.BytesUncompressed())} {
			_, err := p256k1.NewPublicKey(b)
			_, ok := oracle.DecodePoint(b)
			t.check((err == nil) == ok, "encoding of a point %x: %v", b, err)
		}
		t.counts.recomputed += 3
	}
}

func (t *turn) tweakKeys() {
	v := t.ValidScalar()
	b := oracle.Bytes(v)
	if sum := oracle.Fn.Add(t.d, v); sum.Sign() == 0 || oracle.Fn.Sub(t.d, v).Sign() == 0 {
		return // infinity, which is no key
	}
	sum := must(t.priv.TweakAdd(b[:])).PublicKey()
	t.check(sum.Equal(must(t.pub.TweakAdd(b[:]))), "tweak %x is not added to both halves", b)
	product := must(t.priv.TweakMul(b[:])).PublicKey()
	t.check(product.Equal(must(t.pub.TweakMul(b[:]))), "both halves are not multiplied by tweak %x", b)
	x := t.pub.XOnly()
	output := must(x.TweakAdd(b[:]))
	t.check(output.Equal(must(t.priv.TweakAddXOnly(b[:])).PublicKey()), "tweak %x is not added to both x-only halves", b)
	t.check(x.CheckTweakAdd(b[:], output.XOnly().Bytes(), output.IsYOdd()), "tweak %x is refused", b)
	for _, accepted := range []bool{
		x.CheckTweakAdd(b[:], output.XOnly().Bytes(), !output.IsYOdd()),
		x.CheckTweakAdd(b[:], t.flip(output.XOnly().Bytes()), output.IsYOdd()),
		x.CheckTweakAdd(t.flip(b[:]), output.XOnly().Bytes(), output.IsYOdd()),
	} {
		t.refused(!accepted, "tweak %x, changed", b)
	}
	t.counts.keys += 3
	if t.oracle {
		p := oracle.G.Mul(t.d)
		t.check(bytes.Equal(sum.BytesUncompressed(), p.Add(oracle.G.Mul(v)).Uncompressed()), "plus tweak %x: %x", b, sum.Bytes())
		t.check(bytes.Equal(product.BytesUncompressed(), p.Mul(v).Uncompressed()), "times tweak %x: %x", b, product.Bytes())
		t.counts.recomputed += 2
	}
}

// refused counts something false that has to be refused.
func (t *turn) refused(was bool, format string, args ...any) {
	t.check(was, "accepted: "+format, args...)
	t.counts.refused++
}

func (t *turn) signECDSA() {
	digest := t.Bytes(32)
	if t.IntN(8) == 0 {
		digest = ecdsa.TruncateHash(append(t.AnyDigest(), 1)) // of any length but none
	}
	extra := [32]byte(t.Bytes(32))
	recoverable := must(ecdsa.SignRecoverable(t.priv, digest))
	withEntropy := must(ecdsa.SignWithEntropy(t.priv, digest, &extra))
	der := must(ecdsa.NewSigner(t.priv).Sign(bytes.NewReader(extra[:]), digest, nil))
	t.check(must(ecdsa.Sign(t.priv, digest)) == recoverable.Signature(), "digest %x: two signatures", digest)
	t.check(must(ecdsa.ParseDER(der)) == withEntropy, "digest %x: two signatures with entropy %x", digest, extra)
	for _, sig := range []ecdsa.Signature{recoverable.Signature(), withEntropy} {
		t.check(ecdsa.Verify(t.pub, digest, sig) && ecdsa.VerifyLowS(t.pub, digest, sig), "digest %x: %x is refused", digest, sig.Bytes())
		t.check(must(ecdsa.ParseDER(sig.DER())) == sig && must(ecdsa.ParseCompact(sig.Bytes())) == sig, "%x is parsed as another one", sig.Bytes())
		t.counts.signatures++

		// The one with n − s is as valid, but not low.
		b := sig.Bytes()
		s := must(new(curve.Scalar).SetBytes(b[32:]))
		copy(b[32:], s.Negate(s).Bytes())
		high := must(ecdsa.ParseCompact(b))
		t.check(ecdsa.Verify(t.pub, digest, high) && high.NormalizeS() == sig, "digest %x: %x is refused", digest, b)
		t.refused(!ecdsa.VerifyLowS(t.pub, digest, high), "high s of %x", b)

		t.refused(!ecdsa.Verify(t.peer, digest, sig), "another key for %x", sig.Bytes())
		t.refused(!ecdsa.Verify(t.pub, t.flip(digest), sig), "another digest than %x", digest)
		changed, err := ecdsa.ParseCompact(t.flip(sig.Bytes()))
		t.refused(err != nil || !ecdsa.Verify(t.pub, digest, changed), "digest %x: %x instead of %x", digest, changed.Bytes(), sig.Bytes())
		changed, err = ecdsa.ParseDER(t.flip(sig.DER()))
		t.refused(err != nil || !ecdsa.Verify(t.pub, digest, changed), "digest %x: %x instead of %x", digest, changed.Bytes(), sig.Bytes())
	}
	for _, b := range [][]byte{recoverable.Bytes(), recoverable.BytesBitcoin(true)[1:]} {
		b = append(bytes.Clone(b[:64]), byte(recoverable.RecoveryID()))
		t.check(must(ecdsa.ParseRecoverable(b)) == recoverable, "%x is parsed as another one", b)
	}
	t.check(must(ecdsa.Recover(digest, recoverable)).Equal(t.pub), "digest %x: %x leads to another key", digest, recoverable.Bytes())
	b := recoverable.Bytes()
	b[64] ^= 1
	k, err := ecdsa.Recover(digest, must(ecdsa.ParseRecoverable(b)))
	t.refused(err != nil || !k.Equal(t.pub), "recovery id of %x", b)

	if t.oracle {
		p := oracle.G.Mul(t.d)
		want, _ := oracle.SignRFC6979(t.d, digest, nil)
		wantExtra, _ := oracle.SignRFC6979(t.d, digest, extra[:])
		rs, rsExtra := want.Compact(), wantExtra.Compact()
		t.check(bytes.Equal(recoverable.Bytes(), append(rs[:], byte(want.RecID))), "digest %x: %x, want %x", digest, recoverable.Bytes(), rs)
		t.check(bytes.Equal(withEntropy.Bytes(), rsExtra[:]), "digest %x, entropy %x: %x, want %x", digest, extra, withEntropy.Bytes(), rsExtra)
		t.check(oracle.VerifyECDSA(p, digest, want), "digest %x: %x", digest, rs)
		t.counts.recomputed += 3
	}
}

func (t *turn) signSchnorr() {
	msg, aux := t.Message(300), [32]byte(t.Bytes(32))
	x := t.pub.XOnly()
	sig := must(schnorr.Sign(t.priv, msg, &aux))
	fresh := must(schnorr.Sign(t.priv, msg, nil))
	hashed := must(schnorr.NewSigner(t.priv).SignMessage(nil, msg, crypto.SHA256))
	digest := sha256.Sum256(msg)
	t.check(bytes.Equal(must(schnorr.NewSigner(t.priv).Sign(bytes.NewReader(aux[:]), msg, nil)), sig[:]), "message %x: two signatures", msg)
	for _, c := range []struct{ msg, sig []byte }{{msg, sig[:]}, {msg, fresh[:]}, {digest[:], hashed}} {
		t.check(schnorr.Verify(x, c.msg, c.sig) && schnorr.VerifyBytes(x.Bytes(), c.msg, c.sig), "message %x: %x is refused", c.msg, c.sig)
		t.counts.signatures++
		t.refused(!schnorr.Verify(t.peer.XOnly(), c.msg, c.sig), "another key for %x", c.sig)
		t.refused(!schnorr.Verify(x, append(bytes.Clone(c.msg), 0), c.sig), "a longer message than %x", c.msg)
		t.refused(!schnorr.Verify(x, c.msg, t.flip(c.sig)), "message %x: another signature than %x", c.msg, c.sig)
		if len(c.msg) > 0 {
			t.refused(!schnorr.Verify(x, t.flip(c.msg), c.sig), "another message than %x", c.msg)
		}
	}
	if t.oracle {
		want, _ := oracle.SignSchnorr(t.d, msg, aux)
		t.check(sig == want, "message %x, aux %x: %x, want %x", msg, aux, sig, want)
		t.check(oracle.VerifySchnorr(x.Bytes(), msg, fresh[:]), "message %x: %x", msg, fresh)
		t.counts.recomputed += 2
	}
}

func (t *turn) agree() {
	ours, theirs := must(ecdh.X(t.priv, t.peer)), must(ecdh.X(t.other, t.pub))
	t.check(ours == theirs && ours == must(ecdh.XFromXOnly(t.priv, t.peer.XOnly())), "with %x: X is %x and %x", t.peer.Bytes(), ours, theirs)
	t.check(must(ecdh.SHA256(t.priv, t.peer)) == must(ecdh.SHA256(t.other, t.pub)), "with %x: two SHA256", t.peer.Bytes())
	t.check(must(ecdh.NIP44ConversationKey(t.priv, t.peer.XOnly())) == must(ecdh.NIP44ConversationKey(t.other, t.pub.XOnly())), "with %x: two keys of NIP-44", t.peer.Bytes())
	t.counts.secrets += 3
	if t.oracle {
		p, _ := oracle.DecodePoint(t.peer.Bytes())
		shared := p.Mul(t.d)
		t.check(ours == oracle.Bytes(shared.X), "with %x: X is %x, want %x", t.peer.Bytes(), ours, shared.X)
		t.check(must(ecdh.SHA256(t.priv, t.peer)) == sha256.Sum256(shared.Compressed()), "with %x: SHA256", t.peer.Bytes())
		t.counts.recomputed += 2
	}
}

func (t *turn) nostr() {
	alice, bob, watcher := signer.NewP256K1Signer(), signer.NewP256K1Signer(), signer.NewP256K1Signer()
	for _, err := range []error{alice.InitSec(t.priv.Bytes()), bob.Generate(), watcher.InitPub(t.pub.XOnly().Bytes())} {
		t.check(err == nil, "signer: %v", err)
	}
	id := t.Bytes(32)
	sig := must(alice.Sign(id))
	t.check(must(watcher.Verify(id, sig)), "signer: message %x: %x is refused", id, sig)
	t.refused(!must(bob.Verify(id, sig)), "signer: another key for %x", sig)
	t.check(bytes.Equal(must(alice.ECDH(bob.Pub())), must(bob.ECDH(alice.Pub()))), "signer: two secrets with %x", bob.Pub())
	t.check(bytes.Equal(must(alice.ECDHRaw(bob.Pub())), must(bob.ECDHRaw(alice.Pub()))), "signer: two raw secrets with %x", bob.Pub())
	t.counts.keys++
	t.counts.signatures++
	t.counts.secrets += 2
	alice.Zero()
	bob.Zero()

	gen := signer.NewP256K1Gen()
	pub := must(gen.Generate())
	gen.Negate()
	secret, x := gen.KeyPairBytes()
	t.check(bytes.Equal(must(p256k1.NewPrivateKey(secret)).PublicKey().Negate().Bytes(), pub) && bytes.Equal(pub[1:], x), "generated %x", pub)
	t.counts.keys++
}

func (t *turn) group() {
	k, l := must(t.priv.Scalar()), must(t.other.Scalar())
	p, q := t.pub.Point(), t.peer.Point()
	var inverse, product, scalar curve.Scalar
	one := new(curve.Scalar).SetUint64(1)
	t.check(product.Mul(k, inverse.Invert(k)).Equal(one) == 1 && scalar.InvertVartime(k).Equal(&inverse) == 1, "inverse %x", inverse.Bytes())

	// k·P + l·G + l·Q in four ways.
	var slow, fast, sum, part curve.Point
	slow.Add(slow.ScalarMult(k, p), part.ScalarBaseMult(l))
	t.check(fast.DoubleScalarBaseMultVartime(k, p, l).Equal(&slow) == 1, "%x·P + %x·G", k.Bytes(), l.Bytes())
	slow.Add(&slow, part.ScalarMult(l, q))
	g := new(curve.Point).SetGenerator()
	t.check(sum.MultiScalarMultVartime([]*curve.Scalar{k, l, l}, []*curve.Point{p, g, q}).Equal(&slow) == 1, "a sum with Q = %x", q.Bytes())
	t.check(sum.Sub(&slow, &part).Equal(&fast) == 1, "a difference with Q = %x", q.Bytes())
	product.Mul(l, l)
	scalar.Mul(k, k).Add(&scalar, l).Add(&scalar, &product) // k·P = k²·G, l·Q = l²·G
	t.check(sum.ScalarBaseMult(&scalar).Equal(&slow) == 1, "%x·G", scalar.Bytes())
	k.Zero()
	l.Zero()
}
