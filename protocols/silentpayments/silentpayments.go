// Package silentpayments makes and finds silent payments (BIP-352): a recipient publishes one address, and each payment
// to the address goes to a different key. Nobody except the sender and the recipient can link the key to the address.
//
// An address consists of two public keys, B_scan and B_spend, whose private keys are b_scan and b_spend. The sender
// adds up the private keys of a transaction's eligible inputs. The sum is a, and its public key is A. The input hash is
// the hash of A and the smallest outpoint. Both sides can then compute the same shared secret
//
//	input_hash·a·B_scan = b_scan·(input_hash·A)
//
// The shared secret is hashed with counters k = 0, 1, … to numbers t_k, and output k pays to the key B_spend + t_k·G. A
// label m adds another multiple of G to B_spend. Labels give the recipient several addresses, and show which of them
// was paid. Label 0 is for change.
//
// The point input_hash·A is the transaction's tweak. The tweak is public, is the same for all recipients, and is
// encoded in 33 bytes. Index servers compute tweaks with TweakBatch and hand them out, and clients pass them to
// ScanTweaks.
//
// CreateOutputs needs the private keys of all inputs. If several signers or hardware signers hold the keys, each signer
// computes ECDH shares and proves that they are correct (BIP-375): CreateShares, VerifyShares and OutputsFromShares.
//
// The examples are in example_test.go and shares_example_test.go.
package silentpayments

import (
	"encoding/binary"
	"errors"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/schnorr"
)

// MaxOutputs is the largest number of outputs of one transaction that can pay to one scan key, K_max of BIP-352.
// Senders do not make more outputs to a scan key, and scanners do not look for more.
const MaxOutputs = 2323

// These errors say why a payment cannot be made or found. All other errors are errors of package p256k1. Functions wrap
// the errors with details, so check with errors.Is.
var (
	// ErrNoInputs means that the transaction cannot pay to a silent payment address, because no input is eligible, or
	// because an input spends an output of a SegWit version after 1.
	ErrNoInputs = errors.New("no eligible input")
	// ErrZeroSum means that the keys of the inputs add up to zero, or that a hash is zero or not below the group order.
	// Choose other inputs.
	ErrZeroSum = errors.New("zero sum")
	// ErrKey means that a key does not belong to the input or the output, or that the input lacks the script that
	// determines the key. For a missing key the error is p256k1.ErrNoKey.
	ErrKey = errors.New("wrong key")
	// ErrTwice means that two inputs spend the same output.
	ErrTwice = errors.New("output spent twice")
	// ErrNotSigned means that an input lacks its ScriptSig or Witness, or has the ScriptSig or Witness of another
	// input. The input's key and eligibility are then unknown.
	ErrNotSigned = errors.New("input not signed")
	// ErrTooMany means that there are more than MaxOutputs recipients with the same scan key.
	ErrTooMany = errors.New("too many recipients")
	// ErrShare means that an ECDH share is malformed or lacks a valid proof, or that an eligible input has no share.
	ErrShare = errors.New("ECDH share invalid or missing")
	// ErrLabel means that a label cannot be used: it is 0, which is for change, it occurs twice, or the scanner does
	// not scan for it.
	ErrLabel = errors.New("label not to be used")
)

var (
	inputsTag       = schnorr.NewTag("BIP0352/Inputs")
	sharedSecretTag = schnorr.NewTag("BIP0352/SharedSecret")
	labelTag        = schnorr.NewTag("BIP0352/Label")
)

// setInputHash sets h to the hash of the smallest outpoint of all inputs and of A. It reports false if the hash is 0 or
// not below the group order, which happens with a probability of 2⁻¹²⁷.
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

// setTweak sets t to t_k, the hash of k and of the shared secret, whose compressed encoding is s. It reports false if
// the hash is 0 or not below the group order.
func setTweak(t *curve.Scalar, s []byte, k uint32) bool {
	var ser [4]byte
	binary.BigEndian.PutUint32(ser[:], k)
	hash := sharedSecretTag.Sum(s, ser[:])
	return setNonzero(t, &hash)
}

// A Recipient is a silent payment address: the keys B_scan and B_spend, where Spend includes the point of a label, if
// any. Address returns the address as text, and ParseAddress decodes the text.
type Recipient struct {
	Scan, Spend *p256k1.PublicKey
}
