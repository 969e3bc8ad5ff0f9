package engine

import (
	"crypto/sha256"
	"fmt"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

const decredPath = "github.com/decred/dcrd/dcrec/secp256k1/v4"

type decredEngine struct{}

func openDecred() (Engine, error) { return decredEngine{}, nil }

func (decredEngine) Info() Info {
	return Info{
		Name: "decred", Backend: "Go", Version: moduleVersion(decredPath),
		Notes: []string{
			"Not constant-time with secret keys in deriving, signing and ECDH.",
			"Its Schnorr signatures are Decred's own, not those of BIP-340.",
		},
	}
}

func (decredEngine) NewSession() (Session, error) { return decredSession{}, nil }

// compactHeader is what Bitcoin's compact signatures, which btcec and decred
// have, begin with: 27, and 4 for a compressed key, plus the recovery id.
const compactHeader = 27 + 4

type decredSession struct{ Unsupported }

func (decredSession) LoadSecret(sec *[32]byte) (Secret, error) {
	var d secp256k1.ModNScalar
	if overflow := d.SetBytes(sec); overflow != 0 || d.IsZero() {
		return nil, fmt.Errorf("%w: secret key out of range", ErrInvalid)
	}
	return secp256k1.NewPrivateKey(&d), nil
}

func (decredSession) LoadPublic(pub []byte) (Public, error) {
	p, err := secp256k1.ParsePubKey(pub)
	return p, invalid(err)
}

func (s decredSession) Derive(sec *[32]byte) (pub [33]byte, err error) {
	k, err := s.LoadSecret(sec)
	if err != nil {
		return pub, err
	}
	return [33]byte(k.(*secp256k1.PrivateKey).PubKey().SerializeCompressed()), nil
}

func (decredSession) ECDSASign(dst []byte, sec Secret, digest *[32]byte) ([]byte, error) {
	return append(dst, ecdsa.Sign(sec.(*secp256k1.PrivateKey), digest[:]).Serialize()...), nil
}

func (decredSession) ECDSAVerify(pub *[33]byte, digest *[32]byte, der []byte) (bool, error) {
	p, err := secp256k1.ParsePubKey(pub[:])
	if err != nil {
		return false, nil
	}
	sig, err := ecdsa.ParseDERSignature(der)
	return err == nil && sig.Verify(digest[:], p), nil
}

func (decredSession) SignRecoverable(sec Secret, digest *[32]byte) (sig [65]byte, err error) {
	c := ecdsa.SignCompact(sec.(*secp256k1.PrivateKey), digest[:], true)
	copy(sig[:], c[1:])
	sig[64] = c[0] - compactHeader
	return sig, nil
}

func (decredSession) Recover(digest *[32]byte, sig *[65]byte) (pub [33]byte, err error) {
	var c [65]byte
	c[0] = sig[64] + compactHeader
	copy(c[1:], sig[:64])
	p, _, err := ecdsa.RecoverCompact(c[:], digest[:])
	if err != nil {
		return pub, invalid(err)
	}
	return [33]byte(p.SerializeCompressed()), nil
}

func (decredSession) ECDHX(sec Secret, pub Public) ([32]byte, error) {
	return [32]byte(secp256k1.GenerateSharedSecret(sec.(*secp256k1.PrivateKey), pub.(*secp256k1.PublicKey))), nil
}

// ECDHSHA256 puts together what the package does not have as one function.
func (decredSession) ECDHSHA256(sec Secret, pub Public) (sum [32]byte, err error) {
	var point, shared secp256k1.JacobianPoint
	pub.(*secp256k1.PublicKey).AsJacobian(&point)
	secp256k1.ScalarMultNonConst(&sec.(*secp256k1.PrivateKey).Key, &point, &shared)
	shared.ToAffine()
	return sha256.Sum256(secp256k1.NewPublicKey(&shared.X, &shared.Y).SerializeCompressed()), nil
}
