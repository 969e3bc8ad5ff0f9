package silentpayments

import (
	"crypto/subtle"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/secret"
)

// CreateOutputs returns the keys of the Taproot outputs that pay to the recipients, in the order of to. inputs must be
// all inputs of the transaction. The inputs need not be signed yet, because CreateOutputs recognizes them by
// ScriptPubKey and the private key. If ScriptSig and Witness exist, they should be set.
//
// keys[i] is the private key of inputs[i] if the input is locked by one key, and may be nil otherwise. The private key
// for a Taproot output is the key after all tweaks. A script-path spend with the internal key H of BIP-341 needs no
// key, provided that its Witness is set. A P2SH output that is not locked by one key needs no key, provided that the
// input's ScriptSig is set. CreateOutputs refuses a key that does not belong to its input, because nobody would find
// the payment.
//
// The recipients find the outputs only if the transaction has exactly these inputs and contains all of the outputs.
// After adding or removing an input, for example to raise the fee, call CreateOutputs again. Do not use signatures with
// SIGHASH_ANYONECANPAY, because they let others add inputs.
//
// CreateOutputs is constant-time, except that the time shows which inputs are eligible. The error is ErrKey, which also
// means that the script of a spent output is missing (nil), ErrTwice, ErrNoInputs, ErrZeroSum or ErrTooMany, or
// p256k1.ErrNoKey if a recipient's key or a required private key is invalid. If there is an error, no outputs are
// returned. CreateOutputs panics if there are not as many keys as inputs.
func CreateOutputs(inputs []Input, keys []*p256k1.PrivateKey, to []Recipient) ([]*p256k1.XOnlyPublicKey, error) {
	if len(keys) != len(inputs) {
		panic(fmt.Sprintf("silentpayments: CreateOutputs of %d inputs and %d keys", len(inputs), len(keys)))
	}
	if err := check(to); err != nil {
		return nil, err
	}
	if err := checkOutpoints(inputs); err != nil {
		return nil, err
	}
	sum, err := sumOfKeys(inputs, keys)
	if err != nil {
		return nil, err
	}
	defer sum.Zero()
	if sum.IsZero() == 1 {
		return nil, fmt.Errorf("silentpayments: %w of the inputs' keys", ErrZeroSum)
	}
	a, err := p256k1.NewPrivateKey(sum)
	if err != nil {
		return nil, err
	}
	defer a.Zero()
	var hash curve.Scalar
	if !setInputHash(&hash, inputs, a.PublicKey().Point()) {
		return nil, fmt.Errorf("silentpayments: the hash of the inputs is a %w", ErrZeroSum)
	}
	var all []*p256k1.XOnlyPublicKey
	err = a.Use(func(d curve.Scalar) (err error) { // Use wipes the stack
		all, err = outputs(d.Mul(&d, &hash), to, (*p256k1.PublicKey).Point)
		return err
	})
	return all, err
}

// check returns an error if a recipient lacks a key, or if too many recipients have the same scan key.
func check(to []Recipient) error {
	ofScan := make(map[string]int)
	for i, r := range to {
		if isUnset(r.Scan) || isUnset(r.Spend) {
			return fmt.Errorf("silentpayments: recipient %d: %w", i, p256k1.ErrNoKey)
		}
		scan := string(r.Scan.Bytes())
		if ofScan[scan]++; ofScan[scan] > MaxOutputs {
			return fmt.Errorf("silentpayments: recipient %d: %w: the scan key has more than %d", i, ErrTooMany, MaxOutputs)
		}
	}
	return nil
}

// checkOutpoints returns an error if two inputs spend the same output, because the keys would then add up to a wrong
// sum.
func checkOutpoints(inputs []Input) error {
	first := make(map[[36]byte]int, len(inputs))
	for i := range inputs {
		o := inputs[i].outpoint()
		if j, ok := first[o]; ok {
			return fmt.Errorf("silentpayments: inputs %d and %d: %w", j, i, ErrTwice)
		}
		first[o] = i
	}
	return nil
}

func isUnset(key *p256k1.PublicKey) bool { return key.Point().IsInfinity() == 1 }

// sumOfKeys returns the sum of the private keys of the eligible inputs.
func sumOfKeys(inputs []Input, keys []*p256k1.PrivateKey) (*curve.Scalar, error) {
	sum, eligible := secret.New[curve.Scalar](), 0
	for i := range inputs {
		if inputs[i].isOfLaterSegwit() {
			sum.Zero()
			return nil, fmt.Errorf("silentpayments: input %d: a SegWit version after 1: %w", i, ErrNoInputs)
		}
		counts, err := inputs[i].contributes(keys[i])
		if err == nil && counts {
			eligible++
			kind, _ := inputs[i].kind()
			err = keys[i].Use(func(d curve.Scalar) error {
				// BIP-352 takes the key of a Taproot input with even y.
				if kind == p2tr {
					d.CondNegate(&d, keys[i].PublicKey().Point().IsYOdd())
				}
				sum.Add(sum, &d)
				return nil
			})
		}
		if err != nil {
			sum.Zero()
			return nil, fmt.Errorf("silentpayments: input %d: %w", i, err)
		}
	}
	if eligible == 0 {
		return nil, fmt.Errorf("silentpayments: %w", ErrNoInputs)
	}
	return sum, nil
}

// contributes reports whether the input is eligible and its key is part of the sum. It returns an error if the key does
// not belong to the input.
func (in *Input) contributes(key *p256k1.PrivateKey) (bool, error) {
	if err := in.checkScript(); err != nil {
		return false, err
	}
	kind, program := in.kind()
	switch {
	case kind == other,
		kind == p2sh && len(in.ScriptSig) > 0 && !in.isNestedP2WPKH(),
		kind == p2tr && in.isUnspendable():
		return false, nil
	}
	// Use returns an error if there is no key. Unlike Scalar, Use does not copy the key.
	if err := key.Use(func(curve.Scalar) error { return nil }); err != nil {
		return false, err
	}
	return isLockedBy(key.PublicKey(), kind, program)
}

// isLockedBy reports whether an output of the given kind, with the hash or key of its script, is locked by the
// compressed public key. It returns false for the uncompressed key, because inputs with uncompressed keys are not
// eligible, and an error for any other key.
func isLockedBy(pub *p256k1.PublicKey, kind kind, program []byte) (bool, error) {
	lockedBy := func(encoding []byte) []byte {
		switch hash := hash160(encoding); kind {
		case p2sh:
			return hash160(append([]byte{0, 0x14}, hash...))
		case p2tr:
			return encoding[1:33]
		default:
			return hash
		}
	}
	switch {
	case subtle.ConstantTimeCompare(lockedBy(pub.Bytes()), program) == 1:
		return true, nil
	case kind != p2tr && subtle.ConstantTimeCompare(lockedBy(pub.BytesUncompressed()), program) == 1:
		return false, nil
	}
	return false, fmt.Errorf("%w: the spent output has another key", ErrKey)
}

// outputs returns the output keys for the recipients. The shared secret is secret times base(B_scan): input_hash·a
// times B_scan, or input_hash times the sum of the ECDH shares. Recipients with the same scan key share one counter,
// even if their spend keys differ.
func outputs(secret *curve.Scalar, to []Recipient, base func(scan *p256k1.PublicKey) *curve.Point) ([]*p256k1.XOnlyPublicKey, error) {
	type group struct {
		shared []byte
		k      uint32
	}
	groups := make(map[string]*group)
	defer func() {
		for _, g := range groups {
			clear(g.shared)
		}
	}()
	all := make([]*p256k1.XOnlyPublicKey, len(to))
	for i, r := range to {
		scan := string(r.Scan.Bytes())
		g := groups[scan]
		if g == nil {
			var s curve.Point
			g = &group{shared: s.ScalarMult(secret, base(r.Scan)).Bytes()}
			s.Zero()
			groups[scan] = g
		}
		var t curve.Scalar
		var p curve.Point
		if !setTweak(&t, g.shared, g.k) {
			return nil, fmt.Errorf("silentpayments: recipient %d: the hash of the secret is a %w", i, ErrZeroSum)
		}
		g.k++
		key, err := p256k1.NewPublicKey(p.Add(p.ScalarBaseMult(&t), r.Spend.Point()))
		t.Zero()
		if err != nil {
			return nil, fmt.Errorf("silentpayments: recipient %d: %w", i, err)
		}
		all[i] = key.XOnly()
	}
	return all, nil
}
