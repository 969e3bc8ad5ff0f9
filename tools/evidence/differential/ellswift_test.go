package differential

import (
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcswift "github.com/btcsuite/btcd/btcec/v2/ellswift"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// encoding returns 64 bytes, each half of which is often at an edge, with a t for which u³ + t² + 7 = 0 at times.
func (r *run) encoding() (e [64]byte) {
	u, t := oracle.FromLimbs(r.Limbs()), oracle.FromLimbs(r.Limbs())
	if r.IntN(8) == 0 {
		g := oracle.Fp.Add(oracle.Fp.Mul(u, oracle.Fp.Mul(u, u)), oracle.B)
		if root, ok := oracle.Sqrt(oracle.Fp.Neg(g)); ok {
			t = root
			r.kind("u³ + t² + 7 = 0")
		}
	}
	a, b := oracle.Bytes(u), oracle.Bytes(t)
	copy(e[:], a[:])
	copy(e[32:], b[:])
	return e
}

// TestEllswift has an exchange with libsecp256k1 in both roles, of keys that either side encodes, and decodes any bytes.
func TestEllswift(t *testing.T) {
	differential(t, func(r *run) {
		e := r.encoding()
		pub := ellswift.Decode(&e)
		c := r.secp()
		if c != nil {
			if theirs, ok := c.EllswiftDecode(&e); !ok || [33]byte(pub.Bytes()) != theirs {
				r.errorf("%x is %x, to libsecp256k1 %x", e, pub.Bytes(), theirs)
			}
		}
		priv, btcPriv := r.keys(r.ValidScalar())
		d := [32]byte(priv.Bytes())
		random := [32]byte(r.Bytes(32))
		ours, err := ellswift.Encode(priv.PublicKey(), &random)
		if err != nil || !ellswift.Decode(&ours).Equal(priv.PublicKey()) {
			r.errorf("key %x: encoding %x (%v)", d, ours, err)
			return
		}
		if c != nil {
			point, ok := c.LoadPubkey(pub.BytesUncompressed())
			if theirs, ok2 := c.EllswiftEncode(&point, &random); !ok || !ok2 || !ellswift.Decode(&theirs).Equal(pub) {
				r.errorf("libsecp256k1 encodes %x as %x", pub.Bytes(), theirs)
			}
			if r.IntN(2) == 0 {
				if ours, ok = c.EllswiftCreate(&d, &random); !ok {
					r.errorf("libsecp256k1 encodes nothing for %x", d)
				}
			}
			if back, ok := c.EllswiftDecode(&ours); !ok || back != [33]byte(priv.PublicKey().Bytes()) {
				r.errorf("key %x: %x is %x to libsecp256k1", d, ours, back)
			}
		}
		initiator := r.IntN(2) == 0
		secret, err := exchange(d, &ours, &e, initiator)
		if err != nil {
			r.errorf("key %x, %x with %x: %v", d, ours, e, err)
			return
		}
		if c != nil {
			if theirs, ok := c.EllswiftXDH(&d, &ours, &e, initiator); !ok || theirs != secret {
				r.errorf("key %x, %x with %x: %x, libsecp256k1 %x", d, ours, e, secret, theirs)
			}
			// The other role, with a key of theirs.
			d2 := oracle.Bytes(r.ValidScalar())
			if e2, ok := c.EllswiftCreate(&d2, &random); ok {
				here, err := exchange(d, &ours, &e2, initiator)
				if there, ok := c.EllswiftXDH(&d2, &e2, &ours, !initiator); !ok || err != nil || there != here {
					r.errorf("keys %x, %x: %x (%v), libsecp256k1 %x", d, d2, here, err, there)
				}
			}
		}
		if r.slow() {
			// btcec changes neither argument here, as they are arrays.
			theirs, err := btcswift.V2Ecdh(btcPriv, e, ours, initiator)
			if err != nil || *theirs != secret {
				r.errorf("key %x, %x with %x: %x, btcec %v (%v)", d, ours, e, secret, theirs, err)
			}
			var u, v btcec.FieldVal
			u.SetByteSlice(e[:32])
			v.SetByteSlice(e[32:])
			x, err := btcswift.XSwiftEC(u.Normalize(), v.Normalize())
			if err != nil || *x.Bytes() != [32]byte(pub.XOnly().Bytes()) {
				r.errorf("%x is %x, btcec %v (%v)", e, pub.XOnly().Bytes(), x, err)
			}
		}
	})
}

// exchange uses a new copy of the key.
func exchange(d [32]byte, ours, theirs *[64]byte, initiator bool) (secret [32]byte, err error) {
	priv, err := p256k1.NewPrivateKey(d[:])
	if err != nil {
		return secret, err
	}
	k, err := ellswift.NewPrivateKey(priv, ours)
	if err != nil {
		return secret, err
	}
	return k.ECDH(theirs, initiator)
}
