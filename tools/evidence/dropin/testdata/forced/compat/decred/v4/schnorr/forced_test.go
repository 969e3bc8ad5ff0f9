package schnorr

import (
	"bytes"
	"testing"

	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
)

// TestForcedHash verifies the signature (x(G), 1), for which the hash is n. If the hash were reduced modulo n, the
// equation R = s·G + e·Q would hold, because e is 0.
func TestForcedHash(t *testing.T) {
	var s secp256k1.ModNScalar
	var G secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(s.SetInt(1), &G)
	key := secp256k1.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	if NewSignature(&G.X, &s).Verify(make([]byte, 32), key.PubKey()) {
		t.Error("a hash of n is reduced")
	}
}
