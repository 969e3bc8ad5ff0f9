package engine

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2"
)

// newParties makes as many as there are keys, each the peer of the next.
func newParties(t *testing.T, n int) (all []Party) {
	for i := range n {
		secret, digest := sha256.Sum256(fmt.Appendf(nil, "secret %d", i)), sha256.Sum256(fmt.Appendf(nil, "digest %d", i))
		key, err := p256k1.NewPrivateKey(secret[:])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Party{Secret: &secret, Digest: &digest, Pub: (*[33]byte)(key.PublicKey().Bytes())})
	}
	for i := range all {
		all[i].Peer = all[(i+n-1)%n].Pub
	}
	return all
}

// TestProtocols runs what engines have of protocols, on all inputs and over their end, and compares what they say.
func TestProtocols(t *testing.T) {
	const n, calls = 5, 7
	parties := newParties(t, n)
	for _, op := range ProtocolOps {
		for _, size := range []int{0, 1, 2, 3, 8} {
			var want [calls][64]byte
			for which, s := range sessions(t) {
				p, ok := s.Session.(Protocols)
				if !ok {
					continue
				}
				if batch := op == DLEQVerify || op == SilentScan; size == 0 && op != DLEQVerify || size > 1 && which > 0 && batch {
					continue
				}
				what := fmt.Sprintf("%s: %s of %d", s.name, op, size)
				prepared, err := p.PrepareProtocol(op, size, parties)
				if errors.Is(err, ErrNotSupported) && which > 0 {
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				if prepared.Refill != nil {
					if err := prepared.Refill(calls); err != nil {
						t.Errorf("%s: %v", what, err)
					}
				}
				for j := range calls {
					i := j
					if prepared.Refill != nil {
						i = calls - 1 - j // which takes the last first
					}
					var out [64]byte
					if err := prepared.Run(i, &out); err != nil {
						t.Errorf("%s: input %d: %v", what, i, err)
					}
					if which == 0 {
						want[i] = out
					} else if empty := [64]byte{}; out != empty && out != want[i] {
						t.Errorf("%s: input %d: %x, want %x", what, i, out, want[i])
					}
				}
			}
		}
	}
	s := sessions(t)[0].Session.(Protocols)
	if _, err := s.PrepareProtocol("nosuch", 1, parties); !errors.Is(err, ErrNotSupported) {
		t.Errorf("an unknown operation: %v", err)
	}
}

// A scan that finds nothing, or too much, is an error.
func TestHits(t *testing.T) {
	for _, c := range []struct{ first, size, hits int }{{0, 1, 1}, {1, 4, 0}, {1, 5, 1}, {4, 1, 0}, {4, 2, 1}, {5, 1, 1}, {0, 11, 3}, {12, 3, 0}} {
		if err := checkHits(c.hits, c.first, c.size, 5); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		if checkHits(c.hits+1, c.first, c.size, 5) == nil {
			t.Errorf("%v: one more", c)
		}
	}
}
