//go:build exhaustive

package exhaustive

import (
	"crypto/sha256"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
)

// even returns k if k·G has even y, and n − k otherwise.
func even(k int) int {
	if odd[k] {
		return n - k
	}
	return k
}

func TestKeys(t *testing.T) {
	c := newCount(t, "keys")
	r := c.Rand
	for d := range 2*n + 3 {
		b := bytes32(d)
		priv, err := p256k1.ParsePrivateKey(b[:])
		if ok := d > 0 && d < n; (err == nil) != ok || (!ok && !errors.Is(err, p256k1.ErrRange)) {
			t.Fatalf("private key %d: %v", d, err)
		}
		c.add("private keys up to 2n + 2")
		if err != nil {
			continue
		}
		pub := priv.PublicKey()
		fromPoint, err := p256k1.NewPublicKey(curvePoint(t, r, d))
		if err != nil || string(pub.Bytes()) != encoded[d] || !pub.Equal(fromPoint) || string(priv.Bytes()) != string(b[:]) {
			t.Fatalf("private key %d: %x, public key %x", d, priv.Bytes(), pub.Bytes())
		}
		for _, k := range []int{d, n - d, 1 + r.IntN(n-1)} {
			if other := privateKeys[k]; priv.Equal(other) != (k == d) || pub.Equal(other.PublicKey()) != (k == d) ||
				pub.XOnly().Equal(other.PublicKey().XOnly()) != (k == d || k == n-d) {
				t.Fatalf("Equal of the keys %d and %d is wrong", d, k)
			}
		}
		minus := priv.Negate()
		if got := minus.Bytes(); string(got) != string(privateKeys[n-d].Bytes()) || string(minus.PublicKey().Bytes()) != encoded[n-d] ||
			string(pub.Negate().Bytes()) != encoded[n-d] {
			t.Fatalf("Negate of %d: %x", d, got)
		}
		x := pub.XOnly()
		again, err := p256k1.ParseXOnlyPublicKey(x.Bytes())
		if err != nil || string(x.Bytes()) != encoded[d][1:] || !again.Equal(x) || string(x.PublicKey().Bytes()) != encoded[even(d)] || pub.IsYOdd() != odd[d] {
			t.Fatalf("x-only key of %d: %x", d, x.Bytes())
		}
	}
	if _, err := p256k1.NewPublicKey(curvePoint(t, r, 0)); !errors.Is(err, p256k1.ErrInfinity) {
		t.Errorf("infinity as a public key: %v", err)
	}
}

// TestTweaks tweaks every key with every tweak from 0 to n + 1.
func TestTweaks(t *testing.T) {
	c := newCount(t, "tweaks")
	r := c.Rand
	for v := range c.every(cases(t), n-1, n+2) {
		d, tweak := v[0]+1, v[1]
		b := bytes32(tweak)
		priv, pub := privateKeys[d], publicKeys[d]
		check := func(what string, k int, got interface{ Bytes() []byte }, err error, allowed bool) {
			t.Helper()
			c.add("results")
			var wantErr error
			k = mod(k)
			switch {
			case tweak >= n || !allowed:
				wantErr = p256k1.ErrRange
			case k == 0:
				wantErr = p256k1.ErrInfinity
			}
			if !errors.Is(err, wantErr) {
				t.Fatalf("%s of %d and %d: %v, want %v", what, d, tweak, err, wantErr)
			}
			if wantErr != nil {
				c.add("of them refused")
				return
			}
			want := encoded[k]
			if priv, ok := got.(*p256k1.PrivateKey); ok {
				if string(priv.PublicKey().Bytes()) != want {
					t.Fatalf("%s of %d and %d: public key %x, want %x", what, d, tweak, priv.PublicKey().Bytes(), want)
				}
				b := bytes32(k)
				want = string(b[:])
			}
			if string(got.Bytes()) != want {
				t.Fatalf("%s of %d and %d: %x, want %x", what, d, tweak, got.Bytes(), want)
			}
		}
		k, err := priv.TweakAdd(b[:])
		check("PrivateKey.TweakAdd", d+tweak, k, err, true)
		p, err := pub.TweakAdd(b[:])
		check("PublicKey.TweakAdd", d+tweak, p, err, true)
		if !few && r.IntN(4) != 0 {
			continue
		}
		k, err = priv.TweakAddXOnly(b[:])
		check("PrivateKey.TweakAddXOnly", even(d)+tweak, k, err, true)
		k, err = priv.TweakMul(b[:])
		check("PrivateKey.TweakMul", d*tweak, k, err, tweak != 0)
		p, err = pub.XOnly().TweakAdd(b[:])
		check("XOnlyPublicKey.TweakAdd", even(d)+tweak, p, err, true)
		p, err = pub.TweakMul(b[:])
		check("PublicKey.TweakMul", d*tweak, p, err, tweak != 0)
		for _, k := range []int{mod(even(d) + tweak), mod(-even(d) - tweak), 1 + r.IntN(n-1)} {
			want := tweak < n && k != 0 && k == mod(even(d)+tweak)
			if got := pub.XOnly().CheckTweakAdd(b[:], []byte(encoded[k][1:]), odd[k]); got != want {
				t.Fatalf("CheckTweakAdd of %d and %d with %d: %v", d, tweak, k, got)
			}
			c.add("results")
		}
	}
}

// TestECDH computes the shared secret of every private key and every public key.
func TestECDH(t *testing.T) {
	c := newCount(t, "ECDH")
	for v := range c.every(cases(t), n-1, n-1) {
		d, k := v[0]+1, v[1]+1
		priv, pub := privateKeys[d], publicKeys[k]
		shared := encoded[d*k%n]
		x, hash := []byte(shared[1:]), sha256.Sum256([]byte(shared))
		functions := []struct {
			name  string
			want  []byte
			agree func() ([32]byte, error)
		}{
			{"X", x, func() ([32]byte, error) { return ecdh.X(priv, pub) }},
			{"XFromXOnly", x, func() ([32]byte, error) { return ecdh.XFromXOnly(priv, pub.XOnly()) }},
			{"SHA256", hash[:], func() ([32]byte, error) { return ecdh.SHA256(priv, pub) }},
		}
		if i := c.IntN(len(functions)); !few {
			functions = functions[i : i+1]
		}
		for _, f := range functions {
			if got, err := f.agree(); err != nil || string(got[:]) != string(f.want) {
				t.Fatalf("%s of %d and %d: %x, %v, want %x", f.name, d, k, got, err, f.want)
			}
			c.add("shared secrets")
		}
	}
}
