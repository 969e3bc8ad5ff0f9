package p256k1_test

import (
	"strconv"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

// sample is a random key with a message and its signatures.
type sample struct {
	private                            *p256k1.PrivateKey
	public                             *p256k1.PublicKey
	xonly                              *p256k1.XOnlyPublicKey
	recoverable                        ecdsa.RecoverableSignature
	schnorr                            [64]byte
	secret, compressed, x, digest, der []byte
}

// samples holds 256 samples, which are enough to keep the processor from learning the branches and to keep the data out
// of the cache.
var samples = sync.OnceValue(func() *[256]sample {
	all, r := new([256]sample), oracle.NewSeeded("benchmarks")
	for i := range all {
		s := &all[i]
		var errs [4]error
		s.secret, s.digest = r.Bytes(32), r.Bytes(32)
		s.private, errs[0] = p256k1.ParsePrivateKey(s.secret)
		s.public = s.private.PublicKey()
		s.xonly = s.public.XOnly()
		s.compressed, s.x = s.public.Bytes(), s.xonly.Bytes()
		s.recoverable, errs[1] = ecdsa.SignRecoverable(s.private, s.digest, nil)
		s.der = s.recoverable.Signature().DER()
		s.schnorr, errs[2] = schnorr.Sign(s.private, s.digest, &schnorr.Options{AuxRand: (*[32]byte)(s.digest)})
		if !ecdsa.Verify(s.public, s.digest, s.recoverable.Signature()) || !schnorr.Verify(s.xonly, s.digest, s.schnorr[:]) || errs != [4]error{} {
			panic("bad sample")
		}
	}
	return all
})

// run measures f over the samples, which it builds before it starts the clock, and fails if f returns false.
func run(b *testing.B, f func(s *sample) bool) {
	all := samples()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if !f(&all[i&255]) {
			b.Fatal("failed")
		}
	}
}

func BenchmarkDerive(b *testing.B) {
	run(b, func(s *sample) bool {
		k, err := p256k1.ParsePrivateKey(s.secret)
		return err == nil && k.PublicKey().Bytes()[1] == s.x[0]
	})
}

func BenchmarkParse(b *testing.B) {
	run(b, func(s *sample) bool {
		_, err := p256k1.ParsePublicKey(s.compressed)
		return err == nil
	})
}

func BenchmarkECDSASign(b *testing.B) {
	run(b, func(s *sample) bool {
		sig, err := ecdsa.Sign(s.private, s.digest, nil)
		return err == nil && sig == s.recoverable.Signature()
	})
}

func BenchmarkECDSASignChecked(b *testing.B) {
	run(b, func(s *sample) bool {
		sig, err := ecdsa.SignRecoverable(s.private, s.digest, &ecdsa.Options{Checked: true})
		return err == nil && sig == s.recoverable
	})
}

func BenchmarkECDSAVerify(b *testing.B) {
	run(b, func(s *sample) bool { return ecdsa.VerifyDER(s.compressed, s.digest, s.der) })
}

func BenchmarkECDSAVerifyParsed(b *testing.B) {
	run(b, func(s *sample) bool { return ecdsa.Verify(s.public, s.digest, s.recoverable.Signature()) })
}

// BenchmarkVerifyPrecomputed verifies many signatures by one key that has a precomputed table.
func BenchmarkVerifyPrecomputed(b *testing.B) {
	all := samples()
	key := all[0].private
	pub := key.PublicKey().Precomputed()
	x := pub.XOnly()
	ofECDSA, ofSchnorr := make(map[*sample]ecdsa.Signature), make(map[*sample][64]byte)
	for i := range all {
		s := &all[i]
		var errs [2]error
		ofECDSA[s], errs[0] = ecdsa.Sign(key, s.digest, nil)
		ofSchnorr[s], errs[1] = schnorr.Sign(key, s.digest, nil)
		if errs != [2]error{} {
			b.Fatal(errs)
		}
	}
	b.Run("ECDSA", func(b *testing.B) {
		run(b, func(s *sample) bool { return ecdsa.Verify(pub, s.digest, ofECDSA[s]) })
	})
	b.Run("Schnorr", func(b *testing.B) {
		run(b, func(s *sample) bool {
			sig := ofSchnorr[s]
			return schnorr.Verify(x, s.digest, sig[:])
		})
	})
}

func BenchmarkRecover(b *testing.B) {
	run(b, func(s *sample) bool {
		pub, err := ecdsa.Recover(s.digest, s.recoverable)
		return err == nil && pub.Equal(s.public)
	})
}

func BenchmarkSchnorrSign(b *testing.B) {
	run(b, func(s *sample) bool {
		sig, err := schnorr.Sign(s.private, s.digest, &schnorr.Options{AuxRand: (*[32]byte)(s.digest)})
		return err == nil && sig == s.schnorr
	})
}

func BenchmarkSchnorrSignChecked(b *testing.B) {
	run(b, func(s *sample) bool {
		sig, err := schnorr.Sign(s.private, s.digest, &schnorr.Options{AuxRand: (*[32]byte)(s.digest), Checked: true})
		return err == nil && sig == s.schnorr
	})
}

func BenchmarkSchnorrVerify(b *testing.B) {
	run(b, func(s *sample) bool { return schnorr.VerifyBytes(s.x, s.digest, s.schnorr[:]) })
}

func BenchmarkSchnorrVerifyParsed(b *testing.B) {
	run(b, func(s *sample) bool { return schnorr.Verify(s.xonly, s.digest, s.schnorr[:]) })
}

func BenchmarkECDHX(b *testing.B) {
	run(b, func(s *sample) bool {
		_, err := ecdh.X(s.private, s.public)
		return err == nil
	})
}

func BenchmarkECDHSHA256(b *testing.B) {
	run(b, func(s *sample) bool {
		_, err := ecdh.SHA256(s.private, s.public)
		return err == nil
	})
}

func BenchmarkECDHNIP44(b *testing.B) {
	run(b, func(s *sample) bool {
		_, err := ecdh.NIP44ConversationKey(s.private, s.xonly)
		return err == nil
	})
}

// batches measures f on the first n samples as one batch, and reports the time per sample.
func batches(b *testing.B, f func(samples []sample) bool) {
	for _, n := range []int{1, 2, 8, 64, 256} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			all := samples()[:n]
			b.ReportAllocs()
			for b.Loop() {
				if !f(all) {
					b.Fatal("failed")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
		})
	}
}

func BenchmarkECDSABatch(b *testing.B) {
	var batch ecdsa.Batch
	batches(b, func(all []sample) bool {
		batch.Reset()
		for i := range all {
			batch.Add(all[i].compressed, all[i].digest, all[i].recoverable.Signature())
		}
		return batch.Verify()
	})
}

func BenchmarkECDSABatchParsed(b *testing.B) {
	var batch ecdsa.Batch
	batches(b, func(all []sample) bool {
		batch.Reset()
		for i := range all {
			batch.AddKey(all[i].public, all[i].digest, all[i].recoverable.Signature())
		}
		return batch.Verify()
	})
}

func BenchmarkRecoverBatch(b *testing.B) {
	keys, digests, sigs := make([]p256k1.PublicKey, 256), make([][]byte, 256), make([]ecdsa.RecoverableSignature, 256)
	for i := range samples() {
		digests[i], sigs[i] = samples()[i].digest, samples()[i].recoverable
	}
	batches(b, func(all []sample) bool {
		n := len(all)
		return ecdsa.RecoverBatch(keys[:n], digests[:n], sigs[:n]) == nil
	})
}

func BenchmarkECDSASignBatch(b *testing.B) {
	sigs, keys, digests := make([]ecdsa.Signature, 256), make([]*p256k1.PrivateKey, 256), make([][]byte, 256)
	for i := range samples() {
		keys[i], digests[i] = samples()[i].private, samples()[i].digest
	}
	batches(b, func(all []sample) bool {
		n := len(all)
		return ecdsa.SignBatch(sigs[:n], keys[:n], digests[:n], nil) == nil
	})
}

func BenchmarkSchnorrSignBatch(b *testing.B) {
	sigs, keys, msgs := make([][64]byte, 256), make([]*p256k1.PrivateKey, 256), make([][]byte, 256)
	for i := range samples() {
		keys[i], msgs[i] = samples()[i].private, samples()[i].digest
	}
	batches(b, func(all []sample) bool {
		n := len(all)
		return schnorr.SignBatch(sigs[:n], keys[:n], msgs[:n], nil) == nil
	})
}

func BenchmarkGenerateBatch(b *testing.B) {
	batches(b, func(all []sample) bool {
		_, err := p256k1.GenerateKeys(len(all))
		return err == nil
	})
}

func BenchmarkDeriveBatch(b *testing.B) {
	secrets := make([][]byte, 256)
	for i := range samples() {
		secrets[i] = samples()[i].secret
	}
	batches(b, func(all []sample) bool {
		_, err := p256k1.ParsePrivateKeys(secrets[:len(all)])
		return err == nil
	})
}

func BenchmarkTweakAddBatch(b *testing.B) {
	tweaks := make([][]byte, 256)
	for i := range samples() {
		tweaks[i] = samples()[i].secret
	}
	batches(b, func(all []sample) bool {
		_, err := all[0].public.TweakAddBatch(tweaks[:len(all)])
		return err == nil
	})
}

func BenchmarkECDHNIP44Batch(b *testing.B) {
	keys, pubs := make([][32]byte, 256), make([]*p256k1.XOnlyPublicKey, 256)
	for i := range samples() {
		pubs[i] = samples()[i].xonly
	}
	batches(b, func(all []sample) bool {
		n := len(all)
		return ecdh.NIP44ConversationKeyBatch(keys[:n], all[0].private, pubs[:n]) == nil
	})
}
