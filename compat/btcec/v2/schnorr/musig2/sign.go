package musig2

import (
	"crypto/subtle"
	"errors"
	"io"
	"slices"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"p256k1.mleku.dev/v2/curve"
)

// These are the tags of the hashes of a signing session (BIP-327, "Session Context").
var (
	NonceBlindTag    = []byte("MuSig/noncecoef")
	ChallengeHashTag = []byte("BIP0340/challenge")
)

var (
	blindTag     = newTag(&NonceBlindTag)
	challengeTag = newTag(&ChallengeHashTag)
)

var (
	// ErrNoncePointAtInfinity exists because btcec has it. No function returns it.
	ErrNoncePointAtInfinity = errors.New("signing nonce is the infinity point")
	// ErrPrivKeyZero means that the private key is zero.
	ErrPrivKeyZero = errors.New("priv key is zero")
	// ErrPartialSigInvalid means that a partial signature is not below the group order.
	ErrPartialSigInvalid = errors.New("partial signature is invalid")
	// ErrSecretNonceZero means that a secret nonce is zero, for example because it was wiped.
	ErrSecretNonceZero = errors.New("secret nonce is blank")
	// ErrSecNoncePubkey means that the secret nonce was made for another key.
	ErrSecNoncePubkey = errors.New("public key does not match secnonce")
	// ErrPubkeyNotIncluded means that the signer's key is not one of the aggregated keys.
	ErrPubkeyNotIncluded = errors.New("signer's pubkey must be included in the list of pubkeys")
)

// PartialSignature is the partial signature S of one signer. R is the nonce of the final signature, if it is known.
type PartialSignature struct {
	S *btcec.ModNScalar
	R *btcec.PublicKey
}

// NewPartialSignature returns the partial signature with the given S and R.
func NewPartialSignature(s *btcec.ModNScalar, r *btcec.PublicKey) PartialSignature {
	return PartialSignature{s, r}
}

// Encode writes S, 32 bytes.
func (p *PartialSignature) Encode(w io.Writer) error {
	b := p.S.Bytes()
	_, err := w.Write(b[:])
	return err
}

// Decode reads S, 32 bytes. The error is ErrPartialSigInvalid, or an error of the reader, such as io.ErrUnexpectedEOF
// if there are fewer bytes.
func (p *PartialSignature) Decode(r io.Reader) error {
	p.S = new(btcec.ModNScalar)
	var b [32]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return err
	}
	if p.S.SetBytes(&b) != 0 {
		return ErrPartialSigInvalid
	}
	return nil
}

// SignOption is an option of Sign, Session.Sign and PartialSignature.Verify.
type SignOption func(*signOptions)

type signOptions struct {
	fastSign bool
	sortKeys bool

	// If several of the following options are set, the first one in this list counts.
	bip86Tweak   bool
	taprootTweak []byte
	tweaks       []KeyTweakDesc
}

// WithFastSign makes Sign return the signature without verifying it.
func WithFastSign() SignOption {
	return func(o *signOptions) { o.fastSign = true }
}

// WithSortedKeys makes Sign and Verify first sort the caller's slice of keys in place, in ascending order of the
// encodings.
func WithSortedKeys() SignOption {
	return func(o *signOptions) { o.sortKeys = true }
}

// WithTweaks makes Sign apply the tweaks to the aggregate key in order.
func WithTweaks(tweaks ...KeyTweakDesc) SignOption {
	return func(o *signOptions) { o.tweaks = tweaks }
}

// WithTaprootSignTweak makes Sign sign for the BIP-341 output key that commits to the scripts with the 32-byte Merkle
// root scriptRoot.
func WithTaprootSignTweak(scriptRoot []byte) SignOption {
	return func(o *signOptions) { o.taprootTweak = scriptRoot }
}

// WithBip86SignTweak makes Sign sign for the BIP-341 output key that commits to no scripts (BIP-86).
func WithBip86SignTweak() SignOption {
	return func(o *signOptions) { o.bip86Tweak = true }
}

func newSignOptions(options []SignOption) *signOptions {
	o := new(signOptions)
	for _, option := range options {
		option(o)
	}
	return o
}

// tweaksKey reports whether o tweaks the aggregate key.
func (o *signOptions) tweaksKey() bool {
	return o.bip86Tweak || o.taprootTweak != nil || len(o.tweaks) != 0
}

// override sets the tweak of a context in o, if the context has a tweak. A tweak of o that stands before it in the list
// of signOptions prevails.
func (o *signOptions) override(ctx *signOptions) {
	switch {
	case ctx.bip86Tweak:
		o.bip86Tweak = true
	case ctx.taprootTweak != nil:
		o.taprootTweak = ctx.taprootTweak
	case len(ctx.tweaks) != 0:
		o.tweaks = ctx.tweaks
	}
}

func (o *signOptions) aggregate(keys []*btcec.PublicKey) (*keySet, error) {
	var how keyAggOption
	switch {
	case o.bip86Tweak:
		WithBIP86KeyTweak()(&how)
	case o.taprootTweak != nil:
		WithTaprootKeyTweak(o.taprootTweak)(&how)
	default:
		how.tweaks = o.tweaks
	}
	return aggregate(keys, o.sortKeys, &how)
}

// values holds the Session Values of BIP-327.
type values struct {
	b, e curve.Scalar
	R    curve.Point // normalized
	odd  int         // whether y(R) is odd
}

// values returns the Session Values for an aggregate nonce and a message. An error means that the nonce is not the
// encoding of two points.
func (s *keySet) values(combined *[PubNonceSize]byte, msg *[32]byte) (*values, error) {
	v, q := new(values), xOnly(&s.final)
	sum := blindTag.Sum(combined[:], q[:], msg[:])
	v.b.SetBytesReduced(&sum)
	var R [2]curve.Point
	if err := getPoints(&R, combined); err != nil {
		return nil, err
	}
	v.blind(&v.R, &R)
	if v.R.IsInfinity() != 0 {
		v.R.SetGenerator()
	}
	v.odd = v.R.NormalizeVartime().IsYOdd()
	sum = challenge(xOnly(&v.R), xOnly(&s.final), msg)
	v.e.SetBytesReduced(&sum)
	return v, nil
}

// challenge returns the BIP-340 challenge hash of the x coordinates of R and Q, and a message.
func challenge(r, q [32]byte, msg *[32]byte) [32]byte { return challengeTag.Sum(r[:], q[:], msg[:]) }

// blind sets sum = R[0] + b·R[1], where b is the nonce coefficient v.b.
func (v *values) blind(sum *curve.Point, R *[2]curve.Point) {
	var bR curve.Point
	var zero curve.Scalar
	sum.Add(&R[0], bR.DoubleScalarBaseMultVartime(&v.b, &R[1], &zero))
}

// factor sets f = e·a·g·gacc in BIP-327's notation: e is the challenge, a the coefficient of the signer's key, g is −1
// if the aggregate key has an odd y and 1 otherwise, and gacc is the accumulated sign. The partial signature contains f
// times the private key.
func (s *keySet) factor(f *curve.Scalar, v *values, key *[33]byte) *curve.Scalar {
	f.Mul(&v.e, s.coefficient(f, key))
	f.Mul(f, &s.gacc)
	return f.CondNegate(f, s.final.IsYOdd())
}

// valid reports whether sig·G = ±R + f·P. R is the nonce of the signer, which is negated if v.odd is 1. P is the
// signer's public key, which key encodes, and f is the result of factor.
func (s *keySet) valid(v *values, sig *curve.Scalar, R *curve.Point, key *[33]byte) bool {
	var P, left, right curve.Point
	if _, err := P.SetBytes(key[:]); err != nil {
		return false
	}
	var f curve.Scalar
	f.Negate(s.factor(&f, v, key))
	left.DoubleScalarBaseMultVartime(&f, &P, sig)
	return left.Equal(right.CondNegate(R, v.odd)) == 1
}

// Sign returns the partial signature of a message (BIP-327, Sign), in constant time. Without the option WithFastSign,
// Sign verifies the signature. The caller must never use the secret nonce again, and should wipe it, because Sign can
// wipe only its own copy.
//
// The error is ErrSecNoncePubkey, ErrPubkeyNotIncluded, ErrPrivKeyZero, ErrSecretNonceZero, an error of AggregateKeys,
// or another error if the aggregate nonce is not the encoding of two points or the signature is invalid.
func Sign(secNonce [SecNonceSize]byte, privKey *btcec.PrivateKey, combinedNonce [PubNonceSize]byte,
	pubKeys []*btcec.PublicKey, msg [32]byte, signOpts ...SignOption) (*PartialSignature, error) {
	defer clear(secNonce[:])
	o, pub := newSignOptions(signOpts), privKey.PubKey()
	if !madeFor(&secNonce, pub) {
		return nil, ErrSecNoncePubkey
	}
	if !slices.ContainsFunc(pubKeys, pub.IsEqual) {
		return nil, ErrPubkeyNotIncluded
	}
	s, err := o.aggregate(pubKeys)
	if privKey.Key.IsZero() {
		return nil, ErrPrivKeyZero
	}
	if err != nil {
		return nil, err
	}
	return s.sign(&secNonce, privKey, &combinedNonce, &msg, o.fastSign)
}

// madeFor reports whether a secret nonce was made for a key.
func madeFor(secNonce *[SecNonceSize]byte, pub *btcec.PublicKey) bool {
	key := encode(pub)
	return subtle.ConstantTimeCompare(key[:], secNonce[64:]) == 1
}

// sign signs with a nonce that was made for the key. The error is ErrPubkeyNotIncluded if the key is not in the set,
// which happens if the caller has changed the key or the keys of a context.
func (s *keySet) sign(secNonce *[SecNonceSize]byte, privKey *btcec.PrivateKey, combinedNonce *[PubNonceSize]byte, msg *[32]byte,
	fast bool) (*PartialSignature, error) {
	key := (*[33]byte)(secNonce[64:])
	if !slices.Contains(s.encoded, *key) {
		return nil, ErrPubkeyNotIncluded
	}
	v, err := s.values(combinedNonce, msg)
	if err != nil {
		return nil, err
	}
	var k, k2, d, f, sig curve.Scalar
	defer func() {
		k.Zero()
		k2.Zero()
		d.Zero()
	}()
	k.SetBytesReduced((*[32]byte)(secNonce[:32]))
	k2.SetBytesReduced((*[32]byte)(secNonce[32:64]))
	if k.IsZero()|k2.IsZero() != 0 {
		return nil, ErrSecretNonceZero
	}
	b := privKey.Key.Bytes()
	d.SetBytesReduced(&b)
	clear(b[:])
	// s = ±(k1 + b·k2) + f·d, where the sign is − if the y coordinate of v.R is odd.
	k.Add(&k, k2.Mul(&k2, &v.b))
	sig.CondNegate(&k, v.odd)
	sig.Add(&sig, d.Mul(&d, s.factor(&f, v, key)))
	if !fast {
		var R curve.Point
		R.ScalarBaseMult(&k)
		if !s.valid(v, &sig, &R, key) {
			return nil, errors.New("sig is invalid!") //lint:ignore ST1005 the text is btcec's
		}
	}
	return &PartialSignature{S: toScalar(&sig), R: toPublic(&v.R)}, nil
}

// Verify reports whether p is a valid partial signature of the message by the signer with the given public nonce
// (BIP-327, PartialSigVerify). Verify takes the same options as Sign, and returns false for a signer whose key is not
// in keySet.
func (p *PartialSignature) Verify(pubNonce [PubNonceSize]byte, combinedNonce [PubNonceSize]byte, keySet []*btcec.PublicKey,
	signingKey *btcec.PublicKey, msg [32]byte, signOpts ...SignOption) bool {
	return verify(p, &pubNonce, &combinedNonce, keySet, encode(signingKey), &msg, signOpts) == nil
}

// verify returns nil if the partial signature is valid, or an error that says why it is invalid.
func verify(p *PartialSignature, pubNonce, combinedNonce *[PubNonceSize]byte, keys []*btcec.PublicKey, key [33]byte,
	msg *[32]byte, options []SignOption) error {
	o, S := newSignOptions(options), p.S
	s, err := o.aggregate(keys)
	if err != nil {
		return err
	}
	v, err := s.values(combinedNonce, msg)
	if err != nil {
		return err
	}
	var R [2]curve.Point
	if err := getPoints(&R, pubNonce); err != nil {
		return err
	}
	if !slices.Contains(s.encoded, key) {
		if _, err := btcec.ParsePubKey(key[:]); err != nil {
			return err
		}
		_ = *S // panics if there is no S, as in btcec
		return ErrPubkeyNotIncluded
	}
	var sig curve.Scalar
	b := S.Bytes()
	sig.SetBytesReduced(&b)
	v.blind(&R[0], &R)
	if !s.valid(v, &sig, &R[0], &key) {
		return ErrPartialSigInvalid
	}
	return nil
}

// CombineOption is an option of CombineSigs.
type CombineOption func(*combineOptions)

type combineOptions struct {
	msg   [32]byte
	key   *btcec.PublicKey // the aggregate key after tweaks, or nil for a key that was not tweaked
	tweak *btcec.ModNScalar
}

// withCombine returns the option of CombineSigs for keys that were aggregated with the option how. As in btcec, the
// returned option panics if the keys cannot be aggregated, because CombineSigs cannot return an error.
func withCombine(msg [32]byte, keys []*btcec.PublicKey, sort bool, how KeyAggOption) CombineOption {
	return func(o *combineOptions) {
		key, _, tweak, _ := AggregateKeys(keys, sort, how)
		*o = combineOptions{msg, key.FinalKey, tweak}
	}
}

// WithTweakedCombine is for signatures by a key that WithKeyTweaks tweaked. Like WithTaprootTweakedCombine and
// WithBip86TweakedCombine, it makes CombineSigs sort the slice keys in place if sort is true. CombineSigs panics if the
// keys cannot be aggregated or tweaked.
func WithTweakedCombine(msg [32]byte, keys []*btcec.PublicKey, tweaks []KeyTweakDesc, sort bool) CombineOption {
	return withCombine(msg, keys, sort, WithKeyTweaks(tweaks...))
}

// WithTaprootTweakedCombine is for signatures by a key that WithTaprootKeyTweak tweaked. CombineSigs panics if the keys
// cannot be aggregated or tweaked.
func WithTaprootTweakedCombine(msg [32]byte, keys []*btcec.PublicKey, scriptRoot []byte, sort bool) CombineOption {
	return withCombine(msg, keys, sort, WithTaprootKeyTweak(scriptRoot))
}

// WithBip86TweakedCombine is for signatures by a key that WithBIP86KeyTweak tweaked. CombineSigs panics if the keys
// cannot be aggregated or tweaked.
func WithBip86TweakedCombine(msg [32]byte, keys []*btcec.PublicKey, sort bool) CombineOption {
	return withCombine(msg, keys, sort, WithBIP86KeyTweak())
}

// CombineSigs returns the signature that is the sum of the partial signatures (BIP-327, PartialSigAgg). combinedNonce
// is the R of a partial signature, of which only the x coordinate is used. CombineSigs verifies nothing: an invalid
// partial signature leads to an invalid signature, and PartialSignature.Verify tells which one is invalid.
func CombineSigs(combinedNonce *btcec.PublicKey, partialSigs []*PartialSignature, combineOpts ...CombineOption) *schnorr.Signature {
	var o combineOptions
	for _, option := range combineOpts {
		option(&o)
	}
	var sum btcec.ModNScalar
	for _, sig := range partialSigs {
		sum.Add(sig.S)
	}
	if o.key != nil {
		// s = Σ sᵢ + e·g·tacc, where g is −1 if the aggregate key has an odd y, and 1 otherwise.
		key := encode(o.key)
		hash := challenge([32]byte(schnorr.SerializePubKey(combinedNonce)), [32]byte(key[1:]), &o.msg)
		var t btcec.ModNScalar
		t.SetBytes(&hash)
		if key[0] == 3 {
			t.Negate()
		}
		sum.Add(t.Mul(o.tweak))
	}
	var R btcec.JacobianPoint
	combinedNonce.AsJacobian(&R)
	return schnorr.NewSignature(&R.X, &sum)
}
