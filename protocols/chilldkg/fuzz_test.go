package chilldkg

import (
	"bytes"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols"
)

// fixedCeremony runs a session of two participants with known host keys and randomness, up to the coordinator's first
// message.
func fixedCeremony(t testing.TB) (hosts []*p256k1.PrivateKey, params *Params, firsts []ParticipantMessage1, answer CoordinatorMessage1) {
	t.Helper()
	var public []*p256k1.PublicKey
	for i := range byte(2) {
		host, err := p256k1.ParsePrivateKey(bytes.Repeat([]byte{i + 1}, 32))
		if err != nil {
			t.Fatal(err)
		}
		hosts, public = append(hosts, host), append(public, host.PublicKey())
	}
	params, err := NewParams(2, public, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range hosts {
		firsts = append(firsts, firstOf(t, hosts, params, i))
	}
	if _, answer, err = NewCoordinator(params, firsts); err != nil {
		t.Fatal(err)
	}
	return hosts, params, firsts, answer
}

func begun(t testing.TB, hosts []*p256k1.PrivateKey, params *Params, i int) (*Participant, ParticipantMessage1) {
	t.Helper()
	p, first, err := newParticipant(hosts[i], params, &[32]byte{byte(i)})
	if err != nil {
		t.Fatal(err)
	}
	return p, first
}

func firstOf(t testing.TB, hosts []*p256k1.PrivateKey, params *Params, i int) ParticipantMessage1 {
	_, first := begun(t, hosts, params, i)
	return first
}

// seeds adds the message b as a seed, and also changed versions of b: with other lengths, with one flipped bit, and
// with 33 bytes that are 0 or 255.
func seeds(f *testing.F, b []byte) {
	f.Add(b)
	f.Add(b[1:])
	f.Add(append(bytes.Clone(b), 0))
	for i := 0; i < len(b); i += 11 {
		changed := bytes.Clone(b)
		changed[i] ^= 4
		f.Add(changed)
	}
	for i := 0; i+33 <= len(b); i += 33 {
		changed := bytes.Clone(b)
		clear(changed[i : i+33])
		f.Add(changed)
		copy(changed[i:], bytes.Repeat([]byte{255}, 33))
		f.Add(changed)
	}
}

// FuzzFirst gives the coordinator arbitrary bytes as the first message of participant 1. The coordinator must pass the
// parts on unchanged, or blame the participant.
func FuzzFirst(f *testing.F) {
	_, params, firsts, _ := fixedCeremony(f)
	seeds(f, firsts[1])
	f.Fuzz(func(t *testing.T, b []byte) {
		c, answer, err := NewCoordinator(params, []ParticipantMessage1{firsts[0], b})
		var fault *protocols.BlameError
		switch {
		case errors.Is(err, p256k1.ErrLength) && len(b) != len(firsts[1]):
		case errors.As(err, &fault) && suspect(fault) == 1 && !fault.Coordinator && len(b) == len(firsts[1]):
		case errors.Is(err, p256k1.ErrInfinity): // a sum of commitments is infinity, and everybody is suspected
		case err != nil:
			t.Errorf("%x: %v", b, err)
		case len(answer) != params.answerSize() || !bytes.Equal(answer[33:66], b[:33]) || !bytes.Equal(answer[163:227], b[66:130]) ||
			!bytes.Equal(answer[260:293], b[130:163]) || !bytes.Equal(c.messages[1].shares[0].Bytes(), b[163:195]):
			t.Errorf("%x: passed on as %x", b, answer)
		}
	})
}

// FuzzAnswer gives participant 0 arbitrary bytes as the coordinator's first message. The participant must refuse to
// sign if any part of the message is changed, except for two parts: its own proof, and the other participant's
// encrypted share, which the other participant checks.
func FuzzAnswer(f *testing.F) {
	hosts, params, _, answer := fixedCeremony(f)
	seeds(f, answer)
	f.Fuzz(func(t *testing.T, b []byte) {
		p, _ := begun(t, hosts, params, 0)
		_, err := p.Sign(b)
		if len(b) != len(answer) {
			if !errors.Is(err, p256k1.ErrLength) {
				t.Errorf("%d bytes: %v", len(b), err)
			}
			return
		}
		masked := bytes.Clone(b)
		copy(masked[99:163], answer[99:163])
		copy(masked[len(b)-32:], answer[len(b)-32:])
		var fault *protocols.BlameError
		switch signed := err == nil; {
		case signed && !bytes.Equal(masked, answer):
			t.Errorf("signed for %x", b)
		case !signed && bytes.Equal(b, answer):
			t.Error(err)
		case !signed && !errors.As(err, &fault) && !errors.Is(err, ErrUnknownFault):
			t.Errorf("%x: %v blames nobody", b, err)
		case errors.As(err, &fault) && suspect(fault) == 0:
			t.Errorf("%x: %v blames the participant itself", b, err)
		}
		if _, err := p.Sign(answer); !errors.Is(err, ErrStep) {
			t.Errorf("signed again: %v", err)
		}
	})
}

// FuzzInvestigation gives arbitrary bytes as the coordinator's investigation to participant 0, who has received a wrong
// share from participant 1. Participant 0 must never blame itself. Given the correct investigation, it must blame
// participant 1.
func FuzzInvestigation(f *testing.F) {
	hosts, params, firsts, _ := fixedCeremony(f)
	firsts[1][163+31] ^= 1
	c, answer, err := NewCoordinator(params, firsts)
	if err != nil {
		f.Fatal(err)
	}
	message := c.Investigate()[0]
	seeds(f, message)
	f.Fuzz(func(t *testing.T, b []byte) {
		p, _ := begun(t, hosts, params, 0)
		if _, err := p.Sign(answer); !errors.Is(err, ErrUnknownFault) {
			t.Fatal(err)
		}
		err := p.Investigate(b)
		var fault *protocols.BlameError
		switch {
		case len(b) != len(message):
			if !errors.Is(err, p256k1.ErrLength) {
				t.Errorf("%d bytes: %v", len(b), err)
			}
		case !errors.As(err, &fault) || !fault.Coordinator || suspect(fault) == 0:
			t.Errorf("%x: %v", b, err)
		case bytes.Equal(b, message) != (suspect(fault) == 1):
			t.Errorf("%x: %v", b, err)
		}
	})
}

// FuzzRecover checks that only the recovery data of the session is accepted.
func FuzzRecover(f *testing.F) {
	hosts, params, firsts, _ := fixedCeremony(f)
	c, answer, err := NewCoordinator(params, firsts)
	if err != nil {
		f.Fatal(err)
	}
	var seconds []ParticipantMessage2
	for i := range hosts {
		p, _ := begun(f, hosts, params, i)
		second, err := p.sign(answer, new([32]byte))
		if err != nil {
			f.Fatal(err)
		}
		seconds = append(seconds, second)
	}
	_, result, err := c.Finish(seconds)
	if err != nil {
		f.Fatal(err)
	}
	seeds(f, result.Recovery)
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		again, _, err := Recover(hosts[1], b, result.Group)
		if (err == nil) != bytes.Equal(b, result.Recovery) || (err != nil && !errors.Is(err, ErrRecovery)) {
			t.Errorf("%x: %v", b, err)
		}
		if err == nil && !result.Group.Has(again.Share) {
			t.Error("another share")
		}
	})
}
