package p256k1

import (
	"sync"

	"p256k1.mleku.dev/v2/schnorr"
)

// SchnorrSignature is R.x‖s (BIP-340), 32 bytes each.
type SchnorrSignature [64]byte

// SchnorrSign writes the signature of a message of 32 bytes into the 64 bytes of sig64 (BIP-340). auxRand32 is 32 bytes
// of auxiliary randomness. If it has another length, zeros are used, as in version 1, which make signatures
// deterministic.
//
// Deprecated: use Sign of version 2's package schnorr, for which nil means fresh randomness.
func SchnorrSign(sig64, msg32 []byte, keypair *KeyPair, auxRand32 []byte) error {
	switch {
	case len(sig64) != 64:
		return errSignatureLength
	case len(msg32) != 32:
		return errMessageLength
	case keypair == nil:
		return errNilKeyPair
	}
	key := keypair.signing()
	if key == nil {
		return errSecret
	}
	var aux [32]byte
	if len(auxRand32) == len(aux) {
		copy(aux[:], auxRand32)
	}
	sig, err := schnorr.Sign(key, msg32, &schnorr.Options{AuxRand: &aux})
	if err != nil { // the key was wiped through a copy of the key pair
		if key, err = parseSecret(keypair.seckey[:]); err != nil {
			return errSecret
		}
		keypair.key = key
		if sig, err = schnorr.Sign(key, msg32, &schnorr.Options{AuxRand: &aux}); err != nil {
			return errSecret
		}
	}
	copy(sig64, sig[:])
	return nil
}

// SchnorrVerify reports whether sig64, 64 bytes, is a valid signature of a message of 32 bytes (BIP-340).
//
// Deprecated: use Verify or VerifyBytes of version 2's package schnorr.
func SchnorrVerify(sig64, msg32 []byte, xonlyPubkey *XOnlyPubkey) bool {
	return xonlyPubkey != nil && len(msg32) == 32 && schnorr.Verify(&xonlyPubkey.key, msg32, sig64)
}

// BatchSchnorrItem is one item of a batch: the arguments of SchnorrVerify.
type BatchSchnorrItem struct {
	Pubkey    *XOnlyPubkey
	Message   []byte // 32 bytes
	Signature []byte // 64 bytes
}

// batches holds batches that are not in use.
var batches = sync.Pool{New: func() any { return new(schnorr.Batch) }}

// verifyBatch adds all items to a batch, and returns the result of ask for the batch.
func verifyBatch[T any](items []BatchSchnorrItem, ask func(b *schnorr.Batch) T) T {
	b := batches.Get().(*schnorr.Batch)
	for i := range items {
		item := &items[i]
		if item.Pubkey == nil || len(item.Message) != 32 {
			b.AddKey(nil, nil, nil) // an invalid item
			continue
		}
		b.AddKey(&item.Pubkey.key, item.Message, item.Signature)
	}
	answer := ask(b)
	b.Reset()
	batches.Put(b)
	return answer
}

// SchnorrBatchVerify reports whether all signatures are valid. It takes less time than a SchnorrVerify for each.
//
// Deprecated: use Batch of version 2's package schnorr.
func SchnorrBatchVerify(items []BatchSchnorrItem) bool {
	return verifyBatch(items, (*schnorr.Batch).Verify)
}

// SchnorrBatchVerifyWithFallback reports whether all signatures are valid, and returns the indexes of the invalid
// signatures, in ascending order.
//
// Deprecated: use Batch of version 2's package schnorr.
func SchnorrBatchVerifyWithFallback(items []BatchSchnorrItem) (bool, []int) {
	invalid := verifyBatch(items, func(b *schnorr.Batch) []int { return b.Invalid(nil) })
	return len(invalid) == 0, invalid
}
