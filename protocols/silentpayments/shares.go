package silentpayments

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/schnorr"
)

// An UnsignedInput is an input of a transaction that several signers are about to sign. The fields are public, and a
// PSBT contains them. They determine whether the input is eligible, and its public key. All inputs of the transaction
// are needed, because the input hash depends on all outpoints.
type UnsignedInput struct {
	TxID         TxID   // the id of the spent transaction
	Index        uint32 // the index of the output in that transaction
	ScriptPubKey []byte // the script of the output; nil is an error, because an unknown script may be eligible

	// Key is the public key that locks a P2PKH, P2WPKH or P2SH-P2WPKH output (PSBT_IN_BIP32_DERIVATION). Inputs of
	// other kinds ignore it; the script of a Taproot output contains the key.
	Key *p256k1.PublicKey
	// RedeemScript is the script that a P2SH output hashes (PSBT_IN_REDEEM_SCRIPT). P2SH-P2WPKH inputs with a Key need
	// none.
	RedeemScript []byte
	// InternalKey and MerkleRoot are the fields of a Taproot output (PSBT_IN_TAP_INTERNAL_KEY and
	// PSBT_IN_TAP_MERKLE_ROOT). They are only read if InternalKey is the point H of BIP-341. Such an input is not
	// eligible, provided that H and MerkleRoot lead to the output key.
	InternalKey *p256k1.XOnlyPublicKey
	MerkleRoot  []byte // 32 bytes, or empty if the script tree is empty
}

// All stands in Share.Input for all eligible inputs.
const All = -1

// A Share is the part of a shared secret that comes from one input, or from all eligible inputs, and the proof that the
// part is correct. Signers send shares to each other. Whoever sees the shares of all inputs can link the outputs to the
// recipient's address.
type Share struct {
	Input int               // the index of the input, or All
	Scan  *p256k1.PublicKey // B_scan, the recipient's scan key
	Point *p256k1.PublicKey // a·B_scan, where a is the private key of the input, or the sum of the keys
	Proof []byte            // the 64 bytes of the proof of BIP-374, without a message, that Point is a·B_scan
}

var tapTweakTag = schnorr.NewTag("TapTweak")

// CreateShares returns one share for each scan key in to and each eligible input whose private key is known, in the
// order of inputs (BIP-375, PSBT_IN_SP_ECDH_SHARE and PSBT_IN_SP_DLEQ). inputs must be all inputs of the transaction.
// keys[i] is the private key of inputs[i], or nil if another signer has it. The private key for a Taproot output is the
// key after all tweaks. An input whose private key is given needs no Key.
//
// CreateShares verifies each proof, as BIP-374 requires, and returns p256k1.ErrFault instead of a wrong one. It is
// constant-time, except that the time shows which inputs are eligible, and that the proof, which is public, is verified
// in variable time. The error is ErrKey, which also means that a script is missing, ErrTwice, ErrNoInputs or
// ErrTooMany, or p256k1.ErrNoKey if a recipient's key or a required public key is missing, or if a private key was
// wiped or was never set. If there is an error, no shares are returned. CreateShares panics if there are not as many
// keys as inputs.
func CreateShares(inputs []UnsignedInput, keys []*p256k1.PrivateKey, to []Recipient) (all []Share, err error) {
	err = useKeys("CreateShares", inputs, keys, to, func(i int, a *p256k1.PrivateKey) error {
		if a == nil {
			return nil
		}
		all, err = appendShares(all, i, a, to)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// CreateGlobalShares returns one share of all eligible inputs for each scan key in to (BIP-375,
// PSBT_GLOBAL_SP_ECDH_SHARE and PSBT_GLOBAL_SP_DLEQ). It is for the signer that has the private keys of all eligible
// inputs. Otherwise it does what CreateShares does, and also returns p256k1.ErrNoKey if the private key of an eligible
// input is nil, and ErrZeroSum if the keys add up to zero.
func CreateGlobalShares(inputs []UnsignedInput, keys []*p256k1.PrivateKey, to []Recipient) ([]Share, error) {
	sum := new(curve.Scalar)
	defer sum.Zero()
	err := useKeys("CreateGlobalShares", inputs, keys, to, func(_ int, a *p256k1.PrivateKey) error {
		return a.Use(func(d curve.Scalar) error {
			sum.Add(sum, &d)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if sum.IsZero() == 1 {
		return nil, fmt.Errorf("silentpayments: %w of the inputs' keys", ErrZeroSum)
	}
	a, err := p256k1.NewPrivateKey(sum)
	if err != nil {
		return nil, err
	}
	defer a.Zero()
	all, err := appendShares(nil, All, a, to)
	if err != nil {
		return nil, fmt.Errorf("silentpayments: %w", err)
	}
	return all, nil
}

// useKeys checks the arguments of the function with the given name, and calls f with the private key of each eligible
// input. The key of a Taproot input is the one whose public key has even y. The key is nil if keys[i] is nil.
func useKeys(name string, inputs []UnsignedInput, keys []*p256k1.PrivateKey, to []Recipient, f func(i int, a *p256k1.PrivateKey) error) error {
	if len(keys) != len(inputs) {
		panic(fmt.Sprintf("silentpayments: %s of %d inputs and %d keys", name, len(inputs), len(keys)))
	}
	if err := check(to); err != nil {
		return err
	}
	inputs = slices.Clone(inputs)
	for i, key := range keys {
		if isUnset(inputs[i].Key) && key != nil {
			inputs[i].Key = key.PublicKey()
		}
	}
	public, _, err := publicKeys(inputs)
	if err != nil {
		return err
	}
	use := func(i int) error {
		if keys[i] == nil {
			return f(i, nil)
		}
		a, err := evenKey(&inputs[i], keys[i])
		if err != nil {
			return err
		}
		defer a.Zero()
		if subtle.ConstantTimeCompare(a.PublicKey().Bytes(), public[i].Bytes()) != 1 {
			return fmt.Errorf("%w: the spent output has another key", ErrKey)
		}
		return f(i, a)
	}
	for i := range inputs {
		if public[i] == nil {
			continue
		}
		if err := use(i); err != nil {
			return fmt.Errorf("silentpayments: input %d: %w", i, err)
		}
	}
	return nil
}

// evenKey returns a copy of the key or, for a Taproot input, of the key whose public key has even y.
func evenKey(in *UnsignedInput, key *p256k1.PrivateKey) (a *p256k1.PrivateKey, err error) {
	kind, _ := in.input().kind()
	err = key.Use(func(d curve.Scalar) (err error) {
		if kind == p2tr {
			d.CondNegate(&d, key.PublicKey().Point().IsYOdd())
		}
		a, err = p256k1.NewPrivateKey(&d)
		return err
	})
	return a, err
}

// appendShares appends the shares of a private key for all scan keys.
func appendShares(all []Share, input int, a *p256k1.PrivateKey, to []Recipient) ([]Share, error) {
	done := make(map[string]bool)
	for _, r := range to {
		if scan := string(r.Scan.Bytes()); !done[scan] {
			done[scan] = true
			point, proof, err := dleq.Prove(a, r.Scan, &dleq.Options{Checked: true})
			if err != nil {
				return nil, err
			}
			own := *r.Scan // a copy, because the caller can overwrite *r.Scan later
			all = append(all, Share{input, &own, point, proof[:]})
		}
	}
	return all, nil
}

// VerifyShares returns an error unless all shares have valid proofs for the keys of their inputs. It ignores the shares
// of inputs that are not eligible. The shares need not be complete. A signer verifies the other signers' shares even if
// it cannot compute the outputs yet.
//
// VerifyShares is not constant-time, because inputs and proofs are public. The error is ErrShare, or as in CreateShares
// if an input is wrong.
func VerifyShares(inputs []UnsignedInput, shares []Share) error {
	public, sum, err := publicKeys(inputs)
	if err != nil {
		return err
	}
	_, err = verified(public, sum, shares)
	return err
}

// OutputsFromShares verifies the shares and returns the keys of the Taproot outputs that pay to the recipients, in the
// order of to, which must be the order of the outputs in the transaction. For each scan key, shares must contain a
// share of All or shares of all eligible inputs. inputs must be all inputs of the transaction, and to all recipients.
//
// As in CreateOutputs, the counters of recipients with the same scan key follow the order of to. This is the order of
// the reference implementation and of all test vectors of BIP-375. The text of BIP-375 sorts such recipients by the
// encodings of their spend keys, and one of its vectors, with two labels, is not sorted. Recipients find the payments
// in either order, but all signers must use the same. To satisfy the text too, sort the outputs of the transaction.
//
// The proofs are verified in variable time, and the outputs are computed in constant time. The error is ErrShare, which
// names the inputs that lack a share, ErrZeroSum, or as in CreateShares. If there is an error, no outputs are returned.
func OutputsFromShares(inputs []UnsignedInput, shares []Share, to []Recipient) ([]*p256k1.XOnlyPublicKey, error) {
	if err := check(to); err != nil {
		return nil, err
	}
	public, sum, err := publicKeys(inputs)
	if err != nil {
		return nil, err
	}
	points, err := verified(public, sum, shares)
	if err != nil {
		return nil, err
	}
	if sum.IsInfinity() == 1 {
		return nil, fmt.Errorf("silentpayments: %w of the inputs' keys", ErrZeroSum)
	}
	var hash curve.Scalar
	if !setInputHash(&hash, plain(inputs), sum) {
		return nil, fmt.Errorf("silentpayments: the hash of the inputs is a %w", ErrZeroSum)
	}
	secrets := make(map[string]*curve.Point)
	defer func() {
		for _, s := range secrets {
			s.Zero()
		}
	}()
	for _, r := range to {
		scan := string(r.Scan.Bytes())
		if secrets[scan] == nil {
			secrets[scan] = new(curve.Point)
			if err := addShares(secrets[scan], points, public, r.Scan); err != nil {
				return nil, err
			}
		}
	}
	return outputs(&hash, to, func(scan *p256k1.PublicKey) *curve.Point { return secrets[string(scan.Bytes())] })
}

// A place is what a share is for.
type place struct {
	input int
	scan  [33]byte
}

// addShares sets sum, which is 0, to a·B_scan: the share of all inputs, or the sum of the shares of the eligible
// inputs.
func addShares(sum *curve.Point, points map[place]*p256k1.PublicKey, public []*p256k1.PublicKey, scan *p256k1.PublicKey) error {
	b := [33]byte(scan.Bytes())
	if share := points[place{All, b}]; share != nil {
		sum.Set(share.Point())
		return nil
	}
	var missing []int
	for i, key := range public {
		if share := points[place{i, b}]; share != nil {
			sum.Add(sum, share.Point())
		} else if key != nil {
			missing = append(missing, i)
		}
	}
	if missing != nil {
		return fmt.Errorf("silentpayments: %w: no share of inputs %v for the scan key %x", ErrShare, missing, b)
	}
	return nil
}

// verified returns the points of the shares whose inputs are eligible, given the public keys of the inputs and their
// sum. Two valid shares of one place have the same point, because the proofs determine it.
func verified(public []*p256k1.PublicKey, sum *curve.Point, shares []Share) (map[place]*p256k1.PublicKey, error) {
	whole, _ := p256k1.NewPublicKey(sum) // nil if the sum is 0
	points := make(map[place]*p256k1.PublicKey)
	var items []dleq.Item
	var owners []int // the index of each item's share
	var bad p256k1.Failures
	refuse := func(i int, why string) {
		bad = append(bad, p256k1.Failure{Index: i, Err: fmt.Errorf("silentpayments: share of input %d: %w: %s", shares[i].Input, ErrShare, why)})
	}
	for i := range shares {
		s := &shares[i]
		a := whole
		switch {
		case s.Input < All || s.Input >= len(public):
			refuse(i, fmt.Sprintf("the transaction has %d inputs", len(public)))
			continue
		case s.Input != All && public[s.Input] == nil:
			continue
		case s.Input != All:
			a = public[s.Input]
		}
		switch {
		case isUnset(s.Scan) || isUnset(s.Point):
			refuse(i, "it lacks the scan key or the point")
			continue
		case len(s.Proof) != dleq.Size:
			refuse(i, fmt.Sprintf("a proof of %d bytes, want %d", len(s.Proof), dleq.Size))
			continue
		}
		items, owners = append(items, dleq.Item{A: a, B: s.Scan, C: s.Point, Proof: s.Proof}), append(owners, i)
		points[place{s.Input, [33]byte(s.Scan.Bytes())}] = s.Point
	}
	for _, j := range dleq.Invalid(nil, items) {
		refuse(owners[j], "the proof is not valid")
	}
	return points, bad.Err()
}

// publicKeys returns the public keys that the inputs contribute, and their normalized sum A. The key is nil for an
// input that is not eligible. At least one is.
func publicKeys(inputs []UnsignedInput) (public []*p256k1.PublicKey, sum *curve.Point, err error) {
	if err := checkOutpoints(plain(inputs)); err != nil {
		return nil, nil, err
	}
	public, sum = make([]*p256k1.PublicKey, len(inputs)), new(curve.Point)
	eligible := false
	for i := range inputs {
		if public[i], err = inputs[i].publicKey(); err != nil {
			return nil, nil, fmt.Errorf("silentpayments: input %d: %w", i, err)
		}
		if public[i] != nil {
			eligible = true
			sum.Add(sum, public[i].Point())
		}
	}
	if !eligible {
		return nil, nil, fmt.Errorf("silentpayments: %w", ErrNoInputs)
	}
	return public, sum.Normalize(), nil
}

func (in *UnsignedInput) input() *Input {
	return &Input{TxID: in.TxID, Index: in.Index, ScriptPubKey: in.ScriptPubKey}
}

func plain(inputs []UnsignedInput) []Input {
	all := make([]Input, len(inputs))
	for i := range inputs {
		all[i] = *inputs[i].input()
	}
	return all
}

// publicKey returns the key that the input contributes to the sum, or nil if the input is not eligible.
func (in *UnsignedInput) publicKey() (*p256k1.PublicKey, error) {
	if in.ScriptPubKey == nil {
		return nil, fmt.Errorf("%w: the script of the spent output is missing; an empty script is not nil", ErrKey)
	}
	if in.input().isOfLaterSegwit() {
		return nil, fmt.Errorf("a SegWit version after 1: %w", ErrNoInputs)
	}
	kind, program := in.input().kind()
	switch kind {
	case other:
		return nil, nil
	case p2tr:
		return in.taprootKey(program)
	case p2sh:
		if in.RedeemScript != nil {
			if !bytes.Equal(hash160(in.RedeemScript), program) {
				return nil, fmt.Errorf("%w: the spent output has another redeem script", ErrKey)
			}
			if nested, _ := (&Input{ScriptPubKey: in.RedeemScript}).kind(); nested != p2wpkh {
				return nil, nil
			}
		} else if isUnset(in.Key) {
			return nil, fmt.Errorf("%w: a P2SH output without redeem script and public key", p256k1.ErrNoKey)
		}
	}
	if isUnset(in.Key) {
		return nil, fmt.Errorf("%w: the public key of the spent output is missing", p256k1.ErrNoKey)
	}
	counts, err := isLockedBy(in.Key, kind, program)
	if err != nil || !counts {
		return nil, err
	}
	return in.Key, nil
}

// taprootKey returns the output key with even y, or nil if the internal key is H or if the script contains no key.
func (in *UnsignedInput) taprootKey(program []byte) (*p256k1.PublicKey, error) {
	x, err := p256k1.ParseXOnlyPublicKey(program)
	if err != nil {
		return nil, nil // nobody can spend the output by key; a receiver does not count it either
	}
	if in.InternalKey == nil || !bytes.Equal(in.InternalKey.Bytes(), unspendable) {
		return x.PublicKey(), nil
	}
	if len(in.MerkleRoot) != 0 && len(in.MerkleRoot) != 32 {
		return nil, fmt.Errorf("%w: a Merkle root of %d bytes, want 32", ErrKey, len(in.MerkleRoot))
	}
	t := tapTweakTag.Sum(unspendable, in.MerkleRoot)
	if !bytes.Equal(program, unspendable) && !in.InternalKey.CheckTweakAdd(t[:], program, false) && !in.InternalKey.CheckTweakAdd(t[:], program, true) {
		return nil, fmt.Errorf("%w: the internal key H and the Merkle root do not lead to the spent output", ErrKey)
	}
	return nil, nil
}
