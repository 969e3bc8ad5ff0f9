package ethereum

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2/ecdsa"
)

var (
	// ErrV means that v has a value that is not allowed for the kind of signature or transaction.
	ErrV = errors.New("invalid v")
	// ErrHighS means that s is above (n−1)/2, which Homestead refuses (EIP-2).
	ErrHighS = errors.New("s above (n-1)/2")
)

// A Recoverer recovers senders. The zero value follows the rules of all blocks since Homestead and uses all cores.
type Recoverer struct {
	// AllowHighS allows any s in [1, n−1], as Frontier did, in blocks of the main chain below 1,150,000.
	AllowHighS bool
	// Workers is the largest number of goroutines that Senders and Each use. 0 means runtime.GOMAXPROCS(0).
	Workers int
}

// Sender returns the address of the key for which sig is a valid signature of the 32-byte hash. sig is r ‖ s ‖ v, where
// s must be low (EIP-2) and v is 0, 1, 27 or 28. For the v of transactions, see LegacyV and TypedV. For the 64 bytes of
// ERC-2098, call ecdsa.ParseRecoverableERC2098 and then BytesEthereum. About half of all random r and s lead to an
// address, so an address alone proves nothing. The error is p256k1.ErrRange if r or s is not in [1, n−1], ErrV,
// ErrHighS, or ecdsa.ErrRecover if there is no such key.
func Sender(hash [32]byte, sig [65]byte) (Address, error) {
	return Recoverer{}.Sender(hash, sig)
}

// Sender returns the address of the key for which sig is a valid signature of the 32-byte hash, by the rules of r. The
// form of sig and the errors are the same as for the function Sender, except that AllowHighS allows a high s.
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

// parse returns the signature that sig encodes, or an error if the signature violates the rules of r.
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

// LegacyV returns the parity and the chain that the v of a legacy transaction encodes:
//
//   - If v = 27 + parity, the transaction is valid on any chain. protected is false, and the signed hash covers six
//     fields.
//   - If v = 35 + 2·chain + parity, the transaction is for one chain (EIP-155). protected is true, the signed hash
//     covers nine fields, and the caller must check the chain.
//
// Pass the parity to Sender as v. The error is ErrV for all other values of v. A caller that decodes v to a larger
// integer should refuse a v of more than 64 bits, because no chain has an id above 2⁶³ (EIP-2294).
func LegacyV(v uint64) (parity byte, chain uint64, protected bool, err error) {
	switch {
	case v == 27 || v == 28:
		return byte(v - 27), 0, false, nil
	case v >= 35:
		return byte((v - 35) & 1), (v - 35) / 2, true, nil
	}
	return 0, 0, false, fmt.Errorf("ethereum: legacy transaction: %w: %d, want 27, 28, or 35 and more", ErrV, v)
}

// TypedV returns the parity that the v of a typed transaction (EIP-2718) or of an authorization (EIP-7702) encodes,
// which is v itself. The error is ErrV if v is not 0 or 1.
func TypedV(v uint64) (parity byte, err error) {
	if v > 1 {
		return 0, fmt.Errorf("ethereum: typed transaction: %w: %d, want 0 or 1", ErrV, v)
	}
	return byte(v), nil
}
