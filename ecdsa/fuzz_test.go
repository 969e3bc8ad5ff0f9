package ecdsa

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/internal/oracle"
)

// seeds returns signatures of a digest by the key 5, and others at the bounds.
func seeds() (digest []byte, all []oracle.Signature) {
	digest = oracle.NewSeeded("fuzz").Bytes(32)
	sig, _ := oracle.SignRFC6979(big.NewInt(5), digest, nil)
	all = append(all, sig, sig.Negate())
	for i, r := range oracle.RangeEdges() {
		for j, s := range oracle.RangeEdges() {
			all = append(all, oracle.Signature{R: oracle.Int(r[:]), S: oracle.Int(s[:]), RecID: (i + j) % 4})
		}
	}
	for i, r := range oracle.WrapR() {
		all = append(all, oracle.Signature{R: oracle.Int(r[:]), S: big.NewInt(3), RecID: i % 4})
	}
	return digest, all
}

func FuzzParseDER(f *testing.F) {
	_, all := seeds()
	for _, sig := range all {
		der := raw(sig.R, sig.S).DER()
		f.Add(der)
		f.Add(der[:len(der)-1])
		f.Add(append(der, 1))
	}
	for _, s := range []string{"", "\x30", "\x30\x80\x02\x01\x01\x02\x01\x01\x00\x00", "\x30\x81\x06\x02\x01\x01\x02\x01\x01", "\x30\x07\x02\x02\x00\x01\x02\x01\x01"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkDER(t, b) })
}

// checkRS compares the verdict of a parser of r‖s.
func checkRS(t *testing.T, rs []byte, got Signature, err error) {
	t.Helper()
	want := inRange(oracle.Int(rs[:32])) && inRange(oracle.Int(rs[32:]))
	if (err == nil) != want {
		t.Fatalf("%x: %v, want %v", rs, err, want)
	}
	if want && (!bytes.Equal(got.Bytes(), rs) || got.IsLowS() != oracle.ParseCompact([64]byte(rs)).IsLowS()) {
		t.Fatalf("%x is parsed as %x", rs, got)
	}
	if want {
		again, err := ParseDER(got.DER())
		if err != nil || again != got {
			t.Fatalf("%x is encoded as %x (%v)", rs, got.DER(), err)
		}
	}
}

func FuzzParseCompact(f *testing.F) {
	_, all := seeds()
	for _, sig := range all {
		b := sig.Compact()
		f.Add(b[:])
	}
	f.Add([]byte(nil))
	f.Add(make([]byte, 65))
	f.Fuzz(func(t *testing.T, b []byte) {
		sig, err := ParseCompact(b)
		if len(b) == 64 {
			checkRS(t, b, sig, err)
		} else if err == nil {
			t.Fatalf("%x is accepted", b)
		}
	})
}

// FuzzParseRecoverable parses both encodings of recoverable signatures.
func FuzzParseRecoverable(f *testing.F) {
	_, all := seeds()
	for i, sig := range all {
		b := sig.Compact()
		f.Add(append(b[:], byte(i%6)))
		f.Add(append([]byte{byte(26 + i%10)}, b[:]...))
	}
	f.Add([]byte(nil))
	f.Add(make([]byte, 64))
	f.Fuzz(func(t *testing.T, b []byte) {
		sig, err := ParseRecoverable(b)
		bitcoin, compressed, errBitcoin := ParseRecoverableBitcoin(b)
		if len(b) != 65 {
			if err == nil || errBitcoin == nil {
				t.Fatalf("%x is accepted", b)
			}
			return
		}
		if b[64] > 3 {
			if err == nil {
				t.Fatalf("%x is accepted", b)
			}
		} else if checkRS(t, b[:64], sig.Signature(), err); err == nil && (!bytes.Equal(sig.Bytes(), b) || sig.RecoveryID() != int(b[64])) {
			t.Fatalf("%x is parsed as %x", b, sig)
		}
		if b[0] < 27 || b[0] > 34 {
			if errBitcoin == nil {
				t.Fatalf("%x is accepted with its header", b)
			}
		} else if checkRS(t, b[1:], bitcoin.Signature(), errBitcoin); errBitcoin == nil && !bytes.Equal(bitcoin.BytesBitcoin(compressed), b) {
			t.Fatalf("%x is parsed as %x, %v", b, bitcoin, compressed)
		}
	})
}

// FuzzVerify compares Verify with Recover, since the oracle is slow under the
// instrumentation: a signature is valid for the keys that are recovered from it.
func FuzzVerify(f *testing.F) {
	digest, all := seeds()
	for _, sig := range all {
		rs := sig.Compact()
		f.Add(oracle.G.Mul(big.NewInt(5)).Compressed(), digest, rs[:])
		if pub, ok := oracle.RecoverECDSA(digest, sig); ok {
			f.Add(pub.Uncompressed(), digest, rs[:])
			f.Add(pub.Uncompressed(), append([]byte(nil), append(digest, 1)...), rs[:])
			f.Add(pub.Neg().Compressed(), digest[:20], rs[:])
		}
	}
	f.Add([]byte(nil), []byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, pub, digest, rs []byte) {
		k, err1 := p256k1.NewPublicKey(pub)
		sig, err2 := ParseCompact(rs)
		if err1 != nil {
			k = new(p256k1.PublicKey)
		}
		want := false
		for id := range byte(4) {
			q, err := Recover(digest, RecoverableSignature{[65]byte(append(sig.Bytes(), id))})
			want = want || err == nil && err1 == nil && err2 == nil && q.Equal(k)
		}
		if Verify(k, digest, sig) != want || VerifyLowS(k, digest, sig) != (want && sig.IsLowS()) || Verify(k, digest, sig.NormalizeS()) != want {
			t.Fatalf("key %x, digest %x, %x: want %v", pub, digest, rs, want)
		}
	})
}

// FuzzRecover verifies with what it recovers, and looks for the point where it
// recovers nothing.
func FuzzRecover(f *testing.F) {
	digest, all := seeds()
	for _, sig := range all {
		rs := sig.Compact()
		for id := range byte(4) {
			f.Add(digest, append(rs[:], id))
		}
	}
	f.Add([]byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, digest, rsv []byte) {
		sig, err := ParseRecoverable(rsv)
		if err != nil {
			if sig != (RecoverableSignature{}) {
				t.Fatalf("%x beside the error", sig)
			}
			if k, err := Recover(digest, sig); k != nil || err == nil {
				t.Fatalf("%v is recovered from the zero value", k)
			}
			return
		}
		if len(digest) == 0 {
			_, err := Recover(digest, sig)
			checkError(t, err, ErrDigest)
			return
		}
		k, err := Recover(digest, sig)
		if err == nil {
			if !Verify(k, digest, sig.Signature()) {
				t.Fatalf("digest %x, %x: %x does not verify", digest, rsv, k.Bytes())
			}
			return
		}
		checkError(t, err, ErrRecover)
		x := oracle.Int(rsv[:32])
		if rsv[64]&2 != 0 {
			x.Add(x, oracle.N)
		}
		if _, ok := oracle.LiftX(x); ok && !errors.Is(err, p256k1.ErrInfinity) {
			t.Fatalf("digest %x, %x: %v", digest, rsv, err)
		}
	})
}
