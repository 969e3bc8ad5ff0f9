package conformance

import (
	"crypto/sha256"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/v2/ecdh"
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
			if err := s.InitSec(priv.Bytes()); err != nil {
				panic(err)
			}
			r.same("ECDHRaw", result(s.ECDHRaw(pub.XOnly().Bytes())), x)
		case 2: // SHA-256 of the point that decred computes
			if r.slow() {
				var p, q secp.JacobianPoint
				theirPub.AsJacobian(&p)
				secp.ScalarMultNonConst(&theirPriv.Key, &p, &q)
				q.ToAffine()
				r.same("SHA256, decred", hash, sha256.Sum256(secp.NewPublicKey(&q.X, &q.Y).SerializeCompressed()))
			}
		}
	})
}
