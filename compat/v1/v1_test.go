package p256k1_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"p256k1.mleku.dev"
	v1ecdsa "p256k1.mleku.dev/ecdsa"
	"p256k1.mleku.dev/exchange"
	"p256k1.mleku.dev/keys"
	"p256k1.mleku.dev/signer"
	v2 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
	v2signer "p256k1.mleku.dev/v2/signer"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func check(t testing.TB, got []byte, want string) {
	t.Helper()
	if hex.EncodeToString(got) != want {
		t.Errorf("%x, want %s", got, want)
	}
}

const (
	order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
	minus = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140" // n − 1
)

// numbers returns n private keys, which are the same in each run.
func numbers(n int) (all [][]byte) {
	for i := range n {
		b := sha256.Sum256(fmt.Appendf(nil, "key %d", i))
		all = append(all, b[:])
	}
	return all
}

// TestOutOfRange passes numbers that are out of range, but congruent to numbers that are accepted.
func TestOutOfRange(t *testing.T) {
	const after = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364142" // n + 1
	key, digest := numbers(1)[0], numbers(2)[1]
	pair, err := p256k1.KeyPairCreate(key)
	if err != nil {
		t.Fatal(err)
	}
	var compact p256k1.ECDSASignatureCompact
	var schnorrSig [64]byte
	public := pair.Pubkey()
	x, err := pair.XOnlyPubkey()
	if err != nil || p256k1.ECDSASignCompact(&compact, digest, key) != nil || p256k1.SchnorrSign(schnorrSig[:], digest, pair, nil) != nil {
		t.Fatal(err)
	}
	var other p256k1.PublicKey
	var sig p256k1.ECDSASignature
	for _, b := range [][]byte{unhex(t, order), unhex(t, after), bytes.Repeat([]byte{255}, 32)} {
		_, pairErr := p256k1.KeyPairCreate(b)
		for name, err := range map[string]error{
			"KeyPairCreate":    pairErr,
			"ECPubkeyCreate":   p256k1.ECPubkeyCreate(&other, b),
			"ECDSASign":        p256k1.ECDSASign(&sig, digest, b),
			"ECDH":             p256k1.ECDH(make([]byte, 32), public, b, nil),
			"ECSeckeyTweakAdd": p256k1.ECSeckeyTweakAdd(slices.Clone(key), b),
			"ECSeckeyTweakMul": p256k1.ECSeckeyTweakMul(slices.Clone(key), b),
			"ECPubkeyTweakAdd": p256k1.ECPubkeyTweakAdd(public, b),
			"ECPubkeyTweakMul": p256k1.ECPubkeyTweakMul(public, b),
		} {
			if err == nil {
				t.Errorf("%s accepts %x", name, b)
			}
		}
		schnorrBad := schnorrSig
		copy(schnorrBad[32:], b)
		if p256k1.ECSeckeyVerify(b) || p256k1.SchnorrVerify(schnorrBad[:], digest, x) {
			t.Errorf("%x is accepted", b)
		}
		for _, place := range []int{0, 32} {
			bad := compact
			copy(bad[place:], b)
			if p256k1.ECDSAVerifyCompact(&bad, digest, public) || p256k1.ECDSARecoverCompact(&other, bad[:], 0, digest) == nil {
				t.Errorf("a signature with %x at %d is accepted", b, place)
			}
		}
	}
	for k := range byte(3) {
		b := unhex(t, "02fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30") // p + 1
		b[32] += k
		_, err := p256k1.XOnlyPubkeyParse(b[1:])
		if err == nil || p256k1.ECPubkeyParse(&other, b) == nil {
			t.Errorf("%x is a key", b)
		}
	}
}

// TestSameAsV2 compares functions with the functions of version 2 that their Deprecated comments name.
func TestSameAsV2(t *testing.T) {
	all := numbers(20)
	for i, sec := range all {
		key, err := v2.ParsePrivateKey(sec)
		if err != nil {
			t.Fatal(err)
		}
		pub := key.PublicKey()
		pair, err := keys.Create(sec)
		if err != nil || !bytes.Equal(pair.Seckey(), sec) {
			t.Fatal(err)
		}
		compressed, long := keys.SerializePublic(pair.Pubkey(), keys.Compressed), keys.SerializePublic(pair.Pubkey(), keys.Uncompressed)
		if !bytes.Equal(compressed, pub.Bytes()) || !bytes.Equal(long, pub.BytesUncompressed()) {
			t.Errorf("public key %x, %x", compressed, long)
		}
		for _, b := range [][]byte{compressed, long} {
			if parsed, err := keys.ParsePublic(b); err != nil || keys.ComparePublic(parsed, pair.Pubkey()) != 0 {
				t.Errorf("%x: %v", b, err)
			}
		}
		xonly, parity, err := keys.XOnlyFromPublic(pair.Pubkey())
		if x := xonly.Serialize(); err != nil || !bytes.Equal(x[:], pub.XOnly().Bytes()) || (parity == 1) != pub.IsYOdd() {
			t.Errorf("x-only key %x, %d, %v", x, parity, err)
		}

		digest := sha256.Sum256(sec)
		msg, other := digest[:], all[(i+1)%len(all)]
		var aux [32]byte
		copy(aux[:], other)
		for _, r := range [][]byte{nil, aux[:]} {
			want, _ := schnorr.Sign(key, msg, &schnorr.Options{AuxRand: (*[32]byte)(append(bytes.Clone(r), make([]byte, 32)...)[:32])})
			var sig [64]byte
			if err := p256k1.SchnorrSign(sig[:], msg, pair, r); err != nil || sig != want {
				t.Errorf("Schnorr %x, want %x, %v", sig, want, err)
			}
			if !p256k1.SchnorrVerify(sig[:], msg, xonly) {
				t.Error("not valid")
			}
			sig[40] ^= 1
			if p256k1.SchnorrVerify(sig[:], msg, xonly) {
				t.Error("valid with a bit flipped")
			}
		}

		want, _ := ecdsa.SignRecoverable(key, msg, nil)
		var rec p256k1.ECDSARecoverableSignature
		if err := p256k1.ECDSASignRecoverable(&rec, msg, sec); err != nil {
			t.Fatal(err)
		}
		compact, id := rec.ToCompact()
		if !bytes.Equal(append(compact, byte(id)), want.Bytes()) {
			t.Errorf("ECDSA %x, %d, want %x", compact, id, want.Bytes())
		}
		var recovered p256k1.PublicKey
		if err := p256k1.ECDSARecoverCompact(&recovered, compact, id, msg); err != nil || p256k1.ECPubkeyCmp(&recovered, pair.Pubkey()) != 0 {
			t.Errorf("recovered another key, %v", err)
		}
		der, err := p256k1.ECDSASignDER(msg, sec)
		if err != nil || !bytes.Equal(der, want.Signature().DER()) || !p256k1.ECDSAVerifyDER(der, msg, pair.Pubkey()) {
			t.Errorf("DER %x, %v", der, err)
		}

		peer, err := keys.CreatePublic(other)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := ecdh.X(key, peer.V2())
		if got, err := exchange.XOnlySharedSecret(peer, sec); err != nil || !bytes.Equal(got, x[:]) {
			t.Errorf("ECDH %x, want %x, %v", got, x, err)
		}
		sum, _ := ecdh.SHA256(key, peer.V2())
		if got, err := exchange.SharedSecret(peer, sec); err != nil || !bytes.Equal(got, sum[:]) {
			t.Errorf("ECDH %x, want %x, %v", got, sum, err)
		}
		hash := func(output, x32, y32 []byte) bool {
			h := sha256.Sum256(append([]byte{2 | y32[31]&1}, x32...))
			return copy(output, h[:]) == 32
		}
		if got, err := exchange.SharedSecretWithHash(peer, sec, hash); err != nil || !bytes.Equal(got, sum[:]) {
			t.Errorf("ECDH with a hash %x, want %x, %v", got, sum, err)
		}

		tweaked, _ := key.TweakAdd(other)
		if got, err := keys.TweakAddPrivate(sec, other); err != nil || !bytes.Equal(got, tweaked.Bytes()) {
			t.Errorf("key + tweak = %x, %v", got, err)
		}
		if got, err := keys.TweakAddPublic(pair.Pubkey(), other); err != nil || !got.V2().Equal(tweaked.PublicKey()) {
			t.Errorf("public key + tweak: %v", err)
		}
		tweaked, _ = key.TweakMul(other)
		if got, err := keys.TweakMulPrivate(sec, other); err != nil || !bytes.Equal(got, tweaked.Bytes()) {
			t.Errorf("key · tweak = %x, %v", got, err)
		}
		if got, err := keys.TweakMulPublic(pair.Pubkey(), other); err != nil || !got.V2().Equal(tweaked.PublicKey()) {
			t.Errorf("public key · tweak: %v", err)
		}
		if got, err := keys.NegatePrivate(sec); err != nil || !bytes.Equal(got, key.Negate().Bytes()) {
			t.Errorf("−key = %x, %v", got, err)
		}
	}
}

// TestSigners checks that signers of versions 1 and 2 with the same private key have the same public key and the same
// shared secrets, and that version 2 verifies the signatures. Sec differs if the y of the public key is odd.
func TestSigners(t *testing.T) {
	peer := signer.NewP256K1Signer()
	if err := peer.Generate(); err != nil {
		t.Fatal(err)
	}
	odd := 0
	for _, sec := range numbers(20) {
		var old, now signer.I = signer.NewP256K1Signer(), v2signer.NewP256K1Signer()
		if old.InitSec(sec) != nil || now.InitSec(sec) != nil || !bytes.Equal(old.Pub(), now.Pub()) {
			t.Fatal("another public key")
		}
		key, _ := v2.ParsePrivateKey(sec)
		want := sec
		if key.PublicKey().IsYOdd() {
			odd++
			want = key.Negate().Bytes()
		}
		if !bytes.Equal(old.Sec(), want) || !bytes.Equal(now.Sec(), sec) {
			t.Errorf("Sec %x here, %x there", old.Sec(), now.Sec())
		}
		// Bytes that a signer of one version has stored lead to the same public key in a signer of the other version.
		var again signer.I = v2signer.NewP256K1Signer()
		if again.InitSec(old.Sec()) != nil || !bytes.Equal(again.Pub(), old.Pub()) {
			t.Error("version 2 opens another key")
		}
		if again = signer.NewP256K1Signer(); again.InitSec(now.Sec()) != nil || !bytes.Equal(again.Pub(), now.Pub()) {
			t.Error("version 1 opens another key")
		}
		msg := sha256.Sum256(sec)
		sig, err := old.Sign(msg[:])
		if ok, err2 := now.Verify(msg[:], sig); err != nil || err2 != nil || !ok {
			t.Errorf("not valid: %v, %v", err, err2)
		}
		a, err1 := old.ECDH(peer.Pub())
		b, err2 := now.ECDH(peer.Pub())
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("ECDH %x and %x, %v, %v", a, b, err1, err2)
		}
		a, err1 = old.ECDHRaw(peer.Pub())
		b, err2 = now.ECDHRaw(peer.Pub())
		full, _ := peer.PubCompressed()
		c, err3 := old.ECDHRaw(full)
		if err1 != nil || err2 != nil || err3 != nil || !bytes.Equal(a, b) || !bytes.Equal(a, c) {
			t.Errorf("ECDHRaw %x, %x, %x, %v, %v, %v", a, b, c, err1, err2, err3)
		}
		old.Zero()
		if old.Sec() != nil || old.Pub() != nil {
			t.Error("a key is left")
		}
	}
	if odd == 0 || odd == 20 {
		t.Errorf("%d of 20 keys are odd", odd)
	}
	g := signer.NewP256K1Gen()
	before, err := g.Generate()
	if err != nil {
		t.Fatal(err)
	}
	_, x := g.KeyPairBytes()
	g.Negate()
	sec, negated := g.KeyPairBytes()
	if pub, err := keys.CreatePublic(sec); err != nil || !bytes.Equal(x, negated) || !bytes.Equal(x, before[1:]) ||
		keys.SerializePublic(pub, keys.Compressed)[0] != before[0]^1 {
		t.Errorf("a pair %x, negated %x", before, negated)
	}
}

// TestDiffers tests differences between version 1 and this package. README.md lists the differences in a table.
func TestDiffers(t *testing.T) {
	n, last := unhex(t, order), unhex(t, minus)
	one := append(make([]byte, 31), 1)
	digest := sha256.Sum256(nil)
	msg := digest[:]
	pair, _ := keys.Create(one)

	// Integers that are out of range are refused, not reduced, and so are other lengths than 32 bytes.
	for _, bad := range [][]byte{n, make([]byte, 32), bytes.Repeat([]byte{0xff}, 32), nil, one[:31]} {
		if keys.ValidatePrivate(bad) {
			t.Errorf("%x is a private key", bad)
		}
		if _, err := keys.Create(bad); err == nil {
			t.Errorf("%x makes a key pair", bad)
		}
		if _, err := p256k1.ECDSASignDER(msg, bad); err == nil {
			t.Errorf("%x signs", bad)
		}
		if _, err := exchange.SharedSecret(pair.Pubkey(), bad); err == nil {
			t.Errorf("%x agrees", bad)
		}
		if _, err := keys.TweakMulPrivate(one, bad); err == nil {
			t.Errorf("%x is a factor", bad)
		}
	}
	if !keys.ValidatePrivate(last) {
		t.Error("n − 1 is no private key")
	}
	if _, err := keys.TweakAddPrivate(one, last); err == nil || err.Error() != "resulting secret key is zero" {
		t.Errorf("1 + (n − 1): %v", err)
	}
	if _, err := keys.TweakAddPublic(pair.Pubkey(), last); err == nil || err.Error() != "resulting public key is infinity" {
		t.Errorf("G + (n − 1)·G: %v", err)
	}
	// A zero tweak is refused, as in version 1. Version 2 accepts it.
	zero := make([]byte, 32)
	if _, err := keys.TweakAddPrivate(one, zero); err == nil || err.Error() != "invalid tweak" {
		t.Errorf("1 + 0: %v", err)
	}
	if _, err := keys.TweakAddPublic(pair.Pubkey(), zero); err == nil || err.Error() != "invalid tweak" {
		t.Errorf("G + 0·G: %v", err)
	}
	// p + 1 is not an x coordinate. Version 1 reduced p + 1 to 1, which is an x coordinate.
	big := unhex(t, "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30")
	if _, err := keys.ParseXOnly(big); err == nil {
		t.Error("p + 1 is an x-only key")
	}
	for _, prefix := range []byte{2, 3} {
		if _, err := keys.ParsePublic(append([]byte{prefix}, big...)); err == nil {
			t.Errorf("%02x and p + 1 is a public key", prefix)
		}
	}
	for _, sig := range [][]byte{append(bytes.Clone(n), one...), append(bytes.Clone(one), n...), make([]byte, 64)} {
		var s p256k1.ECDSASignature
		compact := p256k1.ECDSASignatureCompact(sig)
		if s.FromCompact(&compact) == nil || p256k1.ECDSAVerifyCompact(&compact, msg, pair.Pubkey()) {
			t.Errorf("%x is a signature", sig)
		}
	}

	// DER is strict: no bytes after the signature, no long lengths, no missing bytes, no padding.
	der, _ := p256k1.ECDSASignDER(msg, one)
	for _, bad := range [][]byte{append(bytes.Clone(der), 0), append([]byte{der[0], 0x81}, der[1:]...), der[:len(der)-1],
		append([]byte{der[0], der[1] + 1, der[2], der[3] + 1, 0}, der[4:]...)} {
		if p256k1.ECDSAVerifyDER(bad, msg, pair.Pubkey()) {
			t.Errorf("%x is DER", bad)
		}
	}
	// A signature with high s is refused until NormalizeLowS is called, as in version 1.
	var sig p256k1.ECDSASignature
	if err := sig.ParseDER(der); err != nil || !p256k1.ECDSAVerify(&sig, msg, pair.Pubkey()) || !sig.IsLowS() {
		t.Fatal(err)
	}
	s, err := keys.NegatePrivate(sig.GetS())
	if err != nil {
		t.Fatal(err)
	}
	high := p256k1.ECDSASignatureCompact(append(sig.GetR(), s...))
	if err := sig.FromCompact(&high); err != nil || sig.IsLowS() || p256k1.ECDSAVerify(&sig, msg, pair.Pubkey()) {
		t.Errorf("a high s: %v", err)
	}
	sig.NormalizeLowS()
	if !p256k1.ECDSAVerify(&sig, msg, pair.Pubkey()) || !bytes.Equal(sig.SerializeDER(), der) {
		t.Error("not valid once s is low")
	}

	// A key is recovered only if r is the x coordinate of a point. 5 is not an x coordinate, and version 1 returned a
	// meaningless key for it. With recovery ids 2 and 3 the x coordinate is r + n, which version 1 did not compute. 5 +
	// n is not the x coordinate of a point, and 2 + n is one.
	r, signature, found := make([]byte, 32), make([]byte, 64), make(map[[64]byte]bool)
	for id := range 4 {
		r[31] = 5
		copy(signature, append(r, one...))
		if _, err := v1ecdsa.RecoverCompact(signature, id, msg); err == nil {
			t.Errorf("r = 5, id %d: a key", id)
		}
		r[31] = 2
		copy(signature, append(r, one...))
		pub, err := v1ecdsa.RecoverCompact(signature, id, msg)
		if err != nil {
			t.Errorf("r = 2, id %d: %v", id, err)
			continue
		}
		var compact v1ecdsa.CompactSignature
		copy(compact[:], signature)
		if !v1ecdsa.VerifyCompact(&compact, msg, pub) {
			t.Errorf("r = 2, id %d: the key does not verify", id)
		}
		var b [65]byte
		p256k1.ECPubkeySerialize(b[:], pub, p256k1.ECUncompressed)
		found[[64]byte(b[1:])] = true
	}
	if len(found) != 4 {
		t.Errorf("r = 2: %d keys for 4 ids", len(found))
	}
	// r + n is p + 1, and 1 is the x coordinate of a point.
	copy(signature, unhex(t, "000000000000000000000000000000014551231950b75fc4402da1722fc9baef"))
	for _, id := range []int{2, 3} {
		if _, err := v1ecdsa.RecoverCompact(signature, id, msg); err == nil {
			t.Errorf("r + n = p + 1, id %d: a key", id)
		}
	}
}

// TestNeverSet passes a public key that was never set, which every function must refuse.
func TestNeverSet(t *testing.T) {
	unset, one := new(p256k1.PublicKey), append(make([]byte, 31), 1)
	for _, flags := range []uint{p256k1.ECCompressed, p256k1.ECUncompressed} {
		if n := p256k1.ECPubkeySerialize(make([]byte, 65), unset, flags); n != 0 {
			t.Errorf("flags %d: %d bytes", flags, n)
		}
	}
	_, _, xOnly := p256k1.XOnlyPubkeyFromPubkey(unset)
	hash := func(output, x32, y32 []byte) bool { return true }
	for what, err := range map[string]error{
		"ECPubkeyTweakAdd":      p256k1.ECPubkeyTweakAdd(unset, one),
		"ECPubkeyTweakMul":      p256k1.ECPubkeyTweakMul(unset, one),
		"ECDH":                  p256k1.ECDH(make([]byte, 32), unset, one, nil),
		"ECDH with a hash":      p256k1.ECDH(make([]byte, 32), unset, one, hash),
		"XOnlyPubkeyFromPubkey": xOnly,
	} {
		if err == nil || err.Error() != "invalid public key" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestHabits tests habits of version 1 on which programs may rely.
func TestHabits(t *testing.T) {
	one := append(make([]byte, 31), 1)
	digest := sha256.Sum256(nil)
	msg := digest[:]
	pair, _ := keys.Create(one)

	// Auxiliary randomness of another length than 32 bytes is replaced by zeros.
	var want [64]byte
	if err := p256k1.SchnorrSign(want[:], msg, pair, make([]byte, 32)); err != nil {
		t.Fatal(err)
	}
	for _, aux := range [][]byte{nil, {}, one[:31], append(one, 1)} {
		var sig [64]byte
		if err := p256k1.SchnorrSign(sig[:], msg, pair, aux); err != nil || sig != want {
			t.Errorf("%d bytes of randomness: %x, %v", len(aux), sig, err)
		}
	}

	// X-only keys are compared from the last byte. The first bytes of these two have the opposite order.
	a, _ := keys.ParseXOnly(unhex(t, "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"))
	b, _ := keys.ParseXOnly(unhex(t, "e493dbf1c10d80f3581e4904930b1404cc6c13900ee0758474fa94abe8c4cd13"))
	if keys.CompareXOnly(a, b) != 1 || keys.CompareXOnly(b, a) != -1 || keys.CompareXOnly(a, a) != 0 {
		t.Error("another order")
	}

	// Programs wipe a key by writing zeros to the slice that Seckey returns.
	clear(pair.Seckey())
	var sig64 [64]byte
	if err := p256k1.SchnorrSign(sig64[:], msg, pair, nil); err == nil || err.Error() != "invalid secret key" || sig64 != [64]byte{} {
		t.Errorf("signed with a wiped key: %v", err)
	}
	// A copy of a key pair signs after the key pair was cleared.
	pair, _ = keys.Create(one)
	copied := *pair
	pair.Clear()
	if err := p256k1.SchnorrSign(sig64[:], msg, &copied, nil); err != nil || sig64 != want {
		t.Errorf("a copy does not sign, or signs otherwise: %v", err)
	}
	if err := p256k1.SchnorrSign(sig64[:], msg, pair, nil); err == nil {
		t.Error("signed with a cleared key")
	}
	// After Clear the key pair has no key.
	pair.Clear()
	if err := p256k1.SchnorrSign(sig64[:], msg, pair, nil); err == nil {
		t.Error("signed without a key")
	}
	if err := p256k1.SchnorrSign(sig64[:], msg, new(p256k1.KeyPair), nil); err == nil {
		t.Error("signed with no key")
	}
	if keys.SerializePublic(pair.Pubkey(), keys.Compressed) == nil || len(keys.SerializePublic(pair.Pubkey(), keys.Compressed)) != 0 {
		t.Error("a cleared key is encoded")
	}
}

// TestBatch checks that a batch reports which items are invalid.
func TestBatch(t *testing.T) {
	var items []p256k1.BatchSchnorrItem
	for _, sec := range numbers(40) {
		pair, _ := keys.Create(sec)
		x, _ := pair.XOnlyPubkey()
		msg := sha256.Sum256(sec)
		sig := make([]byte, 64)
		if err := p256k1.SchnorrSign(sig, msg[:], pair, nil); err != nil {
			t.Fatal(err)
		}
		items = append(items, p256k1.BatchSchnorrItem{Pubkey: x, Message: msg[:], Signature: sig})
	}
	if !p256k1.SchnorrBatchVerify(items) || !p256k1.SchnorrBatchVerify(nil) {
		t.Error("not valid")
	}
	items[3].Pubkey = nil
	items[7].Signature = items[8].Signature
	items[20].Message = items[20].Message[:31]
	items[39].Signature = nil
	ok, bad := p256k1.SchnorrBatchVerifyWithFallback(items)
	if ok || !slices.Equal(bad, []int{3, 7, 20, 39}) || p256k1.SchnorrBatchVerify(items) {
		t.Errorf("%v, %v", ok, bad)
	}
}

// TestAllocs checks that the calls of a relay allocate no more often than the table allows.
func TestAllocs(t *testing.T) {
	pair, _ := keys.Create(numbers(1)[0])
	x, _ := pair.XOnlyPubkey()
	xb, b := x.Serialize(), keys.SerializePublic(pair.Pubkey(), keys.Compressed)
	msg, one := sha256.Sum256(nil), append(make([]byte, 31), 1)
	sig := make([]byte, 64)
	items := make([]p256k1.BatchSchnorrItem, 20)
	var pub p256k1.PublicKey
	for name, c := range map[string]struct {
		most float64
		run  func()
	}{
		"key pair":    {2, func() { p256k1.KeyPairCreate(one) }},
		"sign":        {0, func() { p256k1.SchnorrSign(sig, msg[:], pair, nil) }},
		"verify":      {0, func() { p256k1.SchnorrVerify(sig, msg[:], x) }},
		"parse":       {0, func() { p256k1.ECPubkeyParse(&pub, b) }},
		"parse x":     {1, func() { p256k1.XOnlyPubkeyParse(xb[:]) }},
		"serialize":   {0, func() { p256k1.ECPubkeySerialize(b, &pub, keys.Compressed) }},
		"batch of 20": {0, func() { p256k1.SchnorrBatchVerify(items) }},
	} {
		for i := range items {
			items[i] = p256k1.BatchSchnorrItem{Pubkey: x, Message: msg[:], Signature: sig}
		}
		c.run()
		if got := testing.AllocsPerRun(20, c.run); got > c.most {
			t.Errorf("%s: %v allocations, want %v", name, got, c.most)
		}
	}
}
