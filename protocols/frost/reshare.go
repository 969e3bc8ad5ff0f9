package frost

import (
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/internal/shamir"
	"p256k1.mleku.dev/v2/secret"
)

// Resharing shares a key among a new group, which consists of the same participants or of other participants, with any
// threshold. At least as many old participants as are needed to sign take part. Each of them splits its part λᵢ·sᵢ of
// the key into sub-shares, where sᵢ is its share and λᵢ its interpolation factor. Each new participant adds up the
// sub-shares that it receives. New participants need no old share. The method is from Y. Desmedt and S. Jajodia,
// "Redistributing secret shares to new access structures", 1997. The checks are from T. Wong, C. Wang and J. Wing,
// "Verifiable secret redistribution for archive systems", 2002.
//
//  1. Everybody calls NewResharing with the same old signers, t and n.
//  2. Each old signer calls Deal, sends the Dealing to everybody, and sends sub-share j, encrypted, to new participant
//     j alone.
//  3. Everybody calls Group with the same dealings. Whoever distributes the dealings could send different dealings to
//     different participants, so participants must compare the encodings before they continue.
//  4. New participant j calls Share, and makes a backup: the ID and the Bytes of the Key of the new share, in a secret
//     place, and the new Group, which is public. Group.Share restores the share from them.
//  5. When every new participant has a share and a backup, all old participants destroy their old shares, and
//     everything that gives an old share: its backups, the host key of protocols/chilldkg and the host key's backups,
//     and keys that decrypt recorded messages in which shares or sub-shares were sent. Any t old shares are still the
//     key. ChillDKG's recovery data is not secret, so t host keys alone still give the key, until they are destroyed.
//
// The old data restores only an old share, which the new group refuses with ErrReshared or ErrShare. ErrReshared is
// certain if the share came from Deal, Resharing, Repair, Group.Share or protocols/chilldkg.
//
// The transport must say to which resharing a message belongs, because dealings and sub-shares do not. If somebody
// replays the messages of an earlier resharing of the same signers, the participants get the earlier shares again,
// which a thief may have.
//
// The errors of Group and Share name the signers who sent wrong values. The key cannot change, because the parts must
// add up to the old public key. The new shares are not secret from t or more holders of old shares, who can compute the
// key anyway.
type Resharing struct {
	unstored
	old  *Signers
	t, n int
	opts Options
}

// NewResharing returns the resharing of the old signers' key to n participants, any t of whom can sign. The error is
// p256k1.ErrNoKey for invalid signers, ErrTweaked for signers whose key was tweaked, or ErrThreshold.
func NewResharing(old *Signers, t, n int, opts *Options) (*Resharing, error) {
	if old.isNone() {
		return nil, errSigners()
	}
	if old.tweaked {
		return nil, fmt.Errorf("frost: resharing: %w", ErrTweaked)
	}
	if err := checkSizes(t, n, opts); err != nil {
		return nil, err
	}
	r := &Resharing{old: old, t: t, n: n}
	if opts != nil {
		r.opts = *opts
	}
	return r, nil
}

func (r *Resharing) isNone() bool { return r == nil || r.old.isNone() }

func errResharing() error {
	return fmt.Errorf("frost: resharing: %w: nil or never set", p256k1.ErrNoKey)
}

// Dealing is an old signer's message to everybody: the coefficients of the signer's polynomial, multiplied by G.
type Dealing struct{ c []curve.Point }

// ParseDealing returns the dealing that b encodes: t compressed points, 33 bytes each. Every point except the first may
// be infinity, which 33 zeros encode. The error is p256k1.ErrLength, ErrPrefix, ErrRange or ErrNotOnCurve.
func ParseDealing(b []byte) (Dealing, error) {
	if len(b) == 0 || len(b)%33 != 0 {
		return Dealing{}, fmt.Errorf("frost: dealing: %w: %d bytes, want 33 for each coefficient", p256k1.ErrLength, len(b))
	}
	d := Dealing{make([]curve.Point, len(b)/33)}
	for i := range d.c {
		half := b[33*i:][:33]
		if i > 0 && [33]byte(half) == [33]byte{} {
			continue
		}
		if _, err := d.c[i].SetBytes(half); err != nil {
			return Dealing{}, fmt.Errorf("frost: dealing: coefficient %d: %w", i, err)
		}
	}
	return d, nil
}

// Bytes returns the encoding of d, which has 33 bytes for each coefficient.
func (d *Dealing) Bytes() []byte {
	b := make([]byte, 33*len(d.c))
	for i := range d.c {
		copy(b[33*i:], d.c[i].Bytes()) // Bytes of infinity is a single 0
	}
	return b
}

// Deal returns the dealing of an old signer and a sub-share for each new participant. The sub-shares are secret, so
// encrypt each for its participant, for example with protocols/bip324, and wipe them all. If an encryption has no
// forward secrecy, as nostr/nip44 has none, the recipient's key and a recorded message give the sub-share later, so
// that key must be destroyed after the next resharing. Call Deal only once, because a second call makes a dealing for
// another polynomial. Deal is constant-time. The error is p256k1.ErrNoKey, ErrSigners or ErrShare for a share that does
// not belong to an old signer.
func (r *Resharing) Deal(share *Share) (Dealing, []*p256k1.PrivateKey, error) {
	fail := func(err error) (Dealing, []*p256k1.PrivateKey, error) { return Dealing{}, nil, err }
	if r.isNone() {
		return fail(errResharing())
	}
	if _, err := owner(share, r.old); err != nil {
		return fail(err)
	}
	d := Dealing{make([]curve.Point, r.t)}
	subs, err := split(share.key, &r.old.lambda[r.old.index(share.id)], d.c, r.n)
	if err != nil {
		return fail(fmt.Errorf("frost: share: %w", err))
	}
	return d, subs, nil
}

// Group returns the new group, given the dealings of all old signers in the order of the signers. The error is
// p256k1.ErrLength if there are not as many dealings as old signers. A *protocols.BlameError with ErrShare names all
// signers whose dealing does not have t points, or does not split their part of the key. If a new public share is
// infinity, the error is a *protocols.BlameError with p256k1.ErrInfinity. It names all signers whose dealing gives that
// participant the sub-share 0. If there are none, a signer has chosen the dealing after seeing the others, the dealings
// do not show who it was, and the error names all signers. Share can say more, because this signer does not know the
// sub-share that belongs to the dealing.
func (r *Resharing) Group(dealings []Dealing) (*Group, error) {
	sum, err := r.sum(dealings)
	if err != nil {
		return nil, err
	}
	return r.group(sum, dealings)
}

// group returns the new group, given the sum of the dealings' polynomials, multiplied by G.
func (r *Resharing) group(sum []curve.Point, dealings []Dealing) (*Group, error) {
	shares := make([]*p256k1.PublicKey, r.n)
	for i := range shares {
		var err error
		if shares[i], err = p256k1.NewPublicKey(shamir.EvaluatePoints(sum, uint32(i))); err != nil {
			return nil, r.suspects(dealings, uint32(i), err)
		}
	}
	return NewGroup(r.t, &r.old.key, shares, &r.opts)
}

// suspects returns an error that names the signers who may have made the public share of new participant id infinity.
func (r *Resharing) suspects(dealings []Dealing, id uint32, err error) error {
	var all, bad []int
	for i := range dealings {
		all = append(all, i)
		if shamir.EvaluatePoints(dealings[i].c, id).IsInfinity() == 1 {
			bad = append(bad, i)
		}
	}
	if bad == nil {
		bad = all
	}
	return fmt.Errorf("frost: resharing: old signers: %w", blame(r.old.ids, bad,
		fmt.Errorf("public share of new participant %d: %w; a signer has chosen this, perhaps after seeing the other dealings", id, err)))
}

// sum checks the dealings, and returns the coefficients of the sum of their polynomials, multiplied by G.
func (r *Resharing) sum(dealings []Dealing) ([]curve.Point, error) {
	if r.isNone() {
		return nil, errResharing()
	}
	if len(dealings) != len(r.old.ids) {
		return nil, fmt.Errorf("frost: resharing: %w: %d dealings, want %d, one of each old signer", p256k1.ErrLength, len(dealings), len(r.old.ids))
	}
	var bad []int
	sum := make([]curve.Point, r.t)
	for i, d := range dealings {
		var part curve.Point
		part.MultiScalarMultVartime([]*curve.Scalar{&r.old.lambda[i]}, []*curve.Point{r.old.shares[i].Point()})
		if len(d.c) != r.t || d.c[0].Equal(&part) != 1 {
			bad = append(bad, i)
			continue
		}
		for j := range sum {
			sum[j].Add(&sum[j], &d.c[j])
		}
	}
	if bad != nil {
		return nil, fmt.Errorf("frost: resharing: old signers: %w", blame(r.old.ids, bad,
			fmt.Errorf("%w: the dealing does not have %d coefficients, or does not split the signer's part of the key", ErrShare, r.t)))
	}
	curve.NormalizeBatch(sum)
	return sum, nil
}

// Share returns the share of new participant id. dealings holds the dealings of all old signers, and subs holds the
// sub-shares that they sent to this participant, both in the order of the signers. Share is constant-time. Wipe the
// sub-shares afterwards. The error is an error that Group returns, ErrSigners if id is not below n, p256k1.ErrLength if
// there are not as many sub-shares as dealings, or p256k1.ErrFault after a hardware error. A *protocols.BlameError with
// ErrShare names all signers whose sub-share does not belong to their dealing, is nil or was wiped.
func (r *Resharing) Share(id uint32, dealings []Dealing, subs []*p256k1.PrivateKey) (*Share, error) {
	sum, err := r.sum(dealings)
	if err != nil {
		return nil, err
	}
	if int64(id) >= int64(r.n) {
		return nil, fmt.Errorf("frost: resharing: %w", errNumber(id, r.n))
	}
	if len(subs) != len(dealings) {
		return nil, fmt.Errorf("frost: resharing: %w: %d sub-shares, want %d, one of each old signer", p256k1.ErrLength, len(subs), len(dealings))
	}
	var bad []int
	for i, sub := range subs {
		want, err := p256k1.NewPublicKey(shamir.EvaluatePoints(dealings[i].c, id))
		if err != nil || !sub.Equal(sub) || !want.Equal(sub.PublicKey()) {
			bad = append(bad, i)
		}
	}
	if bad != nil {
		return nil, fmt.Errorf("frost: resharing: old signers: %w", blame(r.old.ids, bad,
			fmt.Errorf("%w: the sub-share for participant %d is missing or wiped, or does not belong to the dealing", ErrShare, id)))
	}
	group, err := r.group(sum, dealings)
	if err != nil {
		return nil, err
	}
	key, err := sumOfKeys(subs, r.old.ids)
	if err != nil {
		return nil, fmt.Errorf("frost: resharing: sub-shares: %w", err)
	}
	share := &Share{id, key, group}
	if !group.Has(share) {
		share.Zero()
		return nil, fmt.Errorf("frost: resharing: %w", p256k1.ErrFault)
	}
	return share, nil
}

// sumOfKeys returns the sum of the private keys, which the participants with the numbers ids sent. The error is a
// *protocols.BlameError with p256k1.ErrNoKey that names the senders of all invalid keys.
func sumOfKeys(keys []*p256k1.PrivateKey, ids []uint32) (*p256k1.PrivateKey, error) {
	sum := secret.New[curve.Scalar]()
	defer sum.Zero()
	var bad []int
	for i, key := range keys {
		if key.Use(func(d curve.Scalar) error {
			sum.Add(sum, &d)
			return nil
		}) != nil {
			bad = append(bad, i)
		}
	}
	if bad != nil {
		return nil, blame(ids, bad, p256k1.ErrNoKey)
	}
	return p256k1.NewPrivateKey(sum)
}

// Repair restores the lost share of one participant with the help of t or more other participants, the helpers. The
// helpers learn nothing about the share, and the participant learns nothing about the helpers' shares (T. Laing and D.
// Stinson, "A survey and refinement of repairable threshold schemes", 2018, section 3.1).
//
//  1. Helper i calls Split, and sends part j, encrypted, to helper j.
//  2. Helper j adds the received parts with Add, and sends the sum, encrypted, to the participant.
//  3. The participant calls Share with the sums.
//
// All intermediate secrets are private keys, so that they can be wiped. Share detects a wrong part, but cannot say who
// sent it.
type Repair struct {
	unstored
	group   *Group
	helpers []uint32
	lost    uint32
	lambda  []curve.Scalar
}

// NewRepair returns a Repair by which the helpers restore the share of participant lost. The error is p256k1.ErrNoKey
// for a group that is nil or zero. It is ErrSigners if there are fewer than t helpers, if a helper occurs twice or is
// the participant lost itself, or if lost or a helper is not below n.
func NewRepair(group *Group, helpers []uint32, lost uint32) (*Repair, error) {
	signers, err := group.signers("helpers", helpers)
	if err != nil {
		return nil, err
	}
	if int64(lost) >= int64(len(group.shares)) {
		return nil, fmt.Errorf("frost: repair: lost share: %w", errNumber(lost, len(group.shares)))
	}
	if signers.index(lost) >= 0 {
		return nil, fmt.Errorf("frost: repair: %w: participant %d, whose share is lost, cannot help", ErrSigners, lost)
	}
	return &Repair{group: group, helpers: slices.Clone(helpers), lost: lost, lambda: shamir.InterpolationAt(helpers, lost)}, nil
}

func (r *Repair) isNone() bool { return r == nil || r.group.isNone() }

func errRepair() error { return fmt.Errorf("frost: repair: %w: nil or never set", p256k1.ErrNoKey) }

// Split returns a part for each helper, in the order of the helpers. The sum of the parts is the contribution of share
// to the lost share. Split is constant-time. The error is p256k1.ErrNoKey for an invalid Repair, or ErrShare for a
// share that is nil, was wiped, or does not belong to a helper.
func (r *Repair) Split(share *Share) ([]*p256k1.PrivateKey, error) {
	if r.isNone() {
		return nil, errRepair()
	}
	if key := share.Key(); !key.Equal(key) {
		return nil, fmt.Errorf("frost: repair: %w: nil, wiped or never set", ErrShare)
	}
	i := slices.Index(r.helpers, share.id)
	if i < 0 {
		return nil, fmt.Errorf("frost: repair: %w: participant %d is not one of the helpers %d", ErrShare, share.id, r.helpers)
	}
	if !r.group.Has(share) {
		return nil, fmt.Errorf("frost: repair: %w", share.wrongShare(&r.group.key))
	}
	parts := make([]*p256k1.PrivateKey, len(r.helpers))
	last := secret.New[curve.Scalar]()
	defer last.Zero()
	if err := share.key.Use(func(s curve.Scalar) error {
		last.Mul(&s, &r.lambda[i])
		return nil
	}); err != nil {
		return nil, fmt.Errorf("frost: share: %w", err)
	}
	for j := range parts[1:] {
		random, err := p256k1.GenerateKey()
		if err == nil {
			parts[j] = random
			err = random.Use(func(d curve.Scalar) error {
				last.Sub(last, &d)
				return nil
			})
		}
		if err != nil {
			return nil, err
		}
	}
	var err error
	if parts[len(parts)-1], err = p256k1.NewPrivateKey(last); err != nil { // with a probability of 2⁻²⁵⁶
		return nil, fmt.Errorf("frost: repair: %w", err)
	}
	return parts, nil
}

// Add returns the sum of the parts for one helper, including the helper's own part. The error is p256k1.ErrNoKey for an
// invalid Repair, p256k1.ErrLength if there are not as many parts as helpers, or a *protocols.BlameError with
// p256k1.ErrNoKey that names the parts that are nil or were wiped.
func (r *Repair) Add(parts []*p256k1.PrivateKey) (*p256k1.PrivateKey, error) {
	if r.isNone() {
		return nil, errRepair()
	}
	if len(parts) != len(r.helpers) {
		return nil, fmt.Errorf("frost: repair: %w: %d private keys, want %d, one of each helper", p256k1.ErrLength, len(parts), len(r.helpers))
	}
	sum, err := sumOfKeys(parts, r.helpers)
	if err != nil {
		return nil, fmt.Errorf("frost: repair: %w", err)
	}
	return sum, nil
}

// Share adds the sums from all helpers, and returns the result, which is the lost share. The error is an error that Add
// returns, or ErrShare if the result is not the participant's share.
func (r *Repair) Share(sums []*p256k1.PrivateKey) (*Share, error) {
	key, err := r.Add(sums)
	if err != nil {
		return nil, err
	}
	share := &Share{r.lost, key, r.group}
	if !r.group.Has(share) {
		share.Zero()
		return nil, fmt.Errorf("frost: repair: %w: the sums do not give the share of participant %d", ErrShare, r.lost)
	}
	return share, nil
}
