package ethereum

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2/ecdsa"
)

var (
	// ErrV means that v of a signature has a value that its place does not allow.
	ErrV = errors.New("invalid v")
	// ErrHighS means that s is above (n−1)/2, which Homestead refuses (EIP-2).
	ErrHighS = errors.New("s above (n-1)/2")
)

// A Recoverer recovers senders. The zero value has the rules of all blocks from Homestead on and uses all cores.
type Recoverer struct {
	// AllowHighS allows any s in [1, n−1]. This is the rule of Frontier, for blocks of the main chain below 1,150,000.
	AllowHighS bool
	// Workers is the largest number of goroutines of Senders and Each; 0 is GOMAXPROCS.
	Workers int
}

// Sender returns the address whose key made the signature sig of the 32-byte hash, with low s (EIP-2). sig is r‖s‖v,
// where v is 0 or 1, or 27 or 28: see LegacyV and TypedV for the v of transactions. About half of all random r and s give
// an address, so an address alone proves nothing. The error is p256k1.ErrRange if r or s is not in [1, n−1], ErrV,
// ErrHighS, or ecdsa.ErrRecover if there is no such key.
func Sender(hash [32]byte, sig [65]byte) (Address, error) {
	return Recoverer{}.Sender(hash, sig)
}

// Sender returns the sender as the function Sender does, by the rules of r.
func (r Recoverer) Sender(hash [32]byte, sig [65]byte) (Address, error) {
	parsed, err := r.parse(&sig)
	if err != nil {
		return Address{}, fmt.Errorf("ethereum: %w", err)
	}
	pub, err := ecdsa.Recover(hash[:], parsed)
	if err != nil {
		return Address{}, fmt.Errorf("ethereum: %w", err)
	}
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	a, _ := h.address(pub)
	return a, nil
}

// parse returns the signature, which obeys the rules of r.
func (r Recoverer) parse(sig *[65]byte) (parsed ecdsa.RecoverableSignature, err error) {
	rsv := *sig
	if v := rsv[64]; v == 27 || v == 28 {
		rsv[64] -= 27
	} else if v > 1 {
		return parsed, fmt.Errorf("%w: %d, want 0, 1, 27 or 28", ErrV, v)
	}
	if parsed, err = ecdsa.ParseRecoverable(rsv[:]); err != nil {
		return parsed, err
	}
	if !r.AllowHighS && !parsed.Signature().IsLowS() {
		return parsed, ErrHighS
	}
	return parsed, nil
}

// LegacyV splits the v of a legacy transaction. 27 + parity is the v of a transaction that any chain accepts:
// protected is false, and its hash is of six fields. 35 + 2·chain + parity is the v of a transaction for one chain
// (EIP-155): protected is true, its hash is of nine fields, and the caller compares the chain. Use the parity as v of
// Sender. The error is ErrV for all other values. Decoders with larger integers refuse a v of more than 64 bits,
// because no chain has an id above 2⁶³ (EIP-2294).
func LegacyV(v uint64) (parity byte, chain uint64, protected bool, err error) {
	switch {
	case v == 27 || v == 28:
		return byte(v - 27), 0, false, nil
	case v >= 35:
		return byte((v - 35) & 1), (v - 35) / 2, true, nil
	}
	return 0, 0, false, fmt.Errorf("ethereum: legacy transaction: %w: %d, want 27, 28, or 35 and more", ErrV, v)
}

// TypedV returns v of a typed transaction (EIP-2718) or of an authorization (EIP-7702), which is the parity. The error
// is ErrV if v is not 0 or 1.
func TypedV(v uint64) (parity byte, err error) {
	if v > 1 {
		return 0, fmt.Errorf("ethereum: typed transaction: %w: %d, want 0 or 1", ErrV, v)
	}
	return byte(v), nil
}
