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
func even(k int) int { return choose(odd[k], n-k, k) }

func TestKeys(t *testing.T) {
	c := newCount(t, "keys")
	for d := range 2*n + 3 {
		b := bytes32(d)
		priv, err := p256k1.ParsePrivateKey(b[:])
		failsLike(t, err, d > 0 && d < n, p256k1.ErrRange, "private key %d", d)
		c.add("private keys up to 2n + 2")
		if err != nil {
			continue
		}
		pub := priv.PublicKey()
		fromPoint, err := p256k1.NewPublicKey(curvePoint(c, d))
		failIf(t, err != nil || !pub.Equal(fromPoint), "public key %d from its point: %v", d, err)
		for _, k := range []int{d, n - d, 1 + c.IntN(n-1)} {
			other, isOwn := privateKeys[k], k == d
			same(t, priv.Equal(other), isOwn, "Equal of the private keys %d and %d", d, k)
			same(t, pub.Equal(other.PublicKey()), isOwn, "Equal of the public keys %d and %d", d, k)
			sameX := pub.XOnly().Equal(other.PublicKey().XOnly())
			same(t, sameX, isOwn || k == n-d, "Equal of the x-only keys %d and %d", d, k)
		}
		minus, x := priv.Negate(), pub.XOnly()
		again, err := p256k1.ParseXOnlyPublicKey(x.Bytes())
		failIf(t, err != nil || !again.Equal(x), "x-only key of %d: %v", d, err)
		same(t, pub.IsYOdd(), odd[d], "IsYOdd of %d", d)
		for _, key := range []struct {
			name string
			got  interface{ Bytes() []byte }
			want string
		}{
			{"private key", priv, string(b[:])},
			{"public key", pub, encoded[d]},
			{"negated private key", minus, string(privateKeys[n-d].Bytes())},
			{"public key of the negated key", minus.PublicKey(), encoded[n-d]},
			{"negated public key", pub.Negate(), encoded[n-d]},
			{"x-only key", x, encoded[d][1:]},
			{"public key of the x-only key", x.PublicKey(), encoded[even(d)]},
		} {
			same(t, string(key.got.Bytes()), key.want, "%s of %d", key.name, d)
		}
	}
	_, err := p256k1.NewPublicKey(curvePoint(c, 0))
	failsLike(t, err, false, p256k1.ErrInfinity, "infinity as a public key")
}

// TestTweaks tweaks every key with every tweak from 0 to n + 1.
func TestTweaks(t *testing.T) {
	c := newCount(t, "tweaks")
	for v := range c.every(cases(t), n-1, n+2) {
		d, tweak := v[0]+1, v[1]
		b := bytes32(tweak)
		priv, pub := privateKeys[d], publicKeys[d]
		check := func(what string, k int, got interface{ Bytes() []byte }, err error, allowed bool) {
			c.add("results")
			var wantErr error
			k = mod(k)
			switch {
			case tweak >= n || !allowed:
				wantErr = p256k1.ErrRange
			case k == 0:
				wantErr = p256k1.ErrInfinity
			}
			failIf(t, !errors.Is(err, wantErr), "%s of %d and %d: %v, want %v", what, d, tweak, err, wantErr)
			if wantErr != nil {
				c.add("of them refused")
				return
			}
			want := encoded[k]
			if priv, ok := got.(*p256k1.PrivateKey); ok {
				same(t, string(priv.PublicKey().Bytes()), want, "%s of %d and %d: public key", what, d, tweak)
				b := bytes32(k)
				want = string(b[:])
			}
			same(t, string(got.Bytes()), want, "%s of %d and %d", what, d, tweak)
		}
		k, err := priv.TweakAdd(b[:])
		check("PrivateKey.TweakAdd", d+tweak, k, err, true)
		p, err := pub.TweakAdd(b[:])
		check("PublicKey.TweakAdd", d+tweak, p, err, true)
		if !few && c.IntN(4) != 0 {
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
		for _, k := range []int{mod(even(d) + tweak), mod(-even(d) - tweak), 1 + c.IntN(n-1)} {
			want := tweak < n && k != 0 && k == mod(even(d)+tweak)
			got := pub.XOnly().CheckTweakAdd(b[:], []byte(encoded[k][1:]), odd[k])
			same(t, got, want, "CheckTweakAdd of %d and %d with %d", d, tweak, k)
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
			got, err := f.agree()
			same(t, string(got[:]), string(f.want), "%s of %d and %d (%v)", f.name, d, k, err)
			failIf(t, err != nil, "%s of %d and %d: %v", f.name, d, k, err)
			c.add("shared secrets")
		}
	}
}
