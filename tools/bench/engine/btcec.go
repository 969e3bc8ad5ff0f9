package engine

import (
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

const btcecPath = "github.com/btcsuite/btcd/btcec/v2"

type btcecEngine struct{}

func openBtcec() (Engine, error) { return btcecEngine{}, nil }

func (btcecEngine) Info() Info {
	return Info{
		Name: "btcec", Backend: "Go", Version: moduleVersion(btcecPath),
		Notes: []string{
			"Not constant-time with secret keys in deriving, signing and ECDH.",
			"Its arithmetic, key types and ECDH are decred's, of the version above.",
			"Its Schnorr signing verifies what it signed, unless told not to (schnorr.FastSign).",
		},
	}
}

func (btcecEngine) NewSession() (Session, error) { return btcecSession{}, nil }

// btcecSession inherits what btcec itself takes from decred's package by type
// alias or by calling it.
type btcecSession struct{ decredSession }

func (btcecSession) LoadPublic(pub []byte) (Public, error) {
	p, err := btcec.ParsePubKey(pub)
	return p, invalid(err)
}

func (btcecSession) ECDSASign(dst []byte, sec Secret, digest *[32]byte) ([]byte, error) {
	return append(dst, ecdsa.Sign(sec.(*secp256k1.PrivateKey), digest[:]).Serialize()...), nil
}

func (btcecSession) ECDSAVerify(pub *[33]byte, digest *[32]byte, der []byte) (bool, error) {
	p, err := btcec.ParsePubKey(pub[:])
	if err != nil {
		return false, nil
	}
	sig, err := ecdsa.ParseDERSignature(der)
	return err == nil && sig.Verify(digest[:], p), nil
}

func (btcecSession) SchnorrSign(sec Secret, msg, aux *[32]byte) (sig [64]byte, err error) {
	if aux == nil {
		aux = &noAux
	}
	s, err := schnorr.Sign(sec.(*secp256k1.PrivateKey), msg[:], schnorr.CustomNonce(*aux))
	if err != nil {
		return sig, invalid(err)
	}
	return [64]byte(s.Serialize()), nil
}

func (btcecSession) SchnorrVerify(pub, msg *[32]byte, sig *[64]byte) (bool, error) {
	p, err := schnorr.ParsePubKey(pub[:])
	if err != nil {
		return false, nil
	}
	s, err := schnorr.ParseSignature(sig[:])
	return err == nil && s.Verify(msg[:], p), nil
}

func (btcecSession) ECDHX(sec Secret, pub Public) ([32]byte, error) {
	return [32]byte(btcec.GenerateSharedSecret(sec.(*secp256k1.PrivateKey), pub.(*secp256k1.PublicKey))), nil
}
