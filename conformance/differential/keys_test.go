package differential

import (
	"bytes"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcschnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"
	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
	"p256k1.mleku.dev/internal/oracle"
)

func TestPrivateKeyParse(t *testing.T) {
	differential(t, func(r *run) {
		edge := r.ScalarBytes()
		b := edge[:]
		if r.IntN(8) == 0 {
			b = r.mutate(b)
		}
		k, err := p256k1.NewPrivateKey(b)
		r.verdict(err == nil)

		// Decred's users have to look at the length, the overflow and zero.
		var d secp.ModNScalar
		want := len(b) == 32 && !d.SetByteSlice(b) && !d.IsZero()
		if (err == nil) != want {
			r.errorf("key %x: %v, decred %v", b, err, want)
			return
		}
		decred := secp.PrivKeyFromBytes(b).Serialize()
		if err == nil {
			if !bytes.Equal(k.Bytes(), decred) || !bytes.Equal(k.Bytes(), b) {
				r.errorf("key %x becomes %x, decred %x", b, k.Bytes(), decred)
			}
			s, err := new(curve.Scalar).SetBytes(b)
			if err != nil || !bytes.Equal(s.Bytes(), k.Scalar().Bytes()) {
				r.errorf("key %x: Scalar is another (%v)", b, err)
			}
			return
		}
		r.expect(keyReduced)
		reduced := oracle.Bytes(oracle.Fn.Reduce(oracle.Int(b[:min(len(b), 32)])))
		if !bytes.Equal(decred, reduced[:]) {
			r.errorf("decred: key %x becomes %x, want %x", b, decred, reduced)
		}
	}, "accepted", "refused")
}

func TestDerive(t *testing.T) {
	differential(t, func(r *run) {
		k, decred := r.keys(r.ValidScalar())
		_, other := btcec.PrivKeyFromBytes(k.Bytes())
		pub := k.PublicKey()
		r.samePublicKey(pub, decred.PubKey(), "derived from %x", k.Bytes())
		r.samePublicKey(pub, other, "derived from %x", k.Bytes())
		n := k.Negate()
		if !n.PublicKey().Equal(pub.Negate()) || !bytes.Equal(n.Scalar().Bytes(), new(curve.Scalar).Negate(k.Scalar()).Bytes()) {
			r.errorf("−%x has another public key", k.Bytes())
		}
	})
}

// samePublicKey makes sure that two public keys have the same encodings.
func (r *run) samePublicKey(ours *p256k1.PublicKey, theirs *secp.PublicKey, format string, args ...any) {
	switch a, b := ours.BytesUncompressed(), theirs.SerializeUncompressed(); {
	case !bytes.Equal(a, b):
		r.errorf("public key "+format+": %x, want %x", append(args, a, b)...)
	case !bytes.Equal(ours.Bytes(), theirs.SerializeCompressed()):
		r.errorf("public key "+format+": %x compressed, want %x", append(args, ours.Bytes(), theirs.SerializeCompressed())...)
	case !bytes.Equal(ours.XOnly().Bytes(), btcschnorr.SerializePubKey(theirs)):
		r.errorf("public key "+format+": %x x-only, want %x", append(args, ours.XOnly().Bytes(), btcschnorr.SerializePubKey(theirs))...)
	case ours.IsYOdd() != (b[64]&1 == 1):
		r.errorf("public key "+format+": IsYOdd is %v", append(args, ours.IsYOdd())...)
	}
}

// encodedPoint returns an encoding that is, or was before it was mutated, that of a point.
func (r *run) encodedPoint() []byte {
	p := r.Point()
	b := p.Uncompressed()
	switch r.IntN(8) {
	case 0, 1, 2:
		b = p.Compressed()
	case 3: // hybrid, half of them with the wrong parity
		b[0] = 6 | byte(r.IntN(2))
	}
	switch r.IntN(8) {
	case 0:
		b = r.mutate(b)
	case 1:
		b[0] = byte(r.IntN(9))
	case 2: // another x or y, which may be p or more
		v := r.FieldBytes()
		copy(b[1+32*r.IntN(len(b)/32):], v[:])
	case 3:
		x := pick(r, oracle.BadX()...)
		copy(b[1:], x[:])
	}
	return b
}

func TestPublicKeyParse(t *testing.T) {
	differential(t, func(r *run) {
		b := r.encodedPoint()
		k, err := p256k1.NewPublicKey(b)
		r.verdict(err == nil)
		for _, peer := range []struct {
			name  string
			parse func([]byte) (*secp.PublicKey, error)
		}{{"decred", secp.ParsePubKey}, {"btcec", btcec.ParsePubKey}} {
			theirs, theirErr := peer.parse(b)
			if len(b) == 65 && b[0]&^1 == 6 {
				// They must take a hybrid encoding just if it were a key without its prefix.
				if err == nil {
					r.errorf("hybrid key %x is accepted", b)
				}
				plain := append([]byte{4}, b[1:]...)
				k, plainErr := p256k1.NewPublicKey(plain)
				if want := plainErr == nil && b[0]&1 == b[64]&1; (theirErr == nil) != want {
					r.errorf("%s: hybrid key %x: %v, but in the uncompressed form %v here", peer.name, b, theirErr, plainErr)
				} else if want {
					r.expect(hybridKey)
					r.samePublicKey(k, theirs, "parsed from the hybrid %x", b)
				}
				continue
			}
			if (err == nil) != (theirErr == nil) {
				r.errorf("key %x: %v, %s %v", b, err, peer.name, theirErr)
			} else if err == nil {
				r.samePublicKey(k, theirs, "parsed from %x", b)
			}
		}
		// Package curve parses the same.
		p, curveErr := new(curve.Point).SetBytes(b)
		if (curveErr == nil) != (err == nil) || err == nil && p.Equal(k.Point()) != 1 {
			r.errorf("key %x: %v, in package curve %v", b, err, curveErr)
		}
	}, "accepted", "refused")
}

func TestXOnlyPublicKeyParse(t *testing.T) {
	differential(t, func(r *run) {
		var b []byte
		switch p := r.Point(); r.IntN(8) {
		default:
			b = p.Compressed()[1:]
		case 4:
			x := r.FieldBytes()
			b = x[:]
		case 5:
			x := pick(r, oracle.BadX()...)
			b = x[:]
		case 6:
			b = r.mutate(p.Compressed()[1:])
		}
		k, err := p256k1.NewXOnlyPublicKey(b)
		r.verdict(err == nil)
		theirs, theirErr := btcschnorr.ParsePubKey(b)
		if (err == nil) != (theirErr == nil) {
			r.errorf("x-only key %x: %v, btcec %v", b, err, theirErr)
			return
		}
		p, curveErr := new(curve.Point).LiftX(b)
		if (curveErr == nil) != (err == nil) || err == nil && p.Equal(k.Point()) != 1 {
			r.errorf("x-only key %x: %v, in package curve %v", b, err, curveErr)
		}
		if err == nil {
			r.samePublicKey(k.PublicKey(), theirs, "with the x %x", b)
			if !bytes.Equal(k.Bytes(), b) || !k.Equal(k.PublicKey().XOnly()) || !k.Equal(k.PublicKey().Negate().XOnly()) {
				r.errorf("x-only key %x becomes %x", b, k.Bytes())
			}
		}
	}, "accepted", "refused")
}
