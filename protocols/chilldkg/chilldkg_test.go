package chilldkg

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/schnorr"
)

// A ceremony is a session of participants who follow the protocol, after their first messages.
type ceremony struct {
	hosts        []*p256k1.PrivateKey
	params       *Params
	participants []*Participant
	firsts       []ParticipantMessage1
}

func newCeremony(t testing.TB, threshold, n int) *ceremony {
	t.Helper()
	c := new(ceremony)
	var public []*p256k1.PublicKey
	for range n {
		host, err := p256k1.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		c.hosts, public = append(c.hosts, host), append(public, host.PublicKey())
	}
	var err error
	if c.params, err = NewParams(threshold, public, nil); err != nil {
		t.Fatal(err)
	}
	for _, host := range c.hosts {
		p, message, err := NewParticipant(host, c.params)
		if err != nil {
			t.Fatal(err)
		}
		c.participants, c.firsts = append(c.participants, p), append(c.firsts, message)
	}
	return c
}

// finish runs the remaining steps, and returns the results of the participants and of the coordinator.
func (c *ceremony) finish(t testing.TB) ([]*Result, *Result) {
	t.Helper()
	coordinator, answer, err := NewCoordinator(c.params, c.firsts)
	if err != nil {
		t.Fatal(err)
	}
	var seconds []ParticipantMessage2
	for _, p := range c.participants {
		second, err := p.Sign(answer)
		if err != nil {
			t.Fatal(err)
		}
		seconds = append(seconds, second)
	}
	last, result, err := coordinator.Finish(seconds)
	if err != nil {
		t.Fatal(err)
	}
	var results []*Result
	for _, p := range c.participants {
		result, err := p.Finish(last)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, result)
	}
	return results, result
}

// TestSession makes keys and signs with them, recovers every share, and collects acknowledgements.
func TestSession(t *testing.T) {
	for _, sizes := range [][2]int{{1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 5}, {7, 7}, {34, 40}} {
		if sizes[1] > 7 && testing.Short() {
			continue
		}
		c := newCeremony(t, sizes[0], sizes[1])
		results, common := c.finish(t)
		var ids []uint32
		var secrets []*frost.SecretNonce
		var nonces []frost.PublicNonce
		for i, r := range results {
			if !r.Group.PublicKey().Equal(common.Group.PublicKey()) || !common.Group.Has(r.Share) || r.Share.ID() != c.participants[i].ID() ||
				!bytes.Equal(r.Recovery, common.Recovery) {
				t.Fatalf("%v: participant %d has another result", sizes, i)
			}
			if i < sizes[1]-sizes[0] {
				continue // the last t sign
			}
			ids = append(ids, r.Share.ID())
			secret, public, err := frost.NewNonce(r.Share, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			secrets, nonces = append(secrets, secret), append(nonces, public)
		}
		signers, err := common.Group.Signers(ids...)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := frost.AggregateNonces(nonces)
		if err != nil {
			t.Fatal(err)
		}
		session, err := frost.NewSession(signers, sum, []byte("message"))
		if err != nil {
			t.Fatal(err)
		}
		var sigs []frost.PartialSignature
		for i, id := range ids {
			sig, err := session.Sign(secrets[i], results[id].Share)
			if err != nil {
				t.Fatal(err)
			}
			sigs = append(sigs, sig)
		}
		sig, err := session.Combine(sigs, nonces)
		if err != nil || !schnorr.Verify(common.Group.PublicKey().XOnly(), []byte("message"), sig[:]) {
			t.Errorf("%v: %v", sizes, err)
		}
		var acks [][64]byte
		for i, host := range c.hosts {
			r, params, err := Recover(host, common.Recovery, common.Group)
			if err != nil || !r.Share.Key().Equal(results[i].Share.Key()) || params.Hash() != c.params.Hash() {
				t.Errorf("%v: participant %d recovers: %v", sizes, i, err)
			}
			ack, err := Acknowledge(host, c.params, common.Recovery)
			if err != nil {
				t.Fatal(err)
			}
			acks = append(acks, ack)
		}
		if err := VerifyAcknowledgements(c.params, common.Recovery, acks); err != nil {
			t.Errorf("%v: %v", sizes, err)
		}
		acks[sizes[1]-1][40] ^= 1
		wantFault(t, VerifyAcknowledgements(c.params, common.Recovery, acks), sizes[1]-1, false)
		if err := VerifyAcknowledgements(c.params, common.Recovery, acks[1:]); !errors.Is(err, p256k1.ErrLength) {
			t.Errorf("%v, few: %v", sizes, err)
		}
		other := newCeremony(t, sizes[0], sizes[1])
		if err := VerifyAcknowledgements(other.params, common.Recovery, acks); !errors.Is(err, ErrRecovery) {
			t.Errorf("%v, another session: %v", sizes, err)
		}
		if _, _, err := Recover(other.hosts[0], common.Recovery, common.Group); !errors.Is(err, ErrHostKey) {
			t.Errorf("%v, another host: %v", sizes, err)
		}
	}
}

// suspect returns the number of the first participant whom the error suspects, or −1 if it suspects none.
func suspect(e *protocols.BlameError) int {
	if len(e.Participants) == 0 {
		return -1
	}
	return int(e.Participants[0])
}

func wantFault(t *testing.T, err error, participant int, coordinator bool) {
	t.Helper()
	var fault *protocols.BlameError
	if !errors.As(err, &fault) || suspect(fault) != participant || fault.Coordinator != coordinator {
		t.Errorf("%v, want the fault of %d, or the coordinator's %t", err, participant, coordinator)
	}
}

// TestManyProofs changes the proof of the last of many participants.
func TestManyProofs(t *testing.T) {
	c := newCeremony(t, 2, 40)
	c.firsts[39][33*2+63] ^= 1
	_, answer, err := NewCoordinator(c.params, c.firsts)
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, second(c.participants[0].Sign(answer)), 39, true)
}

// TestFlipped flips a bit in each byte of a first message, of the coordinator's answer and of the recovery data, or in
// one byte of seven with -short. No session and no recovery may succeed, and nothing may panic. Errors must suspect
// participant 1 of its first message, and nobody else but the coordinator of an answer.
func TestFlipped(t *testing.T) {
	c := newCeremony(t, 2, 3)
	coordinator, answer, err := NewCoordinator(c.params, c.firsts)
	if err != nil {
		t.Fatal(err)
	}
	// sign lets participant i sign, and investigate a wrong share. A participant signs only once, so each flip needs a
	// new participant with the same first message.
	sign := func(i int, answer CoordinatorMessage1, coordinator *Coordinator) (ParticipantMessage2, error) {
		p := &Participant{params: c.params, id: i, host: c.hosts[i], step: 1, nonce: c.participants[i].nonce}
		p.commitment.Set(&c.participants[i].commitment)
		second, err := p.Sign(answer)
		if errors.Is(err, ErrUnknownFault) {
			err = p.Investigate(coordinator.Investigate()[i])
		}
		return second, err
	}
	for i := range c.hosts {
		if _, err := sign(i, answer, coordinator); err != nil {
			t.Errorf("nothing flipped, participant %d: %v", i, err)
		}
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	for place := 0; place < len(c.firsts[1]); place += step {
		firsts := []ParticipantMessage1{c.firsts[0], bytes.Clone(c.firsts[1]), c.firsts[2]}
		firsts[1][place] ^= 1 << (place % 8)
		coordinator, changed, err := NewCoordinator(c.params, firsts)
		if err != nil {
			wantFault(t, err, 1, false)
			continue
		}
		signed := 0
		for i := range c.hosts {
			_, err := sign(i, changed, coordinator)
			switch {
			case err == nil:
				signed++
			case i == 1: // to which its own message comes back changed
				wantFault(t, err, -1, true)
			default:
				wantFault(t, err, 1, true)
			}
		}
		if signed == 3 {
			t.Errorf("first message, byte %d flipped: all sign", place)
		}
	}
	ownProof := 33*3 + 33*1 // the participant's own proof, which it does not check
	for place := 0; place < len(answer); place += step {
		if place >= ownProof && place < ownProof+64 {
			continue
		}
		changed := bytes.Clone(answer)
		changed[place] ^= 1 << (place % 8)
		second, err := sign(0, changed, coordinator)
		// If only the shares for other participants were changed, the participant signs a different transcript, which
		// the other participants do not sign.
		var fault *protocols.BlameError
		signs := func(answer CoordinatorMessage1) bool {
			return schnorr.Verify(c.params.Host(0).XOnly(), certificateMessage(0, transcriptOf(t, c.params, answer)), second)
		}
		switch {
		case err == nil && (place < len(answer)-64 || !signs(changed) || signs(answer)):
			t.Errorf("answer, byte %d flipped: signed", place)
		case err != nil && (!errors.As(err, &fault) || !fault.Coordinator || suspect(fault) == 0):
			t.Errorf("answer, byte %d flipped: %v", place, err)
		}
	}
	results, common := c.finish(t)
	for place := 0; place < len(common.Recovery); place += step {
		changed := bytes.Clone(common.Recovery)
		changed[place] ^= 1 << (place % 8)
		for i, host := range c.hosts {
			if _, _, err := Recover(host, changed, common.Group); !errors.Is(err, ErrRecovery) {
				t.Errorf("recovery data, byte %d flipped, participant %d: %v", place, i, err)
			}
		}
		if place%7 == 0 || step > 1 {
			if _, _, err := RecoverGroup(common.Recovery[:place], nil); !errors.Is(err, ErrRecovery) {
				t.Errorf("recovery data, %d bytes: %v", place, err)
			}
		}
	}
	if results[0].Share.ID() != 0 {
		t.Error("another participant's share")
	}
	share := must(p256k1.ParsePrivateKey(results[0].Share.Key().Bytes()))
	c.participants[0].Zero()
	if share.Equal(results[0].Share.Key()) {
		t.Error("Zero does not wipe the share")
	}
}

// TestInfinity lets participant 1 choose commitments after seeing the message of participant 0, so that the threshold
// key or the public share of participant 0 becomes infinity. The coordinator names participant 1 if its proof of
// possession is invalid, because it does not know its secret, and otherwise both participants.
func TestInfinity(t *testing.T) {
	c := newCeremony(t, 2, 2)
	parse := func(i int) *first { return must(c.params.parseFirst("", c.firsts[i])) }
	honest := parse(0)
	for what, try := range map[string]struct {
		change func(m *first)
		want   []uint32
		text   string
	}{
		"threshold key": {func(m *first) {
			m.commitments[0].Negate(&honest.commitments[0])
		}, []uint32{1}, "participant 1: threshold key: "},
		"public share": {func(m *first) {
			sum := (&answer{secrets: []curve.Point{honest.commitments[0], m.commitments[0]}}).sum()
			must(tweak(sum)) // f(1) = 0 if the coefficients of the sum are c and −c
			m.commitments[1].Add(&honest.commitments[1], &sum[0])
			m.commitments[1].Negate(&m.commitments[1])
		}, []uint32{0, 1}, "participants 0 and 1: public share of participant 0: "},
		"known secrets": {func(m *first) {
			secret, d := must(p256k1.GenerateKey()), new(curve.Scalar)
			for i, key := range []*p256k1.PrivateKey{secret, secret.Negate()} {
				b, proof := new([64]byte), []*first{honest, m}[i]
				if err := prove(b, key, i, new([32]byte)); err != nil {
					t.Fatal(err)
				}
				d = must(key.Scalar())
				proof.proof = b[:]
				proof.commitments[0].ScalarBaseMult(d)
			}
		}, []uint32{0, 1}, "participants 0 and 1: threshold key: "},
	} {
		honest = parse(0)
		chosen := parse(1)
		try.change(chosen)
		var firsts []ParticipantMessage1
		for _, m := range []*first{honest, chosen} {
			b := append(appendPoints(nil, m.commitments...), m.proof...)
			firsts = append(firsts, appendScalars(append(b, m.nonce...), m.shares))
		}
		_, _, err := NewCoordinator(c.params, firsts)
		var fault *protocols.BlameError
		if !errors.As(err, &fault) || !slices.Equal(fault.Participants, try.want) || fault.Coordinator || !errors.Is(err, p256k1.ErrInfinity) ||
			!strings.HasPrefix(err.Error(), "chilldkg: "+try.text) {
			t.Errorf("%s: %v, want blame for %d", what, err, try.want)
		}
	}
	if b := appendPoints(nil, make([]curve.Point, 2)...); !bytes.Equal(b, make([]byte, 66)) {
		t.Errorf("infinity is encoded as %x", b)
	}
	// The reference checks that s·G − e·P = R for the proof of participant 0, where P and R have even y.
	own := parse(0)
	proof, x := own.proof, must(own.commitments[0].BytesX())
	hash := oracle.TaggedHash("BIP DKG/pop message/challenge", proof[:32], x, []byte{0, 0, 0, 0})
	even, _ := oracle.LiftX(oracle.Int(x))
	want, _ := oracle.LiftX(oracle.Int(proof[:32]))
	if !oracle.G.Mul(oracle.Int(proof[32:])).Equal(want.Add(even.Mul(oracle.Fn.Reduce(oracle.Int(hash[:]))))) {
		t.Errorf("%x is not the proof", proof)
	}
	// Everybody can prove the possession of the secret 0.
	var e, k curve.Scalar
	var r curve.Point
	k.CondNegate(&k, r.ScalarBaseMult(k.SetUint64(7)).Normalize().IsYOdd())
	if proves(append(must(r.BytesX()), k.Bytes()...), new(curve.Point), 1) {
		t.Error("infinity has a proof of possession")
	}
	// Participant 0 signs no answer in which the threshold key, or the public share of participant 1, is infinity. All
	// secrets are known here. The polynomial is a + b·x, and the places are x = 1 and x = 2.
	var a, b, half curve.Scalar
	a.SetUint64(5)
	half.Invert(half.SetUint64(2))
	for what, other := range map[string]int{"threshold key": 0, "public share": 1} {
		m := must(c.params.parseAnswer(must3(NewCoordinator(c.params, c.firsts))))
		p := &Participant{params: c.params, id: 0, host: c.hosts[0], step: 1, nonce: m.nonces[0]}
		p.commitment.ScalarBaseMult(&a)
		m.secrets[0].Set(&p.commitment)
		e.SetUint64(uint64(7 * other))
		if other == 0 {
			e.Negate(&a)
		}
		proof := new([64]byte)
		if err := prove(proof, must(p256k1.NewPrivateKey(&e)), 1, new([32]byte)); err != nil {
			t.Fatal(err)
		}
		m.proofs[1] = proof[:]
		m.secrets[1].ScalarBaseMult(&e)
		if other == 1 {
			e.Add(&e, &a)
			e.Add(&e, must(tweak(m.sum())))
			b.Negate(b.Mul(&e, &half)) // a + t + 2·b = 0
			m.others[0].ScalarBaseMult(&b)
			m.shares[0].Add(&a, &b)
			m.shares[0].Add(&m.shares[0], k.SetUint64(7))
			for _, pad := range must(pads(p.host, p.params, 0, m.nonces)) {
				m.shares[0].Add(&m.shares[0], &pad)
			}
		}
		if _, err := p.Sign(m.bytes()); !errors.Is(err, p256k1.ErrInfinity) || !strings.HasPrefix(err.Error(), "chilldkg: "+what) || p.step != 0 {
			t.Errorf("an answer with the %s at infinity: %v", what, err)
		}
	}
}

func must3[A, B any](_ A, v B, err error) B { return must(v, err) }

func transcriptOf(t *testing.T, p *Params, answer CoordinatorMessage1) []byte {
	m, err := p.parseAnswer(answer)
	if err != nil {
		t.Fatal(err)
	}
	return p.transcript(m)
}

// TestSteps takes steps twice, too early, and concurrently.
func TestSteps(t *testing.T) {
	c := newCeremony(t, 2, 2)
	p := c.participants[0]
	if _, err := p.Finish(make([]byte, 128)); !errors.Is(err, ErrStep) {
		t.Errorf("finished at once: %v", err)
	}
	if err := p.Investigate(nil); !errors.Is(err, ErrStep) {
		t.Errorf("investigated at once: %v", err)
	}
	if _, err := p.Sign(nil); !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("nil: %v", err)
	}
	coordinator, answer, err := NewCoordinator(c.params, c.firsts)
	if err != nil {
		t.Fatal(err)
	}
	var signed atomic.Int32
	var goroutines sync.WaitGroup
	for range 8 {
		goroutines.Go(func() {
			if _, err := p.Sign(answer); err == nil {
				signed.Add(1)
			} else if !errors.Is(err, ErrStep) {
				t.Error(err)
			}
		})
	}
	goroutines.Wait()
	if signed.Load() != 1 {
		t.Errorf("signed %d times", signed.Load())
	}
	wrong := bytes.Clone(answer)
	wrong[len(wrong)-1] ^= 1
	if _, err := c.participants[1].Sign(wrong); !errors.Is(err, ErrUnknownFault) {
		t.Errorf("a wrong share: %v", err)
	}
	if _, err := c.participants[1].Sign(answer); !errors.Is(err, ErrStep) {
		t.Errorf("signed after a wrong share: %v", err)
	}
	c.participants[1].Zero()
	// Without its pads, the participant would blame participant 0.
	if err := c.participants[1].Investigate(coordinator.Investigate()[1]); !errors.Is(err, ErrStep) {
		t.Errorf("investigated after Zero: %v", err)
	}
	for _, p := range []*Participant{nil, {}} {
		_, sign := p.Sign(answer)
		_, finish := p.Finish(nil)
		p.Zero()
		if !errors.Is(sign, ErrStep) || !errors.Is(finish, ErrStep) || !errors.Is(p.Investigate(nil), ErrStep) || p.ID() != 0 {
			t.Errorf("no participant: %v, %v", sign, finish)
		}
	}
	for _, c := range []*Coordinator{nil, {}} {
		if _, _, err := c.Finish(nil); !errors.Is(err, p256k1.ErrNoKey) || len(c.Investigate()) != 0 {
			t.Errorf("no coordinator: %v", err)
		}
	}
	if _, _, err := NewParticipant(c.hosts[0], nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("no parameters: %v", err)
	}
	if _, _, err := NewParticipant(nil, c.params); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("no host key: %v", err)
	}
	late, _, err := NewParticipant(c.hosts[0], c.params)
	if err != nil {
		t.Fatal(err)
	}
	c.hosts[0].Zero()
	late.nonce = must(c.params.parseAnswer(answer)).nonces[0]
	if _, err := late.Sign(answer); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("signed with a wiped host key: %v", err)
	}
	if _, err := Acknowledge(c.hosts[0], c.params, nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("acknowledged with a wiped host key: %v", err)
	}
}
