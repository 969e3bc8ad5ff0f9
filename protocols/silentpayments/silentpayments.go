// Package silentpayments sends to and finds silent payments (BIP-352): a recipient
// publishes one address, and each payment to it goes to a different key, which nobody else
// can link to the address.
//
// An address is two public keys, B_scan and B_spend. The sender adds up the private keys a
// of a transaction's eligible inputs, and hashes the sum's public key A with the smallest
// outpoint. With this input hash both sides have the same shared secret
//
//	input_hash·a·B_scan = b_scan·(input_hash·A)
//
// Its hashes t_k with the counters k = 0, 1, … are added to B_spend: output k pays to the
// key B_spend + t_k·G. A label m adds another multiple of G, so that the owner sees which
// of the addresses was paid. Label 0 is for change.
//
// The point input_hash·A is the transaction's tweak. It is public, the same for all
// recipients, and 33 bytes: index servers give out tweaks, and ScanTweaks takes them.
package silentpayments

import (
	"encoding/binary"
	"errors"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/schnorr"
)

// MaxOutputs is the largest number of outputs of one transaction that a scan key finds, K_max of BIP-352. A sender
// makes no more outputs than that.
const MaxOutputs = 2323

// Other errors are the errors of package p256k1. Functions wrap them with details.
var (
	// ErrNoInputs means that no input is eligible, or that an input spends an output of a SegWit
	// version after 1: the transaction cannot pay to a silent payment address.
	ErrNoInputs = errors.New("no eligible input")
	// ErrZeroSum means that the keys of the inputs add up to zero, or that a hash that
	// should be a scalar is out of range. Choose other inputs.
	ErrZeroSum = errors.New("zero sum")
	// ErrKey means that a key does not belong to the input or the output, or that the input lacks the script that
	// says which key it needs. For a missing key the error is p256k1.ErrNoKey.
	ErrKey = errors.New("wrong key")
	// ErrTwice means that two inputs spend the same output.
	ErrTwice = errors.New("output spent twice")
	// ErrNotSigned means that an input lacks the ScriptSig or the Witness of a signed input, or has another input's.
	// Its key, and whether it is eligible, are then unknown.
	ErrNotSigned = errors.New("input not signed")
	// ErrTooMany means more than MaxOutputs recipients with one scan key.
	ErrTooMany = errors.New("too many recipients")
	// ErrLabel means a label that must not be handed out, or that is not scanned for.
	ErrLabel = errors.New("label not to be used")
)

var (
	inputsTag       = schnorr.NewTag("BIP0352/Inputs")
	sharedSecretTag = schnorr.NewTag("BIP0352/SharedSecret")
	labelTag        = schnorr.NewTag("BIP0352/Label")
)

// setInputHash sets h to the hash of the smallest outpoint of all inputs and of A, and reports whether the hash is a
// scalar other than 0, which fails with a probability of 2⁻¹²⁷.
func setInputHash(h *curve.Scalar, inputs []Input, a *curve.Point) bool {
	var smallest [36]byte
	for i := range inputs {
		if o := inputs[i].outpoint(); i == 0 || string(o[:]) < string(smallest[:]) {
			smallest = o
		}
	}
	hash := inputsTag.Sum(smallest[:], a.Bytes())
	return setNonzero(h, &hash)
}

func setNonzero(s *curve.Scalar, b *[32]byte) bool {
	_, err := s.SetBytes(b[:])
	return err == nil && s.IsZero() == 0
}

// setTweak sets t to t_k of the shared secret whose compressed encoding is s.
func setTweak(t *curve.Scalar, s []byte, k uint32) bool {
	var ser [4]byte
	binary.BigEndian.PutUint32(ser[:], k)
	hash := sharedSecretTag.Sum(s, ser[:])
	return setNonzero(t, &hash)
}

// A Recipient is an address: the keys B_scan and B_spend, the latter with its label.
// Address writes it as text, and ParseAddress reads such a text.
type Recipient struct {
	Scan, Spend *p256k1.PublicKey
}
