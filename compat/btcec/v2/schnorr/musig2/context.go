package musig2

import (
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

// oneTime holds nonces until a goroutine takes them. The nonces can be taken only once.
type oneTime struct{ nonces atomic.Pointer[Nonces] }

func newOneTime(nonces *Nonces) *oneTime {
	o := new(oneTime)
	o.nonces.Store(nonces)
	return o
}

// peek returns the nonces, or nil if they have been taken.
func (o *oneTime) peek() *Nonces {
	if o == nil {
		return nil
	}
	return o.nonces.Load()
}

// take returns the nonces at the first call, and nil at later calls.
func (o *oneTime) take() *Nonces {
	if o == nil {
		return nil
	}
	return o.nonces.Swap(nil)
}

// Context holds one signer's key and the keys of all signers, for one or more sessions.
type Context struct {
	_ [0]func() // makes the type incomparable, like btcec's

	signingKey *btcec.PrivateKey
	pubKey     *btcec.PublicKey
	opts       *contextOptions // shared by all copies of the Context, as early is
	shouldSort bool
	early      *oneTime // the nonces of WithEarlyNonceGen
}

// ContextOption is an option of NewContext.
type ContextOption func(*contextOptions)

type contextOptions struct {
	signOptions // the tweaks
	keySet      []*btcec.PublicKey
	numSigners  int
	earlyNonce  bool

	// The following fields are the result of aggregating keySet.
	set      *keySet       // nil until all signers are known, or if the keys were refused
	combined *AggregateKey // the key of set
	refused  error         // why the keys were refused
}

// WithTweakedContext makes the context apply the tweaks to the aggregate key in order.
func WithTweakedContext(tweaks ...KeyTweakDesc) ContextOption {
	return func(o *contextOptions) { o.tweaks = tweaks }
}

// WithTaprootTweakCtx makes the aggregate key a BIP-341 output key that commits to the scripts with the 32-byte
// Merkle root scriptRoot.
func WithTaprootTweakCtx(scriptRoot []byte) ContextOption {
	return func(o *contextOptions) { o.taprootTweak = scriptRoot }
}

// WithBip86TweakCtx makes the aggregate key a BIP-341 output key that commits to no scripts (BIP-86).
func WithBip86TweakCtx() ContextOption {
	return func(o *contextOptions) { o.bip86Tweak = true }
}

// WithKnownSigners sets the keys of all signers.
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
// ErrSignersNotSpecified, ErrSignerNotInKeySet, or an error of AggregateKeys or GenNonces.
func NewContext(signingKey *btcec.PrivateKey, shouldSort bool, ctxOpts ...ContextOption) (*Context, error) {
	c := &Context{signingKey: signingKey, pubKey: signingKey.PubKey(), opts: new(contextOptions), shouldSort: shouldSort}
	for _, option := range ctxOpts {
		option(c.opts)
	}
	// The slices are cloned because the caller may own them. combine copies the keys.
	c.opts.tweaks, c.opts.taprootTweak = slices.Clone(c.opts.tweaks), slices.Clone(c.opts.taprootTweak)
	known := c.opts.keySet != nil
	if !known && c.opts.numSigners <= 0 {
		return nil, ErrSignersNotSpecified
	}
	if !known {
		c.opts.keySet = []*btcec.PublicKey{c.pubKey}
	}
	if known || c.opts.numSigners == 1 {
		if err := c.combine(); err != nil {
			return nil, err
		}
	}
	if c.opts.earlyNonce {
		nonces, err := GenNonces(WithPublicKey(c.pubKey), WithNonceSecretKeyAux(signingKey))
		if err != nil {
			return nil, err
		}
		c.early = newOneTime(nonces)
	}
	return c, nil
}

// combine aggregates the keys, all of which must be known.
func (c *Context) combine() error {
	c.opts.set, c.opts.combined = nil, nil
	if !slices.ContainsFunc(c.opts.keySet, c.pubKey.IsEqual) {
		return ErrSignerNotInKeySet
	}
	c.opts.keySet = slices.Clone(sorted(c.opts.keySet, c.shouldSort))
	set, err := c.opts.aggregate(c.opts.keySet)
	if err != nil {
		return err
	}
	c.opts.set, c.opts.combined = set, set.public()
	return nil
}

// EarlySessionNonce returns the nonces that WithEarlyNonceGen made NewContext generate, or ErrNoEarlyNonce. The first
// session takes these nonces, and wipes the secret nonce when it signs.
func (c *Context) EarlySessionNonce() (*Nonces, error) {
	if nonces := c.early.peek(); nonces != nil {
		return nonces, nil
	}
	return nil, ErrNoEarlyNonce
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
	c.opts.refused = c.combine()
	return c.opts.refused == nil, c.opts.refused
}

// NumRegisteredSigners returns the number of keys that are known.
func (c *Context) NumRegisteredSigners() int { return len(c.opts.keySet) }

// combined returns the aggregate key, or ErrNotEnoughSigners if keys are missing or were refused, or if the Context was
// not made by NewContext.
func (c *Context) combined() (*AggregateKey, error) {
	if c.opts == nil || c.opts.set == nil {
		return nil, ErrNotEnoughSigners
	}
	return c.opts.combined, nil
}

// CombinedKey returns the aggregate key after all tweaks, or ErrNotEnoughSigners.
func (c *Context) CombinedKey() (*btcec.PublicKey, error) {
	combined, err := c.combined()
	if err != nil {
		return nil, err
	}
	return combined.FinalKey, nil
}

// PubKey returns the public key of the signer.
func (c *Context) PubKey() btcec.PublicKey { return *c.pubKey }

// SigningKeys returns the keys that are known.
func (c *Context) SigningKeys() []*btcec.PublicKey { return slices.Clone(c.opts.keySet) }

// TaprootInternalKey returns the aggregate key before the Taproot tweak. The error is ErrNotEnoughSigners, or
// ErrTaprootInternalKeyUnavailable if there is no such tweak.
func (c *Context) TaprootInternalKey() (*btcec.PublicKey, error) {
	combined, err := c.combined()
	switch {
	case err != nil:
		return nil, err
	case c.opts.taprootTweak == nil && !c.opts.bip86Tweak:
		return nil, ErrTaprootInternalKeyUnavailable
	}
	return combined.PreTweakedKey, nil
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
	ctx      *Context
	local    *oneTime
	external bool // whether the caller passed the nonces

	pubNonces     [][PubNonceSize]byte // the first is the signer's own
	combinedNonce *[PubNonceSize]byte
	msg           [32]byte
	ourSig        *PartialSignature
	sigs          []*PartialSignature
	finalSig      *schnorr.Signature
}

// NewSession returns a session. It uses the early nonces of the context if no session has taken them, otherwise the
// nonces that WithPreGeneratedNonce sets, and if there are none, new nonces. The error is ErrNotEnoughSigners if not
// all keys are known, the error of RegisterSigner if it refused the keys, or an error of GenNonces.
func (c *Context) NewSession(options ...SessionOption) (*Session, error) {
	var o sessionOptions
	for _, option := range options {
		option(&o)
	}
	if len(c.opts.keySet) != c.opts.numSigners {
		return nil, ErrNotEnoughSigners
	}
	if c.opts.set == nil {
		return nil, c.opts.refused
	}
	s := &Session{ctx: c}
	nonces := c.early.take()
	if nonces == nil {
		nonces, s.external = o.externalNonce, o.externalNonce != nil
	}
	if nonces == nil {
		var err error
		nonces, err = GenNonces(WithPublicKey(c.pubKey), WithNonceSecretKeyAux(c.signingKey),
			WithNonceCombinedKeyAux(c.opts.combined.FinalKey))
		if err != nil {
			return nil, err
		}
	}
	s.local = newOneTime(nonces)
	s.pubNonces = append(make([][PubNonceSize]byte, 0, c.opts.numSigners), nonces.PubNonce)
	return s, nil
}

// PublicNonce returns the public nonce of the signer, which the other signers need.
func (s *Session) PublicNonce() [PubNonceSize]byte { return s.pubNonces[0] }

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
	if s.combinedNonce == nil && s.local.peek() != nil {
		return nil, ErrCombinedNonceUnavailable
	}
	nonces := s.local.take()
	if nonces == nil {
		return nil, ErrSigningContextReuse
	}
	secret := nonces.SecNonce
	defer clear(secret[:])
	if !s.external {
		clear(nonces.SecNonce[:])
	}
	o, set := newSignOptions(signOpts), s.ctx.opts.set
	if !madeFor(&secret, s.ctx.signingKey.PubKey()) {
		return nil, ErrSecNoncePubkey
	}
	if o.changesKey() {
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
// Sign must be called before the last partial signature is added, otherwise there is an error. Other errors are
// ErrAlredyHaveAllSigs, and ErrFinalSigInvalid if a partial signature is invalid. PartialSignature.Verify finds the
// invalid one.
func (s *Session) CombineSig(sig *PartialSignature) (bool, error) {
	if len(s.sigs) == len(s.ctx.opts.keySet) {
		return false, ErrAlredyHaveAllSigs
	}
	if len(s.sigs)+1 < len(s.ctx.opts.keySet) {
		s.sigs = append(s.sigs, sig)
		return false, nil
	}
	if s.ourSig == nil {
		return false, errors.New("the session has not signed yet")
	}
	s.sigs = append(s.sigs, sig)
	var tweaks []CombineOption
	if s.ctx.opts.changesKey() {
		tweaks = append(tweaks, func(o *combineOptions) { *o = combineOptions{s.msg, s.ctx.opts.set} })
	}
	final := CombineSigs(s.ourSig.R, s.sigs, tweaks...)
	if !final.Verify(s.msg[:], s.ctx.opts.combined.FinalKey) {
		return false, ErrFinalSigInvalid
	}
	s.finalSig = final
	return true, nil
}

// FinalSig returns the signature, or nil until CombineSig has reported that all partial signatures are known.
func (s *Session) FinalSig() *schnorr.Signature { return s.finalSig }
