package ecdsa

import (
	"bytes"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
)

// TestAllocs checks that functions allocate no more often than the table says. TestAllocations of package dropin
// compares the functions with btcec's.
func TestAllocs(t *testing.T) {
	key, pub := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	digest := bytes.Repeat([]byte{8}, 32)
	sig, compact := Sign(key, digest), SignCompact(key, digest, true)
	der := sig.Serialize()
	for name, c := range map[string]struct {
		most float64
		do   func()
	}{
		"ParseDERSignature": {1, func() { ParseDERSignature(der) }},
		"ParseSignature":    {1, func() { ParseSignature(der) }},
		"RecoverCompact":    {1, func() { RecoverCompact(compact, digest) }},
		"Sign":              {2, func() { Sign(key, digest) }},
		"SignCompact":       {3, func() { SignCompact(key, digest, true) }},
		"Verify":            {0, func() { sig.Verify(digest, pub) }},
		"VerifyLowS":        {0, func() { VerifyLowS(der) }},
	} {
		if got := testing.AllocsPerRun(10, c.do); got > c.most {
			t.Errorf("%s allocates %v times, want at most %v", name, got, c.most)
		}
	}
}
