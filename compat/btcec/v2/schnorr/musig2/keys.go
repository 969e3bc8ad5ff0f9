package musig2

import (
	"bytes"
	"errors"
	"fmt"
	"sort"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"p256k1.mleku.dev/v2/curve"
	bip340 "p256k1.mleku.dev/v2/schnorr"
)

// These are the tags of the hashes of key aggregation (BIP-327, "Key Aggregation").
var (
	KeyAggTagList  = []byte("KeyAgg list")
	KeyAggTagCoeff = []byte("KeyAgg coefficient")
)

var (
	listTag        = newTag(&KeyAggTagList)
	coefficientTag = newTag(&KeyAggTagCoeff)
	tapTweakTag    = bip340.NewTag("TapTweak")
)

// tag is the tag in an exported variable, with the state of SHA-256 for the variable's initial value.
type tag struct {
	now   *[]byte
	first string
	state bip340.Tag
}

func newTag(variable *[]byte) tag {
	return tag{variable, string(*variable), bip340.NewTag(string(*variable))}
}

// Sum returns the hash of the message with the tag that the variable has now.
func (t *tag) Sum(msg ...[]byte) [32]byte {
	if string(*t.now) != t.first {
		return bip340.TaggedHash(string(*t.now), msg...)
	}
	return t.state.Sum(msg...)
}

var (
	// ErrTweakedKeyIsInfinity means that a tweak made a key the point at infinity.
	ErrTweakedKeyIsInfinity = errors.New("tweaked key is infinity point")
	// ErrTweakedKeyOverflows means that a tweak is not below the group order.
	ErrTweakedKeyOverflows = errors.New("tweaked key is too large")
)

// KeyTweakDesc is a tweak: a 32-byte big-endian integer below the group order. If IsXOnly is true, the tweak is for the
// x-only key, as in BIP-341; otherwise it is for the plain key, as in BIP-32.
type KeyTweakDesc struct {
	Tweak   [32]byte
	IsXOnly bool
}

// tweaking says how to tweak a key. If taproot is true, the first of the tweaks holds the Merkle root of the scripts,
// and the tweak is a hash of the key and this root. If bip86 is also true, the tweak is a hash of the key alone.
type tweaking struct {
	tweaks         []KeyTweakDesc
	taproot, bip86 bool
}

// KeyAggOption is an option of AggregateKeys. Pass at most one option that tweaks. Several such options have the same
// effect as in btcec: the last list of tweaks counts, WithTaprootKeyTweak and WithBIP86KeyTweak apply to the first
// tweak of any list, and WithBIP86KeyTweak prevails over WithTaprootKeyTweak.
type KeyAggOption func(*keyAggOption)

type keyAggOption struct {
	keyHash        []byte
	uniqueKeyIndex *int
	tweaking
}

// WithKeysHash sets the hash of the list of all keys, so that AggregateKeys need not compute it. It must be the hash of
// the same keys in the same order.
func WithKeysHash(keyHash []byte) KeyAggOption {
	return func(o *keyAggOption) { o.keyHash = keyHash }
}

// WithUniqueKeyIndex sets the index of the first key that differs from the key with index 0, or −1 if all keys are the
// same. The index refers to the order of aggregation.
func WithUniqueKeyIndex(idx int) KeyAggOption {
	return func(o *keyAggOption) { o.uniqueKeyIndex = &idx }
}

// WithKeyTweaks makes AggregateKeys apply the tweaks to the aggregate key in order.
func WithKeyTweaks(tweaks ...KeyTweakDesc) KeyAggOption {
	return func(o *keyAggOption) { o.tweaks = tweaks }
}

// WithTaprootKeyTweak makes the aggregate key a BIP-341 output key that commits to the scripts with the 32-byte Merkle
// root scriptRoot.
func WithTaprootKeyTweak(scriptRoot []byte) KeyAggOption {
	return func(o *keyAggOption) {
		first := KeyTweakDesc{IsXOnly: true}
		copy(first.Tweak[:], scriptRoot)
		o.tweaks, o.taproot = []KeyTweakDesc{first}, true
	}
}

// WithBIP86KeyTweak makes the aggregate key a BIP-341 output key that commits to no scripts (BIP-86).
func WithBIP86KeyTweak() KeyAggOption {
	return func(o *keyAggOption) {
		o.tweaks, o.taproot, o.bip86 = []KeyTweakDesc{{IsXOnly: true}}, true, true
	}
}

// AggregateKey is an aggregate key after all tweaks (FinalKey) and before the tweaks (PreTweakedKey). PreTweakedKey is
// the internal key of Taproot.
type AggregateKey struct{ FinalKey, PreTweakedKey *btcec.PublicKey }

// keySet is the result of aggregation, which BIP-327 calls KeyAgg Context.
type keySet struct {
	encoded [][33]byte // in the order of aggregation
	hash    [32]byte
	second  int // the index of the first key that differs from key 0, or −1

	internal, final curve.Point  // the aggregate key before and after tweaks, normalized
	gacc, tacc      curve.Scalar // the accumulated sign and the accumulated tweak of BIP-327
}

func encode(pub *btcec.PublicKey) [33]byte { return [33]byte(pub.SerializeCompressed()) }

// encodeAll returns the encodings of keys. If inOrder is true, it first sorts the slice of keys in place, as btcec
// does, because programs use the order of their slice later. Equal keys also end up in btcec's order, because package
// sort makes the same swaps.
func encodeAll(keys []*btcec.PublicKey, inOrder bool) [][33]byte {
	encoded := make([][33]byte, len(keys))
	for i, key := range keys {
		encoded[i] = encode(key)
	}
	if s := (byEncoding{keys, encoded}); inOrder && !sort.IsSorted(s) {
		sort.Sort(s)
	}
	return encoded
}

// byEncoding sorts keys together with their encodings.
type byEncoding struct {
	keys    []*btcec.PublicKey
	encoded [][33]byte
}

func (s byEncoding) Len() int           { return len(s.keys) }
func (s byEncoding) Less(i, j int) bool { return bytes.Compare(s.encoded[i][:], s.encoded[j][:]) < 0 }
func (s byEncoding) Swap(i, j int) {
	s.keys[i], s.keys[j] = s.keys[j], s.keys[i]
	s.encoded[i], s.encoded[j] = s.encoded[j], s.encoded[i]
}

// hashKeys returns the hash of all keys (HashKeys of BIP-327).
func hashKeys(encoded [][33]byte) [32]byte {
	list := make([]byte, 0, 33*len(encoded))
	for i := range encoded {
		list = append(list, encoded[i][:]...)
	}
	return listTag.Sum(list)
}

// second returns the index of the first key that differs from key 0, or −1 (GetSecondKey of BIP-327).
func second(encoded [][33]byte) int {
	for i := range encoded {
		if encoded[i] != encoded[0] {
			return i
		}
	}
	return -1
}

// coefficient sets a to KeyAggCoeff of BIP-327 for the encoded key.
func (s *keySet) coefficient(a *curve.Scalar, key *[33]byte) *curve.Scalar {
	if s.second != -1 && s.encoded[s.second] == *key {
		return a.SetUint64(1)
	}
	sum := coefficientTag.Sum(s.hash[:], key[:])
	return a.SetBytesReduced(&sum)
}

// toPoint sets p to the point of a public key, and reports whether the key is on the curve. If it is not, p is
// unchanged.
func toPoint(p *curve.Point, pub *btcec.PublicKey) bool {
	_, err := p.SetBytes(pub.SerializeUncompressed())
	return err == nil
}

// toPublic returns the public key with the point p. For infinity both coordinates are 0.
func toPublic(p *curve.Point) *btcec.PublicKey {
	var x, y btcec.FieldVal
	if b := p.BytesUncompressed(); len(b) == 65 {
		x.SetByteSlice(b[1:33])
		y.SetByteSlice(b[33:])
	}
	return btcec.NewPublicKey(&x, &y)
}

// toScalar returns s as a scalar of Decred's type.
func toScalar(s *curve.Scalar) *btcec.ModNScalar {
	b := [32]byte(s.Bytes())
	t := new(btcec.ModNScalar)
	t.SetBytes(&b)
	return t
}

// xOnly returns the x coordinate of a point, 32 bytes, or zeros for infinity.
func xOnly(p *curve.Point) (x [32]byte) {
	if b, err := p.BytesX(); err == nil {
		x = [32]byte(b)
	}
	return x
}

// aggregate aggregates keys, and tweaks the aggregate key as o says. It sorts the slice of keys if inOrder is true.
func aggregate(keys []*btcec.PublicKey, inOrder bool, o *keyAggOption) (*keySet, error) {
	s := &keySet{encoded: encodeAll(keys, inOrder)}
	if o.keyHash != nil {
		copy(s.hash[:], o.keyHash)
	} else {
		s.hash = hashKeys(s.encoded)
	}
	if o.uniqueKeyIndex != nil {
		s.second = *o.uniqueKeyIndex
	} else {
		s.second = second(s.encoded)
	}
	scalars, points := make([]curve.Scalar, len(keys)), make([]curve.Point, len(keys))
	a, p := make([]*curve.Scalar, len(keys)), make([]*curve.Point, len(keys))
	for i, key := range keys {
		if !toPoint(&points[i], key) {
			return nil, fmt.Errorf("public key %x is not on the curve", s.encoded[i])
		}
		a[i], p[i] = s.coefficient(&scalars[i], &s.encoded[i]), &points[i]
	}
	s.internal.MultiScalarMultVartime(a, p).NormalizeVartime()
	s.final.Set(&s.internal)
	s.gacc.SetUint64(1)
	return s, s.tweak(&o.tweaking)
}

// tweak applies tweaks to the internal key. As in btcec, the tweak of Taproot replaces the first of the caller's
// tweaks.
func (s *keySet) tweak(how *tweaking) error {
	tweaks := how.tweaks
	if how.taproot {
		if s.internal.IsInfinity() != 0 {
			schnorr.SerializePubKey(nil) // panics, as in btcec
		}
		x := xOnly(&s.internal)
		root := tweaks[0].Tweak[:]
		if how.bip86 {
			root = nil
		}
		tweaks[0].Tweak = tapTweakTag.Sum(x[:], root)
	}
	for i := range tweaks {
		// Q' = g·Q + t·G, where g is −1 for an x-only tweak of a key with odd y, and 1 otherwise.
		odd := 0
		if tweaks[i].IsXOnly {
			odd = s.final.IsYOdd()
		}
		var t, one curve.Scalar
		if _, err := t.SetBytes(tweaks[i].Tweak[:]); err != nil {
			return ErrTweakedKeyOverflows
		}
		s.final.CondNegate(&s.final, odd)
		s.final.DoubleScalarBaseMultVartime(one.SetUint64(1), &s.final, &t)
		if s.final.IsInfinity()&^t.IsZero() != 0 { // infinity and no tweak is no error, as in btcec
			return ErrTweakedKeyIsInfinity
		}
		s.final.NormalizeVartime()
		s.gacc.CondNegate(&s.gacc, odd)
		s.tacc.CondNegate(&s.tacc, odd)
		s.tacc.Add(&s.tacc, &t)
	}
	return nil
}

// public returns the aggregate key as btcec's type.
func (s *keySet) public() *AggregateKey {
	return &AggregateKey{FinalKey: toPublic(&s.final), PreTweakedKey: toPublic(&s.internal)}
}

// AggregateKeys returns the aggregate of keys. If sort is true, it first sorts the slice keys in place, in ascending
// order of the encodings. It also returns the accumulated sign, 1 or −1, and the accumulated tweak (gacc and tacc of
// BIP-327). The error is ErrTweakedKeyOverflows, ErrTweakedKeyIsInfinity, or another error for a key that is not on the
// curve. A Taproot tweak of an empty set of keys panics.
func AggregateKeys(keys []*btcec.PublicKey, sort bool, keyOpts ...KeyAggOption) (
	*AggregateKey, *btcec.ModNScalar, *btcec.ModNScalar, error) {
	var o keyAggOption
	for _, option := range keyOpts {
		option(&o)
	}
	s, err := aggregate(keys, sort, &o)
	if err != nil {
		return nil, nil, nil, err
	}
	return s.public(), toScalar(&s.gacc), toScalar(&s.tacc), nil
}
