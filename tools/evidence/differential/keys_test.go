package differential

import (
	"bytes"
	"math/big"
	"sync"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcschnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"
	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
)

func TestPrivateKeyParse(t *testing.T) {
	differential(t, func(r *run) {
		r.all()
		edge := r.ScalarBytes()
		b := edge[:]
		if r.IntN(8) == 0 {
			b = r.mutate(b)
		}
		k, err := p256k1.NewPrivateKey(b)
		r.verdict(err == nil, accepted, refused)
		if c := r.secp(); c != nil && len(b) == 32 && c.SeckeyVerify((*[32]byte)(b)) != (err == nil) {
			r.errorf("key %x: %v, libsecp256k1 %v", b, err, err != nil)
		}

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
			if err != nil || !bytes.Equal(s.Bytes(), must(k.Scalar()).Bytes()) {
				r.errorf("key %x: Scalar is another (%v)", b, err)
			}
			return
		}
		r.expect(keyReduced)
		reduced := oracle.Bytes(oracle.Fn.Reduce(oracle.Int(b[:min(len(b), 32)])))
		if !bytes.Equal(decred, reduced[:]) {
			r.errorf("decred: key %x becomes %x, want %x", b, decred, reduced)
		}
	}, accepted, refused, keyReduced)
}

func TestDerive(t *testing.T) {
	differential(t, func(r *run) {
		k, decred := r.keys(r.ValidScalar())
		pub, n := k.PublicKey(), k.Negate()
		if !n.PublicKey().Equal(pub.Negate()) || !bytes.Equal(must(n.Scalar()).Bytes(), new(curve.Scalar).Negate(must(k.Scalar())).Bytes()) {
			r.errorf("−%x has another public key", k.Bytes())
		}
		if r.slow() {
			_, other := btcec.PrivKeyFromBytes(k.Bytes())
			r.samePublicKey(pub, decred.PubKey(), "derived from %x", k.Bytes())
			r.samePublicKey(pub, other, "derived from %x", k.Bytes())
		}
		if c := r.secp(); c != nil {
			d := [32]byte(k.Bytes())
			theirs, ok := c.PubkeyCreateUncompressed(&d)
			minus, ok2 := c.SeckeyNegate(&d)
			minusPub, ok3 := c.PubkeyNegate(theirs[:])
			if !ok || !ok2 || !ok3 || !bytes.Equal(pub.BytesUncompressed(), theirs[:]) || !bytes.Equal(n.Bytes(), minus[:]) ||
				!bytes.Equal(n.PublicKey().Bytes(), minusPub[:]) {
				r.errorf("key %x has the public key %x, libsecp256k1 %x; negated %x, %x, libsecp256k1 %x, %x",
					d, pub.BytesUncompressed(), theirs, n.Bytes(), n.PublicKey().Bytes(), minus, minusPub)
			}
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
	p := r.point()
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
	case 2: // another x or y, which may be p or more, and may be that of a point
		v := r.FieldBytes()
		copy(b[1+32*r.IntN(len(b)/32):], v[:])
	case 3:
		x := pick(r, oracle.BadX()...)
		copy(b[1:], x[:])
	case 4: // a small y, or the same number plus p, which still fits
		q := pick(r, smallY()...)
		if b = q.Uncompressed(); r.IntN(2) == 0 {
			new(big.Int).Add(q.Y, oracle.P).FillBytes(b[33:])
		}
	}
	return b
}

// smallY has points whose y is small.
var smallY = sync.OnceValue(func() (points []oracle.Point) {
	// p ≡ 7 mod 9, so that c^((p+2)/9) is a cube root of c if there is one.
	e := new(big.Int).Add(oracle.P, big.NewInt(2))
	e.Div(e, big.NewInt(9))
	for y := int64(1); len(points) < 8; y++ {
		p := oracle.Point{X: oracle.Fp.Exp(oracle.Fp.Sub(big.NewInt(y*y), oracle.B), e), Y: big.NewInt(y)}
		if p.OnCurve() {
			points = append(points, p)
		}
	}
	return points
})

func TestPublicKeyParse(t *testing.T) {
	parsers := []struct {
		name  string
		parse func(r *run, b []byte) (uncompressed []byte, ok bool)
		has   func(r *run) bool
	}{
		{"libsecp256k1", func(r *run, b []byte) ([]byte, bool) {
			k, ok := r.secp().PubkeyParseUncompressed(b)
			return k[:], ok
		}, func(r *run) bool { return r.secp() != nil }},
		{"decred", func(r *run, b []byte) ([]byte, bool) { return serialized(secp.ParsePubKey(b)) }, func(r *run) bool { return r.slow() }},
		{"btcec", func(r *run, b []byte) ([]byte, bool) { return serialized(btcec.ParsePubKey(b)) }, func(r *run) bool { return r.slow() }},
	}
	differential(t, func(r *run) {
		b := r.encodedPoint()
		k, err := p256k1.NewPublicKey(b)
		r.verdict(err == nil, accepted, refused)
		// All of them must take a hybrid encoding just if it were a key without its prefix and has the parity that it says.
		want, hybrid := k, len(b) == 65 && b[0]&^1 == 6
		if hybrid {
			if err == nil {
				r.errorf("hybrid key %x is accepted", b)
			}
			want, err = p256k1.NewPublicKey(append([]byte{4}, b[1:]...))
			if b[0]&1 != b[64]&1 {
				err = p256k1.ErrPrefix
			}
		}
		for _, peer := range parsers {
			if !peer.has(r) {
				continue
			}
			theirs, ok := peer.parse(r, b)
			switch {
			case ok != (err == nil):
				r.errorf("key %x: %v, %s %v", b, err, peer.name, ok)
			case ok && !bytes.Equal(want.BytesUncompressed(), theirs):
				r.errorf("key %x: %x, %s %x", b, want.BytesUncompressed(), peer.name, theirs)
			case ok && hybrid:
				r.expect(hybridKey)
			}
		}
		if err == nil {
			compressed, uncompressed := want.Bytes(), want.BytesUncompressed()
			if compressed[0] != 2|uncompressed[64]&1 || !bytes.Equal(compressed[1:], uncompressed[1:33]) ||
				!bytes.Equal(compressed[1:], want.XOnly().Bytes()) || want.IsYOdd() != (compressed[0] == 3) {
				r.errorf("key %x: %x, %x, %x, odd %v", b, compressed, uncompressed, want.XOnly().Bytes(), want.IsYOdd())
			}
		}
		// Package curve parses the same.
		p, curveErr := new(curve.Point).SetBytes(b)
		if (curveErr == nil) != (k != nil) || k != nil && p.Equal(k.Point()) != 1 {
			r.errorf("key %x: %v, in package curve %v", b, k != nil, curveErr)
		}
	}, accepted, refused, hybridKey)
}

// serialized returns the uncompressed encoding of a key, unless there is an error instead.
func serialized(k *secp.PublicKey, err error) ([]byte, bool) {
	if err != nil {
		return nil, false
	}
	return k.SerializeUncompressed(), true
}

func TestXOnlyPublicKeyParse(t *testing.T) {
	differential(t, func(r *run) {
		var b []byte
		switch p := r.point(); r.IntN(8) {
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
		r.verdict(err == nil, accepted, refused)
		if c := r.secp(); c != nil && len(b) == 32 && c.XOnlyParse((*[32]byte)(b)) != (err == nil) {
			r.errorf("x-only key %x: %v, libsecp256k1 %v", b, err, err != nil)
		}
		if r.slow() {
			theirs, theirErr := btcschnorr.ParsePubKey(b)
			if (err == nil) != (theirErr == nil) {
				r.errorf("x-only key %x: %v, btcec %v", b, err, theirErr)
			} else if err == nil {
				r.samePublicKey(k.PublicKey(), theirs, "with the x %x", b)
			}
		}
		p, curveErr := new(curve.Point).LiftX(b)
		if (curveErr == nil) != (err == nil) || err == nil && p.Equal(k.Point()) != 1 {
			r.errorf("x-only key %x: %v, in package curve %v", b, err, curveErr)
		}
		if err == nil && (!bytes.Equal(k.Bytes(), b) || !k.Equal(k.PublicKey().XOnly()) || !k.Equal(k.PublicKey().Negate().XOnly()) ||
			k.PublicKey().IsYOdd()) {
			r.errorf("x-only key %x becomes %x", b, k.Bytes())
		}
	}, accepted, refused)
}
