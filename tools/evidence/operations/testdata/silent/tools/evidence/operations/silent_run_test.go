//go:build silent

package operations

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/turn"
)

// A pass is the nth time that a condition decides.
type pass struct {
	place string
	n     int
}

// A silence runs one operation, with known randomness, and reverses conditions.
type silence struct {
	*mathrand.ChaCha8
	reversed []pass
	passes   map[string]int // by place
	seen     []pass         // the first and second passes
}

// now reports whether the condition at a place must be reversed.
func (s *silence) now(place string) bool {
	s.passes[place]++
	p := pass{place, s.passes[place]}
	if p.n <= 2 {
		s.seen = append(s.seen, p)
	}
	return slices.Contains(s.reversed, p)
}

// run returns the texts of the errors that the operation returns, and of the panic that ends it.
func (s *silence) run(o *Op, in *In, out *Out, reversed []pass) (text string) {
	*s = silence{mathrand.NewChaCha8([32]byte{}), reversed, make(map[string]int), nil}
	out.Reset()
	defer func() {
		p := recover()
		text = fmt.Sprintln(p)
		if err, ok := p.(error); ok {
			text = wordsOf(err)
		}
		for _, r := range out.Results() {
			if r.Secret == 0 && r.want == anyBit { // such as the text that Refused takes
				text += string(r.Bytes) + "\n"
			}
		}
	}()
	o.Run(in, out)
	return ""
}

// apart matches the operations whose goroutines would end the program by a panic, or run at the same time.
var apart = regexp.MustCompile(`on a new stack|^bip324\.(Client|Conn)`)

// address finds addresses, as package fmt writes them.
var address = regexp.MustCompile(`\(0x[0-9a-f]+\)`)

// wordsOf returns all texts of an error and of the errors that it wraps or joins.
func wordsOf(err error) string {
	text := address.ReplaceAllString(fmt.Sprintf("%v %+v %#v %q\n", err, err, err, err), "")
	if e, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range e.Unwrap() {
			text += wordsOf(err)
		}
	}
	if err = errors.Unwrap(err); err != nil {
		text += wordsOf(err)
	}
	return text
}

// TestErrorsSilent runs each operation on secrets, and runs it again for each condition that decided on the way, which
// is reversed this time, also after other conditions that lead there. So every error that a function can return is made
// while the function holds right secrets. No text of an error or of a panic may show four bytes of a secret that the
// operation is given, makes or computes.
func TestErrorsSilent(t *testing.T) {
	s, out, runs, places, texts := &silence{}, NewOut(), 0, make(map[string]bool), make(map[string]bool)
	defer func(r io.Reader) { rand.Reader = r }(rand.Reader)
	rand.Reader = s
	for i := range All {
		o, in := &All[i], New(Draw(oracle.NewSeeded("silent"), false)) // no zeros, which all texts may show
		if o.Public != "" || apart.MatchString(o.Name) {
			continue
		}
		turn.Now = func(string) bool { return false }
		s.run(o, in, out, nil) // computes the lazy values of in
		turn.Now = s.now
		s.run(o, in, out, nil)
		secrets := [][]byte{in.Secret, in.OtherSecret, in.Tweak}
		if o.Oracle != nil {
			more, _ := o.Oracle(in, out.Results())
			for _, m := range more {
				secrets = append(secrets, m.Value[:])
			}
		}
		parts, tried := libtest.PartsOf(secrets...), make(map[pass]bool)
		for ways := [][]pass{nil}; len(ways) > 0; ways = ways[1:] {
			text := s.run(o, in, out, ways[0])
			runs++
			if !texts[o.Name+text] && parts.In(text) {
				t.Errorf("%s, with %v reversed, shows part of a secret in %q", o.Name, ways[0], text)
			}
			texts[o.Name+text] = true
			for _, p := range s.seen {
				if !tried[p] && len(ways[0]) < 3 {
					tried[p], places[p.place] = true, true
					ways = append(ways, append(slices.Clone(ways[0]), p))
				}
			}
		}
	}
	t.Logf("result: %d conditions reversed in %d runs, with %d different errors: none shows 4 bytes of a secret", len(places), runs, len(texts))
}
