package p256k1_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"p256k1.mleku.dev"
	v1ecdsa "p256k1.mleku.dev/ecdsa"
	"p256k1.mleku.dev/exchange"
	"p256k1.mleku.dev/keys"
	v1schnorr "p256k1.mleku.dev/schnorr"
	"p256k1.mleku.dev/signer"
	v2 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// fixture holds valid arguments for all functions.
type fixture struct {
	sec, other, digest []byte
	pair               *p256k1.KeyPair
	pub                *p256k1.PublicKey
	x                  *p256k1.XOnlyPubkey
	xb, pubb           []byte
	sig                p256k1.ECDSASignature
	recoverable        p256k1.ECDSARecoverableSignature
	v1sig              *v1ecdsa.Signature
	v1recoverable      *v1ecdsa.RecoverableSignature
	compact, der       []byte
	id                 int
	schnorr            []byte
	signer             *signer.P256K1Signer
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{sec: numbers(3)[0], other: numbers(3)[1], digest: numbers(3)[2], schnorr: make([]byte, 64), signer: signer.NewP256K1Signer()}
	var errs [8]error
	f.pair, errs[0] = p256k1.KeyPairCreate(f.sec)
	f.pub = f.pair.Pubkey()
	f.x, errs[1] = f.pair.XOnlyPubkey()
	xb := f.x.Serialize()
	f.xb, f.pubb = xb[:], f.pub.V2().Bytes()
	errs[2] = p256k1.ECDSASign(&f.sig, f.digest, f.sec)
	errs[3] = p256k1.ECDSASignRecoverable(&f.recoverable, f.digest, f.sec)
	f.v1sig, errs[4] = v1ecdsa.Sign(f.digest, f.sec)
	f.v1recoverable, errs[5] = v1ecdsa.SignRecoverable(f.digest, f.sec)
	f.compact, f.id = f.recoverable.ToCompact()
	f.der = f.sig.SerializeDER()
	errs[6] = p256k1.SchnorrSign(f.schnorr, f.digest, f.pair, nil)
	errs[7] = f.signer.InitSec(f.sec)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return f
}

var errFalse = errors.New("false")

// truth returns errFalse for false.
func truth(ok bool) error {
	if !ok {
		return errFalse
	}
	return nil
}

// panicOf returns the value of the panic of f as an error, or nil.
func panicOf(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	f()
	return nil
}

// second returns the error of a call. If there is one, the other result must be nil.
func second[T any](result *T, err error) error {
	if err != nil && result != nil {
		return fmt.Errorf("%w, and a result", err)
	}
	return err
}

// bytesErr is second for bytes.
func bytesErr(b []byte, err error) error {
	if err != nil && b != nil {
		return fmt.Errorf("%w, and %x", err, b)
	}
	return err
}

// TestLengths passes the right bytes and longer or shorter bytes to each argument that has a fixed length. The texts of
// the errors are the texts of version 1.
func TestLengths(t *testing.T) {
	f := newFixture(t)
	var pub p256k1.PublicKey
	var sig p256k1.ECDSASignature
	var compact p256k1.ECDSASignatureCompact
	var recoverable p256k1.ECDSARecoverableSignature
	hash := func(output, _, _ []byte) bool { clear(output); return true }
	compactOf := v1ecdsa.CompactSignature(f.compact)
	schnorrSig := v1schnorr.Signature(f.schnorr)
	for _, c := range []struct {
		name, want string
		good       []byte
		call       func(b []byte) error
	}{
		{"ECDH, output", "output must be 32 bytes", make([]byte, 32), func(b []byte) error { return p256k1.ECDH(b, f.pub, f.other, nil) }},
		{"ECDH, output for a hash", "output must be 32 bytes", make([]byte, 32), func(b []byte) error { return p256k1.ECDH(b, f.pub, f.other, hash) }},
		{"ECDH, key", "seckey must be 32 bytes", f.other, func(b []byte) error { return p256k1.ECDH(make([]byte, 32), f.pub, b, nil) }},
		{"ECDHXOnly, output", "output must be 32 bytes", make([]byte, 32), func(b []byte) error { return p256k1.ECDHXOnly(b, f.pub, f.other) }},
		{"ECDHXOnly, key", "seckey must be 32 bytes", f.other, func(b []byte) error { return p256k1.ECDHXOnly(make([]byte, 32), f.pub, b) }},
		{"ECDHWithHKDF, key", "seckey must be 32 bytes", f.other, func(b []byte) error { return p256k1.ECDHWithHKDF(make([]byte, 7), f.pub, b, nil, nil) }},
		{"SharedSecret", "seckey must be 32 bytes", f.other, func(b []byte) error { return bytesErr(exchange.SharedSecret(f.pub, b)) }},
		{"SharedSecretRaw", "output must be 32 bytes", make([]byte, 32), func(b []byte) error { return exchange.SharedSecretRaw(b, f.pub, f.other) }},
		{"XOnlySharedSecret", "seckey must be 32 bytes", f.other, func(b []byte) error { return bytesErr(exchange.XOnlySharedSecret(f.pub, b)) }},
		{"XOnlySharedSecretRaw", "output must be 32 bytes", make([]byte, 32), func(b []byte) error { return exchange.XOnlySharedSecretRaw(b, f.pub, f.other) }},
		{"SharedSecretWithDerivation", "seckey must be 32 bytes", f.other, func(b []byte) error { return bytesErr(exchange.SharedSecretWithDerivation(f.pub, b, nil, nil, 9)) }},
		{"SharedSecretWithDerivationRaw", "seckey must be 32 bytes", f.other, func(b []byte) error {
			return exchange.SharedSecretWithDerivationRaw(make([]byte, 9), f.pub, b, nil, nil)
		}},

		{"ECDSASign, digest", "message hash must be 32 bytes", f.digest, func(b []byte) error { return p256k1.ECDSASign(&sig, b, f.sec) }},
		{"ECDSASign, key", "private key must be 32 bytes", f.sec, func(b []byte) error { return p256k1.ECDSASign(&sig, f.digest, b) }},
		{"ECDSASignCompact, digest", "message hash must be 32 bytes", f.digest, func(b []byte) error { return p256k1.ECDSASignCompact(&compact, b, f.sec) }},
		{"ECDSASignDER, digest", "message hash must be 32 bytes", f.digest, func(b []byte) error { return bytesErr(p256k1.ECDSASignDER(b, f.sec)) }},
		{"ECDSASignRecoverable, digest", "message hash must be 32 bytes", f.digest, func(b []byte) error { return p256k1.ECDSASignRecoverable(&recoverable, b, f.sec) }},
		{"ECDSASignRecoverable, key", "private key must be 32 bytes", f.sec, func(b []byte) error { return p256k1.ECDSASignRecoverable(&recoverable, f.digest, b) }},
		{"ECDSAVerify", "false", f.digest, func(b []byte) error { return truth(p256k1.ECDSAVerify(&f.sig, b, f.pub)) }},
		{"ECDSARecover", "message hash must be 32 bytes", f.digest, func(b []byte) error { return p256k1.ECDSARecover(&pub, &f.recoverable, b) }},
		{"FromCompact", "signature must be 64 bytes", f.compact, func(b []byte) error { return recoverable.FromCompact(b, f.id) }},
		{"ECDSARecoverCompact", "signature must be 64 bytes", f.compact, func(b []byte) error { return p256k1.ECDSARecoverCompact(&pub, b, f.id, f.digest) }},
		{"ecdsa.Sign", "message hash must be 32 bytes", f.digest, func(b []byte) error { return second(v1ecdsa.Sign(b, f.sec)) }},
		{"ecdsa.SignCompact", "message hash must be 32 bytes", f.digest, func(b []byte) error { return second(v1ecdsa.SignCompact(b, f.sec)) }},
		{"ecdsa.SignDER", "message hash must be 32 bytes", f.digest, func(b []byte) error { return bytesErr(v1ecdsa.SignDER(b, f.sec)) }},
		{"ecdsa.SignRecoverable", "message hash must be 32 bytes", f.digest, func(b []byte) error { return second(v1ecdsa.SignRecoverable(b, f.sec)) }},
		{"ecdsa.Verify", "false", f.digest, func(b []byte) error { return truth(v1ecdsa.Verify(f.v1sig, b, f.pub)) }},
		{"ecdsa.VerifyCompact", "false", f.digest, func(b []byte) error { return truth(v1ecdsa.VerifyCompact(&compactOf, b, f.pub)) }},
		{"ecdsa.VerifyDER", "false", f.digest, func(b []byte) error { return truth(v1ecdsa.VerifyDER(f.der, b, f.pub)) }},
		{"ecdsa.VerifyDER, signature", "false", f.der, func(b []byte) error { return truth(v1ecdsa.VerifyDER(b, f.digest, f.pub)) }},
		{"ecdsa.Recover", "message hash must be 32 bytes", f.digest, func(b []byte) error { return second(v1ecdsa.Recover(f.v1recoverable, b)) }},
		{"ecdsa.RecoverCompact", "signature must be 64 bytes", f.compact, func(b []byte) error { return second(v1ecdsa.RecoverCompact(b, f.id, f.digest)) }},
		{"ecdsa.FromCompactRecoverable", "compact signature must be 64 bytes", f.compact, func(b []byte) error { return second(v1ecdsa.FromCompactRecoverable(b, f.id)) }},

		{"SchnorrSign, signature", "signature must be 64 bytes", make([]byte, 64), func(b []byte) error { return p256k1.SchnorrSign(b, f.digest, f.pair, nil) }},
		{"SchnorrSign, message", "message must be 32 bytes", f.digest, func(b []byte) error { return p256k1.SchnorrSign(make([]byte, 64), b, f.pair, nil) }},
		{"SchnorrVerify, signature", "false", f.schnorr, func(b []byte) error { return truth(p256k1.SchnorrVerify(b, f.digest, f.x)) }},
		{"schnorr.Sign", "message must be 32 bytes", f.digest, func(b []byte) error { return second(v1schnorr.Sign(b, f.pair, nil)) }},
		{"schnorr.SignRaw", "signature must be 64 bytes", make([]byte, 64), func(b []byte) error { return v1schnorr.SignRaw(b, f.digest, f.pair, nil) }},
		{"schnorr.Verify", "false", f.digest, func(b []byte) error { return truth(v1schnorr.Verify(&schnorrSig, b, f.x)) }},
		{"schnorr.VerifyRaw", "false", f.schnorr, func(b []byte) error { return truth(v1schnorr.VerifyRaw(b, f.digest, f.x)) }},
		{"schnorr.VerifyBatch", "false", f.digest, func(b []byte) error {
			return truth(v1schnorr.VerifyBatch([]v1schnorr.VerifyItem{{Signature: &schnorrSig, Message: b, Pubkey: f.x}}))
		}},
		{"schnorr.ParseSignature", "signature must be 64 bytes", f.schnorr, func(b []byte) error { return second(v1schnorr.ParseSignature(b)) }},

		{"KeyPairCreate", "secret key must be 32 bytes", f.sec, func(b []byte) error { return second(p256k1.KeyPairCreate(b)) }},
		{"XOnlyPubkeyParse", "input must be 32 bytes", f.xb, func(b []byte) error { return second(p256k1.XOnlyPubkeyParse(b)) }},
		{"ECPubkeyCreate", "private key must be 32 bytes", f.sec, func(b []byte) error { return p256k1.ECPubkeyCreate(&pub, b) }},
		{"keys.CreatePublic", "private key must be 32 bytes", f.sec, func(b []byte) error { return second(keys.CreatePublic(b)) }},
		{"ECSeckeyVerify", "false", f.sec, func(b []byte) error { return truth(p256k1.ECSeckeyVerify(b)) }},
		{"ECSeckeyNegate", "false", f.sec, func(b []byte) error { return truth(p256k1.ECSeckeyNegate(b)) }},
		{"keys.NegatePrivate", "invalid private key", f.sec, func(b []byte) error { return bytesErr(keys.NegatePrivate(b)) }},
		{"ECSeckeyTweakAdd, key", "secret key must be 32 bytes", f.sec, func(b []byte) error { return p256k1.ECSeckeyTweakAdd(b, f.other) }},
		{"ECSeckeyTweakAdd, tweak", "tweak must be 32 bytes", f.other, func(b []byte) error { return p256k1.ECSeckeyTweakAdd(bytes.Clone(f.sec), b) }},
		{"ECSeckeyTweakMul, key", "secret key must be 32 bytes", f.sec, func(b []byte) error { return p256k1.ECSeckeyTweakMul(b, f.other) }},
		{"ECSeckeyTweakMul, tweak", "tweak must be 32 bytes", f.other, func(b []byte) error { return p256k1.ECSeckeyTweakMul(bytes.Clone(f.sec), b) }},
		{"keys.TweakAddPublic", "tweak must be 32 bytes", f.other, func(b []byte) error { return second(keys.TweakAddPublic(f.pub, b)) }},
		{"keys.TweakMulPublic", "tweak must be 32 bytes", f.other, func(b []byte) error { return second(keys.TweakMulPublic(f.pub, b)) }},
		{"SHA256.Finalize", "output buffer must be 32 bytes", make([]byte, 32), func(b []byte) error { return panicOf(func() { p256k1.NewSHA256().Finalize(b) }) }},
		{"HMACSHA256.Finalize", "output buffer must be 32 bytes", make([]byte, 32), func(b []byte) error { return panicOf(func() { p256k1.NewHMACSHA256(nil).Finalize(b) }) }},

		{"signer.InitSec", "secret key must be 32 bytes", f.sec, func(b []byte) error { return signer.NewP256K1Signer().InitSec(b) }},
		{"signer.InitPub", "public key must be 32 bytes", f.xb, func(b []byte) error { return signer.NewP256K1Signer().InitPub(b) }},
		{"signer.Sign", "message must be 32 bytes", f.digest, func(b []byte) error { return bytesErr(f.signer.Sign(b)) }},
		{"signer.Verify, message", "message must be 32 bytes", f.digest, func(b []byte) error { return verified(f.signer.Verify(b, f.schnorr)) }},
		{"signer.Verify, signature", "signature must be 64 bytes", f.schnorr, func(b []byte) error { return verified(f.signer.Verify(f.digest, b)) }},
		{"signer.ECDH", "public key must be 32 bytes", f.xb, func(b []byte) error { return bytesErr(f.signer.ECDH(b)) }},
	} {
		long := append(bytes.Clone(c.good), f.other...)
		for n := range long {
			err := c.call(bytes.Clone(long[:n]))
			if n == len(c.good) && err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			if n != len(c.good) && (err == nil || err.Error() != c.want) {
				t.Errorf("%s of %d bytes: %v, want %s", c.name, n, err, c.want)
			}
		}
	}
	for n := range 70 {
		b := append(bytes.Clone(f.pubb), f.sec...)
		b = append(b, f.sec...)[:n]
		err, want := bytesErr(f.signer.ECDHRaw(b)), "public key must be 32 bytes (x-only) or 33 bytes (compressed)"
		if n == 32 {
			err = bytesErr(f.signer.ECDHRaw(f.xb))
		}
		if good := n == 32 || n == 33; (err == nil) != good || (!good && err.Error() != want) {
			t.Errorf("signer.ECDHRaw of %d bytes: %v", n, err)
		}
		for _, c := range []struct {
			flags uint
			size  int
		}{{p256k1.ECCompressed, 33}, {p256k1.ECUncompressed, 65}, {0, math.MaxInt}, {3, math.MaxInt}, {6, math.MaxInt}} {
			out := make([]byte, n)
			written := p256k1.ECPubkeySerialize(out, f.pub, c.flags)
			if (n >= c.size && written != c.size) || (n < c.size && (written != 0 || !bytes.Equal(out, make([]byte, n)))) {
				t.Errorf("flags %d, %d bytes of output: %d, %x", c.flags, n, written, out)
			}
		}
	}
}

// verified returns the error of a verification, or errFalse.
func verified(ok bool, err error) error {
	if ok && err != nil {
		return fmt.Errorf("%w, and true", err)
	}
	return errors.Join(err, truth(ok || err != nil))
}

// TestRefused passes arguments of the right length that are refused for another reason.
func TestRefused(t *testing.T) {
	f := newFixture(t)
	zero, n, p1 := make([]byte, 32), unhex(t, order), unhex(t, "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30")
	five := append(make([]byte, 31), 5) // not the x coordinate of a point
	kept, keptSig := f.recoverable, f.sig
	var pub p256k1.PublicKey
	empty, public := signer.NewP256K1Signer(), signer.NewP256K1Signer()
	if err := public.InitPub(f.xb); err != nil {
		t.Fatal(err)
	}
	overwritten, err := p256k1.KeyPairCreate(f.sec)
	if err != nil {
		t.Fatal(err)
	}
	copy(overwritten.Seckey(), f.other)
	long := f.pub.V2().BytesUncompressed()
	changed := func(b []byte, i int, v byte) []byte {
		b = bytes.Clone(b)
		b[i] = v
		return b
	}
	none := func(_, _, _ []byte) bool { return false }
	xOnly := func(_ *p256k1.XOnlyPubkey, _ int, err error) error { return err }
	compact, schnorrSig := v1ecdsa.CompactSignature(f.compact), v1schnorr.Signature(f.schnorr)
	zeroCompact := new(v1ecdsa.CompactSignature)
	type refusal struct {
		name, want string
		err        error
	}
	all := []refusal{
		{"ECDH, nil", "pubkey cannot be nil", p256k1.ECDH(make([]byte, 32), nil, f.sec, nil)},
		{"ECDH, zero", "invalid secret key", p256k1.ECDH(make([]byte, 32), f.pub, zero, nil)},
		{"ECDH, a hash that fails", "hash function failed", p256k1.ECDH(make([]byte, 32), f.pub, f.sec, none)},
		{"ECDHXOnly, nil", "pubkey cannot be nil", p256k1.ECDHXOnly(make([]byte, 32), nil, f.sec)},
		{"ECDHXOnly, never set", "invalid public key", p256k1.ECDHXOnly(make([]byte, 32), &pub, f.sec)},
		{"ECDHXOnly, n", "invalid secret key", p256k1.ECDHXOnly(make([]byte, 32), f.pub, n)},
		{"HKDF, nothing", "output length must be greater than 0", p256k1.HKDF(nil, f.sec, nil, nil)},
		{"ECDHWithHKDF, nothing", "output length must be greater than 0", p256k1.ECDHWithHKDF(nil, f.pub, f.sec, nil, nil)},
		{"ECDHWithHKDF, nil", "pubkey cannot be nil", p256k1.ECDHWithHKDF(make([]byte, 1), nil, f.sec, nil, nil)},
		{"ECDSASign, zero", "invalid private key", p256k1.ECDSASign(new(p256k1.ECDSASignature), f.digest, zero)},
		{"ECDSAVerify, no signature", "false", truth(p256k1.ECDSAVerify(nil, f.digest, f.pub))},
		{"ECDSAVerify, no key", "false", truth(p256k1.ECDSAVerify(&f.sig, f.digest, nil))},
		{"ECDSAVerify, another digest", "false", truth(p256k1.ECDSAVerify(&f.sig, f.other, f.pub))},
		{"ECDSAVerifyCompact, no signature", "false", truth(p256k1.ECDSAVerifyCompact(nil, f.digest, f.pub))},
		{"ECDSAVerifyCompact, zeros", "false", truth(p256k1.ECDSAVerifyCompact(zeroCompact, f.digest, f.pub))},
		{"ECDSAVerifyCompact, another digest", "false", truth(p256k1.ECDSAVerifyCompact(&compact, f.other, f.pub))},
		{"ECDSAVerifyDER, another digest", "false", truth(p256k1.ECDSAVerifyDER(f.der, f.other, f.pub))},
		{"ecdsa.Verify, no signature", "false", truth(v1ecdsa.Verify(nil, f.digest, f.pub))},
		{"ecdsa.FromCompact, zeros", "invalid signature", second(v1ecdsa.FromCompact(zeroCompact))},
		{"ecdsa.FromCompactRecoverable, zeros", "invalid signature", second(v1ecdsa.FromCompactRecoverable(zeroCompact[:], 0))},
		{"FromCompact, zeros", "invalid signature", f.recoverable.FromCompact(zeroCompact[:], 0)},
		{"XOnlyPubkeyFromPubkey, nil", "pubkey cannot be nil", xOnly(p256k1.XOnlyPubkeyFromPubkey(nil))},
		{"XOnlyPubkeyParse, 5", "X coordinate does not correspond to a valid point", second(p256k1.XOnlyPubkeyParse(five))},
		{"XOnlyPubkeyCmp, nil", "xonly pubkey cannot be nil", panicOf(func() { p256k1.XOnlyPubkeyCmp(nil, f.x) })},
		{"XOnlyPubkeyCmp, second nil", "xonly pubkey cannot be nil", panicOf(func() { p256k1.XOnlyPubkeyCmp(f.x, nil) })},
		{"KeyPairCreate, zero", "invalid secret key", second(p256k1.KeyPairCreate(zero))},
		{"ECPubkeyCreate, zero", "invalid private key", p256k1.ECPubkeyCreate(&pub, zero)},
		{"ECSeckeyNegate, n", "false", truth(p256k1.ECSeckeyNegate(bytes.Clone(n)))},
		{"keys.NegatePrivate, n", "invalid private key", bytesErr(keys.NegatePrivate(n))},
		{"ECSeckeyTweakAdd, both short", "secret key must be 32 bytes", p256k1.ECSeckeyTweakAdd(zero[:31], zero[:31])},
		{"ECSeckeyTweakAdd, key n", "invalid secret key", p256k1.ECSeckeyTweakAdd(bytes.Clone(n), f.sec)},
		{"ECSeckeyTweakMul, key 0", "invalid secret key", p256k1.ECSeckeyTweakMul(bytes.Clone(zero), f.sec)},
		{"keys.TweakMulPrivate, n", "invalid tweak", bytesErr(keys.TweakMulPrivate(f.sec, n))},
		{"keys.TweakAddPrivate, n", "invalid tweak", bytesErr(keys.TweakAddPrivate(f.sec, n))},
		{"keys.TweakMulPublic, n", "invalid tweak", second(keys.TweakMulPublic(f.pub, n))},
		{"keys.TweakAddPublic, n", "invalid tweak", second(keys.TweakAddPublic(f.pub, n))},
		{"SchnorrSign, nil", "keypair cannot be nil", p256k1.SchnorrSign(make([]byte, 64), f.digest, nil, nil)},
		{"SchnorrSign, never set", "invalid secret key", p256k1.SchnorrSign(make([]byte, 64), f.digest, new(p256k1.KeyPair), nil)},
		{"SchnorrVerify, nil", "false", truth(p256k1.SchnorrVerify(f.schnorr, f.digest, nil))},
		{"SchnorrSign, another key in the slice", "invalid secret key", p256k1.SchnorrSign(make([]byte, 64), f.digest, overwritten, nil)},
		{"schnorr.Verify, nil", "false", truth(v1schnorr.Verify(nil, f.digest, f.x))},
		{"schnorr.Verify, another message", "false", truth(v1schnorr.Verify(&schnorrSig, f.other, f.x))},
		{"schnorr.VerifyBatch, nil", "false", truth(v1schnorr.VerifyBatch([]v1schnorr.VerifyItem{{Message: f.digest, Pubkey: f.x}}))},
		{"ECPubkeyParse, nothing", "input cannot be empty", p256k1.ECPubkeyParse(&pub, nil)},
		{"ECPubkeyParse, 33 bytes and 4", "invalid compressed public key prefix", p256k1.ECPubkeyParse(&pub, changed(f.pubb, 0, 4))},
		{"ECPubkeyParse, 33 bytes and 5", "invalid public key", p256k1.ECPubkeyParse(&pub, append([]byte{2}, five...))},
		{"ECPubkeyParse, 33 bytes, 3 and 5", "invalid public key", p256k1.ECPubkeyParse(&pub, append([]byte{3}, five...))},
		{"ECPubkeyParse, 65 bytes and 2", "invalid uncompressed public key prefix", p256k1.ECPubkeyParse(&pub, changed(long, 0, 2))},
		{"ECPubkeyParse, not on the curve", "public key not on curve", p256k1.ECPubkeyParse(&pub, changed(long, 64, long[64]^1))},
		{"ECPubkeyParse, 34 bytes", "invalid public key length", p256k1.ECPubkeyParse(&pub, append(bytes.Clone(f.pubb), 0))},
		{"ECPubkeyParse, 32 bytes", "invalid public key length", p256k1.ECPubkeyParse(&pub, f.pubb[:32])},
		{"ECPubkeyParse, 66 bytes", "invalid public key length", p256k1.ECPubkeyParse(&pub, append(bytes.Clone(long), 0))},
		{"ECPubkeyParse, 1 byte", "invalid public key length", p256k1.ECPubkeyParse(&pub, []byte{0})},
		{"signer without key, PubCompressed", "keypair not initialized", bytesErr(empty.PubCompressed())},
		{"signer without key, Sign", "no secret key available for signing", bytesErr(empty.Sign(f.digest))},
		{"signer without key, Verify", "no public key available for verification", verified(empty.Verify(f.digest, f.schnorr))},
		{"signer without key, ECDH", "no secret key available for ECDH", bytesErr(empty.ECDH(f.xb))},
		{"signer without key, ECDHRaw", "no secret key available for ECDH", bytesErr(empty.ECDHRaw(f.xb))},
		{"signer with a public key, Sign", "no secret key available for signing", bytesErr(public.Sign(f.digest))},
		{"signer with a public key, Verify", "false", verified(public.Verify(f.other, f.schnorr))},
		{"signer.InitSec, n", "invalid secret key", empty.InitSec(n)},
		{"signer.InitPub, p + 1", "X coordinate does not correspond to a valid point", empty.InitPub(p1)},
		{"signer.ECDH, 5", "invalid public key", bytesErr(f.signer.ECDH(five))},
		{"signer.ECDHRaw, 5", "invalid public key", bytesErr(f.signer.ECDHRaw(five))},
		{"signer.ECDHRaw, prefix 4", "invalid compressed public key prefix", bytesErr(f.signer.ECDHRaw(changed(f.pubb, 0, 4)))},
	}
	for _, size := range []int{0, 31, 33, 64} { // version 2 signs messages of any length
		msg := make([]byte, size)
		sig, err := schnorr.Sign(f.pair.V2(), msg, nil)
		if err != nil || !schnorr.Verify(f.x.V2(), msg, sig[:]) {
			t.Fatal(err)
		}
		batch := []p256k1.BatchSchnorrItem{{Pubkey: f.x, Message: msg, Signature: sig[:]}}
		all = append(all, refusal{fmt.Sprintf("SchnorrVerify, %d bytes", size), "false", truth(p256k1.SchnorrVerify(sig[:], msg, f.x))},
			refusal{fmt.Sprintf("SchnorrBatchVerify, %d bytes", size), "false", truth(p256k1.SchnorrBatchVerify(batch))})
	}
	for _, id := range []int{-1, 4, 5, 7, 255, 256, 257, 260, math.MinInt, math.MaxInt} {
		const want = "recovery id must be 0 to 3"
		all = append(all, refusal{fmt.Sprintf("FromCompact, id %d", id), want, f.recoverable.FromCompact(f.compact, id)},
			refusal{fmt.Sprintf("ECDSARecoverCompact, id %d", id), want, p256k1.ECDSARecoverCompact(&pub, f.compact, id, f.digest)},
			refusal{fmt.Sprintf("ecdsa.RecoverCompact, id %d", id), want, second(v1ecdsa.RecoverCompact(f.compact, id, f.digest))},
			refusal{fmt.Sprintf("ecdsa.FromCompactRecoverable, id %d", id), want, second(v1ecdsa.FromCompactRecoverable(f.compact, id))})
	}
	for _, c := range all {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, c.err, c.want)
		}
	}
	if err := p256k1.HKDF(make([]byte, 255*32+1), f.sec, nil, nil); err == nil {
		t.Error("HKDF, 8,161 bytes: no error")
	}
	for _, bad := range [][]byte{nil, f.der[1:], append(bytes.Clone(f.der), 0)} {
		if err := f.sig.ParseDER(bad); err == nil || f.sig != keptSig || second(v1ecdsa.ParseDER(bad)) == nil {
			t.Errorf("ParseDER of %x: %v", bad, err)
		}
	}
	if err := f.sig.FromCompact(zeroCompact); err == nil || f.sig != keptSig || f.recoverable != kept || keys.ValidatePrivate(pub.V2().Bytes()) {
		t.Errorf("what is refused changes a value: %v", err)
	}
	if _, err := p256k1.ECDSASignDER(f.digest, n); err == nil || err.Error() != "invalid private key" {
		t.Error(err)
	}
	for id := range 4 {
		if err := f.recoverable.FromCompact(f.compact, id); err != nil {
			t.Errorf("id %d: %v", id, err)
		}
		if b, got := f.recoverable.ToCompact(); !bytes.Equal(b, f.compact) || got != id {
			t.Errorf("id %d: %x, %d", id, b, got)
		}
	}
	if b, id := new(p256k1.ECDSARecoverableSignature).ToCompact(); !bytes.Equal(b, make([]byte, 64)) || id != 0 {
		t.Errorf("no signature: %x, %d", b, id)
	}
	gen := signer.NewP256K1Gen()
	gen.Negate()
	if sec, x := gen.KeyPairBytes(); sec != nil || x != nil {
		t.Errorf("no key: %x, %x", sec, x)
	}
	if _, err := gen.Generate(); err != nil {
		t.Fatal(err)
	}
	sec, _ := gen.KeyPairBytes()
	clear(sec)
	if err := panicOf(gen.Negate); err != nil {
		t.Errorf("a wiped key is negated: %v", err)
	}
	new(p256k1.KeyPair).Clear()
	empty.Zero()
	pair := f.signer.Sec()
	f.signer.Zero()
	if !bytes.Equal(pair, zero) || f.signer.Sec() != nil || f.signer.Pub() != nil {
		t.Errorf("the signer keeps %x", pair)
	}
}

// TestFolders compares the results of packages ecdsa, schnorr and exchange, and of the hashes, with version 2 and the
// standard library.
func TestFolders(t *testing.T) {
	f := newFixture(t)
	key, err := v2.ParsePrivateKey(f.sec)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ecdsa.SignRecoverable(key, f.digest, nil)
	if err != nil {
		t.Fatal(err)
	}
	compact, err1 := v1ecdsa.SignCompact(f.digest, f.sec)
	der, err2 := v1ecdsa.SignDER(f.digest, f.sec)
	parsed, err3 := v1ecdsa.ParseDER(der)
	again, err4 := v1ecdsa.FromCompact(compact)
	recovered, err5 := v1ecdsa.Recover(f.v1recoverable, f.digest)
	made, err6 := v1ecdsa.FromCompactRecoverable(f.compact, f.id)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"SignCompact": compact[:], "Sign": f.v1sig.ToCompact()[:], "ParseDER": parsed.ToCompact()[:], "FromCompact": again.ToCompact()[:],
		"R and S": append(f.v1sig.R(), f.v1sig.S()...),
	} {
		if !bytes.Equal(b, want.Signature().Bytes()) {
			t.Errorf("%s: %x, want %x", name, b, want.Signature().Bytes())
		}
	}
	b, id := made.ToCompact()
	if !bytes.Equal(append(b, byte(id)), want.Bytes()) || !bytes.Equal(der, want.Signature().DER()) || !recovered.V2().Equal(key.PublicKey()) {
		t.Errorf("%x, %d, %x", b, id, der)
	}
	negative, err := keys.NegatePrivate(parsed.S())
	if err != nil {
		t.Fatal(err)
	}
	copy(compact[32:], negative)
	high, err := v1ecdsa.FromCompact(compact)
	if err != nil || high.IsLowS() || !parsed.IsLowS() || v1ecdsa.Verify(high, f.digest, f.pub) {
		t.Errorf("a high s: %v", err)
	}
	high.NormalizeLowS()
	if !high.IsLowS() || !v1ecdsa.Verify(high, f.digest, f.pub) {
		t.Error("a high s stays")
	}

	aux := bytes.Repeat([]byte{7}, 32)
	raw := make([]byte, 64)
	sig, err := v1schnorr.Sign(f.digest, f.pair, aux)
	if err2 := v1schnorr.SignRaw(raw, f.digest, f.pair, aux); err != nil || err2 != nil || !bytes.Equal(sig[:], raw) || bytes.Equal(raw, f.schnorr) {
		t.Errorf("%x, %x, %v, %v", *sig, raw, err, err2)
	}
	item, other := v1schnorr.VerifyItem{Signature: sig, Message: f.digest, Pubkey: f.x}, v1schnorr.VerifyItem{Signature: sig, Message: f.other, Pubkey: f.x}
	if !v1schnorr.Verify(sig, f.digest, f.x) || !v1schnorr.VerifyRaw(raw, f.digest, f.x) || v1schnorr.VerifyRaw(raw, f.other, f.x) ||
		!v1schnorr.VerifyBatch([]v1schnorr.VerifyItem{item, item}) || v1schnorr.VerifyBatch([]v1schnorr.VerifyItem{item, other}) {
		t.Error("a valid signature is refused, or another accepted")
	}
	if ok, bad := p256k1.SchnorrBatchVerifyWithFallback([]p256k1.BatchSchnorrItem{{Pubkey: f.x, Message: f.digest, Signature: raw}}); !ok || bad != nil {
		t.Errorf("%v, %v", ok, bad)
	}

	secret, err := ecdh.SHA256(key, f.pub.V2())
	if err != nil {
		t.Fatal(err)
	}
	okm, err := hkdf.Key(sha256.New, secret[:], []byte("salt"), "info", 77)
	got, err2 := exchange.SharedSecretWithDerivation(f.pub, f.sec, []byte("salt"), []byte("info"), 77)
	if err != nil || err2 != nil || !bytes.Equal(got, okm) {
		t.Errorf("HKDF: %x, want %x, %v, %v", got, okm, err, err2)
	}
	another := func(output, _, _ []byte) bool { return copy(output, "another hash, which has 32 bytes") == 32 }
	if got, err := exchange.SharedSecretWithHash(f.pub, f.sec, another); err != nil || string(got) != "another hash, which has 32 bytes" {
		t.Errorf("another hash: %q, %v", got, err)
	}

	if err := exchange.DeriveKey(got, secret[:], []byte("salt"), []byte("info")); err != nil || !bytes.Equal(got, okm) {
		t.Errorf("DeriveKey: %x, want %x, %v", got, okm, err)
	}
	if err := exchange.DeriveKey(nil, secret[:], nil, nil); err == nil {
		t.Error("DeriveKey of no bytes: no error")
	}

	// Keys are ordered by their encodings, and results have no room in which append would overwrite something.
	two, err := keys.CreatePublic(f.other)
	if err != nil {
		t.Fatal(err)
	}
	order := bytes.Compare(f.pubb, two.V2().Bytes())
	if order == 0 || keys.ComparePublic(f.pub, two) != order || keys.ComparePublic(two, f.pub) != -order || keys.ComparePublic(two, two) != 0 {
		t.Errorf("%d, want %d", keys.ComparePublic(f.pub, two), order)
	}
	x, _, err := v1schnorr.XOnlyFromPubkey(two)
	if err != nil || v1schnorr.CompareXOnly(f.x, x) != p256k1.XOnlyPubkeyCmp(f.x, x) || v1schnorr.CompareXOnly(x, x) != 0 {
		t.Error(err)
	}
	if !bytes.Equal(v1schnorr.R(sig), raw[:32]) || !bytes.Equal(v1schnorr.S(sig), raw[32:]) || !bytes.Equal(v1schnorr.Bytes(sig), raw) {
		t.Errorf("R %x, S %x, want %x", v1schnorr.R(sig), v1schnorr.S(sig), raw)
	}
	sec, pub, err := p256k1.ECKeyPairGenerate()
	if want, err2 := keys.CreatePublic(sec); err != nil || err2 != nil || keys.ComparePublic(pub, want) != 0 {
		t.Errorf("a pair that is none: %v, %v", err, err2)
	}
	if signer.NewBtcecSigner().InitSec(sec) != nil || p256k1.ContextCreate(0) == nil || p256k1.HasAVX2CPU() {
		t.Error("another signer, context or processor")
	}

	h, m := p256k1.NewSHA256(), p256k1.NewHMACSHA256([]byte("key"))
	h.Write([]byte("data"))
	m.Write([]byte("data"))
	sum, model := sha256.Sum256([]byte("data")), hmac.New(sha256.New, []byte("key"))
	model.Write([]byte("data"))
	out, mac := make([]byte, 32), make([]byte, 32)
	h.Finalize(out)
	m.Finalize(mac)
	if sums := [][]byte{out, h.Sum(nil), h.Sum(make([]byte, 32))}; slices.ContainsFunc(sums, func(b []byte) bool { return !bytes.Equal(b, sum[:]) }) {
		t.Errorf("SHA-256: %x", sums)
	}
	if !bytes.Equal(mac, model.Sum(nil)) {
		t.Errorf("HMAC: %x", mac)
	}
	for range 2 { // Clear also takes a cleared hash
		h.Clear()
		m.Clear()
	}
	if panicOf(func() { h.Write(nil) }) == nil || panicOf(func() { m.Write(nil) }) == nil {
		t.Error("a cleared hash hashes")
	}
}

// TestMemory looks at the capacity behind results, and at a result that belongs into the caller's memory. The overlay
// of package aliases changes both.
func TestMemory(t *testing.T) {
	f := newFixture(t)
	room := func(_, x32, y32 []byte) bool { return cap(x32) == 32 && cap(y32) == 32 }
	if b, _ := f.recoverable.ToCompact(); cap(f.sig.GetR()) != 32 || cap(b) != 64 || p256k1.ECDH(make([]byte, 32), f.pub, f.sec, room) != nil {
		t.Error("a slice has room behind it")
	}
	given := make([]byte, 32)
	if sum := sha256.Sum256(nil); !bytes.Equal(p256k1.NewSHA256().Sum(given), given) || !bytes.Equal(given, sum[:]) {
		t.Errorf("SHA-256 in the given memory: %x", given)
	}
}
