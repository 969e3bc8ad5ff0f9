package chilldkg

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/internal/shamir"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/secret"
)

var (
	seedTag         = schnorr.NewTag("BIP DKG/encpedpop seed")
	auxTag          = schnorr.NewTag("BIP DKG/simplpedpop aux")
	nonceTag        = schnorr.NewTag("BIP DKG/encpedpop secnonce")
	coefficientsTag = schnorr.NewTag("BIP DKG/vss coeffs")
	ecdhTag         = schnorr.NewTag("BIP DKG/encpedpop ecdh")
	selfTag         = schnorr.NewTag("BIP DKG/encaps_multi self_pad")
	tweakTag        = schnorr.NewTag("TapTweak")
)

// Result is the result of a session.
type Result struct {
	Group *frost.Group
	// Share is the participant's share. It is nil for the coordinator.
	Share *frost.Share
	// Recovery is the recovery data, from which Recover computes the result again with the host key. It is not secret.
	// After a resharing it gives only the old shares, and t host keys with it still give the key.
	Recovery []byte
}

// Participant is one participant of one session. Each step can be taken only once, and the steps must be taken in
// order. Goroutines may share a Participant. Participants come from NewParticipant: the steps of nil and of the zero
// value fail with ErrStep.
type Participant struct {
	unstored
	hidden
	mu     sync.Mutex
	params *Params
	id     int
	host   *p256k1.PrivateKey
	step   int // 1 or 2 after that message, 3 after the end, and 0 after Sign has refused a message

	// The following fields belong to the first message.
	commitment curve.Point // to the secret
	nonce      []byte
	// The following fields belong to the second message.
	transcript []byte
	group      *frost.Group
	share      *frost.Share
	// wrong is set if the share was wrong.
	wrong *wrongShare
}

// hidden is embedded in Participant, because package fmt shows the share, to which a pointer in an unexported field
// points, if the verb does not fit a pointer.
type hidden struct{}

// Format writes a placeholder instead of the participant's secrets.
func (hidden) Format(f fmt.State, _ rune) { f.Write([]byte("chilldkg.Participant(secret)")) }

// wrongShare holds the values that Investigate needs. Only the pads are secret.
type wrongShare struct {
	encrypted curve.Scalar
	pads      []curve.Scalar
	public    curve.Point
}

// NewParticipant begins a session for the owner of a host key, and returns the first message for the coordinator. The
// participant uses the host key until the end of the session, and Recover needs it later. NewParticipant is
// constant-time. The error is p256k1.ErrNoKey for an invalid host key, or for parameters that are nil or zero, or
// ErrHostKey.
func NewParticipant(host *p256k1.PrivateKey, params *Params) (*Participant, ParticipantMessage1, error) {
	var random [32]byte
	rand.Read(random[:]) // never fails
	return newParticipant(host, params, &random)
}

// dealt holds the secrets of the first step.
type dealt struct {
	aux, nonce   [32]byte
	coefficients []curve.Scalar
	shares       []curve.Scalar
}

func (s *dealt) zero() {
	clear(s.aux[:])
	clear(s.nonce[:])
	clear(s.coefficients)
	clear(s.shares)
}

// newParticipant implements NewParticipant with the given randomness.
func newParticipant(host *p256k1.PrivateKey, params *Params, random *[32]byte) (*Participant, ParticipantMessage1, error) {
	id, err := params.find(host)
	if err != nil {
		return nil, nil, err
	}
	n, context := len(params.hosts), params.context()
	s := secret.New[dealt]()
	s.coefficients, s.shares = secret.Make[curve.Scalar](params.t), secret.Make[curve.Scalar](n)
	defer s.zero()
	commitments := make([]curve.Point, params.t)
	if err := host.Use(func(d curve.Scalar) error {
		b := d.Bytes()
		seed := seedTag.Sum(b, random[:], context)
		s.aux, s.nonce = auxTag.Sum(seed[:]), nonceTag.Sum(seed[:])
		for i := range s.coefficients {
			sum := coefficientsTag.Sum(seed[:], binary.BigEndian.AppendUint32(nil, uint32(i)))
			if _, err := s.coefficients[i].SetBytes(sum[:]); err != nil {
				return err // with a probability of 2⁻¹²⁸
			}
		}
		for i := range s.shares {
			shamir.Evaluate(&s.shares[i], s.coefficients, uint32(i))
		}
		curve.ScalarBaseMultBatch(commitments, s.coefficients)
		clear(b)
		return nil
	}); err != nil {
		return nil, nil, fmt.Errorf("chilldkg: first step: %w", err)
	}
	key, err := p256k1.NewPrivateKey(&s.coefficients[0])
	if err != nil {
		return nil, nil, fmt.Errorf("chilldkg: first step: %w", err) // with a probability of 2⁻²⁵⁶
	}
	defer key.Zero()
	nonce, err := p256k1.ParsePrivateKey(s.nonce[:])
	if err != nil {
		return nil, nil, fmt.Errorf("chilldkg: first step: %w", err) // with a probability of 2⁻¹²⁸
	}
	defer nonce.Zero()
	var proof [64]byte
	if err := prove(&proof, key, id, &s.aux); err != nil {
		return nil, nil, fmt.Errorf("chilldkg: proof of possession: %w", err)
	}
	p := &Participant{params: params, id: id, host: host, step: 1, nonce: nonce.PublicKey().Bytes()}
	p.commitment.Set(&commitments[0])
	encrypted := secret.Make[curve.Scalar](n)
	for i := range encrypted {
		pad := &encrypted[i]
		if i == id {
			err = selfPad(pad, host, p.nonce, i, context)
		} else {
			their := params.hosts[i].Bytes()
			err = sharedPad(pad, nonce, params.hosts[i].Point(), p.nonce, their, i, context)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("chilldkg: encryption: %w", err)
		}
		pad.Add(pad, &s.shares[i])
	}
	message := append(appendPoints(nil, commitments...), proof[:]...)
	message = append(message, p.nonce...)
	return p, appendScalars(message, encrypted), nil
}

// selfPad sets pad to the scalar that encrypts the participant's share for itself. The scalar is derived from the host
// key and the public nonce.
func selfPad(pad *curve.Scalar, host *p256k1.PrivateKey, nonce []byte, id int, context []byte) error {
	return host.Use(func(d curve.Scalar) error {
		b := d.Bytes()
		sum := selfTag.Sum(b, nonce, binary.BigEndian.AppendUint32(nil, uint32(id)), context)
		pad.SetBytesReduced(&sum)
		clear(b)
		return nil
	})
}

// sharedPad sets pad to the scalar that encrypts the share for participant id. The scalar is a hash of the ECDH point
// of key and their, and of the public keys of the sender and the recipient.
func sharedPad(pad *curve.Scalar, key *p256k1.PrivateKey, their *curve.Point, sender, recipient []byte, id int, context []byte) error {
	return key.Use(func(d curve.Scalar) error {
		var shared curve.Point
		b := shared.ScalarMult(&d, their).Normalize().Bytes()
		hash := sha256.Sum256(b)
		sum := ecdhTag.Sum(hash[:], sender, recipient, binary.BigEndian.AppendUint32(nil, uint32(id)), context)
		pad.SetBytesReduced(&sum)
		clear(b)
		shared.Zero()
		return nil
	})
}

// pads returns the scalars that encrypt the shares from all participants for participant id.
func pads(host *p256k1.PrivateKey, params *Params, id int, nonces [][]byte) ([]curve.Scalar, error) {
	context, own := params.context(), params.hosts[id].Bytes()
	all := secret.Make[curve.Scalar](len(nonces))
	fail := func(err error) ([]curve.Scalar, error) {
		clear(all)
		return nil, err
	}
	for i, nonce := range nonces {
		var err error
		if i == id {
			err = selfPad(&all[i], host, nonce, id, context)
		} else {
			var their curve.Point
			if _, err := their.SetBytes(nonce); err != nil {
				return fail(eitherFault(i, fmt.Errorf("%w: %w", errNonce, err)))
			}
			err = sharedPad(&all[i], host, &their, nonce, own, id, context)
		}
		if err != nil {
			return fail(fmt.Errorf("chilldkg: decryption: %w", err))
		}
	}
	return all, nil
}

// chosen says in error messages why a sum of points is infinity.
const chosen = "; somebody has chosen a message after seeing the other messages"

// tweak tweaks the threshold key sum[0] so that it commits to no script (BIP-341), and returns the tweak.
func tweak(sum []curve.Point) (*curve.Scalar, error) {
	x, err := sum[0].NormalizeVartime().BytesX()
	if err != nil {
		return nil, fmt.Errorf("threshold key: %w%s", err, chosen)
	}
	hash := tweakTag.Sum(x)
	t := new(curve.Scalar)
	if _, err := t.SetBytes(hash[:]); err != nil {
		return nil, fmt.Errorf("tweak: %w", err) // with a probability of 2⁻¹²⁸
	}
	var point curve.Point
	sum[0].Add(&sum[0], point.ScalarBaseMult(t)).NormalizeVartime()
	return t, nil
}

// groupOf returns the group whose public shares lie on the tweaked sum of all polynomials. sum holds the coefficients
// of this sum, multiplied by G.
func (p *Params) groupOf(sum []curve.Point) (*frost.Group, error) {
	key, err := p256k1.NewPublicKey(&sum[0])
	if err != nil {
		return nil, fmt.Errorf("threshold key: %w%s", err, chosen)
	}
	shares := make([]*p256k1.PublicKey, len(p.hosts))
	for i := range shares {
		if shares[i], err = p256k1.NewPublicKey(shamir.EvaluatePoints(sum, uint32(i))); err != nil {
			return nil, fmt.Errorf("public share of participant %d: %w%s", i, err, chosen)
		}
	}
	return frost.NewGroup(p.t, key, shares, &p.opts)
}

// open decrypts the sum of the encrypted shares for participant id, adds the tweak, and returns the participant's
// share.
func (p *Params) open(id int, encrypted *curve.Scalar, pads []curve.Scalar, tweak *curve.Scalar) (*frost.Share, error) {
	share := secret.New[curve.Scalar]()
	defer share.Zero()
	share.Add(encrypted, tweak)
	for i := range pads {
		share.Sub(share, &pads[i])
	}
	key, err := p256k1.NewPrivateKey(share)
	if err != nil {
		return nil, err
	}
	return frost.NewShare(uint32(id), key)
}

// ID returns the participant's number, which is the position of its host key in the parameters, or 0 for nil.
func (p *Participant) ID() uint32 {
	if p == nil {
		return 0
	}
	return uint32(p.id)
}

// Sign takes the coordinator's first message, checks the participant's share, and returns the participant's part of the
// certificate (participant_step2). It handles secrets in constant time. The error is
//
//   - p256k1.ErrLength for a message of another length,
//   - a *protocols.BlameError that says whom to suspect,
//   - ErrUnknownFault for a wrong share,
//   - p256k1.ErrInfinity if the threshold key or a public share is infinity,
//   - p256k1.ErrNoKey if the host key was wiped, or
//   - ErrStep after Zero, or if a message of the right length was passed to Sign before.
//
// Once the result is sent, keep the host key even if the session seems to fail. The other participants may already use
// the new key, and then this participant's share can be recovered only with the host key. Destroy the host key after a
// resharing.
func (p *Participant) Sign(message CoordinatorMessage1) (ParticipantMessage2, error) {
	var aux [32]byte
	rand.Read(aux[:]) // never fails
	return p.sign(message, &aux)
}

func (p *Participant) sign(message CoordinatorMessage1, aux *[32]byte) (ParticipantMessage2, error) {
	if p == nil {
		return nil, fmt.Errorf("chilldkg: signing: %w", ErrStep)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.step != 1 {
		return nil, fmt.Errorf("chilldkg: signing: %w", ErrStep)
	}
	if len(message) == p.params.answerSize() {
		p.step = 0 // even for an invalid message, so that a coordinator cannot try many messages
	}
	m, err := p.params.parseAnswer(message)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(m.nonces[p.id], p.nonce) != 1 {
		return nil, coordinatorFault(fmt.Errorf("%w: participant %d has sent another", errNonce, p.id))
	}
	pads, err := pads(p.host, p.params, p.id, m.nonces)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p.wrong == nil {
			clear(pads)
		}
	}()
	if m.secrets[p.id].Equal(&p.commitment) != 1 {
		return nil, coordinatorFault(fmt.Errorf("%w: participant %d has sent another", errProof, p.id))
	}
	for i := range m.secrets {
		if i != p.id && !proves(m.proofs[i], &m.secrets[i], i) {
			return nil, eitherFault(i, errProof)
		}
	}
	sum := m.sum()
	t, err := tweak(sum)
	if err != nil {
		return nil, fmt.Errorf("chilldkg: %w", err)
	}
	share, err := p.params.open(p.id, &m.shares[p.id], pads, t)
	defer func() {
		if p.share == nil {
			share.Zero()
		}
	}()
	public := shamir.EvaluatePoints(sum, uint32(p.id))
	if err != nil || share.Public().Point().Equal(public) != 1 {
		p.wrong = newWrongShare(&m.shares[p.id], pads, public, t)
		return nil, fmt.Errorf("chilldkg: %w", ErrUnknownFault)
	}
	group, err := p.params.groupOf(sum)
	if err == nil {
		share, err = group.Share(uint32(p.id), share.Key())
	}
	if err != nil {
		return nil, fmt.Errorf("chilldkg: %w", err)
	}
	transcript := p.params.transcript(m)
	sig, err := schnorr.Sign(p.host, certificateMessage(p.id, transcript), &schnorr.Options{AuxRand: aux})
	if err != nil {
		return nil, fmt.Errorf("chilldkg: host key: %w", err)
	}
	p.group, p.share, p.transcript, p.step = group, share, transcript, 2
	return sig[:], nil
}

// newWrongShare returns the values that Investigate needs. It removes the tweak t from the public share.
func newWrongShare(encrypted *curve.Scalar, pads []curve.Scalar, public *curve.Point, t *curve.Scalar) *wrongShare {
	w := &wrongShare{pads: pads}
	w.encrypted.Set(encrypted)
	var point curve.Point
	w.public.Sub(public, point.ScalarBaseMult(t))
	return w
}

// certificateMessage returns the message that participant id signs to certify a transcript.
func certificateMessage(id int, transcript []byte) []byte {
	return signedMessage("BIP DKG/certeq message", id, transcript)
}

// signedMessage returns the message that a participant signs. It consists of a prefix, padded to 33 bytes as BIP-340
// recommends, the number of the participant, and x.
func signedMessage(prefix string, id int, x []byte) []byte {
	b := make([]byte, 33, 33+4+len(x))
	copy(b, prefix)
	return append(binary.BigEndian.AppendUint32(b, uint32(id)), x...)
}

// verifyCertificate returns the number of the first participant whose signature is invalid, or −1 if all signatures are
// valid.
func (p *Params) verifyCertificate(transcript, certificate []byte) int {
	var batch schnorr.Batch
	for i := range p.hosts {
		// The x-only key suffices, because the transcript contains the whole host key, including the parity of y.
		batch.Add(p.hosts[i].XOnly().Bytes(), certificateMessage(i, transcript), certificate[64*i:][:64])
	}
	if bad := batch.Invalid(nil); len(bad) > 0 {
		return bad[0]
	}
	return -1
}

// Finish takes the certificate and returns the result of the session (participant_finalize). The error is
// p256k1.ErrLength for a message of another length, a *protocols.BlameError for an invalid certificate, or ErrStep.
// After a *protocols.BlameError, Finish still accepts a valid certificate.
//
// An error does not mean that the session has failed for the other participants: see the package comment.
func (p *Participant) Finish(message CoordinatorMessage2) (*Result, error) {
	if p == nil {
		return nil, fmt.Errorf("chilldkg: finishing: %w", ErrStep)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.step != 2 {
		return nil, fmt.Errorf("chilldkg: finishing: %w", ErrStep)
	}
	if n := 64 * len(p.params.hosts); len(message) != n {
		return nil, fmt.Errorf("chilldkg: coordinator's second message: %w: %d bytes, want %d", p256k1.ErrLength, len(message), n)
	}
	if bad := p.params.verifyCertificate(p.transcript, message); bad >= 0 {
		return nil, coordinatorFault(fmt.Errorf("certificate: participant %d: %w", bad, errSign))
	}
	p.step = 3
	return &Result{p.group, p.share, append(bytes.Clone(p.transcript), message...)}, nil
}

// Investigate takes the message that the coordinator sent after Sign returned ErrUnknownFault, and returns a
// *protocols.BlameError that says whom to suspect (participant_investigate). The error is p256k1.ErrLength for a
// message of another length, ErrStep if the participant's share was not wrong or if Zero was called, or p256k1.ErrFault
// if all shares in the message are correct, which only a hardware error can cause.
func (p *Participant) Investigate(message Investigation) error {
	if p == nil {
		return fmt.Errorf("chilldkg: investigation: %w", ErrStep)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.wrong
	if w == nil {
		return fmt.Errorf("chilldkg: investigation: %w", ErrStep)
	}
	n := len(p.params.hosts)
	r, err := of("investigation", message, 65*n)
	if err != nil {
		return err
	}
	shares, publics := r.scalars("encrypted share from participant", n), r.points("public share from participant", n)
	defer clear(shares)
	if r.err != nil {
		return coordinatorFault(r.malformed())
	}
	var public curve.Point
	encrypted := new(curve.Scalar)
	for i := range shares {
		public.Add(&public, &publics[i])
		encrypted.Add(encrypted, &shares[i])
		shares[i].Sub(&shares[i], &w.pads[i])
	}
	if public.Equal(&w.public) != 1 {
		return coordinatorFault(fmt.Errorf("%w: the sum of the public shares is wrong", errShare))
	}
	if encrypted.Equal(&w.encrypted) != 1 {
		return coordinatorFault(fmt.Errorf("%w: the sum of the encrypted shares is wrong", errShare))
	}
	points := make([]curve.Point, n)
	curve.ScalarBaseMultBatch(points, shares)
	for i := range points {
		switch {
		case points[i].Equal(&publics[i]) == 1:
		case i == p.id:
			return coordinatorFault(fmt.Errorf("%w: the share of participant %d for itself", errShare, i))
		default:
			return eitherFault(i, fmt.Errorf("%w: its share for participant %d", errShare, p.id))
		}
	}
	return fmt.Errorf("chilldkg: investigation: %w", p256k1.ErrFault) // the sum of correct shares is correct
}

// Zero wipes the participant's secrets of the session, including the share that Finish returned, and ends the session.
// It does not wipe the host key.
func (p *Participant) Zero() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wrong != nil {
		clear(p.wrong.pads)
		p.wrong = nil
	}
	if p.share != nil {
		p.share.Zero()
	}
	p.step = 3
}
