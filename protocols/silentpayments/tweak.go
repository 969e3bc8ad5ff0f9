package silentpayments

import (
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// Tweak returns the tweak of a transaction, input_hash·A. Tweak returns nil if the transaction cannot pay to a silent
// payment address, because
//
//   - no input is eligible, which is also so without inputs,
//   - the keys of the eligible inputs add up to zero, or
//   - an input spends an output of a SegWit version after 1.
//
// The inputs are public, and the time depends on them. An index server computes each tweak once for all its clients.
//
// The error is ErrNotSigned if an input lacks its signature, as in a block without witnesses, or has the signature of
// another input, or ErrKey if the script of a spent output is missing (nil). The tweak would then be wrong.
func Tweak(inputs []Input) (*p256k1.PublicKey, error) {
	keys, err := eligibleKeys(inputs)
	if err != nil {
		return nil, fmt.Errorf("silentpayments: %w", err)
	}
	var sum, point curve.Point
	for i := range keys {
		if _, err := point.SetBytes(keys[i][:]); err == nil {
			sum.Add(&sum, &point)
		}
	}
	if sum.IsInfinity() == 1 {
		return nil, nil
	}
	var hash, none curve.Scalar
	if !setInputHash(&hash, inputs, sum.NormalizeVartime()) {
		return nil, nil
	}
	return p256k1.NewPublicKey(sum.DoubleScalarBaseMultVartime(&hash, &sum, &none))
}

// TweakBatch returns the tweaks of many transactions, such as the transactions of a block, given the inputs of each.
// The tweak is nil for a transaction that cannot pay to a silent payment address. Square roots, multiplications and
// inversions of all transactions are computed together. Square roots and multiplications are computed eight at a time
// if the processor has AVX-512 IFMA, or AVX2 and FMA. The inputs are public, and the time depends on them.
//
// The error is nil if Tweak returns no error for any of the transactions. Otherwise the error is a p256k1.Failures with
// the errors of Tweak, and the tweak is nil for each index in this list.
func TweakBatch(transactions [][]Input) ([]*p256k1.PublicKey, error) {
	n := len(transactions)
	var keys [][33]byte // the keys of all transactions
	var owners []int    // the index of each key's transaction
	var failures p256k1.Failures
	for i, inputs := range transactions {
		own, err := eligibleKeys(inputs)
		if err != nil {
			failures = append(failures, p256k1.Failure{Index: i, Err: fmt.Errorf("silentpayments: %w", err)})
		}
		for _, key := range own {
			keys, owners = append(keys, key), append(owners, i)
		}
	}
	points := make([]curve.Point, len(keys))
	decode(points, make([][32]byte, len(keys)), keys)
	sums, products := make([]curve.Point, n), make([]curve.Point, n)
	for i := range points {
		sums[owners[i]].Add(&sums[owners[i]], &points[i])
	}
	curve.NormalizeBatch(sums)
	hashes, zeros := make([]curve.Scalar, n), make([]curve.Scalar, n)
	for i := range sums {
		setInputHash(&hashes[i], transactions[i], &sums[i]) // the hash stays 0 if it is not a valid scalar
	}
	curve.DoubleScalarBaseMultBatchVartime(products, hashes, sums, zeros)
	curve.NormalizeBatch(products)
	tweaks := make([]*p256k1.PublicKey, n)
	for i := range products {
		// The tweak is nil if the product is infinity, because the sum of the keys or the hash is 0.
		tweaks[i], _ = p256k1.NewPublicKey(&products[i])
	}
	return tweaks, failures.Err()
}

// eligibleKeys returns the encodings of the keys that add up to A. Some of the encodings may not encode a point. If an
// input spends an output of a SegWit version after 1, there are no keys.
func eligibleKeys(inputs []Input) (keys [][33]byte, err error) {
	for i := range inputs {
		if err := inputs[i].checkScript(); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	for i := range inputs {
		if inputs[i].isOfLaterSegwit() {
			return nil, nil
		}
		key, signed := inputs[i].encodedKey()
		if !signed {
			return nil, fmt.Errorf("input %d: %w", i, ErrNotSigned)
		}
		if key != nil {
			keys = append(keys, [33]byte(key))
		}
	}
	return keys, nil
}
