package engine

import (
	"errors"

	"p256k1.mleku.dev/v2/internal/platform"
)

// decredOnP256K1 runs the calls of decredEngine on package compat/decred: what
// programs get that put that in Decred's place.
type decredOnP256K1 struct{}

func openDecredOnP256K1() (Engine, error) { return decredOnP256K1{}, nil }

func (decredOnP256K1) Info() Info {
	return Info{
		Name: "decred-on-p256k1", Backend: platform.Name(), Version: moduleVersion("p256k1.mleku.dev/v2"),
		Notes: []string{
			"Decred's API on p256k1: the calls of the engine decred, with compat/decred imported in its place. ECDH with SHA-256 calls ScalarMultNonConst.",
		},
	}
}

func (decredOnP256K1) NewSession() (Session, error) { return decredOnP256K1Session{}, nil }

// BtcecOnP256K1 is the engine that runs the calls of the engine btcec on compat/btcec,
// which has btcec's own path. So it is only in a program that was built with this in
// btcec's place, and then there is no btcec.
const BtcecOnP256K1 = "btcec-on-p256k1"

type btcecOnP256K1 struct{}

func openBtcecOnP256K1() (Engine, error) {
	if moduleVersion(btcecPath) != ofThisTree {
		return nil, errors.New("this program is built with btcec's own module")
	}
	return btcecOnP256K1{}, nil
}

func (btcecOnP256K1) Info() Info {
	return Info{
		Name: BtcecOnP256K1, Backend: platform.Name(), Version: moduleVersion(btcecPath),
		Notes: []string{
			"Btcec's API on p256k1: the calls of the engine btcec, in a program built with compat/btcec and compat/decred in the place of both modules.",
			"Its Schnorr signing verifies what it signed, as btcec's does.",
		},
	}
}

func (btcecOnP256K1) NewSession() (Session, error) { return btcecSession{}, nil }
