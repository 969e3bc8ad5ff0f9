package frost

import (
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestSharedX compares the result of SharedX with ecdh.X, and checks that wrong parts are detected.
func TestSharedX(t *testing.T) {
	key, group, shares := deal(t, 3, 5)
	peer := newKey(t).PublicKey()
	want, err := ecdh.X(key, peer)
	if err != nil {
		t.Fatal(err)
	}
	signers, err := group.Signers(4, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	var parts []AgreementShare
	for _, id := range signers.IDs() {
		part, err := Agree(shares[id], peer)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	if got, err := signers.SharedX(peer, parts); err != nil || got != want {
		t.Errorf("%x, %v, want %x", got, err, want)
	}
	swapped := []AgreementShare{parts[1], parts[0], parts[2]}
	blames(t, "swapped", second(signers.SharedX(peer, swapped)), ErrShare, 4, 1)
	swapped = []AgreementShare{parts[0], {Proof: parts[1].Proof}, {Point: newKey(t).PublicKey()}}
	blames(t, "none and wrong", second(signers.SharedX(peer, swapped)), ErrShare, 1, 2)
	tweaked, err := signers.Tweak(append(make([]byte, 31), 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tweaked.SharedX(peer, parts); !errors.Is(err, ErrTweaked) {
		t.Errorf("tweaked: %v", err)
	}
	libtest.Misread(t, shares[4].key)
	if part, err := Agree(shares[4], peer); part.Point != nil || !errors.Is(err, p256k1.ErrFault) {
		t.Errorf("a share that is misread in memory: %v", err)
	}
}
