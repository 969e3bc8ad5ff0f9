package p256k1_test

import (
	"sync"
	"testing"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/ecdh"
	"p256k1.mleku.dev/ecdsa"
	"p256k1.mleku.dev/internal/oracle"
	"p256k1.mleku.dev/schnorr"
)

// sample is a random key with what it signed.
type sample struct {
	private                            *p256k1.PrivateKey
	public                             *p256k1.PublicKey
	xonly                              *p256k1.XOnlyPublicKey
	recoverable                        ecdsa.RecoverableSignature
	schnorr                            [64]byte
	secret, compressed, x, digest, der []byte
}

// samples are so many that no branch is predicted, and nothing stays in a cache,
// because it is the same again.
var samples = sync.OnceValue(func() *[256]sample {
	all, r := new([256]sample), oracle.NewSeeded("benchmarks")
	for i := range all {
		s := &all[i]
		var errs [4]error
		s.secret, s.digest = r.Bytes(32), r.Bytes(32)
		s.private, errs[0] = p256k1.NewPrivateKey(s.secret)
		s.public = s.private.PublicKey()
		s.xonly = s.public.XOnly()
		s.compressed, s.x = s.public.Bytes(), s.xonly.Bytes()
		s.recoverable, errs[1] = ecdsa.SignRecoverable(s.private, s.digest)
		s.der = s.recoverable.Signature().DER()
		s.schnorr, errs[2] = schnorr.Sign(s.private, s.digest, (*[32]byte)(s.digest))
		if !ecdsa.Verify(s.public, s.digest, s.recoverable.Signature()) || !schnorr.Verify(s.xonly, s.digest, s.schnorr[:]) || errs != [4]error{} {
			panic("bad sample")
		}
	}
	return all
})

// run measures f over the samples, and fails b where it is false. The tables are
// built before.
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
		k, err := p256k1.NewPrivateKey(s.secret)
		return err == nil && k.PublicKey().Bytes()[1] == s.x[0]
	})
}

func BenchmarkParse(b *testing.B) {
	run(b, func(s *sample) bool {
		_, err := p256k1.NewPublicKey(s.compressed)
		return err == nil
	})
}

func BenchmarkECDSASign(b *testing.B) {
	run(b, func(s *sample) bool {
		sig, err := ecdsa.Sign(s.private, s.digest)
		return err == nil && sig == s.recoverable.Signature()
	})
}

func BenchmarkECDSASignChecked(b *testing.B) {
	run(b, func(s *sample) bool {
		sig, err := ecdsa.SignChecked(s.private, s.digest, nil)
		return err == nil && sig == s.recoverable
	})
}

func BenchmarkECDSAVerify(b *testing.B) {
	run(b, func(s *sample) bool {
		pub, err1 := p256k1.NewPublicKey(s.compressed)
		sig, err2 := ecdsa.ParseDER(s.der)
		return err1 == nil && err2 == nil && ecdsa.Verify(pub, s.digest, sig)
	})
}

func BenchmarkECDSAVerifyParsed(b *testing.B) {
	run(b, func(s *sample) bool { return ecdsa.Verify(s.public, s.digest, s.recoverable.Signature()) })
}

func BenchmarkRecover(b *testing.B) {
	run(b, func(s *sample) bool {
		pub, err := ecdsa.Recover(s.digest, s.recoverable)
		return err == nil && pub.Equal(s.public)
	})
}

func BenchmarkSchnorrSign(b *testing.B) {
	run(b, func(s *sample) bool {
		sig, err := schnorr.Sign(s.private, s.digest, (*[32]byte)(s.digest))
		return err == nil && sig == s.schnorr
	})
}

func BenchmarkSchnorrSignChecked(b *testing.B) {
	run(b, func(s *sample) bool {
		sig, err := schnorr.SignChecked(s.private, s.digest, (*[32]byte)(s.digest))
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
