package signer_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// withSec returns a signer with the secret key d.
func withSec(t testing.TB, d *big.Int) *signer.P256K1Signer {
	t.Helper()
	b := oracle.Bytes(d)
	s := signer.NewP256K1Signer()
	if err := s.InitSec(b[:]); err != nil {
		t.Fatal(err)
	}
	return s
}

// keys returns secret keys whose public keys have even and odd y. The first public key has even y, and the second has
// odd y.
func keys(t testing.TB) []*big.Int {
	r := oracle.New(t)
	all := []*big.Int{big.NewInt(1), big.NewInt(6), oracle.Fn.Neg(big.NewInt(1))}
	for range 5 {
		d := r.ValidScalar()
		all = append(all, d, oracle.Fn.Neg(d))
	}
	return all
}

func isOdd(d *big.Int) bool { return oracle.G.Mul(d).Y.Bit(0) == 1 }

func TestInitSec(t *testing.T) {
	for i, d := range keys(t) {
		s := withSec(t, d)
		sec, pub := oracle.Bytes(d), oracle.Bytes(oracle.G.Mul(d).X)
		if i < 2 && isOdd(d) != (i == 1) {
			t.Fatalf("the parity of %x", d)
		}
		if !bytes.Equal(s.Sec(), sec[:]) || !bytes.Equal(s.Pub(), pub[:]) {
			t.Errorf("%x: Sec %x, Pub %x", d, s.Sec(), s.Pub())
		}
		if err := s.InitSec(s.Sec()); err != nil || !bytes.Equal(s.Sec(), sec[:]) {
			t.Errorf("%x: initialized with its own key: %x, %v", d, s.Sec(), err)
		}
	}
}

func TestGenerate(t *testing.T) {
	seen := make(map[string]bool)
	for range 16 {
		s := signer.NewP256K1Signer()
		if err := s.Generate(); err != nil {
			t.Fatal(err)
		}
		d := oracle.Int(s.Sec())
		x := oracle.Bytes(oracle.G.Mul(d).X)
		if isOdd(d) || seen[string(s.Sec())] || !bytes.Equal(s.Pub(), x[:]) {
			t.Errorf("generated %x with Pub %x, odd: %v", d, s.Pub(), isOdd(d))
		}
		seen[string(s.Sec())] = true
	}
}

func TestSignVerify(t *testing.T) {
	for _, d := range keys(t) {
		s, watcher := withSec(t, d), signer.NewP256K1Signer()
		if err := watcher.InitPub(s.Pub()); err != nil || watcher.Sec() != nil || !bytes.Equal(watcher.Pub(), s.Pub()) {
			t.Fatalf("InitPub: %v, Sec %x, Pub %x", err, watcher.Sec(), watcher.Pub())
		}
		for _, msg := range [][]byte{make([]byte, 32), nil, []byte("a message of another length")} {
			sig, err := s.Sign(msg)
			if err != nil || !oracle.VerifySchnorr(s.Pub(), msg, sig) {
				t.Fatalf("%x: %x, %v", d, sig, err)
			}
			if again, _ := s.Sign(msg); bytes.Equal(again, sig) {
				t.Error("no fresh randomness")
			}
			for _, v := range []signer.I{s, watcher} {
				if ok, err := v.Verify(msg, sig); !ok || err != nil {
					t.Errorf("%x: %v, %v", d, ok, err)
				}
				wrong := bytes.Clone(sig)
				wrong[63] ^= 1
				if ok, err := v.Verify(msg, wrong); ok || err != nil {
					t.Errorf("%x, wrong signature: %v, %v", d, ok, err)
				}
				if ok, err := v.Verify(append([]byte{1}, msg...), sig); ok || err != nil {
					t.Errorf("%x, wrong message: %v, %v", d, ok, err)
				}
				for n := range 100 {
					if ok, err := v.Verify(msg, make([]byte, n)); ok || errors.Is(err, p256k1.ErrLength) != (n != schnorr.Size) {
						t.Errorf("signature of %d bytes: %v, %v", n, ok, err)
					}
				}
			}
		}
	}
}

func TestECDH(t *testing.T) {
	all := keys(t)
	if testing.Short() {
		all = all[:4]
	}
	even := func(d *big.Int) *big.Int {
		if isOdd(d) {
			return oracle.Fn.Neg(d)
		}
		return d
	}
	for _, a := range all {
		for _, b := range all {
			alice, bob := withSec(t, a), withSec(t, b)
			shared := oracle.G.Mul(even(b)).Mul(even(a))
			hash, x := sha256.Sum256(shared.Compressed()), oracle.Bytes(shared.X)
			for _, c := range []struct {
				name  string
				agree func(s signer.I, pub []byte) ([]byte, error)
				want  []byte
			}{
				{"ECDH", signer.I.ECDH, hash[:]},
				{"ECDHRaw", signer.I.ECDHRaw, x[:]},
			} {
				ab, err1 := c.agree(alice, bob.Pub())
				ba, err2 := c.agree(bob, alice.Pub())
				if err1 != nil || err2 != nil || !bytes.Equal(ab, c.want) || !bytes.Equal(ba, c.want) {
					t.Errorf("%s of %x and %x: %x (%v), %x (%v), want %x", c.name, a, b, ab, err1, ba, err2, c.want)
				}
			}
			// ECDHRaw returns the same x for compressed keys of both parities.
			compressed, err := bob.PubCompressed()
			if want := oracle.G.Mul(b).Compressed(); err != nil || !bytes.Equal(compressed, want) {
				t.Errorf("PubCompressed of %x: %x, %v, want %x", b, compressed, err, want)
			}
			for prefix := range byte(2) {
				compressed[0] = 2 | prefix
				if got, err := alice.ECDHRaw(compressed); err != nil || !bytes.Equal(got, x[:]) {
					t.Errorf("ECDHRaw of %x and %x: %x (%v), want %x", a, compressed, got, err, x)
				}
				if got, err := alice.ECDH(compressed); got != nil || !errors.Is(err, p256k1.ErrLength) {
					t.Errorf("ECDH of %x and %x: %x (%v)", a, compressed, got, err)
				}
			}
		}
	}
}

// TestFresh overwrites the keys that a signer was given, and keys and shared secrets that its methods return. The
// signer must be unchanged.
func TestFresh(t *testing.T) {
	sec := bytes.Repeat([]byte{7}, 32)
	s := signer.NewP256K1Signer()
	if err := s.InitSec(sec); err != nil {
		t.Fatal(err)
	}
	wantSec, wantPub := s.Sec(), s.Pub()
	peer := bytes.Clone(wantPub)
	results := func() (all [][]byte) {
		secret, err1 := s.ECDH(peer)
		x, err2 := s.ECDHRaw(peer)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		return [][]byte{s.Sec(), s.Pub(), secret, x}
	}
	want := results()
	clear(sec)
	for _, b := range results() {
		clear(b)
		_ = append(b[:0], bytes.Repeat([]byte{1}, cap(b))...)
	}
	for i, b := range results() {
		if !bytes.Equal(b, want[i]) {
			t.Errorf("result %d is %x, before %x", i, b, want[i])
		}
	}
	pub := bytes.Clone(wantPub)
	if err := s.InitPub(pub); err != nil {
		t.Fatal(err)
	}
	clear(pub)
	clear(s.Pub())
	if !bytes.Equal(s.Pub(), wantPub) || !bytes.Equal(wantSec, bytes.Repeat([]byte{7}, 32)) {
		t.Error("InitPub shares memory, or wipes what Sec had returned")
	}
}

// TestFailedInit passes invalid keys to signers without a key, with a secret key and with a public key only.
func TestFailedInit(t *testing.T) {
	watcher, none := signer.NewP256K1Signer(), signer.NewP256K1Signer()
	if err := watcher.InitPub(withSec(t, big.NewInt(5)).Pub()); err != nil {
		t.Fatal(err)
	}
	bad := [][]byte{nil, {}, make([]byte, 31), make([]byte, 33), make([]byte, 32), bytes.Repeat([]byte{0xff}, 32)}
	for _, s := range []signer.I{withSec(t, big.NewInt(6)), watcher, none} {
		sec, pub := s.Sec(), s.Pub()
		for _, b := range bad {
			want := p256k1.ErrRange
			if len(b) != 32 {
				want = p256k1.ErrLength
			}
			libtest.CheckErrorText(t, s.InitSec(b))
			if err := s.InitSec(b); !errors.Is(err, want) {
				t.Errorf("InitSec(%x): %v", b, err)
			}
			if len(b) == 32 && b[0] == 0 {
				want = p256k1.ErrNotOnCurve
			}
			libtest.CheckErrorText(t, s.InitPub(b))
			if err := s.InitPub(b); !errors.Is(err, want) {
				t.Errorf("InitPub(%x): %v", b, err)
			}
			for name, agree := range map[string]func([]byte) ([]byte, error){"ECDH": s.ECDH, "ECDHRaw": s.ECDHRaw} {
				want := want
				if name == "ECDHRaw" && len(b) == 33 {
					want = p256k1.ErrPrefix
				}
				secret, err := agree(b)
				libtest.CheckErrorText(t, err)
				if secret != nil || !errors.Is(err, want) {
					t.Errorf("%s(%x): %x, %v", name, b, secret, err)
				}
			}
			if !bytes.Equal(s.Sec(), sec) || !bytes.Equal(s.Pub(), pub) {
				t.Fatalf("after %x: Sec %x, Pub %x, before %x, %x", b, s.Sec(), s.Pub(), sec, pub)
			}
		}
	}
}

// TestStates checks the methods of signers without a secret key and without any key.
func TestStates(t *testing.T) {
	peer := withSec(t, big.NewInt(5)).Pub()
	wiped, wipedTwice, watcher, before := withSec(t, big.NewInt(6)), withSec(t, big.NewInt(6)), withSec(t, big.NewInt(6)), withSec(t, big.NewInt(6))
	wiped.Zero()
	wipedTwice.Zero()
	wipedTwice.Zero()
	if err := watcher.InitPub(peer); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*signer.P256K1Signer{
		"zero value": new(signer.P256K1Signer), "new": signer.NewP256K1Signer(), "wiped": wiped, "wiped twice": wipedTwice, "public": watcher,
	} {
		var want []byte
		noKey := p256k1.ErrNoKey
		if s == watcher {
			want, noKey = peer, p256k1.ErrLength
		}
		if err := s.InitKey(nil); !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%s: InitKey(nil): %v", name, err)
		}
		if s.Sec() != nil || !bytes.Equal(s.Pub(), want) || (s.Pub() == nil) != (want == nil) {
			t.Errorf("%s: Sec %x, Pub %x", name, s.Sec(), s.Pub())
		}
		_, err1 := s.Sign(make([]byte, 32))
		_, err2 := s.ECDH(peer)
		_, err3 := s.ECDHRaw(peer)
		_, err4 := s.PubCompressed()
		for _, err := range []error{err1, err2, err3, err4} {
			if !errors.Is(err, p256k1.ErrNoKey) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if ok, err := s.Verify(make([]byte, 32), nil); ok || !errors.Is(err, noKey) {
			t.Errorf("%s: Verify: %v, %v", name, ok, err)
		}
		for _, f := range []func() error{s.Generate, func() error { return s.InitSec(before.Sec()) }} {
			if err := f(); err != nil || s.Sec() == nil || s.Pub() == nil {
				t.Errorf("%s: cannot be used again: %v", name, err)
			}
		}
		if !bytes.Equal(s.Pub(), before.Pub()) {
			t.Errorf("%s: Pub %x", name, s.Pub())
		}
	}
}

func TestGen(t *testing.T) {
	libtest.SetRandom(t, rand.NewChaCha8([32]byte{}))
	for _, g := range []signer.Gen{new(signer.P256K1Gen), signer.NewP256K1Gen()} {
		g.Negate()
		if sec, pub := g.KeyPairBytes(); sec != nil || pub != nil {
			t.Errorf("without a key: %x, %x", sec, pub)
		}
		seen := make(map[string]bool)
		parities := make(map[bool]int)
		for range 24 {
			compressed, err := g.Generate()
			if err != nil {
				t.Fatal(err)
			}
			d, x := g.KeyPairBytes()
			p := oracle.G.Mul(oracle.Int(d))
			if !bytes.Equal(compressed, p.Compressed()) || !bytes.Equal(x, compressed[1:]) || seen[string(d)] {
				t.Fatalf("key %x: %x, x-only %x", d, compressed, x)
			}
			seen[string(d)] = true
			parities[p.Y.Bit(0) == 1]++

			g.Negate()
			d2, x2 := g.KeyPairBytes()
			if !oracle.G.Mul(oracle.Int(d2)).Equal(p.Neg()) || !bytes.Equal(x2, x) {
				t.Errorf("key %x negated: %x, x-only %x", d, d2, x2)
			}
			clear(d2)
			clear(x2)
			g.Negate()
			if d3, x3 := g.KeyPairBytes(); !bytes.Equal(d3, d) || !bytes.Equal(x3, x) {
				t.Errorf("key %x negated twice: %x, x-only %x", d, d3, x3)
			}
		}
		if parities[false] == 0 || parities[true] == 0 {
			t.Errorf("parities %v", parities)
		}
	}
}

// TestCopies signs with the copy of a signer whose key was wiped, and logs a signer, a generator, and nil.
func TestCopies(t *testing.T) {
	s, g := signer.NewP256K1Signer(), signer.NewP256K1Gen()
	if err := s.Generate(); err != nil {
		t.Fatal(err)
	}
	peer, copied := s.Pub(), *s
	s.Zero()
	sig, err := copied.Sign(make([]byte, 32))
	shared, err2 := copied.ECDH(peer)
	raw, err3 := copied.ECDHRaw(peer)
	for _, err := range []error{err, err2, err3} {
		if !errors.Is(err, p256k1.ErrNoKey) || sig != nil || shared != nil || raw != nil {
			t.Errorf("%v: %x, %x, %x", err, sig, shared, raw)
		}
	}
	for _, c := range []struct {
		v    any
		want slog.Value
	}{
		{s, slog.StringValue("signer.P256K1Signer(secret)")}, {(*signer.P256K1Signer)(nil), slog.Value{}},
		{g, slog.StringValue("signer.P256K1Gen(secret)")}, {(*signer.P256K1Gen)(nil), slog.Value{}},
	} {
		if v, ok := c.v.(slog.LogValuer); ok && !v.LogValue().Equal(c.want) { // WebAssembly builds lack it
			t.Errorf("%T is logged as %v", c.v, v.LogValue())
		}
	}
}
