package chilldkg

import (
	"encoding/binary"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// These are the messages of a session. Their lengths follow from t and n. A participant checks every part of a message,
// except its own proof, which the coordinator sends back, and the shares for other participants, which they check. The
// coordinator checks the encodings of the commitments and shares in a ParticipantMessage1, and the signature in a
// ParticipantMessage2.
type (
	// ParticipantMessage1 is the first message of a participant. It has 33·t + 32·n + 97 bytes.
	ParticipantMessage1 []byte
	// CoordinatorMessage1 is the coordinator's answer to all participants. It has 162·n + 33·(t − 1) bytes.
	CoordinatorMessage1 []byte
	// ParticipantMessage2 is the second message of a participant. It is the participant's part of the certificate, and
	// has 64 bytes.
	ParticipantMessage2 []byte
	// CoordinatorMessage2 is the coordinator's last message to all participants. It is the certificate, and has 64·n
	// bytes.
	CoordinatorMessage2 []byte
	// Investigation is the coordinator's message to one participant who has a wrong share. It has 65·n bytes.
	Investigation []byte
)

// A reader reads the parts of a message, and keeps the first error.
type reader struct {
	b   []byte
	err error
}

// of returns a reader of the message b, which must have n bytes.
func of(what string, b []byte, n int) (*reader, error) {
	if len(b) != n {
		return nil, fmt.Errorf("chilldkg: %s: %w: %d bytes, want %d", what, p256k1.ErrLength, len(b), n)
	}
	return &reader{b: b}, nil
}

// malformed returns an error that wraps the first error, or nil.
func (r *reader) malformed() error {
	if r.err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errMessage, r.err)
}

const forWhom = "encrypted share for participant"

func (r *reader) bytes(n int) []byte {
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// points reads n compressed points. 33 zeros encode infinity, because a participant can choose its points so that a sum
// of points is infinity. name names point i in an error as "name i".
func (r *reader) points(name string, n int) []curve.Point {
	p := make([]curve.Point, n)
	for i := range p {
		b := r.bytes(33)
		if [33]byte(b) == [33]byte{} {
			continue
		}
		if _, err := p[i].SetBytes(b); err != nil && r.err == nil {
			r.err = fmt.Errorf("%s %d: %w", name, i, err)
		}
	}
	return p
}

// scalars reads n scalars of 32 bytes. name names scalar i in an error as "name i".
func (r *reader) scalars(name string, n int) []curve.Scalar {
	s := make([]curve.Scalar, n)
	for i := range s {
		if _, err := s[i].SetBytes(r.bytes(32)); err != nil && r.err == nil {
			r.err = fmt.Errorf("%s %d: %w", name, i, err)
		}
	}
	return s
}

func (r *reader) parts(n, size int) [][]byte {
	parts := make([][]byte, n)
	for i := range parts {
		parts[i] = r.bytes(size)
	}
	return parts
}

func appendPoints(b []byte, points ...curve.Point) []byte {
	curve.NormalizeBatch(points)
	for i := range points {
		if points[i].IsInfinity() == 1 {
			b = append(b, make([]byte, 33)...)
		} else {
			b = append(b, points[i].Bytes()...)
		}
	}
	return b
}

func appendScalars(b []byte, scalars []curve.Scalar) []byte {
	for i := range scalars {
		b = append(b, scalars[i].Bytes()...)
	}
	return b
}

// first is the content of a ParticipantMessage1.
type first struct {
	commitments []curve.Point  // the coefficients of the polynomial, multiplied by G
	proof       []byte         // the proof of possession of the secret
	nonce       []byte         // a public key, which only the other participants check
	shares      []curve.Scalar // the encrypted share for each participant
}

func (p *Params) parseFirst(what string, b ParticipantMessage1) (*first, error) {
	n := len(p.hosts)
	r, err := of(what, b, 33*p.t+32*n+97)
	if err != nil {
		return nil, err
	}
	return &first{r.points("commitment to coefficient", p.t), r.bytes(64), r.bytes(33), r.scalars(forWhom, n)}, r.malformed()
}

// answer is the content of a CoordinatorMessage1.
type answer struct {
	secrets []curve.Point // the commitment of each participant to its secret
	others  []curve.Point // the sums of the other commitments
	proofs  [][]byte
	nonces  [][]byte
	shares  []curve.Scalar // the sum of the encrypted shares for each participant
}

func (p *Params) answerSize() int { return 162*len(p.hosts) + 33*(p.t-1) }

func (p *Params) parseAnswer(b CoordinatorMessage1) (*answer, error) {
	n := len(p.hosts)
	r, err := of("coordinator's first message", b, p.answerSize())
	if err != nil {
		return nil, err
	}
	m := &answer{r.points("commitment of participant", n), r.points("sum of commitments", p.t-1), r.parts(n, 64), r.parts(n, 33), r.scalars(forWhom, n)}
	if r.err != nil {
		return nil, coordinatorFault(r.malformed())
	}
	return m, nil
}

func (m *answer) bytes() CoordinatorMessage1 {
	b := appendPoints(appendPoints(nil, m.secrets...), m.others...)
	for _, proof := range m.proofs {
		b = append(b, proof...)
	}
	for _, nonce := range m.nonces {
		b = append(b, nonce...)
	}
	return appendScalars(b, m.shares)
}

// sum returns the coefficients of the sum of all polynomials, multiplied by G.
func (m *answer) sum() []curve.Point {
	sum := make([]curve.Point, 1+len(m.others))
	for i := range m.secrets {
		sum[0].Add(&sum[0], &m.secrets[i])
	}
	copy(sum[1:], m.others)
	return sum
}

// transcript returns the bytes on which all participants must agree, and which they sign.
func (p *Params) transcript(m *answer) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(p.t))
	b = appendPoints(b, m.sum()...)
	for i := range p.hosts {
		b = append(b, p.hosts[i].Bytes()...)
	}
	for _, nonce := range m.nonces {
		b = append(b, nonce...)
	}
	return appendScalars(b, m.shares)
}
