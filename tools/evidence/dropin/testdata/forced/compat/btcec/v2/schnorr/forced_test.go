package schnorr

import (
	"bytes"
	"errors"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	dcr "github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
)

// forced is the byte of which a hash or auxiliary data must consist to force a rare value.
const forced = 0xee

// TestForcedFault signs a hash for which s is wrong with every nonce.
func TestForcedFault(t *testing.T) {
	key, pub := btcec.PrivKeyFromBytes([]byte{9})
	hash := bytes.Repeat([]byte{forced}, 32)
	for i, options := range [][]SignOption{{}, {CustomNonce([32]byte{1})}} {
		if sig, err := Sign(key, hash, options...); sig != nil || !errors.Is(err, dcr.ErrUnequalRValues) {
			t.Errorf("options %d: a wrong signature is not withheld: %v, %v", i, sig, err)
		}
		if sig, err := Sign(key, hash, append(options, FastSign())...); err != nil || sig.Verify(hash, pub) {
			t.Errorf("options %d: with FastSign: %v, %v", i, sig, err)
		}
	}
}

// TestForcedNonce signs with auxiliary data for which the hash that gives the nonce is n, and n + 1.
func TestForcedNonce(t *testing.T) {
	key, pub := btcec.PrivKeyFromBytes([]byte{9})
	hash, aux := make([]byte, 32), [32]byte(bytes.Repeat([]byte{forced}, 32))
	for _, options := range [][]SignOption{{CustomNonce(aux)}, {CustomNonce(aux), FastSign()}} {
		if sig, err := Sign(key, hash, options...); sig != nil || !errors.Is(err, dcr.ErrSchnorrHashValue) {
			t.Errorf("a signature with the nonce n: %v, %v", sig, err)
		}
	}
	aux[31]++
	var G btcec.JacobianPoint
	btcec.GeneratorJacobian(&G)
	sig, err := Sign(key, hash, CustomNonce(aux))
	if err != nil || !sig.Verify(hash, pub) || !sig.r.Equals(&G.X) {
		t.Errorf("a signature with the nonce n + 1: %v, %v", sig, err)
	}
}
