package conformance

import (
	"errors"
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
		switch r.IntN(8) {
		case 0:
			b = r.mutate(b)
		case 1:
			edge = pick(r, oracle.RangeEdges()...)
		case 2:
			b = r.Bytes(r.IntN(35))
		}
		r.given("key %x", b)
		k, err := p256k1.ParsePrivateKey(b)
		r.verdict(err == nil, accepted, refused)
		if c := r.secp(); c != nil && len(b) == 32 {
			r.same("libsecp256k1", err == nil, c.SeckeyVerify((*[32]byte)(b)))
		}

		// Decred's parser refuses nothing: its users must check for a wrong length, overflow and zero themselves.
		var d secp.ModNScalar
		r.same("decred", err == nil, len(b) == 32 && !d.SetByteSlice(b) && !d.IsZero())
		decred := secp.PrivKeyFromBytes(b).Serialize()
		other, _ := btcec.PrivKeyFromBytes(b)
		r.same("decred's bytes by btcec", decred, other.Serialize())
		if err == nil {
			r.same("bytes", k, b)
			r.same("decred's bytes", k, decred)
			r.same("Scalar", must(k.Scalar()), must(new(curve.Scalar).SetBytes(b)))
			return
		}
		r.add(keyReduced)
		r.is(errors.Is(err, p256k1.ErrLength) == (len(b) != 32), "the error is ErrLength for a wrong length: %v", err)
		r.is(errors.Is(err, p256k1.ErrRange) == (len(b) == 32), "the error is ErrRange for 32 bytes: %v", err)
		r.same("decred reduces", decred, oracle.Bytes(oracle.Fn.Reduce(oracle.Int(b[:min(len(b), 32)]))))
	}, accepted, refused, keyReduced)
}

func TestDerive(t *testing.T) {
	differential(t, func(r *run) {
		k, decred := r.keys(r.ValidScalar())
		r.given("key %x", k.Bytes())
		pub, n := k.PublicKey(), k.Negate()
		r.same("negated", n.PublicKey(), pub.Negate())
		r.same("negated scalar", must(n.Scalar()), new(curve.Scalar).Negate(must(k.Scalar())))
		if r.slow() {
			_, other := btcec.PrivKeyFromBytes(k.Bytes())
			r.samePublicKey(pub, decred.PubKey())
			r.samePublicKey(pub, other)
		}
		if c := r.secp(); c != nil {
			d := [32]byte(k.Bytes())
			r.same("libsecp256k1", pub.BytesUncompressed(), from(c.PubkeyCreateUncompressed(&d)))
			r.same("libsecp256k1, negated", n, from(c.SeckeyNegate(&d)))
			r.same("libsecp256k1, negated public key", n.PublicKey(), from(c.PubkeyNegate(pub.BytesUncompressed())))
		}
	})
}

// samePublicKey checks that two public keys have the same encodings.
func (r *run) samePublicKey(ours *p256k1.PublicKey, theirs *secp.PublicKey) {
	uncompressed := theirs.SerializeUncompressed()
	r.same("public key", ours.BytesUncompressed(), uncompressed)
	r.same("compressed public key", ours, theirs.SerializeCompressed())
	r.same("x-only public key", ours.XOnly(), btcschnorr.SerializePubKey(theirs))
	r.same("IsYOdd", ours.IsYOdd(), uncompressed[64]&1 == 1)
}

// encodedPoint returns the encoding of a point, possibly mutated.
func (r *run) encodedPoint() []byte {
	p := r.Point()
	b := p.Uncompressed()
	switch r.IntN(8) {
	case 0, 1, 2:
		b = p.Compressed()
	case 3: // hybrid encodings, half of them with the wrong parity
		b[0] = 6 | byte(r.IntN(2))
	}
	switch r.IntN(8) {
	case 0:
		b = r.mutate(b)
	case 1:
		b[0] = byte(r.IntN(9))
	case 2: // another x or y, which may be p or more, and may belong to a point
		copy(b[1+32*r.IntN(len(b)/32):], slice(r.FieldBytes()))
	case 3:
		copy(b[1:], slice(pick(r, oracle.BadX()...)))
	case 4: // a small y, or the same number plus p, which still fits in 32 bytes
		q := pick(r, smallY()...)
		b = q.Uncompressed()
		if r.IntN(2) == 0 {
			new(big.Int).Add(q.Y, oracle.P).FillBytes(b[33:])
		}
	case 5: // a small x, or the same number plus p
		q := pick(r, smallX()...)
		b = pick(r, q.Uncompressed(), q.Compressed())
		if r.IntN(2) == 0 {
			new(big.Int).Add(q.X, oracle.P).FillBytes(b[1:33])
		}
	}
	return b
}

// smallX returns the points with the smallest x.
var smallX = sync.OnceValue(func() []oracle.Point { return oracle.EdgePoints()[:12] })

// smallY returns points with small y.
var smallY = sync.OnceValue(func() (points []oracle.Point) {
	// p ≡ 7 mod 9, so c^((p+2)/9) is a cube root of c if c has one.
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
	differential(t, func(r *run) {
		b := r.encodedPoint()
		r.given("key %x", b)
		k, err := p256k1.ParsePublicKey(b)
		r.verdict(err == nil, accepted, refused)
		p, curveErr := new(curve.Point).SetBytes(b)
		r.same("package curve", result(k, err), result(p, curveErr))
		// The parsers of the other libraries accept a hybrid encoding if and only if the key is valid with the prefix
		// 04 and has the parity that the hybrid prefix states.
		hybrid := len(b) == 65 && b[0]&^1 == 6
		if hybrid {
			r.is(errors.Is(err, p256k1.ErrPrefix), "the error is ErrPrefix: %v", err)
			k, err = p256k1.ParsePublicKey(append([]byte{4}, b[1:]...))
			if b[0]&1 != b[64]&1 {
				err = p256k1.ErrPrefix
			}
			r.addIf(err == nil, hybridKey)
		}
		var ours any
		if err == nil {
			full := k.BytesUncompressed()
			ours = full
			r.same("compressed", k, append([]byte{2 | full[64]&1}, full[1:33]...))
			r.same("x-only", k.XOnly(), full[1:33])
			r.same("IsYOdd", k.IsYOdd(), full[64]&1 == 1)
		}
		if c := r.secp(); c != nil {
			r.same("libsecp256k1", ours, from(c.PubkeyParseUncompressed(b)))
		}
		if r.slow() {
			r.same("decred", ours, serialized(secp.ParsePubKey(b)))
			r.same("btcec", ours, serialized(btcec.ParsePubKey(b)))
		}
	}, accepted, refused, hybridKey)
}

// serialized returns the uncompressed encoding of a key, or nil if there is an error instead.
func serialized(k *secp.PublicKey, err error) any {
	if err != nil {
		return nil
	}
	return k.SerializeUncompressed()
}

func TestXOnlyPublicKeyParse(t *testing.T) {
	differential(t, func(r *run) {
		var b []byte
		switch p := r.Point(); r.IntN(8) {
		default:
			b = p.Compressed()[1:]
		case 4:
			b = slice(r.FieldBytes())
		case 5:
			b = slice(pick(r, oracle.BadX()...))
		case 6:
			b = r.mutate(p.Compressed()[1:])
		}
		r.given("x-only key %x", b)
		k, err := p256k1.ParseXOnlyPublicKey(b)
		r.verdict(err == nil, accepted, refused)
		if c := r.secp(); c != nil && len(b) == 32 {
			r.same("libsecp256k1", err == nil, c.XOnlyParse((*[32]byte)(b)))
		}
		if r.slow() {
			theirs, theirErr := btcschnorr.ParsePubKey(b)
			r.same("btcec", err == nil, theirErr == nil)
			if err == nil && theirErr == nil {
				r.samePublicKey(k.PublicKey(), theirs)
			}
		}
		p, curveErr := new(curve.Point).LiftX(b)
		r.same("package curve", err == nil, curveErr == nil)
		if err == nil {
			r.same("bytes", k, b)
			r.same("point", k.Point(), p)
			pub := k.PublicKey()
			r.is(k.Equal(pub.XOnly()) && k.Equal(pub.Negate().XOnly()) && !pub.IsYOdd(), "the public key has even y")
		}
	}, accepted, refused)
}
