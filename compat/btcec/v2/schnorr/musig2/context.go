package musig2

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// These are the errors of contexts and sessions.
var (
	ErrSignersNotSpecified           = errors.New("total number of signers or all signers must be known")
	ErrSignerNotInKeySet             = errors.New("signing key is not found in key set")
	ErrAlredyHaveAllNonces           = errors.New("already have all nonces")
	ErrNotEnoughSigners              = errors.New("not enough signers")
	ErrAlreadyHaveAllSigners         = errors.New("all signers registered")
	ErrAlredyHaveAllSigs             = errors.New("already have all sigs")
	ErrSigningContextReuse           = errors.New("nonce already used")
	ErrFinalSigInvalid               = errors.New("final signature is invalid")
	ErrCombinedNonceUnavailable      = errors.New("missing combined nonce")
	ErrTaprootInternalKeyUnavailable = errors.New("taproot tweak not used")
	ErrNoEarlyNonce                  = errors.New("no early nonce available")
	ErrCombinedNonceAfterPubNonces   = errors.New("can't register combined nonce after public nonces")
)

// oneTime holds nonces that only one of the sessions that share them can take for signing.
type oneTime struct {
	nonces *Nonces
	taken  atomic.Bool
	shown  atomic.Bool // whether the caller has the pointer; if not, signing wipes the secret nonce
}

// take reports whether the caller is the first to take the nonces.
func (o *oneTime) take() bool { return !o.taken.Swap(true) }

// Context holds one signer's key and the keys of all signers, for one or more sessions.
type Context struct {
	_ [0]func() // makes the type incomparable, like btcec's

	signingKey *btcec.PrivateKey
	pubKey     *btcec.PublicKey
	opts       *contextOptions // shared by all copies of the Context
	shouldSort bool
	early      *oneTime // the nonces of WithEarlyNonceGen, until a session has them

	set      *keySet       // the result of aggregating the keys, or nil until all signers are known
	combined *AggregateKey // the key of set
	made     made          // what set was made from
}

// made holds copies of keys and tweaks, because the caller can change the originals, which a Context shares with it.
type made struct {
	keys   []btcec.PublicKey
	tweaks []KeyTweakDesc
	root   []byte
}

// ContextOption is an option of NewContext.
type ContextOption func(*contextOptions)

type contextOptions struct {
	signOptions // the tweaks
	keySet      []*btcec.PublicKey
	numSigners  int
	earlyNonce  bool
}

// WithTweakedContext makes the context apply the tweaks to the aggregate key in order.
func WithTweakedContext(tweaks ...KeyTweakDesc) ContextOption {
	return func(o *contextOptions) { o.tweaks = tweaks }
}

// WithTaprootTweakCtx makes the aggregate key a BIP-341 output key that commits to the scripts with the 32-byte Merkle
// root scriptRoot.
func WithTaprootTweakCtx(scriptRoot []byte) ContextOption {
	return func(o *contextOptions) { o.taprootTweak = scriptRoot }
}

// WithBip86TweakCtx makes the aggregate key a BIP-341 output key that commits to no scripts (BIP-86).
func WithBip86TweakCtx() ContextOption {
	return func(o *contextOptions) { o.bip86Tweak = true }
}

// WithKnownSigners sets the keys of all signers. The context keeps the slice itself, not a copy, and sorts it if
// NewContext's shouldSort is true.
func WithKnownSigners(signers []*btcec.PublicKey) ContextOption {
	return func(o *contextOptions) { o.keySet, o.numSigners = signers, len(signers) }
}

// WithNumSigners sets the number of signers. RegisterSigner adds the keys of the other signers.
func WithNumSigners(n int) ContextOption {
	return func(o *contextOptions) { o.numSigners = n }
}

// WithEarlyNonceGen makes NewContext generate the nonces of the first session.
func WithEarlyNonceGen() ContextOption {
	return func(o *contextOptions) { o.earlyNonce = true }
}

// NewContext returns a context. One of the options WithKnownSigners and WithNumSigners is required. The error is
// ErrSignersNotSpecified, ErrSignerNotInKeySet, or an error of AggregateKeys or GenNonces. As in btcec, a context of
// WithNumSigners(1) has no combined key, and a negative number of signers panics.
func NewContext(signingKey *btcec.PrivateKey, shouldSort bool, ctxOpts ...ContextOption) (*Context, error) {
	c := &Context{signingKey: signingKey, pubKey: signingKey.PubKey(), opts: new(contextOptions), shouldSort: shouldSort}
	for _, option := range ctxOpts {
		option(c.opts)
	}
	switch {
	case c.opts.keySet != nil:
		if err := c.combine(); err != nil {
			return nil, err
		}
	case c.opts.numSigners != 0:
		c.opts.keySet = append(make([]*btcec.PublicKey, 0, c.opts.numSigners), c.pubKey)
	default:
		return nil, ErrSignersNotSpecified
	}
	if c.opts.earlyNonce {
		nonces, err := GenNonces(WithPublicKey(c.pubKey), WithNonceSecretKeyAux(signingKey))
		if err != nil {
			return nil, err
		}
		c.early = &oneTime{nonces: nonces}
	}
	return c, nil
}

// combine aggregates the keys, all of which must be known.
func (c *Context) combine() error {
	if !slices.ContainsFunc(c.opts.keySet, c.pubKey.IsEqual) {
		return ErrSignerNotInKeySet
	}
	how := c.opts.signOptions
	how.sortKeys = c.shouldSort
	set, err := how.aggregate(c.opts.keySet)
	if err != nil {
		c.set, c.combined = nil, nil
		return err
	}
	c.set, c.combined = set, set.public()
	c.made = made{make([]btcec.PublicKey, len(c.opts.keySet)), slices.Clone(c.opts.tweaks), slices.Clone(c.opts.taprootTweak)}
	for i, key := range c.opts.keySet {
		c.made.keys[i] = *key
	}
	return nil
}

// changed reports whether the keys or the tweaks have changed since set was made, or whether there is no set.
func (c *Context) changed() bool {
	return c.set == nil || !slices.EqualFunc(c.opts.keySet, c.made.keys, func(key *btcec.PublicKey, copied btcec.PublicKey) bool {
		return *key == copied
	}) || !slices.Equal(c.opts.tweaks, c.made.tweaks) || !bytes.Equal(c.opts.taprootTweak, c.made.root)
}

// EarlySessionNonce returns the nonces that WithEarlyNonceGen made NewContext generate, or ErrNoEarlyNonce. The first
// session takes these nonces.
func (c *Context) EarlySessionNonce() (*Nonces, error) {
	if c.early == nil {
		return nil, ErrNoEarlyNonce
	}
	c.early.shown.Store(true)
	return c.early.nonces, nil
}

// RegisterSigner adds the key of another signer, and reports whether all keys are now known. Without WithKnownSigners,
// the signer's own key is the first, so signers have the same aggregate key only if the keys are sorted. The error is
// ErrAlreadyHaveAllSigners, or an error of AggregateKeys.
func (c *Context) RegisterSigner(pub *btcec.PublicKey) (bool, error) {
	if len(c.opts.keySet) == c.opts.numSigners {
		return false, ErrAlreadyHaveAllSigners
	}
	c.opts.keySet = append(c.opts.keySet, pub)
	if len(c.opts.keySet) != c.opts.numSigners {
		return false, nil
	}
	err := c.combine()
	return err == nil, err
}

// NumRegisteredSigners returns the number of keys that are known.
func (c *Context) NumRegisteredSigners() int { return len(c.opts.keySet) }

// CombinedKey returns the aggregate key after all tweaks, or ErrNotEnoughSigners.
func (c *Context) CombinedKey() (*btcec.PublicKey, error) {
	if c.combined == nil {
		return nil, ErrNotEnoughSigners
	}
	return c.combined.FinalKey, nil
}

// PubKey returns the public key of the signer.
func (c *Context) PubKey() btcec.PublicKey { return *c.pubKey }

// SigningKeys returns the keys that are known.
func (c *Context) SigningKeys() []*btcec.PublicKey {
	return append(make([]*btcec.PublicKey, 0, len(c.opts.keySet)), c.opts.keySet...)
}

// TaprootInternalKey returns the aggregate key before the Taproot tweak. The error is ErrNotEnoughSigners, or
// ErrTaprootInternalKeyUnavailable if there is no such tweak.
func (c *Context) TaprootInternalKey() (*btcec.PublicKey, error) {
	switch {
	case c.combined == nil:
		return nil, ErrNotEnoughSigners
	case c.opts.taprootTweak == nil && !c.opts.bip86Tweak:
		return nil, ErrTaprootInternalKeyUnavailable
	}
	return c.combined.PreTweakedKey, nil
}

// SessionOption is an option of Context.NewSession.
type SessionOption func(*sessionOptions)

type sessionOptions struct{ externalNonce *Nonces }

// WithPreGeneratedNonce sets the nonces of the session, unless the context has early nonces. The caller must not use
// the nonces in another session, and should wipe the secret nonce after signing.
func WithPreGeneratedNonce(nonce *Nonces) SessionOption {
	return func(o *sessionOptions) { o.externalNonce = nonce }
}

// Session makes one signature. Its nonces sign only once, even if several goroutines call Sign on the Session or on
// copies of it. The other methods must not be called by several goroutines at once.
type Session struct {
	ctx    *Context
	local  *oneTime
	signed uint32 // 1 after this copy of the Session has signed

	pubNonces     [][PubNonceSize]byte // the first is the signer's own
	combinedNonce *[PubNonceSize]byte
	msg           [32]byte
	ourSig        *PartialSignature
	sigs          []*PartialSignature
	finalSig      *schnorr.Signature
}

// NewSession returns a session. It uses the early nonces of the context if no session has taken them, otherwise the
// nonces that WithPreGeneratedNonce sets, and if there are none, new nonces. The error is ErrNotEnoughSigners if not
// all keys are known, or an error of GenNonces. As in btcec, a context that has all keys, but no combined key, panics
// if new nonces are needed.
func (c *Context) NewSession(options ...SessionOption) (*Session, error) {
	var o sessionOptions
	for _, option := range options {
		option(&o)
	}
	if len(c.opts.keySet) != c.opts.numSigners {
		return nil, ErrNotEnoughSigners
	}
	s := &Session{ctx: c}
	switch {
	case c.early != nil: // copies of the context give the same nonces to a session, of which one can sign
		s.local, c.early = c.early, nil
	case o.externalNonce != nil:
		s.local = &oneTime{nonces: o.externalNonce}
		s.local.shown.Store(true)
	default:
		nonces, err := GenNonces(WithPublicKey(c.pubKey), WithNonceSecretKeyAux(c.signingKey),
			WithNonceCombinedKeyAux(c.combined.FinalKey))
		if err != nil {
			return nil, err
		}
		s.local = &oneTime{nonces: nonces}
	}
	s.pubNonces = append(make([][PubNonceSize]byte, 0, c.opts.numSigners), s.local.nonces.PubNonce)
	return s, nil
}

// nonces returns the nonces, or nil after Sign.
func (s *Session) nonces() *Nonces {
	if s.local == nil || atomic.LoadUint32(&s.signed) == 1 {
		return nil
	}
	return s.local.nonces
}

// PublicNonce returns the public nonce of the signer, which the other signers need. As in btcec, it panics after Sign.
func (s *Session) PublicNonce() [PubNonceSize]byte { return s.nonces().PubNonce }

// NumRegisteredNonces returns the number of public nonces that are known, including the signer's own nonce.
func (s *Session) NumRegisteredNonces() int { return len(s.pubNonces) }

// RegisterPubNonce adds the public nonce of another signer, and reports whether all nonces are known. The error is
// ErrAlredyHaveAllNonces or, at the last nonce, another error if any of the nonces is not the encoding of two points.
func (s *Session) RegisterPubNonce(nonce [PubNonceSize]byte) (bool, error) {
	if len(s.pubNonces) == s.ctx.opts.numSigners || s.combinedNonce != nil {
		return false, ErrAlredyHaveAllNonces
	}
	s.pubNonces = append(s.pubNonces, nonce)
	if len(s.pubNonces) != s.ctx.opts.numSigners {
		return false, nil
	}
	combined, err := AggregateNonces(s.pubNonces)
	if err != nil {
		return false, err
	}
	s.combinedNonce = &combined
	return true, nil
}

// CombinedNonce returns the aggregate nonce, or ErrCombinedNonceUnavailable.
func (s *Session) CombinedNonce() ([PubNonceSize]byte, error) {
	if s.combinedNonce == nil {
		return [PubNonceSize]byte{}, ErrCombinedNonceUnavailable
	}
	return *s.combinedNonce, nil
}

// RegisterCombinedNonce sets the aggregate nonce, instead of the nonces of all signers. The error is
// ErrAlredyHaveAllNonces, ErrCombinedNonceAfterPubNonces, or another error if the nonce is not the encoding of two
// points other than infinity.
func (s *Session) RegisterCombinedNonce(combinedNonce [PubNonceSize]byte) error {
	if s.combinedNonce != nil {
		return ErrAlredyHaveAllNonces
	}
	if len(s.pubNonces) > 1 {
		return ErrCombinedNonceAfterPubNonces
	}
	for _, half := range [][]byte{combinedNonce[:33], combinedNonce[33:]} {
		if _, err := btcec.ParsePubKey(half); err != nil {
			return fmt.Errorf("invalid combined nonce: %w", err)
		}
	}
	s.combinedNonce = &combinedNonce
	return nil
}

// Sign returns the partial signature of a message. It returns ErrCombinedNonceUnavailable as long as the aggregate
// nonce is missing. Otherwise, the call uses the nonces up even if it fails, and each later call returns
// ErrSigningContextReuse. Other errors are the errors that the function Sign returns.
func (s *Session) Sign(msg [32]byte, signOpts ...SignOption) (*PartialSignature, error) {
	switch {
	case s.nonces() == nil:
		return nil, ErrSigningContextReuse
	case s.combinedNonce == nil:
		return nil, ErrCombinedNonceUnavailable
	case !s.local.take():
		return nil, ErrSigningContextReuse
	}
	defer atomic.StoreUint32(&s.signed, 1)
	secret := s.local.nonces.SecNonce
	defer clear(secret[:])
	if !s.local.shown.Load() {
		clear(s.local.nonces.SecNonce[:])
	}
	o, set := newSignOptions(signOpts), s.ctx.set
	if !madeFor(&secret, s.ctx.signingKey.PubKey()) {
		return nil, ErrSecNoncePubkey
	}
	if o.sortKeys || o.tweaksKey() || s.ctx.changed() {
		if !slices.ContainsFunc(s.ctx.opts.keySet, s.ctx.signingKey.PubKey().IsEqual) {
			return nil, ErrPubkeyNotIncluded
		}
		o.override(&s.ctx.opts.signOptions)
		var err error
		if set, err = o.aggregate(s.ctx.opts.keySet); err != nil {
			return nil, err
		}
	}
	sig, err := set.sign(&secret, s.ctx.signingKey, s.combinedNonce, &msg, o.fastSign)
	if err != nil {
		return nil, err
	}
	s.msg, s.ourSig = msg, sig
	s.sigs = append(s.sigs, sig)
	return sig, nil
}

// CombineSig adds the partial signature of another signer, and reports whether all partial signatures are now known.
// Sign must be called before the last partial signature is added, otherwise CombineSig panics, as in btcec. The error
// is ErrAlredyHaveAllSigs, or ErrFinalSigInvalid if a partial signature is invalid. PartialSignature.Verify finds the
// invalid one.
func (s *Session) CombineSig(sig *PartialSignature) (bool, error) {
	if len(s.sigs) == len(s.ctx.opts.keySet) {
		return false, ErrAlredyHaveAllSigs
	}
	s.sigs = append(s.sigs, sig)
	if len(s.sigs) != len(s.ctx.opts.keySet) {
		return false, nil
	}
	var tweaks []CombineOption
	if s.ctx.opts.tweaksKey() {
		tweaks = append(tweaks, s.tweaked)
	}
	final := CombineSigs(s.ourSig.R, s.sigs, tweaks...)
	if !final.Verify(s.msg[:], s.ctx.combined.FinalKey) {
		return false, ErrFinalSigInvalid
	}
	s.finalSig = final
	return true, nil
}

// tweaked is the option of CombineSigs for the tweaks of the context.
func (s *Session) tweaked(o *combineOptions) {
	set := s.ctx.set
	if s.ctx.changed() {
		how := s.ctx.opts.signOptions
		how.sortKeys = s.ctx.shouldSort
		var err error
		if set, err = how.aggregate(s.ctx.opts.keySet); err != nil {
			set = nil // so that the next line panics, as btcec does
		}
	}
	*o = combineOptions{s.msg, toPublic(&set.final), toScalar(&set.tacc)}
}

// FinalSig returns the signature, or nil until CombineSig has reported that all partial signatures are known.
func (s *Session) FinalSig() *schnorr.Signature { return s.finalSig }
