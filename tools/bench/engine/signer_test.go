package engine

import (
	"bytes"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/signer"
)

func signers(t *testing.T) map[string]signer.I {
	t.Helper()
	all := map[string]signer.I{"P256K1Signer": signer.NewP256K1Signer()}
	for _, name := range []string{"btcec", "libsecp256k1", "libsecp256k1-cgo", "p256k1"} {
		s, err := NewSigner(name)
		switch {
		case errors.Is(err, ErrAbsent):
			t.Logf("NOT TESTED: %s: %v", name, err)
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		default:
			all[name] = s
		}
	}
	return all
}

// TestSigners checks every signer's keys (of either parity), shared secrets and signatures against P256K1Signer.
func TestSigners(t *testing.T) {
	msg := bytes.Repeat([]byte{3}, 32)
	for d := byte(1); d < 9; d++ {
		sec := append(make([]byte, 31), d)
		want, peer := signer.NewP256K1Signer(), signer.NewP256K1Signer()
		if err := errors.Join(want.InitSec(sec), peer.Generate()); err != nil {
			t.Fatal(err)
		}
		hashed, _ := want.ECDH(peer.Pub())
		raw, _ := want.ECDHRaw(peer.Pub())
		for name, s := range signers(t) {
			if err := s.InitSec(sec); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(s.Sec(), sec) || !bytes.Equal(s.Pub(), want.Pub()) {
				t.Errorf("%s: keys %x, %x", name, s.Sec(), s.Pub())
			}
			sig, err := s.Sign(msg)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if ok, err := want.Verify(msg, sig); !ok || err != nil {
				t.Errorf("%s signed %x, which does not verify: %v", name, sig, err)
			}
			if ok, err := s.Verify(msg, sig); !ok || err != nil {
				t.Errorf("%s: Verify = %v, %v", name, ok, err)
			}
			sig[40] ^= 1
			if ok, err := s.Verify(msg, sig); ok || err != nil {
				t.Errorf("%s: Verify of a bad signature = %v, %v", name, ok, err)
			}
			if got, err := s.ECDH(peer.Pub()); err != nil || !bytes.Equal(got, hashed) {
				t.Errorf("%s: ECDH = %x, %v, want %x", name, got, err, hashed)
			}
			if got, err := s.ECDHRaw(peer.Pub()); err != nil || !bytes.Equal(got, raw) {
				t.Errorf("%s: ECDHRaw = %x, %v, want %x", name, got, err, raw)
			}
		}
	}
}

func TestSignersWithoutKeys(t *testing.T) {
	msg, x := make([]byte, 32), append(make([]byte, 31), 1)
	for name, s := range signers(t) {
		if s.Sec() != nil || s.Pub() != nil {
			t.Errorf("%s has keys from the start", name)
		}
		if _, err := s.Sign(msg); !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%s: Sign: %v", name, err)
		}
		if _, err := s.Verify(msg, make([]byte, 64)); !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%s: Verify: %v", name, err)
		}
		if err := s.Generate(); err != nil {
			t.Errorf("%s: Generate: %v", name, err)
		}
		sec := s.Sec()
		if err := s.InitSec(make([]byte, 32)); err == nil || !bytes.Equal(s.Sec(), sec) {
			t.Errorf("%s: InitSec(0): %v", name, err)
		}
		if err := s.InitPub(make([]byte, 31)); err == nil || !bytes.Equal(s.Sec(), sec) {
			t.Errorf("%s: InitPub of 31 bytes: %v", name, err)
		}
		if err := s.InitPub(x); err != nil || s.Sec() != nil || !bytes.Equal(s.Pub(), x) {
			t.Errorf("%s: InitPub: %v", name, err)
		}
		if _, err := s.ECDHRaw(x); !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%s: ECDHRaw with a public key only: %v", name, err)
		}
		if s.Zero(); s.Pub() != nil {
			t.Errorf("%s has a key after Zero", name)
		}
	}
}

func TestNoSigner(t *testing.T) {
	if _, err := NewSigner("decred"); !errors.Is(err, ErrNotSupported) {
		t.Errorf("decred as a signer: %v", err)
	}
}
