package signer_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// FuzzSigner initializes one signer with a secret key and another with a public key. The second signer verifies a
// signature, and the first computes shared secrets.
func FuzzSigner(f *testing.F) {
	r := oracle.NewSeeded("signer")
	for i, d := range []*big.Int{big.NewInt(5), big.NewInt(6), r.ValidScalar()} {
		secret, x, msg := oracle.Bytes(d), oracle.Bytes(oracle.G.Mul(d).X), r.Bytes(i*16)
		sig, _ := oracle.SignSchnorr(d, msg, [32]byte{})
		f.Add(secret[:], x[:], msg, sig[:])
		f.Add(secret[:], x[:], append([]byte{1}, msg...), sig[:])
		f.Add(secret[:], x[:], msg, sig[:63])
		if i > 0 {
			continue
		}
		for _, b := range append(oracle.RangeEdges(), oracle.BadX()...) {
			f.Add(b[:], x[:], msg, sig[:])
			f.Add(secret[:], b[:], msg, sig[:])
		}
	}
	f.Add([]byte{5}, oracle.G.Compressed(), []byte(nil), []byte(nil))
	f.Add([]byte(nil), []byte(nil), []byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, secret, pub, msg, sig []byte) {
		old := big.NewInt(6)
		s, watcher := withSec(t, old), withSec(t, old)
		d, oldPub := old, s.Pub()

		err := s.InitSec(secret)
		v := oracle.Int(secret)
		switch {
		case len(secret) != 32:
			checkKind(t, err, p256k1.ErrLength)
		case v.Sign() == 0 || v.Cmp(oracle.N) >= 0:
			checkKind(t, err, p256k1.ErrRange)
		default:
			checkKind(t, err, nil)
			d = v
		}
		own := oracle.G.Mul(d)
		wantSec, wantPub := oracle.Bytes(d), oracle.Bytes(own.X)
		if !bytes.Equal(s.Sec(), wantSec[:]) || !bytes.Equal(s.Pub(), wantPub[:]) {
			t.Fatalf("InitSec(%x): Sec %x, Pub %x", secret, s.Sec(), s.Pub())
		}

		peer, ok := oracle.LiftX(oracle.Int(pub))
		ok = ok && len(pub) == 32
		if err := watcher.InitPub(pub); (err == nil) != ok {
			t.Fatalf("InitPub(%x): %v", pub, err)
		}
		secretOf, pubOf := watcher.Sec(), watcher.Pub()
		if (ok && (secretOf != nil || !bytes.Equal(pubOf, pub))) || (!ok && (oracle.Int(secretOf).Cmp(old) != 0 || !bytes.Equal(pubOf, oldPub))) {
			t.Fatalf("InitPub(%x): Sec %x, Pub %x", pub, secretOf, pubOf)
		}

		valid, err := watcher.Verify(msg, sig)
		if len(sig) != 64 {
			checkKind(t, err, p256k1.ErrLength)
		} else {
			checkKind(t, err, nil)
		}
		if valid != oracle.VerifySchnorr(pubOf, msg, sig) {
			t.Fatalf("key %x, message %x, signature %x: %v", pubOf, msg, sig, valid)
		}
		if sig, err := s.Sign(msg); err != nil {
			t.Fatalf("key %x, message %x: %v", d, msg, err)
		} else if valid, err := s.Verify(msg, sig); !valid || err != nil {
			t.Fatalf("key %x, message %x: %x, %v", d, msg, sig, err)
		}

		hash, err1 := s.ECDH(pub)
		x, err2 := s.ECDHRaw(pub)
		rawPeer, rawOK := peer, ok
		if len(pub) == 33 && pub[0]|1 == 3 {
			rawPeer, rawOK = oracle.LiftX(oracle.Int(pub[1:]))
		}
		if (err1 == nil) != ok || (err2 == nil) != rawOK {
			t.Fatalf("ECDH with %x: %v, %v", pub, err1, err2)
		}
		if rawOK {
			if want := oracle.Bytes(rawPeer.Mul(d).X); !bytes.Equal(x, want[:]) {
				t.Fatalf("%x and %x: %x", d, pub, x)
			}
		}
		if ok {
			if own.Y.Bit(0) == 1 {
				d = oracle.Fn.Neg(d)
			}
			if want := sha256.Sum256(peer.Mul(d).Compressed()); !bytes.Equal(hash, want[:]) {
				t.Fatalf("%x and %x: %x", d, pub, hash)
			}
		}
		if _, err := watcher.Sign(msg); errors.Is(err, p256k1.ErrNoKey) != ok {
			t.Fatalf("signed without a secret key: %v", err)
		}
	})
}

func checkKind(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}
