package differential

import (
	"bytes"
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
		pub, theirPub := r.publicKeys(r.point())
		x, err := ecdh.X(priv, pub)
		if err != nil {
			r.errorf("keys %x, %x: %v", priv.Bytes(), pub.Bytes(), err)
			return
		}
		if r.slow() {
			decred, other := secp.GenerateSharedSecret(theirPriv, theirPub), btcec.GenerateSharedSecret(theirPriv, theirPub)
			if !bytes.Equal(x[:], decred) || !bytes.Equal(x[:], other) {
				r.errorf("keys %x, %x: %x, decred %x, btcec %x", priv.Bytes(), pub.Bytes(), x, decred, other)
			}
		}
		if c := r.secp(); c != nil {
			d := [32]byte(priv.Bytes())
			key, ok := c.LoadPubkey(pub.BytesUncompressed())
			hash, ok2 := c.ECDH(&key, &d)
			if got, err := ecdh.SHA256(priv, pub); !ok || !ok2 || err != nil || got != hash {
				r.errorf("keys %x, %x: SHA256 gives %x (%v), libsecp256k1 %x", d, pub.Bytes(), got, err, hash)
			}
			if r.IntN(8) == 0 { // the same without the hash
				if theirs, ok := c.ECDHX(&key, &d); !ok || theirs != x {
					r.errorf("keys %x, %x: %x, libsecp256k1 %x", d, pub.Bytes(), x, theirs)
				}
			}
		}
		switch r.IntN(4) {
		case 0:
			if y, err := ecdh.XFromXOnly(priv, pub.XOnly()); err != nil || y != x {
				r.errorf("keys %x, %x: XFromXOnly gives %x (%v), want %x", priv.Bytes(), pub.Bytes(), y, err, x)
			}
		case 1:
			var s signer.P256K1Signer
			if err := s.InitSec(priv.Bytes()); err != nil {
				panic(err)
			}
			if y, err := s.ECDHRaw(pub.XOnly().Bytes()); err != nil || !bytes.Equal(y, x[:]) {
				r.errorf("keys %x, %x: ECDHRaw gives %x (%v), want %x", priv.Bytes(), pub.Bytes(), y, err, x)
			}
		case 2: // the hash of libsecp256k1, from decred's point
			if !r.slow() {
				break
			}
			var p, q secp.JacobianPoint
			theirPub.AsJacobian(&p)
			secp.ScalarMultNonConst(&theirPriv.Key, &p, &q)
			q.ToAffine()
			want := sha256.Sum256(secp.NewPublicKey(&q.X, &q.Y).SerializeCompressed())
			if got, err := ecdh.SHA256(priv, pub); err != nil || got != want {
				r.errorf("keys %x, %x: SHA256 gives %x (%v), want %x", priv.Bytes(), pub.Bytes(), got, err, want)
			}
		}
	})
}
