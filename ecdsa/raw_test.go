package ecdsa

import (
	"math/big"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// raw returns the signature (r, s), without checking the range of r and s.
func raw(r, s *big.Int) Signature {
	return Signature{oracle.Signature{R: r, S: s}.Compact()}
}

// rawRecoverable returns the signature (r, s) with a recovery id, without checking their ranges.
func rawRecoverable(r, s *big.Int, id int) RecoverableSignature {
	sig := raw(r, s)
	return RecoverableSignature{[65]byte(append(sig.rs[:], byte(id)))}
}

func inRange(v *big.Int) bool { return v.Sign() > 0 && v.Cmp(oracle.N) < 0 }

func add(a *big.Int, b int64) *big.Int { return new(big.Int).Add(a, big.NewInt(b)) }
