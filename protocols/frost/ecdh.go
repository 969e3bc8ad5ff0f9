package frost

import (
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/dleq"
)

// AgreementShare is one signer's part of the ECDH secret of the threshold key and another key, with a proof that the
// part is correct (BIP-374). Whoever has the parts of all signers can compute the secret, so encrypt each part for the
// intended recipient.
type AgreementShare struct {
	Point *p256k1.PublicKey // sᵢ·B for the share sᵢ and the peer's key B
	Proof [dleq.Size]byte
}

// Agree returns the signer's part of the ECDH secret of the threshold key and peer. It is constant-time. If the
// participants call Agree for every peer, the recipient of the parts can decrypt everything that the holder of the
// threshold key could decrypt. The error is p256k1.ErrNoKey for an invalid share or key, or p256k1.ErrFault after a
// hardware error.
func Agree(share *Share, peer *p256k1.PublicKey) (AgreementShare, error) {
	if key := share.Key(); !key.Equal(key) {
		return AgreementShare{}, fmt.Errorf("frost: agreement: share: %w", p256k1.ErrNoKey)
	}
	if isUnset(peer) {
		return AgreementShare{}, errPeer()
	}
	c, proof, err := dleq.Prove(share.Key(), peer, &dleq.Options{Checked: true})
	if err != nil {
		return AgreementShare{}, fmt.Errorf("frost: agreement: %w", err)
	}
	return AgreementShare{c, proof}, nil
}

func errPeer() error { return fmt.Errorf("frost: agreement: peer's key: %w", p256k1.ErrNoKey) }

// SharedX returns the x coordinate of the ECDH point of the threshold key and peer. parts must hold the parts of all
// signers, in the order of the signers. The result is what ecdh.X returns for the private key, and what NIP-44 hashes.
// SharedX adds the parts in constant time. It verifies the proofs in variable time, because the caller knows the parts.
// The caller must wipe the result.
//
// The error is
//
//   - ErrTweaked for signers whose key was tweaked,
//   - p256k1.ErrNoKey for signers or a key that are invalid,
//   - p256k1.ErrLength if there are not as many parts as signers, or
//   - a *protocols.BlameError with ErrShare that names all signers whose proof is invalid.
func (s *Signers) SharedX(peer *p256k1.PublicKey, parts []AgreementShare) (x [32]byte, err error) {
	switch {
	case s.isNone():
		return x, errSigners()
	case s.tweaked:
		return x, fmt.Errorf("frost: agreement: %w", ErrTweaked)
	case isUnset(peer):
		return x, errPeer()
	case len(parts) != len(s.ids):
		return x, fmt.Errorf("frost: agreement: %w: %d parts, want %d, one of each signer", p256k1.ErrLength, len(parts), len(s.ids))
	}
	items := make([]dleq.Item, len(parts))
	for i := range parts {
		items[i] = dleq.Item{A: &s.shares[i], B: peer, C: parts[i].Point, Proof: parts[i].Proof[:]}
	}
	if bad := dleq.Invalid(nil, items); bad != nil {
		return x, fmt.Errorf("frost: agreement: %w", blame(s.ids, bad, fmt.Errorf("%w: the proof of the part is not valid for the signer's share and the peer's key", ErrShare)))
	}
	var sum, term curve.Point
	for i := range parts {
		sum.Add(&sum, term.ScalarMult(&s.lambda[i], parts[i].Point.Point()))
	}
	b, err := sum.Normalize().BytesX()
	if err != nil {
		return x, fmt.Errorf("frost: agreement: %w", err)
	}
	copy(x[:], b)
	clear(b)
	sum.Zero()
	term.Zero()
	return x, nil
}
