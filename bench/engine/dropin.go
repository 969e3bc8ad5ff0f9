package engine

import "p256k1.mleku.dev/internal/platform"

// decredOnP256K1 runs the calls of decredEngine on package compat/decred: what
// programs get that put that in Decred's place.
type decredOnP256K1 struct{}

func openDecredOnP256K1() (Engine, error) { return decredOnP256K1{}, nil }

func (decredOnP256K1) Info() Info {
	return Info{
		Name: "decred-on-p256k1", Backend: platform.Name(), Version: moduleVersion("p256k1.mleku.dev"),
		Notes: []string{
			"Decred's API on p256k1: the calls of the engine decred, with compat/decred imported in its place. ECDH with SHA-256 calls ScalarMultNonConst.",
		},
	}
}

func (decredOnP256K1) NewSession() (Session, error) { return decredOnP256K1Session{}, nil }
