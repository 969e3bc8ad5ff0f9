package p256k1_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"p256k1.mleku.dev"
	v2 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// BenchmarkCalls measures the calls that a relay and a client make, with the API of version 1 and with the API of
// version 2, with the same bytes as input. A batch has 512 signatures by 512 keys, and its time is reported per
// signature.
func BenchmarkCalls(b *testing.B) {
	const n = 512
	type item struct{ sec, pub, x, msg, sig, der []byte }
	items := make([]item, n)
	for i := range items {
		sec := sha256.Sum256(fmt.Appendf(nil, "key %d", i))
		key, err := v2.ParsePrivateKey(sec[:])
		if err != nil {
			b.Fatal(err)
		}
		msg := sha256.Sum256(sec[:])
		sig, _ := schnorr.Sign(key, msg[:], nil)
		der, _ := ecdsa.Sign(key, msg[:], nil)
		pub := key.PublicKey()
		items[i] = item{sec[:], pub.Bytes(), pub.XOnly().Bytes(), msg[:], sig[:], der.DER()}
	}
	must := func(ok bool) {
		if !ok {
			b.Fatal("not valid")
		}
	}
	var zeros [32]byte
	for _, c := range []struct {
		name   string
		v1, v2 func(i *item)
	}{
		{"Schnorr verify", func(i *item) {
			x, err := p256k1.XOnlyPubkeyParse(i.x)
			must(err == nil && p256k1.SchnorrVerify(i.sig, i.msg, x))
		}, func(i *item) {
			x, err := v2.ParseXOnlyPublicKey(i.x)
			must(err == nil && schnorr.Verify(x, i.msg, i.sig))
		}},
		{"Schnorr sign", func(i *item) {
			var sig [64]byte
			pair, err := p256k1.KeyPairCreate(i.sec)
			must(err == nil && p256k1.SchnorrSign(sig[:], i.msg, pair, nil) == nil)
		}, func(i *item) {
			key, err := v2.ParsePrivateKey(i.sec)
			must(err == nil)
			key.PublicKey() // a key pair of version 1 contains the public key
			_, err = schnorr.Sign(key, i.msg, &schnorr.Options{AuxRand: &zeros})
			must(err == nil)
		}},
		{"ECDSA verify", func(i *item) {
			var pub p256k1.PublicKey
			must(p256k1.ECPubkeyParse(&pub, i.pub) == nil && p256k1.ECDSAVerifyDER(i.der, i.msg, &pub))
		}, func(i *item) {
			pub, err := v2.ParsePublicKey(i.pub)
			sig, err2 := ecdsa.ParseDER(i.der)
			must(err == nil && err2 == nil && ecdsa.VerifyLowS(pub, i.msg, sig))
		}},
		{"ECDSA sign", func(i *item) {
			_, err := p256k1.ECDSASignDER(i.msg, i.sec)
			must(err == nil)
		}, func(i *item) {
			key, err := v2.ParsePrivateKey(i.sec)
			must(err == nil)
			sig, err := ecdsa.Sign(key, i.msg, nil)
			must(err == nil && sig.DER() != nil)
		}},
		{"ECDH", func(i *item) {
			var shared [32]byte
			var pub p256k1.PublicKey
			must(p256k1.ECPubkeyParse(&pub, items[0].pub) == nil && p256k1.ECDH(shared[:], &pub, i.sec, nil) == nil)
		}, func(i *item) {
			key, err := v2.ParsePrivateKey(i.sec)
			pub, err2 := v2.ParsePublicKey(items[0].pub)
			must(err == nil && err2 == nil)
			_, err = ecdh.SHA256(key, pub)
			must(err == nil)
		}},
	} {
		for version, call := range map[string]func(*item){"v1": c.v1, "v2": c.v2} {
			b.Run(c.name+"/"+version, func(b *testing.B) {
				b.ReportAllocs()
				for i := range b.N {
					call(&items[i%n])
				}
			})
		}
	}
	b.Run("Schnorr batch/v1", func(b *testing.B) {
		b.ReportAllocs()
		all := make([]p256k1.BatchSchnorrItem, n)
		for range (b.N + n - 1) / n {
			for i := range items {
				x, err := p256k1.XOnlyPubkeyParse(items[i].x)
				must(err == nil)
				all[i] = p256k1.BatchSchnorrItem{Pubkey: x, Message: items[i].msg, Signature: items[i].sig}
			}
			must(p256k1.SchnorrBatchVerify(all))
		}
	})
	b.Run("Schnorr batch/v2", func(b *testing.B) {
		b.ReportAllocs()
		var batch schnorr.Batch
		for range (b.N + n - 1) / n {
			batch.Reset()
			for i := range items {
				batch.Add(items[i].x, items[i].msg, items[i].sig)
			}
			must(batch.Verify())
		}
	})
}
