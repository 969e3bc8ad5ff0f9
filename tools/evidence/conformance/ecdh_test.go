package conformance

import (
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcswift "github.com/btcsuite/btcd/btcec/v2/ellswift"
	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/signer"
)

func TestECDH(t *testing.T) {
	differential(t, func(r *run) {
		priv, theirPriv := r.keys(r.ValidScalar())
		pub, theirPub := r.publicKeys(r.Point())
		r.given("keys %x, %x", priv.Bytes(), pub.Bytes())
		x := must(ecdh.X(priv, pub))
		if r.slow() {
			r.same("decred", x, secp.GenerateSharedSecret(theirPriv, theirPub))
			r.same("btcec", x, btcec.GenerateSharedSecret(theirPriv, theirPub))
		}
		hash := result(ecdh.SHA256(priv, pub))
		if c := r.secp(); c != nil {
			d := [32]byte(priv.Bytes())
			key, _ := c.LoadPubkey(pub.BytesUncompressed())
			r.same("SHA256, libsecp256k1", hash, from(c.ECDH(&key, &d)))
			if r.IntN(8) == 0 { // the agreement that returns x without hashing it
				r.same("libsecp256k1", x, from(c.ECDHX(&key, &d)))
			}
		}
		switch r.IntN(4) {
		case 0:
			r.same("XFromXOnly", result(ecdh.XFromXOnly(priv, pub.XOnly())), x)
		case 1:
			var s signer.P256K1Signer
			r.same("InitSec", s.InitSec(priv.Bytes()), nil)
			r.same("ECDHRaw", result(s.ECDHRaw(pub.XOnly().Bytes())), x)
		}
	})
}

// encoding returns the bytes u‖t. u and t are often edge cases, and sometimes u³ + t² + 7 = 0.
func (r *run) encoding() (e [64]byte) {
	u, t := oracle.FromLimbs(r.Limbs()), oracle.FromLimbs(r.Limbs())
	if r.IntN(8) == 0 {
		g := oracle.Fp.Add(oracle.Fp.Mul(u, oracle.Fp.Mul(u, u)), oracle.B)
		if root, ok := oracle.Sqrt(oracle.Fp.Neg(g)); ok {
			t = root
			r.add("u³ + t² + 7 = 0")
		}
	}
	a, b := oracle.Bytes(u), oracle.Bytes(t)
	copy(e[:], a[:])
	copy(e[32:], b[:])
	return e
}

// TestEllswift exchanges keys with libsecp256k1 in both roles, with encodings made by either side, and decodes
// arbitrary bytes.
func TestEllswift(t *testing.T) {
	differential(t, func(r *run) {
		e := r.encoding()
		pub := ellswift.Decode(&e)
		priv, btcPriv := r.keys(r.ValidScalar())
		d, random := [32]byte(priv.Bytes()), [32]byte(r.Bytes(32))
		ours := must(ellswift.Encode(priv.PublicKey(), &random))
		r.given("key %x, %x with %x, randomness %x", d, ours, e, random)
		r.same("decoded", ellswift.Decode(&ours), priv.PublicKey())
		c := r.secp()
		if c != nil {
			r.same("decoded by libsecp256k1", pub, from(c.EllswiftDecode(&e)))
			point, _ := c.LoadPubkey(pub.BytesUncompressed())
			theirs, ok := c.EllswiftEncode(&point, &random)
			r.same("encoded by libsecp256k1", ellswift.Decode(&theirs), from(pub, ok))
			if r.IntN(2) == 0 {
				ours, ok = c.EllswiftCreate(&d, &random)
				r.is(ok, "libsecp256k1 encodes a key")
			}
			r.same("decoded by libsecp256k1", priv.PublicKey(), from(c.EllswiftDecode(&ours)))
		}
		initiator := r.IntN(2) == 0
		secret := exchange(d, &ours, &e, initiator)
		if c != nil {
			r.same("libsecp256k1", secret, from(c.EllswiftXDH(&d, &ours, &e, initiator)))
			// In this exchange, libsecp256k1 has the other key and takes the other role.
			d2 := oracle.Bytes(r.ValidScalar())
			if e2, ok := c.EllswiftCreate(&d2, &random); ok {
				theirs := from(c.EllswiftXDH(&d2, &e2, &ours, !initiator))
				r.same("the other role", exchange(d, &ours, &e2, initiator), theirs)
			}
		}
		if r.slow() {
			// The arguments are arrays, so btcec gets copies and cannot change them.
			r.same("btcec", secret, [32]byte(*must(btcswift.V2Ecdh(btcPriv, e, ours, initiator))))
			var u, v btcec.FieldVal
			u.SetByteSlice(e[:32])
			v.SetByteSlice(e[32:])
			r.same("decoded by btcec", pub.XOnly(), *must(btcswift.XSwiftEC(u.Normalize(), v.Normalize())).Bytes())
		}
	})
}

// exchange returns the shared secret of BIP-324. ECDH uses its key up, so each exchange makes a new key from d.
func exchange(d [32]byte, ours, theirs *[64]byte, initiator bool) [32]byte {
	return must(must(ellswift.NewPrivateKey(privateKey(d[:]), ours)).ECDH(theirs, initiator))
}
