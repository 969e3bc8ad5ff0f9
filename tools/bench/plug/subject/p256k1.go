package subject

import (
	"fmt"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

// newP256K1 drives this library, whose backend depends on the environment.
func newP256K1(inputs []work.Input) (*Subject, error) {
	e, err := engine.Open("p256k1")
	if err != nil {
		return nil, err
	}
	session, err := e.NewSession()
	if err != nil {
		return nil, err
	}
	info := e.Info()
	secrets := make([]engine.Secret, len(inputs))
	for i := range inputs {
		if secrets[i], err = session.LoadSecret(&inputs[i].Secret); err != nil {
			return nil, fmt.Errorf("loading secret key %d: %w", i, err)
		}
	}

	var der []byte
	var sig64 [64]byte
	var out32 [32]byte
	var out33 [33]byte
	spoil := func(i int) { inputs[i].Digest[0] ^= 1 }
	s := &Subject{Kind: KindP256K1, Version: info.Version, API: info.Backend}
	s.steps = map[work.Scenario]step{
		work.ECDSAVerify: {
			run: func(i int) bool {
				ok, err := session.ECDSAVerify(&inputs[i].Public, &inputs[i].Digest, inputs[i].DER)
				return ok && err == nil
			},
			spoil: spoil,
		},
		work.ECDSASign: {
			run: func(i int) bool {
				var err error
				der, err = session.ECDSASign(der[:0], secrets[i], &inputs[i].Digest)
				return err == nil
			},
			check: func(i int) error { return compare("signature", der, inputs[i].DER) },
		},
		work.SchnorrVerify: {
			run: func(i int) bool {
				in := &inputs[i]
				ok, err := session.SchnorrVerify((*[32]byte)(in.Public[1:]), &in.Digest, &in.Schnorr)
				return ok && err == nil
			},
			spoil: spoil,
		},
		work.SchnorrSign: {
			run: func(i int) bool {
				var err error
				sig64, err = session.SchnorrSign(secrets[i], &inputs[i].Digest, nil)
				return err == nil
			},
			check: func(i int) error { return compare("signature", sig64[:], inputs[i].Schnorr[:]) },
		},
		work.ECDH: {
			run: func(i int) bool {
				peer, err := session.LoadPublic(inputs[i].Peer[:])
				if err != nil {
					return false
				}
				out32, err = session.ECDHSHA256(secrets[i], peer)
				return err == nil
			},
			check: func(i int) error { return compare("secret", out32[:], inputs[i].Shared[:]) },
		},
		work.Derive: {
			run: func(i int) bool {
				out33, err = session.Derive(&inputs[i].Secret)
				return err == nil
			},
			check: func(i int) error { return compare("key", out33[:], inputs[i].Public[:]) },
		},
		work.Recover: {
			run: func(i int) bool {
				out33, err = session.Recover(&inputs[i].Digest, &inputs[i].RSV)
				return err == nil
			},
			check: func(i int) error { return compare("key", out33[:], inputs[i].Public[:]) },
		},
	}
	return s, nil
}
