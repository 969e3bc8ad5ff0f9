package ecdsa

import (
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestCheck checks that check refuses signatures by another key or of another digest, and signatures with another
// recovery id, a high s or r = 0. tools/evidence/faults shows that signing with Options.Checked calls check.
func TestCheck(t *testing.T) {
	r := oracle.New(t)
	digest, other := r.Digest(), r.Digest()
	k := libtest.Private(t, r.ValidScalar())
	good, err := SignRecoverable(k, digest[:], nil)
	for err == nil && good.RecoveryID() != 0 {
		digest = r.Digest()
		good, err = SignRecoverable(k, digest[:], nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !check(k.PublicKey(), digest[:], &good) {
		t.Fatal("refuses a signature")
	}
	if check(libtest.Private(t, r.ValidScalar()).PublicKey(), digest[:], &good) || check(k.PublicKey(), other[:], &good) {
		t.Error("takes the signature for one by another key or of another digest")
	}

	changed := good
	changed.rsv[64] ^= 1
	if check(k.PublicKey(), digest[:], &changed) {
		t.Error("takes the other recovery id")
	}
	changed = good
	s := oracle.Bytes(oracle.Fn.Neg(oracle.Int(good.rsv[32:64])))
	copy(changed.rsv[32:], s[:])
	changed.rsv[64] ^= 1
	if pub, err := Recover(digest[:], changed); err != nil || !pub.Equal(k.PublicKey()) || check(k.PublicKey(), digest[:], &changed) {
		t.Errorf("takes a high s, or recovery does not (%v)", err)
	}
	for _, more := range []byte{4, 8, 128} {
		changed = good
		changed.rsv[64] |= more
		if check(k.PublicKey(), digest[:], &changed) {
			t.Errorf("takes the recovery id %d", changed.rsv[64])
		}
	}
	changed = good
	clear(changed.rsv[:32])
	if check(k.PublicKey(), digest[:], &changed) || check(new(p256k1.PublicKey), digest[:], &changed) {
		t.Error("takes r = 0")
	}

	// Here the nonce point R has x ≥ n. No nonce is known for such an R, so the test recovers the public key instead of
	// signing.
	ids := 0
	for _, r := range oracle.WrapR() {
		for _, id := range []byte{2, 3} {
			var sig RecoverableSignature
			copy(sig.rsv[:], r[:])
			sig.rsv[63], sig.rsv[64] = 1, id
			if pub, err := Recover(digest[:], sig); err == nil {
				ids++
				if !check(pub, digest[:], &sig) {
					t.Errorf("refuses r = %x with the recovery id %d", r, id)
				}
			}
		}
	}
	if ids < 4 {
		t.Errorf("only %d signatures with recovery ids of 2 and 3", ids)
	}
}

func TestErrFault(t *testing.T) {
	if err := errFault(); !errors.Is(err, p256k1.ErrFault) {
		t.Error(err)
	}
}
