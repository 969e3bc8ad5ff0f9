package frost

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/internal/shamir"
	"p256k1.mleku.dev/v2/secret"
)

// Version is the version of the draft of BIP-445 that this package follows.
const Version = "0.8.0"

// MaxParticipants is the largest number of participants that a group may have without Options.Large. The package
// comment explains this limit.
const MaxParticipants = 128

var (
	// ErrThreshold means that t is not between 1 and n, or n is above MaxParticipants.
	ErrThreshold = errors.New("threshold or number of participants out of range")
	// ErrSigners means that a list of participants is shorter than t or longer than n, contains a participant twice, or
	// contains a number that is not below n, or that a participant is not on the list.
	ErrSigners = errors.New("wrong participants")
	// ErrShare means that a share does not belong to the participant, or that public shares do not belong to the
	// threshold key.
	ErrShare = errors.New("wrong share")
	// ErrReshared means that a share and a group are from different sharings of the same key. One of the two is from
	// before a resharing.
	ErrReshared = errors.New("the key was reshared")
	// ErrTweaked means that an operation is not defined for a tweaked key.
	ErrTweaked = errors.New("the key was tweaked")
)

// blame returns an error that names the participants with these indexes in the list ids of numbers.
func blame(ids []uint32, indexes []int, err error) error {
	e := &protocols.BlameError{Err: err}
	for _, i := range indexes {
		e.Participants = append(e.Participants, ids[i])
	}
	return e
}

// Options holds the options of Deal, NewGroup, NewSigners and NewResharing. A nil *Options stands for the zero value.
type Options struct {
	// Large allows more than MaxParticipants participants.
	Large bool
}

// checkSizes returns an error if a group of n participants with the threshold t is not allowed.
func checkSizes(t, n int, opts *Options) error {
	if err := shamir.CheckSizes(t, n, MaxParticipants, opts != nil && opts.Large); err != nil {
		return fmt.Errorf("frost: %w: %w", ErrThreshold, err)
	}
	return nil
}

// Share is the secret share of one participant. Nil and the zero value are not shares, and functions refuse them with
// p256k1.ErrNoKey.
type Share struct {
	id    uint32
	key   *p256k1.PrivateKey
	group *Group // to which the share belongs, or nil if it is not known
}

// NewShare returns the share of participant id, for programs that do not know the group. Group.Share is the same with a
// check. NewShare does not copy key, so wiping either the key or the share wipes both. The error is p256k1.ErrNoKey for
// an invalid key.
func NewShare(id uint32, key *p256k1.PrivateKey) (*Share, error) {
	if !key.Equal(key) {
		return nil, fmt.Errorf("frost: share of participant %d: %w", id, p256k1.ErrNoKey)
	}
	return &Share{id: id, key: key}, nil
}

// ID returns the number of the participant. Numbers begin at 0.
func (s *Share) ID() uint32 {
	if s == nil {
		return 0
	}
	return s.id
}

// Key returns the secret share as a private key, whose Bytes can be stored in a safe place. Do not sign with the secret
// share as if it were an ordinary key. Key returns nil for a share that is nil or zero.
func (s *Share) Key() *p256k1.PrivateKey {
	if s == nil {
		return nil
	}
	return s.key
}

// Public returns the public share.
func (s *Share) Public() *p256k1.PublicKey { return s.Key().PublicKey() }

// Zero wipes the share.
func (s *Share) Zero() { s.Key().Zero() }

const shareText = "frost.Share(secret)"

// Format writes a placeholder instead of the share.
func (s Share) Format(f fmt.State, _ rune) { f.Write([]byte(shareText)) }

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json refuse shares instead of silently
// omitting the secret. Store the ID and the Bytes of the Key explicitly, and the Group with them.
func (Share) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("frost: share: %w", p256k1.ErrMarshal)
}

// MarshalBinary returns p256k1.ErrMarshal, so that encoders such as encoding/gob refuse shares.
func (s Share) MarshalBinary() ([]byte, error) { return s.MarshalText() }

// UnmarshalText returns p256k1.ErrMarshal and leaves s unchanged.
func (s *Share) UnmarshalText([]byte) error {
	return fmt.Errorf("frost: share: %w", p256k1.ErrMarshal)
}

// UnmarshalBinary returns p256k1.ErrMarshal and leaves s unchanged.
func (s *Share) UnmarshalBinary(b []byte) error { return s.UnmarshalText(b) }

// Group is the public data of the shares: the threshold t, the threshold public key and the public shares of all n
// participants. A Group is immutable, so goroutines may share it. Groups come from Deal, NewGroup and Resharing.Group.
// Nil and the zero value are not groups, and functions refuse them with p256k1.ErrNoKey.
type Group struct {
	t      int
	key    p256k1.PublicKey
	shares []p256k1.PublicKey
	opts   Options
}

// NewGroup returns the group with the threshold t, the threshold key and the public shares, where shares[i] belongs to
// participant i. It checks that the shares lie on one polynomial of degree at most t − 1, so that any t participants
// have the same key. If the dealer's polynomial has a lower degree, fewer than t participants can sign, and NewGroup
// does not detect this. A wrong group passes the check with a probability of 2⁻²⁵⁶. The error is ErrThreshold,
// p256k1.ErrNoKey for an invalid key or share, or ErrShare.
func NewGroup(t int, key *p256k1.PublicKey, shares []*p256k1.PublicKey, opts *Options) (*Group, error) {
	n := len(shares)
	if err := checkSizes(t, n, opts); err != nil {
		return nil, err
	}
	if isUnset(key) {
		return nil, fmt.Errorf("frost: threshold key: %w", p256k1.ErrNoKey)
	}
	g := &Group{t: t, key: *key, shares: make([]p256k1.PublicKey, n)}
	if opts != nil {
		g.opts = *opts
	}
	points := []*curve.Point{key.Point()}
	for i, share := range shares {
		if isUnset(share) {
			return nil, fmt.Errorf("frost: public share of participant %d: %w", i, p256k1.ErrNoKey)
		}
		g.shares[i] = *share
		points = append(points, share.Point())
	}
	if !shamir.OnPolynomial(points, t) {
		return nil, fmt.Errorf("frost: public shares: %w: not the shares of this key with a threshold of %d", ErrShare, t)
	}
	return g, nil
}

func isUnset(key *p256k1.PublicKey) bool { return key.Point().IsInfinity() == 1 }

// isNone reports whether g is invalid.
func (g *Group) isNone() bool { return g == nil || g.t == 0 }

func errGroup() error { return fmt.Errorf("frost: group: %w: nil or never set", p256k1.ErrNoKey) }

// Threshold returns t, or 0 for a group that is nil or zero.
func (g *Group) Threshold() int {
	if g.isNone() {
		return 0
	}
	return g.t
}

// Participants returns n, or 0 for a group that is nil or zero.
func (g *Group) Participants() int {
	if g.isNone() {
		return 0
	}
	return len(g.shares)
}

// PublicKey returns the threshold public key, without tweaks. For a group that is nil or zero it returns the zero
// value.
func (g *Group) PublicKey() *p256k1.PublicKey {
	key := new(p256k1.PublicKey)
	if !g.isNone() {
		*key = g.key
	}
	return key
}

// PublicShare returns the public share of a participant, or the zero value for a number that is not below n.
func (g *Group) PublicShare(id uint32) *p256k1.PublicKey {
	key := new(p256k1.PublicKey)
	if !g.isNone() && int64(id) < int64(len(g.shares)) {
		*key = g.shares[id]
	}
	return key
}

// Has reports whether share belongs to a participant of the group. Call Has before you keep a share that you have
// received. Has reports false for an invalid share.
func (g *Group) Has(share *Share) bool {
	return share.Key().Equal(share.Key()) && g.PublicShare(share.id).Equal(share.Public())
}

// Share returns the share of participant id, given a secret share that was stored or was made by another program, if it
// belongs to the group. Share does not copy key, so wiping either the key or the share wipes both. The error is
// p256k1.ErrNoKey for a group that is nil or zero or for an invalid key, ErrSigners for a number that is not below n,
// or ErrShare for a key that is not the participant's share, for example a share from before a resharing.
func (g *Group) Share(id uint32, key *p256k1.PrivateKey) (*Share, error) {
	if g.isNone() {
		return nil, errGroup()
	}
	share, err := NewShare(id, key)
	if err != nil {
		return nil, err
	}
	if int64(id) >= int64(len(g.shares)) {
		return nil, fmt.Errorf("frost: share: %w", errNumber(id, len(g.shares)))
	}
	if !g.Has(share) {
		return nil, fmt.Errorf("frost: share: %w: not the share of participant %d in this group; it may be from before a resharing", ErrShare, id)
	}
	share.group = g
	return share, nil
}

// errNumber returns the error for a participant of n whose number is not below n.
func errNumber(id uint32, n int) error {
	return fmt.Errorf("%w: participant %d, want a number below %d", ErrSigners, id, n)
}

// wrongShare returns the error for a share that is not the participant's share of key.
func (s *Share) wrongShare(key *p256k1.PublicKey) error {
	if s.group != nil && s.group.key.Equal(key) {
		return fmt.Errorf("%w: %w: the share of participant %d and the group are from different sharings of the key", ErrShare, ErrReshared, s.id)
	}
	return fmt.Errorf("%w: not the share of participant %d", ErrShare, s.id)
}

// Deal splits a private key into n shares, any t of which can sign (the trusted dealer of RFC 9591, appendix C). The
// dealer knows the key, and must wipe it. Send share i to participant i alone, who checks the share with Group.Has. The
// error is ErrThreshold, or p256k1.ErrNoKey for an invalid key. Deal is constant-time.
func Deal(key *p256k1.PrivateKey, t, n int, opts *Options) (*Group, []*Share, error) {
	if err := checkSizes(t, n, opts); err != nil {
		return nil, nil, err
	}
	var one curve.Scalar
	values, err := split(key, one.SetUint64(1), make([]curve.Point, t), n)
	if err != nil {
		return nil, nil, fmt.Errorf("frost: private key: %w", err)
	}
	g := &Group{t: t, key: *key.PublicKey(), shares: make([]p256k1.PublicKey, n)}
	if opts != nil {
		g.opts = *opts
	}
	shares := make([]*Share, n)
	for i, key := range values {
		shares[i] = &Share{uint32(i), key, g}
		g.shares[i] = *key.PublicKey()
	}
	return g, shares, nil
}

// split returns the shares of n participants from a random polynomial whose value at 0 is factor·key, and sets
// commitments to the polynomial's coefficients, multiplied by G. The polynomial has len(commitments) coefficients.
// split is constant-time. The error is p256k1.ErrNoKey.
func split(key *p256k1.PrivateKey, factor *curve.Scalar, commitments []curve.Point, n int) ([]*p256k1.PrivateKey, error) {
	c, values := secret.Make[curve.Scalar](len(commitments)), secret.Make[curve.Scalar](n)
	defer clear(c)
	defer clear(values)
	for i := 1; i < len(c); i++ {
		random, err := p256k1.GenerateKey()
		if err == nil {
			err = random.Use(func(d curve.Scalar) error {
				c[i].Set(&d)
				return nil
			})
			random.Zero()
		}
		if err != nil {
			return nil, err
		}
	}
	if err := key.Use(func(d curve.Scalar) error {
		c[0].Mul(&d, factor)
		for i := range values {
			shamir.Evaluate(&values[i], c, uint32(i))
		}
		curve.ScalarBaseMultBatch(commitments, c)
		return nil
	}); err != nil {
		return nil, err
	}
	keys := make([]*p256k1.PrivateKey, n)
	for i := range keys {
		var err error
		if keys[i], err = p256k1.NewPrivateKey(&values[i]); err != nil { // with a probability of 2⁻²⁵⁶
			return nil, err
		}
	}
	return keys, nil
}

// Signers holds the participants who sign together, and their tweaked key (Signers Context, Tweak Context). Signers are
// immutable, so goroutines may share them. Functions refuse nil and the zero value with p256k1.ErrNoKey.
type Signers struct {
	unstored
	t, n   int
	ids    []uint32
	sorted []byte // the participants' numbers in ascending order, 4 bytes each
	shares []p256k1.PublicKey
	lambda []curve.Scalar

	base    p256k1.PublicKey // the threshold key without tweaks
	key     p256k1.PublicKey
	q       curve.Point  // the point of key, normalized
	gacc    int          // 1 if x-only tweaks have changed the sign an odd number of times
	tacc    curve.Scalar // the sum of the tweaks, with their signs
	tweaked bool
}

// Signers returns the signers with the given numbers, in the given order. The error is ErrSigners if there are fewer
// than t numbers, or if a number is repeated or not below n.
func (g *Group) Signers(ids ...uint32) (*Signers, error) { return g.signers("signers", ids) }

// signers returns the participants with these numbers. list says what they are in error messages.
func (g *Group) signers(list string, ids []uint32) (*Signers, error) {
	if g.isNone() {
		return nil, errGroup()
	}
	shares := make([]*p256k1.PublicKey, len(ids))
	for i, id := range ids {
		shares[i] = g.PublicShare(id)
	}
	return newSigners(list, g.t, len(g.shares), ids, shares, &g.key, &g.opts)
}

// NewSigners returns the signers with the numbers ids, for programs that know only the signers' public shares
// (ValidateSignersCtx). shares[i] is the public share of participant ids[i]. The error is ErrThreshold, ErrSigners,
// p256k1.ErrLength if ids and shares differ in length, p256k1.ErrNoKey for an invalid key or share, or ErrShare if the
// shares do not give the threshold key.
func NewSigners(t, n int, ids []uint32, shares []*p256k1.PublicKey, key *p256k1.PublicKey, opts *Options) (*Signers, error) {
	return newSigners("signers", t, n, ids, shares, key, opts)
}

func newSigners(list string, t, n int, ids []uint32, shares []*p256k1.PublicKey, key *p256k1.PublicKey, opts *Options) (*Signers, error) {
	if err := checkSizes(t, n, opts); err != nil {
		return nil, err
	}
	if err := checkList(list, ids, t, n); err != nil {
		return nil, err
	}
	if len(shares) != len(ids) {
		return nil, fmt.Errorf("frost: %w: %d public shares, want %d, one of each of the %s", p256k1.ErrLength, len(shares), len(ids), list)
	}
	if isUnset(key) {
		return nil, fmt.Errorf("frost: threshold key: %w", p256k1.ErrNoKey)
	}
	s := &Signers{t: t, n: n, ids: slices.Clone(ids), shares: make([]p256k1.PublicKey, len(ids)), base: *key}
	for _, id := range slices.Sorted(slices.Values(ids)) {
		s.sorted = binary.BigEndian.AppendUint32(s.sorted, id)
	}
	s.lambda = shamir.Interpolation(ids)
	points, terms := make([]*curve.Point, len(ids)), make([]*curve.Scalar, len(ids))
	for i, share := range shares {
		if isUnset(share) {
			return nil, fmt.Errorf("frost: public share of participant %d: %w", ids[i], p256k1.ErrNoKey)
		}
		s.shares[i] = *share
		points[i], terms[i] = share.Point(), &s.lambda[i]
	}
	if s.q.MultiScalarMultVartime(terms, points).Equal(key.Point()) != 1 {
		return nil, fmt.Errorf("frost: public shares: %w: they do not give the threshold key", ErrShare)
	}
	return s, s.finish()
}

// checkList returns an error unless ids holds the numbers of t to n different participants of n.
func checkList(list string, ids []uint32, t, n int) error {
	var first error // about a number
	seen := make(map[uint32]bool, len(ids))
	for _, id := range ids {
		switch {
		case first != nil:
		case int64(id) >= int64(n):
			first = errNumber(id, n)
		case seen[id]:
			first = fmt.Errorf("%w: participant %d is repeated", ErrSigners, id)
		}
		seen[id] = true
	}
	switch {
	case len(ids) < t:
		return fmt.Errorf("frost: %w: too few %s: %d, want at least %d", ErrSigners, list, len(ids), t)
	case len(ids) > n: // so a number is not below n or is repeated
		return fmt.Errorf("frost: too many %s: %d, want at most %d: %w", list, len(ids), n, first)
	case first != nil:
		return fmt.Errorf("frost: %w", first)
	}
	return nil
}

// finish normalizes the point q, and sets the public key to it.
func (s *Signers) finish() error {
	key, err := p256k1.NewPublicKey(s.q.NormalizeVartime())
	if err != nil {
		return fmt.Errorf("frost: threshold key: %w", err)
	}
	s.key = *key
	return nil
}

// isNone reports whether s is invalid.
func (s *Signers) isNone() bool { return s == nil || s.t == 0 }

func errSigners() error { return fmt.Errorf("frost: signers: %w: nil or never set", p256k1.ErrNoKey) }

// PublicKey returns the threshold key with all tweaks. Signatures verify with the XOnly form of this key. For signers
// that are nil or zero, PublicKey returns the zero value.
func (s *Signers) PublicKey() *p256k1.PublicKey {
	key := new(p256k1.PublicKey)
	if !s.isNone() {
		*key = s.key
	}
	return key
}

// IDs returns the numbers of the signers, in the order in which functions take nonces and partial signatures.
func (s *Signers) IDs() []uint32 {
	if s.isNone() {
		return nil
	}
	return slices.Clone(s.ids)
}

// index returns the position of participant id among the signers, or −1 if the participant does not sign.
func (s *Signers) index(id uint32) int { return slices.Index(s.ids, id) }

// Tweak returns the signers for the key Q + t·G (ApplyTweak, plain). A tweak should be the hash of a key and of the
// data to which the key commits, because a tweak that others choose freely can be harmful (BIP-445). The error is
// p256k1.ErrLength if t does not have 32 bytes, p256k1.ErrRange if t is not below the group order, or
// p256k1.ErrInfinity if the result is the point at infinity.
func (s *Signers) Tweak(t []byte) (*Signers, error) { return s.tweak(t, false) }

// TweakXOnly returns the signers for the key P + t·G, where P is whichever of Q and −Q has even y, as in BIP-341
// (ApplyTweak, x-only). TweakXOnly returns the same errors as Tweak.
func (s *Signers) TweakXOnly(t []byte) (*Signers, error) { return s.tweak(t, true) }

func (s *Signers) tweak(b []byte, xOnly bool) (*Signers, error) {
	if s.isNone() {
		return nil, errSigners()
	}
	var t, one curve.Scalar
	if _, err := t.SetBytes(b); err != nil {
		return nil, fmt.Errorf("frost: tweak: %w", err)
	}
	next := *s
	next.tweaked = true
	odd := 0
	if xOnly {
		odd = s.q.IsYOdd()
	}
	next.q.CondNegate(&s.q, odd)
	next.q.DoubleScalarBaseMultVartime(one.SetUint64(1), &next.q, &t)
	next.gacc ^= odd
	next.tacc.CondNegate(&s.tacc, odd)
	next.tacc.Add(&next.tacc, &t)
	if err := next.finish(); err != nil {
		return nil, err
	}
	return &next, nil
}
