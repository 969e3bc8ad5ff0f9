package chilldkg

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/frost"
)

// These tests belong to the package itself, because the vectors of ChillDKG fix the randomness, and only unexported
// functions take randomness as an argument.

type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

type vectorParams struct {
	Hosts []hexBytes `json:"hostpubkeys"`
	T     int
}

type output struct {
	Share  hexBytes   `json:"secshare"`
	Key    hexBytes   `json:"threshPk"`
	Shares []hexBytes `json:"pubshares"`
}

// A vector is a test case from one of the vector files.
type vector struct {
	ID       int `json:"tcId"`
	Comment  string
	Host     *hexBytes `json:"hostseckey"`
	Params   *vectorParams
	Random   *hexBytes
	Aux      *hexBytes `json:"auxRand"`
	First    []int     `json:"pmsg1Indices"`
	Answer   hexBytes  `json:"cmsg1"`
	AnswerAt int       `json:"cmsg1Index"`
	Seconds  []int     `json:"pmsg2Indices"`
	Last     hexBytes  `json:"cmsg2"`
	Inquiry  hexBytes  `json:"cinvMsg"`
	Recovery hexBytes  `json:"recoveryData"`

	WantHost    hexBytes   `json:"expectedHostpubkey"`
	WantHash    hexBytes   `json:"expectedParamsHash"`
	WantFirst   hexBytes   `json:"expectedPmsg1"`
	WantAnswer  hexBytes   `json:"expectedCmsg1"`
	WantSecond  hexBytes   `json:"expectedPmsg2"`
	WantInquiry []hexBytes `json:"expectedCinvMsgs"`
	Want        struct {
		Last     hexBytes `json:"cmsg2"`
		Output   output   `json:"dkgOutput"`
		Recovery hexBytes `json:"recoveryData"`
		Params   vectorParams
	} `json:"expectedOutput"`
	Error struct {
		Type        string
		Participant *int `json:"participantId"`
		Second      *int `json:"participantId2"`
	} `json:"expectedError"`
}

type vectorGroup struct {
	vector
	Firsts  []hexBytes `json:"pmsgs1"`
	Pool    []hexBytes `json:"pmsg1Pool"`
	Answers []hexBytes `json:"cmsg1Pool"`
	Second  []hexBytes `json:"pmsg2Pool"`
	First1  hexBytes   `json:"pmsg1"`
	Valid   []vector   `json:"validTestCases"`
	Errors  []vector   `json:"errorTestCases"`
}

// eachCase calls f for each case of a file. For an error case, f returns the error.
func eachCase(t *testing.T, name string, f func(t *testing.T, g *vectorGroup, v *vector) error) {
	var file struct {
		vectorGroup
		Total  int           `json:"totalTests"`
		Groups []vectorGroup `json:"testGroups"`
	}
	vectors.JSON(t, "chilldkg/"+name+"_vectors.json", &file)
	groups, seen := file.Groups, 0
	if groups == nil {
		groups = []vectorGroup{file.vectorGroup}
	}
	for i := range groups {
		g := &groups[i]
		for _, v := range g.Valid {
			seen++
			if err := f(t, g, &v); err != nil {
				t.Errorf("%d, %s: %v", v.ID, v.Comment, err)
			}
		}
		for _, v := range g.Errors {
			seen++
			v.wants(t, f(t, g, &v))
		}
	}
	if seen != file.Total || seen == 0 {
		t.Errorf("%d cases of %d", seen, file.Total)
	}
}

// wants checks the error of an error case, and whom the error suspects.
func (v *vector) wants(t *testing.T, err error) {
	t.Helper()
	var fault *protocols.BlameError
	isFault := errors.As(err, &fault)
	ok := false
	switch who := v.Error.Participant; v.Error.Type {
	case "ValueError":
		ok = err != nil && !isFault
	case "HostSeckeyError":
		ok = errors.Is(err, ErrHostKey) || errors.Is(err, p256k1.ErrRange)
	case "ThresholdOrCountError":
		ok = errors.Is(err, frost.ErrThreshold)
	case "InvalidHostPubkeyError":
		ok = isFault && suspect(fault) == *who
	case "DuplicateHostPubkeyError":
		ok = isFault && suspect(fault) == *v.Error.Second && errors.Is(err, ErrHostKey)
	case "FaultyParticipantError":
		ok = isFault && suspect(fault) == *who && !fault.Coordinator
	case "FaultyParticipantOrCoordinatorError":
		ok = isFault && suspect(fault) == *who && fault.Coordinator
	case "FaultyCoordinatorError":
		ok = isFault && suspect(fault) == -1 && fault.Coordinator
	case "UnknownFaultyParticipantOrCoordinatorError":
		ok = errors.Is(err, ErrUnknownFault) && !isFault
	case "RecoveryDataError":
		ok = errors.Is(err, ErrRecovery)
	case "RandomnessError":
		ok = errors.Is(err, errRandomness)
	}
	if !ok {
		t.Errorf("%d, %s: %v, want %+v", v.ID, v.Comment, err, v.Error)
	}
}

var errRandomness = errors.New("no randomness")

func (p *vectorParams) parse() (*Params, error) {
	hosts := make([]*p256k1.PublicKey, len(p.Hosts))
	for i, b := range p.Hosts {
		hosts[i], _ = p256k1.ParsePublicKey(b) // nil if b is not the encoding of a key
	}
	return NewParams(p.T, hosts, nil)
}

// begin runs participant_step1 with the values of a case. Its group supplies missing values, and a host key of the
// group takes precedence.
func begin(g *vectorGroup, v *vector) (*Participant, ParticipantMessage1, error) {
	host, random, params := v.Host, v.Random, v.Params
	if host == nil || g.Host != nil {
		host = g.Host
	}
	if random == nil {
		random = g.Random
	}
	if params == nil {
		params = g.Params
	}
	key, err := p256k1.ParsePrivateKey(*host)
	if err != nil {
		return nil, nil, err
	}
	p, err := params.parse()
	if err != nil {
		return nil, nil, err
	}
	if len(*random) != 32 {
		return nil, nil, p256k1.ErrLength // cannot occur in NewParticipant, which draws 32 bytes
	}
	if [32]byte(*random) == [32]byte{} {
		return nil, nil, errRandomness // cannot occur in NewParticipant either
	}
	return newParticipant(key, p, (*[32]byte)(*random))
}

func (o *output) is(t *testing.T, v *vector, got *Result) {
	t.Helper()
	if got == nil {
		return
	}
	same := bytes.Equal(got.Group.PublicKey().Bytes(), o.Key) && len(o.Shares) == got.Group.Participants()
	for i, share := range o.Shares {
		same = same && bytes.Equal(got.Group.PublicShare(uint32(i)).Bytes(), share)
	}
	if o.Share == nil {
		same = same && got.Share == nil
	} else {
		same = same && bytes.Equal(got.Share.Key().Bytes(), o.Share) && got.Group.Has(got.Share)
	}
	if !same {
		t.Errorf("%d, %s: another result", v.ID, v.Comment)
	}
}

func equal(t *testing.T, v *vector, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%d, %s: %x, want %x", v.ID, v.Comment, got, want)
	}
}

func TestVectorsParams(t *testing.T) {
	eachCase(t, "hostpubkey_gen", func(t *testing.T, _ *vectorGroup, v *vector) error {
		key, err := p256k1.ParsePrivateKey(*v.Host)
		equal(t, v, key.PublicKey().Bytes(), v.WantHost)
		return err
	})
	eachCase(t, "params_hash", func(t *testing.T, _ *vectorGroup, v *vector) error {
		p, err := v.Params.parse()
		if err == nil {
			sum := p.Hash()
			equal(t, v, sum[:], v.WantHash)
		}
		return err
	})
}

func TestVectorsParticipant(t *testing.T) {
	eachCase(t, "participant_step1", func(t *testing.T, g *vectorGroup, v *vector) error {
		_, message, err := begin(g, v)
		equal(t, v, message, v.WantFirst)
		return err
	})
	sign := func(t *testing.T, g *vectorGroup, v *vector, answer []byte) (*Participant, ParticipantMessage2, error) {
		p, message, err := begin(g, v)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, v, message, g.First1)
		if v.Host != nil { // a host key that differs from the first step's, which cannot occur with a Participant
			key, err := p256k1.ParsePrivateKey(*v.Host)
			if err != nil {
				return nil, nil, err
			}
			_, err = p.params.find(key)
			if err == nil {
				err = ErrHostKey
			}
			return nil, nil, err
		}
		aux := v.Aux
		if aux == nil {
			aux = g.Aux
		}
		if len(*aux) != 32 {
			return nil, nil, p256k1.ErrLength // cannot occur in Sign, which draws 32 bytes
		}
		second, err := p.sign(answer, (*[32]byte)(*aux))
		return p, second, err
	}
	eachCase(t, "participant_step2", func(t *testing.T, g *vectorGroup, v *vector) error {
		_, second, err := sign(t, g, v, v.Answer)
		equal(t, v, second, v.WantSecond)
		return err
	})
	eachCase(t, "participant_finalize", func(t *testing.T, g *vectorGroup, v *vector) error {
		p, _, err := sign(t, g, v, g.Answer)
		if err != nil {
			t.Fatal(err)
		}
		result, err := p.Finish(CoordinatorMessage2(v.Last))
		if err == nil {
			v.Want.Output.is(t, v, result)
			equal(t, v, result.Recovery, v.Want.Recovery)
		}
		return err
	})
	eachCase(t, "participant_investigate", func(t *testing.T, g *vectorGroup, v *vector) error {
		p, _, err := sign(t, g, v, g.Answers[v.AnswerAt])
		if !errors.Is(err, ErrUnknownFault) {
			t.Fatal(err)
		}
		return p.Investigate(Investigation(v.Inquiry))
	})
}

func messages1(all []hexBytes, indexes []int) (list []ParticipantMessage1) {
	for _, i := range indexes {
		list = append(list, ParticipantMessage1(all[i]))
	}
	return list
}

func TestVectorsCoordinator(t *testing.T) {
	eachCase(t, "coordinator_step1", func(t *testing.T, g *vectorGroup, v *vector) error {
		p, err := v.Params.parse()
		if err != nil {
			return err
		}
		_, answer, err := NewCoordinator(p, messages1(g.Pool, v.First))
		equal(t, v, answer, v.WantAnswer)
		return err
	})
	begun := func(t *testing.T, g *vectorGroup) *Coordinator {
		p, err := g.Params.parse()
		if err != nil {
			t.Fatal(err)
		}
		var firsts []ParticipantMessage1
		for _, b := range g.Firsts {
			firsts = append(firsts, ParticipantMessage1(b))
		}
		c, _, err := NewCoordinator(p, firsts)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	eachCase(t, "coordinator_finalize", func(t *testing.T, g *vectorGroup, v *vector) error {
		var seconds []ParticipantMessage2
		for _, i := range v.Seconds {
			seconds = append(seconds, ParticipantMessage2(g.Second[i]))
		}
		last, result, err := begun(t, g).Finish(seconds)
		if err == nil {
			equal(t, v, last, v.Want.Last)
			v.Want.Output.is(t, v, result)
			equal(t, v, result.Recovery, v.Want.Recovery)
		}
		return err
	})
	eachCase(t, "coordinator_investigate", func(t *testing.T, g *vectorGroup, v *vector) error {
		all := begun(t, g).Investigate()
		if len(all) != len(v.WantInquiry) {
			t.Errorf("%d messages", len(all))
		}
		for i, m := range all {
			equal(t, v, m, v.WantInquiry[i])
		}
		return nil
	})
}

func TestVectorsRecover(t *testing.T) {
	eachCase(t, "recover", func(t *testing.T, _ *vectorGroup, v *vector) error {
		var result *Result
		var p *Params
		var err error
		if v.Host == nil {
			result, p, err = RecoverGroup(v.Recovery, nil)
		} else {
			var key *p256k1.PrivateKey
			if key, err = p256k1.ParsePrivateKey(*v.Host); err != nil {
				return err
			}
			if result, _, err = RecoverGroup(v.Recovery, nil); err != nil {
				return err
			}
			result, p, err = Recover(key, v.Recovery, result.Group)
		}
		if err != nil {
			return err
		}
		v.Want.Output.is(t, v, result)
		want, err := v.Want.Params.parse()
		if err != nil || want.Hash() != p.Hash() {
			t.Errorf("%d, %s: other parameters", v.ID, v.Comment)
		}
		return err
	})
}
