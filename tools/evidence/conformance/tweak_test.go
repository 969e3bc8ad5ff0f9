package conformance

import (
	"math/big"
	"testing"

	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

// tweak returns a tweak for a key, its value for decred, and whether it has 32 bytes and is below n. Decred has no
// functions for tweaks: its users work with scalars and points.
func (r *run) tweak(d *big.Int) (b []byte, theirs *secp.ModNScalar, ok bool) {
	t := r.ScalarBytes()
	switch r.IntN(16) {
	case 0: // the sum is infinity; in case 1 it is infinity if the key is x-only and was negated
		t = oracle.Bytes(oracle.Fn.Neg(d))
	case 1:
		t = oracle.Bytes(d)
	}
	b = t[:]
	if r.IntN(16) == 0 {
		b = r.mutate(b)
	}
	theirs = new(secp.ModNScalar)
	return b, theirs, len(b) == 32 && !theirs.SetByteSlice(b)
}

func pointOf(k *secp.PublicKey) oracle.Point {
	b := k.SerializeUncompressed()
	return oracle.Point{X: oracle.Int(b[1:33]), Y: oracle.Int(b[33:])}
}

func value(k *secp.ModNScalar) *big.Int {
	return oracle.Int(slice(k.Bytes()))
}

// infinity is the kind of tweaks that make the private key zero and the public key infinity.
const infinity = kind("infinity")

// checkTweak compares a tweak of a private key and of its public key with decred's results, wantPriv and wantPub. It
// also compares with libsecp256k1, which must refuse whatever this library refuses. ok says whether the tweak is valid.
func (r *run) checkTweak(tweak []byte, priv *p256k1.PrivateKey, privErr error, pub *p256k1.PublicKey, pubErr error,
	wantPriv *secp.ModNScalar, wantPub []term, ok bool,
	libsecp256k1 func(c *libsecp.Context, tweak *[32]byte) (priv, pub any)) {
	r.all() // decred takes part with its scalars
	if c := r.secp(); c != nil && len(tweak) == 32 {
		theirPriv, theirPub := libsecp256k1(c, (*[32]byte)(tweak))
		r.same("libsecp256k1's private key", result(priv, privErr), theirPriv)
		r.same("libsecp256k1's public key", result(pub, pubErr), theirPub)
	}
	switch {
	case ok && wantPriv.IsZero():
		r.add(infinity)
		r.fails("the private key's tweak", privErr, p256k1.ErrInfinity)
		r.fails("the public key's tweak", pubErr, p256k1.ErrInfinity)
	case !ok:
		r.add(refused)
		r.fails("the private key's tweak", privErr, scalarErrors...)
		r.fails("the public key's tweak", pubErr, scalarErrors...)
	case privErr != nil || pubErr != nil:
		r.errorf("a valid tweak is refused: %v and %v", privErr, pubErr)
	default:
		r.add(accepted)
		r.same("decred's private key", priv, wantPriv.Bytes())
		r.same("public key of the private key", priv.PublicKey(), pub)
		r.sameSum("public key", pub.Point(), wantPub...)
	}
}

func TestTweakAdd(t *testing.T) {
	differential(t, func(r *run) {
		d := r.ValidScalar()
		priv, theirPriv := r.keys(d)
		b, tweak, ok := r.tweak(d)
		pub := priv.PublicKey()
		xOnly, odd := r.IntN(2) == 0, pub.IsYOdd()
		r.given("%x + %x, x-only %v", priv.Bytes(), b, xOnly)

		var wantPriv secp.ModNScalar
		wantPriv.Set(&theirPriv.Key)
		p := pointOf(theirPriv.PubKey())
		r.same("odd", odd, p.Y.Bit(0) == 1)
		if xOnly && odd {
			wantPriv.Negate()
			p = p.Neg()
		}
		wantPriv.Add(tweak)
		wantPub := []term{{one, p}, {value(tweak), oracle.G}}

		theirs := func(c *libsecp.Context, t *[32]byte) (any, any) {
			d, theirPub := [32]byte(priv.Bytes()), from(c.PubkeyTweakAdd(pub.BytesUncompressed(), t))
			if xOnly {
				theirPub = from(c.XOnlyTweakAdd((*[32]byte)(pub.XOnly().Bytes()), t))
			}
			if xOnly && odd {
				d, _ = c.SeckeyNegate(&d)
			}
			return from(c.SeckeyTweakAdd(&d, t)), theirPub
		}
		key := pub.XOnly()
		newPriv, privErr := choose(xOnly, priv.TweakAddXOnly, priv.TweakAdd)(b)
		newPub, pubErr := choose(xOnly, key.TweakAdd, pub.TweakAdd)(b)
		r.checkTweak(b, newPriv, privErr, newPub, pubErr, &wantPriv, wantPub, ok, theirs)
		if !xOnly {
			return
		}
		output, outputOdd := r.Bytes(32), false
		if pubErr == nil {
			output, outputOdd = newPub.XOnly().Bytes(), newPub.IsYOdd()
		}
		r.same("CheckTweakAdd", key.CheckTweakAdd(b, output, outputOdd), pubErr == nil)
		r.same("CheckTweakAdd of the other y", key.CheckTweakAdd(b, output, !outputOdd), false)
	}, accepted, refused, infinity)
}

func TestTweakMul(t *testing.T) {
	differential(t, func(r *run) {
		d := r.ValidScalar()
		priv, theirPriv := r.keys(d)
		b, tweak, ok := r.tweak(d)
		r.given("%x · %x", priv.Bytes(), b)
		var wantPriv secp.ModNScalar
		wantPriv.Mul2(&theirPriv.Key, tweak)
		wantPub := []term{{value(tweak), pointOf(theirPriv.PubKey())}}
		pub := priv.PublicKey()
		theirs := func(c *libsecp.Context, t *[32]byte) (any, any) {
			d := [32]byte(priv.Bytes())
			return from(c.SeckeyTweakMul(&d, t)), from(c.PubkeyTweakMul(pub.BytesUncompressed(), t))
		}
		newPriv, privErr := priv.TweakMul(b)
		newPub, pubErr := pub.TweakMul(b)
		r.checkTweak(b, newPriv, privErr, newPub, pubErr, &wantPriv, wantPub, ok && !tweak.IsZero(), theirs)
	}, accepted, refused)
}
