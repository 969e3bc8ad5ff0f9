package differential

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// tweak returns a tweak for a key, with its value for decred and whether it is below n. Decred has no function for tweaks: its
// users work with scalars and points.
func (r *run) tweak(d *big.Int) (b []byte, theirs *secp.ModNScalar, ok bool) {
	t := r.ScalarBytes()
	switch r.IntN(16) {
	case 0: // the sum is infinity, or is if the key is x-only and was negated
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

// infinity is the kind of tweaks that make the key zero, and the public key infinity.
const infinity = kind("infinity")

// sameTweak compares the results with those of libsecp256k1, which refuses whatever is refused here.
func (r *run) sameTweak(name string, priv *p256k1.PrivateKey, pub *p256k1.PublicKey, theirPriv [32]byte, privOK bool,
	theirPub [33]byte, pubOK bool, args ...any) {
	if (priv != nil) != privOK || (pub != nil) != pubOK {
		r.errorf(name+": accepted %v, %v, libsecp256k1 %v, %v", append(args, priv != nil, pub != nil, privOK, pubOK)...)
	} else if privOK && pubOK && (!bytes.Equal(priv.Bytes(), theirPriv[:]) || !bytes.Equal(pub.Bytes(), theirPub[:])) {
		r.errorf(name+": %x, %x, libsecp256k1 %x, %x", append(args, priv.Bytes(), pub.Bytes(), theirPriv, theirPub)...)
	}
}

// checkTweak compares the results of a tweak of a private and of the public key with decred's. valid is whether the tweak is.
func (r *run) checkTweak(name string, priv *p256k1.PrivateKey, privErr error, pub *p256k1.PublicKey, pubErr error,
	wantPriv *secp.ModNScalar, wantPub *secp.JacobianPoint, valid bool, args ...any) {
	switch infinite := valid && wantPriv.IsZero(); {
	case infinite:
		r.kind(infinity)
		if !errors.Is(privErr, p256k1.ErrInfinity) || !errors.Is(pubErr, p256k1.ErrInfinity) {
			r.errorf(name+": infinity, but %v and %v", append(args, privErr, pubErr)...)
		}
	case !valid:
		r.kind(refused)
		for _, err := range []error{privErr, pubErr} {
			if !errors.Is(err, p256k1.ErrLength) && !errors.Is(err, p256k1.ErrRange) {
				r.errorf(name+": refused by decred, but %v", append(args, err)...)
			}
		}
	case privErr != nil || pubErr != nil:
		r.errorf(name+": %v and %v", append(args, privErr, pubErr)...)
	default:
		r.kind(accepted)
		if want := wantPriv.Bytes(); !bytes.Equal(priv.Bytes(), want[:]) {
			r.errorf(name+": private key %x, decred %x", append(args, priv.Bytes(), want)...)
		}
		if r.slow() {
			r.samePoint(pub.Point(), wantPub, name+": public key", args...)
		}
		if !priv.PublicKey().Equal(pub) {
			r.errorf(name+": the private key has the public key %x", append(args, priv.PublicKey().Bytes())...)
		}
	}
}

func TestTweakAdd(t *testing.T) {
	differential(t, func(r *run) {
		d := r.ValidScalar()
		priv, theirPriv := r.keys(d)
		b, tweak, ok := r.tweak(d)
		xOnly := r.IntN(2) == 0
		odd := priv.PublicKey().IsYOdd()

		var wantPriv secp.ModNScalar
		var p, product, wantPub secp.JacobianPoint
		wantPriv.Set(&theirPriv.Key)
		if xOnly && odd {
			wantPriv.Negate()
		}
		wantPriv.Add(tweak)
		if r.slow() {
			theirPriv.PubKey().AsJacobian(&p)
			if p.Y.IsOdd() != odd {
				r.errorf("key %x: odd %v", priv.Bytes(), odd)
			}
			if xOnly && odd {
				p.Y.Negate(1).Normalize()
			}
			secp.ScalarBaseMultNonConst(tweak, &product)
			secp.AddNonConst(&p, &product, &wantPub)
		}

		key := priv.PublicKey().XOnly()
		if !xOnly {
			newPriv, privErr := priv.TweakAdd(b)
			newPub, pubErr := priv.PublicKey().TweakAdd(b)
			r.checkTweak("%x + %x", newPriv, privErr, newPub, pubErr, &wantPriv, &wantPub, ok, priv.Bytes(), b)
			if c := r.secp(); c != nil && len(b) == 32 {
				theirPriv, privOK := c.SeckeyTweakAdd((*[32]byte)(priv.Bytes()), (*[32]byte)(b))
				theirPub, pubOK := c.PubkeyTweakAdd(priv.PublicKey().BytesUncompressed(), (*[32]byte)(b))
				r.sameTweak("%x + %x", newPriv, newPub, theirPriv, privOK, theirPub, pubOK, priv.Bytes(), b)
			}
			return
		}
		newPriv, privErr := priv.TweakAddXOnly(b)
		newPub, pubErr := key.TweakAdd(b)
		r.checkTweak("%x + %x, x-only", newPriv, privErr, newPub, pubErr, &wantPriv, &wantPub, ok, priv.Bytes(), b)
		if c := r.secp(); c != nil && len(b) == 32 {
			even := [32]byte(priv.Bytes())
			if odd {
				even, _ = c.SeckeyNegate(&even)
			}
			theirPriv, privOK := c.SeckeyTweakAdd(&even, (*[32]byte)(b))
			theirPub, pubOK := c.XOnlyTweakAdd((*[32]byte)(key.Bytes()), (*[32]byte)(b))
			r.sameTweak("%x + %x, x-only", newPriv, newPub, theirPriv, privOK, theirPub, pubOK, priv.Bytes(), b)
		}
		output, outputOdd := r.Bytes(32), false
		if pubErr == nil {
			output, outputOdd = newPub.XOnly().Bytes(), newPub.IsYOdd()
		}
		if key.CheckTweakAdd(b, output, outputOdd) != (pubErr == nil) || key.CheckTweakAdd(b, output, !outputOdd) {
			r.errorf("%x + %x, x-only: CheckTweakAdd of %x, %v", priv.Bytes(), b, output, outputOdd)
		}
	}, accepted, refused, infinity)
}

func TestTweakMul(t *testing.T) {
	differential(t, func(r *run) {
		d := r.ValidScalar()
		priv, theirPriv := r.keys(d)
		b, tweak, ok := r.tweak(d)
		ok = ok && !tweak.IsZero()

		var wantPriv secp.ModNScalar
		var p, wantPub secp.JacobianPoint
		wantPriv.Mul2(&theirPriv.Key, tweak)
		if r.slow() {
			theirPriv.PubKey().AsJacobian(&p)
			secp.ScalarMultNonConst(tweak, &p, &wantPub)
		}

		newPriv, privErr := priv.TweakMul(b)
		newPub, pubErr := priv.PublicKey().TweakMul(b)
		r.checkTweak("%x · %x", newPriv, privErr, newPub, pubErr, &wantPriv, &wantPub, ok, priv.Bytes(), b)
		if c := r.secp(); c != nil && len(b) == 32 {
			theirPriv, privOK := c.SeckeyTweakMul((*[32]byte)(priv.Bytes()), (*[32]byte)(b))
			theirPub, pubOK := c.PubkeyTweakMul(priv.PublicKey().BytesUncompressed(), (*[32]byte)(b))
			r.sameTweak("%x · %x", newPriv, newPub, theirPriv, privOK, theirPub, pubOK, priv.Bytes(), b)
		}
	}, accepted, refused)
}
