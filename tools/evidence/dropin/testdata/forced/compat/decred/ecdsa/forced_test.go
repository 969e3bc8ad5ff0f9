package ecdsa

import (
	"bytes"
	"testing"

	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
)

// TestForcedCode signs a hash for which the x coordinate of the nonce's point is n + 2, so that r is 2, and the recovery
// code must say that n was subtracted.
func TestForcedCode(t *testing.T) {
	key := secp256k1.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	sig := SignCompact(key, bytes.Repeat([]byte{0xee}, 32), false)
	if code := sig[0] - firstCode; code&^1 != 2 || !bytes.Equal(sig[1:33], append(make([]byte, 31), 2)) {
		t.Errorf("x = n + 2: code %d, r = %x", code, sig[1:33])
	}
	if sig := SignCompact(key, make([]byte, 32), false); sig[0]-firstCode > 1 {
		t.Errorf("x < n: code %d", sig[0]-firstCode)
	}
}
