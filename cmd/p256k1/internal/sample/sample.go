// Package sample makes sample lines for package check, signed with throw-away keys.
package sample

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// Kind is a kind of line that package check recognizes, or a mixture of such kinds.
type Kind string

// These are the kinds of lines.
const (
	Nostr   Kind = "nostr"   // events
	ECDSA   Kind = "ecdsa"   // rows
	Schnorr Kind = "schnorr" // rows
	Mixed   Kind = "mixed"   // one of these kinds at random

	Recoverable Kind = "recoverable" // rows
)

// Kinds lists all kinds.
var Kinds = []Kind{Nostr, ECDSA, Schnorr, Mixed, Recoverable}

// Options say which lines to make.
type Options struct {
	Lines int64
	Bad   int64 // number of bad lines, which are spread evenly
	Kind  Kind
	Seed  [32]byte // determines all random choices

	Progress func(lines int64) // is called after every few lines, unless it is nil
}

// Write writes lines to w. The error is the error of w or of ctx.
func Write(ctx context.Context, w io.Writer, o Options) error {
	out := bufio.NewWriter(w)
	m := maker{rng: rand.NewChaCha8(o.Seed)}
	var due uint64 // number of bad lines that are due so far, in units of 1/o.Lines
	for n := range o.Lines {
		if err := ctx.Err(); err != nil {
			out.Flush() // so that the last line is whole
			return err
		}
		if n%linesPerKeys == 0 {
			if o.Progress != nil {
				o.Progress(n)
			}
			if err := m.newKeys(); err != nil {
				return err
			}
		}
		due += uint64(o.Bad)
		bad := due >= uint64(o.Lines)
		if bad {
			due -= uint64(o.Lines)
		}
		line, err := m.line(o.Kind, n, bad)
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// linesPerKeys is the number of lines that the same few keys sign. Keys are reused because making a key takes as long
// as signing.
const linesPerKeys = 64

// A maker makes lines one after another.
type maker struct {
	rng     *rand.ChaCha8
	keys    [4]*p256k1.PrivateKey
	checker check.Checker
}

func (m *maker) newKeys() (err error) {
	for i := range m.keys {
		if m.keys[i], err = p256k1.ParsePrivateKey(m.bytes()); err != nil {
			return err // with probability 2⁻¹²⁸
		}
	}
	return nil
}

// bytes returns 32 random bytes.
func (m *maker) bytes() []byte {
	b := make([]byte, 32)
	m.rng.Read(b) // never fails
	return b
}

// below returns a random number in [0, n).
func (m *maker) below(n int) int { return int(m.rng.Uint64() % uint64(n)) }

// line returns the text of line n.
func (m *maker) line(kind Kind, n int64, bad bool) ([]byte, error) {
	if kind == Mixed {
		kind = []Kind{Nostr, ECDSA, Schnorr}[m.below(3)]
	}
	r, err := m.row(kind, n)
	if err != nil {
		return nil, err
	}
	if !bad {
		return r.text(), nil
	}
	for range 10 {
		if line := m.spoil(r).text(); m.checker.Line(line).Verdict == check.Bad {
			return line, nil
		}
	}
	return nil, errors.New("changes do not make a line bad")
}

// A row holds the values of a line before it is formatted.
type row struct {
	kind           Kind
	pub, hash, sig []byte
	created        int64  // time of an event, created_at
	tags, content  string // an event as JSON
}

// row returns a good row.
func (m *maker) row(kind Kind, n int64) (row, error) {
	key := m.keys[m.below(len(m.keys))]
	pub := key.PublicKey()
	r := row{kind: kind, pub: pub.XOnly().Bytes()}
	if kind == Nostr {
		m.event(&r, n)
	} else {
		r.hash = m.bytes()
	}
	switch kind {
	case ECDSA:
		sig, err := ecdsa.Sign(key, r.hash, nil)
		// One key in eight is uncompressed, and one signature in eight is compact.
		r.pub, r.sig = pub.Bytes(), sig.DER()
		if m.below(8) == 0 {
			r.pub = pub.BytesUncompressed()
		}
		if m.below(8) == 0 {
			r.sig = sig.Bytes()
		}
		return r, err
	case Recoverable:
		sig, err := ecdsa.SignRecoverable(key, r.hash, nil)
		r.pub, r.sig = pub.Bytes(), sig.Bytes()
		return r, err
	}
	var aux [32]byte
	m.rng.Read(aux[:])
	sig, err := schnorr.Sign(key, r.hash, &schnorr.Options{AuxRand: &aux})
	r.sig = sig[:]
	return r, err
}

// event sets the content and the id of an event.
func (m *maker) event(r *row, n int64) {
	r.created = 1_700_000_000 + n
	r.tags = fmt.Sprintf(`[["t","sample"],["e","%x","wss://relay.example.com/"]]`, m.bytes())
	// The content has characters that NIP-01 escapes, and characters that only other serializers would escape.
	r.content = fmt.Sprintf(`"Sample event %d: \"quotes\", back\\slash,\ttab,\nline, <b>&amp;</b>, ünïcødé, 🗝️ and `+"\u2028"+`."`, n+1)
	id := sha256.Sum256(fmt.Appendf(nil, `[0,"%x",%d,1,%s,%s]`, r.pub, r.created, r.tags, r.content))
	r.hash = id[:]
}

// text returns the JSON of the row.
func (r row) text() []byte {
	if r.kind == Nostr {
		return fmt.Appendf(nil, `{"id":"%x","pubkey":"%x","created_at":%d,"kind":1,"tags":%s,"content":%s,"sig":"%x"}`,
			r.hash, r.pub, r.created, r.tags, r.content, r.sig)
	}
	return fmt.Appendf(nil, `{"t":"%s","pub":"%x","h":"%x","sig":"%x"}`, r.kind, r.pub, r.hash, r.sig)
}

// spoil returns the row with one bit changed or, if it is an event, perhaps with its time changed.
func (m *maker) spoil(r row) row {
	fields := []*[]byte{&r.pub, &r.hash, &r.sig}
	choices := len(fields)
	if r.kind == Nostr {
		choices++
	}
	choice := m.below(choices)
	if choice == len(fields) {
		r.created++
		return r
	}
	changed := append([]byte(nil), *fields[choice]...)
	bit := m.below(8 * len(changed))
	changed[bit/8] ^= 1 << (bit % 8)
	*fields[choice] = changed
	return r
}
