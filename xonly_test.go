package p256k1_test

import (
	"bytes"
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestPublicKeyEncodings checks which points the keys stand for, and TestBadX checks which x coordinates are refused.

func TestNewXOnlyPublicKeyLength(t *testing.T) {
	g := append(oracle.G.Uncompressed()[1:], make([]byte, 36)...)
	for n := range 101 {
		k, err := p256k1.ParseXOnlyPublicKey(g[:n])
		if n == 32 {
			libtest.CheckError(t, err, nil)
			if !bytes.Equal(k.Bytes(), g[:32]) {
				t.Errorf("parsed as %x", k.Bytes())
			}
			continue
		}
		libtest.CheckError(t, err, p256k1.ErrLength, "x-only public key", fmt.Sprintf("%d bytes, want 32", n))
		if k != nil {
			t.Errorf("%d bytes: a key beside the error", n)
		}
	}
}
