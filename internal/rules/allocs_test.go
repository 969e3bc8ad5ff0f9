package rules

import (
	"runtime/debug"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

// TestAllocs holds every operation on keys, from bytes to bytes, to no
// allocation at all, for callers who do not let the results escape, but for secrets:
// a private key, its bytes and its scalar are one allocation each, neither more nor
// less, since on the caller's stack, which moves, Zero would not reach all copies.
func TestAllocs(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector allocates")
	}
	r := oracle.New(t)
	k, peer := libtest.Private(t, r.ValidScalar()), libtest.Public(t, r.Point())
	pub, x, aux := k.PublicKey(), peer.XOnly(), new([32]byte)
	secret, tweak, compressed, uncompressed, xonly := k.Bytes(), libtest.Private(t, r.ValidScalar()).Bytes(), pub.Bytes(), pub.BytesUncompressed(), pub.XOnly().Bytes()
	digest, scalar := r.Bytes(32), libtest.ScalarOf(k)
	sig, err := ecdsa.SignRecoverable(k, digest)
	if err != nil {
		t.Fatal(err)
	}
	der, compact, rsv, bitcoin := sig.Signature().DER(), sig.Signature().Bytes(), sig.Bytes(), sig.BytesBitcoin(true)
	schnorrSig, err := schnorr.Sign(k, digest, aux)
	if err != nil {
		t.Fatal(err)
	}

	const many = 10
	batchKeys, batchDigests, batchSecrets := slices.Repeat([]*p256k1.PrivateKey{k}, many), slices.Repeat([][]byte{digest}, many), slices.Repeat([][]byte{secret}, many)
	batchSigs, batchSchnorr := make([]ecdsa.Signature, many), make([][64]byte, many)
	found, recoverable := make([]*p256k1.PublicKey, many), slices.Repeat([]ecdsa.RecoverableSignature{sig}, many)
	var batch ecdsa.Batch
	invalid := make([]int, 0, many)
	precomputed := pub.Precomputed()

	var schnorrBatch schnorr.Batch
	bad := make([]int, 0, 200)
	var ok bool // the last of what each operation returns
	var sink byte
	type operation struct {
		name string
		f    func()
	}
	check := func(c operation, want float64) {
		ok = false
		if n := testing.AllocsPerRun(20, c.f); n != want {
			t.Errorf("%s: %v allocations, want %v", c.name, n, want)
		}
		if !ok {
			t.Errorf("%s does not work", c.name)
		}
	}
	for _, c := range []operation{
		{"GenerateKey", func() { _, err := p256k1.GenerateKey(); ok = err == nil }},
		{"NewPrivateKey", func() { _, err := p256k1.NewPrivateKey(secret); ok = err == nil }},
		{"NewPrivateKeyFromScalar", func() { _, err := p256k1.NewPrivateKeyFromScalar(scalar); ok = err == nil }},
		{"PrivateKey.Negate", func() { k.Negate(); ok = true }},
		{"PrivateKey.TweakAdd", func() { _, err := k.TweakAdd(tweak); ok = err == nil }},
		{"PrivateKey.TweakAddXOnly", func() { _, err := k.TweakAddXOnly(tweak); ok = err == nil }},
		{"PrivateKey.TweakMul", func() { _, err := k.TweakMul(tweak); ok = err == nil }},
		{"PrivateKey.Bytes", func() { sink ^= k.Bytes()[0]; ok = true }},
		{"PrivateKey.Scalar", func() { ok = libtest.ScalarOf(k).IsZero() == 0 }},
		{"derive", func() {
			k, err := p256k1.NewPrivateKey(secret)
			ok = err == nil && k.PublicKey().Bytes()[0]|1 == 3
		}},
		{"derive x-only", func() {
			k, err := p256k1.NewPrivateKey(secret)
			ok = err == nil && k.PublicKey().XOnly().Bytes()[0] == xonly[0]
		}},
		{"ecdh from bytes", func() {
			k, err1 := p256k1.NewPrivateKey(secret)
			x, err2 := p256k1.NewXOnlyPublicKey(xonly)
			_, err3 := ecdh.NIP44ConversationKey(k, x)
			ok = err1 == nil && err2 == nil && err3 == nil
		}},
	} {
		check(c, 1)
	}
	// Of many at once each is one, and the slice that holds them.
	check(operation{"GenerateKeys", func() { _, err := p256k1.GenerateKeys(many); ok = err == nil }}, many+1)
	check(operation{"NewPrivateKeys", func() { _, err := p256k1.NewPrivateKeys(batchSecrets); ok = err == nil }}, many+1)
	check(operation{"ecdsa.RecoverBatch", func() { ok = ecdsa.RecoverBatch(found, batchDigests, recoverable) == many }}, many)
	// What is used once is made before: a key, what its copies share, and the pointer to that.
	check(operation{"ellswift.GenerateKey", func() { _, _, err := ellswift.GenerateKey(); ok = err == nil }}, 3)
	once := make([]*ellswift.PrivateKey, 0, 100)
	for range cap(once) {
		key, _, err := ellswift.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		once = append(once, key)
	}
	next := func() *ellswift.PrivateKey { once = once[1:]; return once[0] }
	encoding, err := ellswift.Encode(pub, aux)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []operation{
		{"ellswift.Encode", func() { _, err := ellswift.Encode(pub, aux); ok = err == nil }},
		{"ellswift.Encode, fresh randomness", func() { _, err := ellswift.Encode(pub, nil); ok = err == nil }},
		{"ellswift.Decode", func() { ok = ellswift.Decode(&encoding).Bytes()[0] == compressed[0] }},
		{"ellswift.PrivateKey.ECDH", func() { _, err := next().ECDH(&encoding, true); ok = err == nil }},
		{"ellswift.PrivateKey.X", func() { _, err := next().X(&encoding); ok = err == nil }},
		{"PrivateKey.Use", func() {
			err := k.Use(func(d curve.Scalar) error { ok = d.IsZero() == 0; return nil })
			ok = ok && err == nil
		}},
		{"NewPublicKey, compressed", func() {
			p, err := p256k1.NewPublicKey(compressed)
			ok = err == nil && p.BytesUncompressed()[0] == 4
		}},
		{"NewPublicKey, uncompressed", func() {
			p, err := p256k1.NewPublicKey(uncompressed)
			ok = err == nil && p.Bytes()[1] == compressed[1]
		}},
		{"NewXOnlyPublicKey", func() {
			x, err := p256k1.NewXOnlyPublicKey(xonly)
			ok = err == nil && x.Bytes()[0] == xonly[0]
		}},
		{"CheckTweakAdd", func() { ok = !x.CheckTweakAdd(tweak, xonly, false) }},

		{"ecdsa.Sign", func() { _, err := ecdsa.Sign(k, digest); ok = err == nil }},
		{"ecdsa.SignWithEntropy", func() { _, err := ecdsa.SignWithEntropy(k, digest, aux); ok = err == nil }},
		{"ecdsa.SignRecoverable", func() { _, err := ecdsa.SignRecoverable(k, digest); ok = err == nil }},
		{"ecdsa.SignChecked", func() { _, err := ecdsa.SignChecked(k, digest, aux); ok = err == nil }},
		{"ecdsa.Sign to compact", func() { sig, err := ecdsa.Sign(k, digest); ok = err == nil && sig.Bytes()[0] == compact[0] }},
		{"ecdsa.Sign to DER", func() { sig, err := ecdsa.Sign(k, digest); ok = err == nil && sig.DER()[0] == 0x30 }},
		{"ecdsa.SignRecoverable to bytes", func() {
			sig, err := ecdsa.SignRecoverable(k, digest)
			ok = err == nil && sig.Bytes()[0] == sig.BytesBitcoin(true)[1]
		}},
		{"ecdsa.Sign of a longer hash", func() { _, err := ecdsa.Sign(k, ecdsa.TruncateHash(compressed)); ok = err == nil }},
		{"ecdsa.Sign of a shorter hash", func() { _, err := ecdsa.Sign(k, ecdsa.TruncateHash(digest[:20])); ok = err == nil }},
		{"ecdsa.Verify", func() { ok = ecdsa.Verify(pub, digest, sig.Signature()) }},
		{"ecdsa.Verify, precomputed", func() { ok = ecdsa.Verify(precomputed, digest, sig.Signature()) }},
		{"ecdsa.VerifyLowS", func() { ok = ecdsa.VerifyLowS(pub, digest, sig.Signature()) }},
		{"ecdsa.VerifyDER", func() { ok = ecdsa.VerifyDER(compressed, digest, der) }},
		{"ecdsa.VerifyCompact", func() { ok = ecdsa.VerifyCompact(uncompressed, digest, compact) }},
		{"ecdsa.Verify from bytes, DER", func() {
			p, err1 := p256k1.NewPublicKey(compressed)
			sig, err2 := ecdsa.ParseDER(der)
			ok = err1 == nil && err2 == nil && ecdsa.Verify(p, digest, sig)
		}},
		{"ecdsa.Verify from bytes, compact", func() {
			p, err1 := p256k1.NewPublicKey(uncompressed)
			sig, err2 := ecdsa.ParseCompact(compact)
			ok = err1 == nil && err2 == nil && ecdsa.Verify(p, digest, sig)
		}},
		{"ecdsa.Recover", func() {
			p, err := ecdsa.Recover(digest, sig)
			ok = err == nil && p.Bytes()[0] == compressed[0]
		}},
		{"ecdsa.Recover from bytes", func() {
			sig1, err1 := ecdsa.ParseRecoverable(rsv)
			sig2, _, err2 := ecdsa.ParseRecoverableBitcoin(bitcoin)
			sig3, err3 := ecdsa.ParseRecoverableEthereum(sig1.BytesEthereum())
			p, err4 := ecdsa.Recover(digest, sig1)
			ok = err1 == nil && err2 == nil && err3 == nil && err4 == nil && sig1 == sig2 && sig1 == sig3 && p.Equal(pub)
		}},

		{"ecdsa.Batch", func() {
			batch.Reset()
			for i := range many {
				if i%2 == 0 {
					batch.Add(compressed, digest, sig.Signature())
				} else {
					batch.AddKey(pub, digest, sig.Signature())
				}
			}
			ok = batch.Verify() && len(batch.Invalid(invalid)) == 0
			batch.Add(compressed, digest[:31], sig.Signature())
			batch.Add(compressed[:32], digest, sig.Signature())
			batch.Add(uncompressed, digest, ecdsa.Signature{})
			ok = ok && len(batch.Invalid(invalid)) == 3
		}},
		{"ecdsa.SignBatch", func() { ok = ecdsa.SignBatch(batchSigs, batchKeys, batchDigests) == nil }},
		{"schnorr.SignBatch", func() { ok = schnorr.SignBatch(batchSchnorr, batchKeys, batchDigests) == nil }},
		{"schnorr.Sign, fresh randomness", func() { _, err := schnorr.Sign(k, digest, nil); ok = err == nil }},
		{"schnorr.Sign", func() { _, err := schnorr.Sign(k, digest, aux); ok = err == nil }},
		{"schnorr.SignChecked, fresh randomness", func() { _, err := schnorr.SignChecked(k, digest, nil); ok = err == nil }},
		{"schnorr.SignChecked", func() { _, err := schnorr.SignChecked(k, digest, aux); ok = err == nil }},
		{"schnorr.Verify", func() { ok = !schnorr.Verify(x, digest, schnorrSig[:]) }},
		{"schnorr.Verify, precomputed", func() { ok = schnorr.Verify(precomputed.XOnly(), digest, schnorrSig[:]) }},
		{"schnorr.VerifyBytes", func() { ok = schnorr.VerifyBytes(xonly, digest, schnorrSig[:]) }},
		{"schnorr.Batch", func() {
			schnorrBatch.Reset()
			for range 100 {
				schnorrBatch.Add(xonly, digest, schnorrSig[:])
				schnorrBatch.AddKey(k.PublicKey().XOnly(), digest, schnorrSig[:])
			}
			ok = schnorrBatch.Verify() && len(schnorrBatch.Invalid(nil)) == 0
		}},
		{"schnorr.Batch, with bad ones", func() {
			schnorrBatch.Reset()
			for i := range 100 {
				schnorrBatch.Add(xonly, digest, schnorrSig[:i%65])
				schnorrBatch.AddKey(x, digest[:i%33], schnorrSig[:])
			}
			bad = schnorrBatch.Invalid(bad[:0])
			ok = !schnorrBatch.Verify() && len(bad) > 0
		}},
		{"schnorr.TaggedHash", func() { ok = schnorr.TaggedHash("TapTweak", xonly)[0] != xonly[0] }},

		{"ecdh.X", func() { _, err := ecdh.X(k, peer); ok = err == nil }},
		{"ecdh.XFromXOnly", func() { _, err := ecdh.XFromXOnly(k, x); ok = err == nil }},
		{"ecdh.SHA256", func() { _, err := ecdh.SHA256(k, peer); ok = err == nil }},
		{"ecdh.NIP44ConversationKey", func() { _, err := ecdh.NIP44ConversationKey(k, x); ok = err == nil }},
	} {
		check(c, 0)
	}
	_ = sink
}
