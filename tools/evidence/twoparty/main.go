// Command twoparty runs protocols between this library and other implementations. Each signer or participant of a
// session uses this library or the other implementation, at random.
//
//	go run ./tools/evidence/twoparty -n 100 -planted -bip445 DIR -chilldkg DIR -bip458 DIR
//
// In every second session, the other implementation leads: it deals, coordinates, aggregates or signs in place of this
// library. Both sides compute all public values, which have to be the same bytes. Numbers of signers, thresholds,
// tweaks and messages are random. In a third of the sessions of most protocols a share, a (partial) signature or an
// aggregate is wrong, and has to be refused or blamed on its sender. With -planted, the command runs more sessions, in
// each of which the other implementation gets one value with a wrong bit. Each of these sessions has to end with a
// difference.
//
// The other implementations are packages with fixed versions, and the Python code that accompanies specifications:
//
//   - rust/Cargo.lock (needs cargo and a C compiler): frost-secp256k1-tr, musig2, schnorr_fun, and libsecp256k1-zkp,
//     whose crate contains the C source of MuSig2 and of half-aggregation without calling it;
//   - tools/js/package-lock.json (needs node, and "npm ci --prefix tools/js"): @noble/curves;
//   - -bip445 names the folder bip-0445/python of bitcoin/bips pull request 2070 at f7de4568 (version 0.8.0);
//   - -chilldkg names the folder python of BlockstreamResearch/bip-frost-dkg at a9189688 (version 0.3.0);
//   - -bip458 names the folder bip-0458 of bitcoin/bips pull request 2205 at ab5a023d.
//
// For an implementation that cannot be run, the command prints NOT TESTED and the reason, and fails if CI is "true".
//
// # Formats that differ
//
//   - frost-secp256k1-tr and schnorr_FROST of @noble/curves follow RFC 9591, in which each signer has its own nonce
//     coefficient. BIP-445 has one coefficient for all signers, so these signers cannot sign together with signers of
//     this library. Shares, public shares, Taproot tweaks and signatures are the same, with participant i of BIP-445 as
//     participant i + 1. So one side deals, and each side signs with the shares. The repair of a lost share is also the
//     same protocol, with helpers of both sides. Key generation and refreshing are different protocols.
//   - musig2 adds the adaptor point to the aggregate nonce after hashing the nonce, but libsecp256k1-zkp and this
//     library add it before. So sessions with musig2 have no adaptors.
//   - schnorr_fun has no encoding of adaptor signatures. The program in rust encodes them as this library does.
//   - MuSig2 of libsecp256k1-zkp takes messages of 32 bytes only.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A counterpart is another implementation of a protocol.
type counterpart struct {
	name  string // with its version
	start func(folders map[string]*string) (*peer, error)
	leads string // what the side that leads does
	run   func(s *session)
	ops   string // the prefix of its operations
}

var counterparts = []counterpart{
	{"BIP-445's reference", reference("bip445"), "deals and coordinates", signTogether, "frost_ref.signing."},
	{"ChillDKG's reference", reference("chilldkg"), "coordinates", makeKey, "chilldkg_ref.chilldkg."},
	{"BIP-458's reference", reference("bip458"), "aggregates first", aggregate, "halfagg."},
	{"secp256k1-zkp-sys 0.10.1, half-aggregation", rust, "aggregates first", aggregate, "halfagg."},
	{"secp256k1-zkp-sys 0.10.1, MuSig2 with adaptors", rust, "coordinates", musig, "zkp."},
	{"secp256k1-zkp 0.11.2, ECDSA adaptors", rust, "signs", adaptECDSA, "ecdsa."},
	{"musig2 0.4.1", rust, "coordinates", musig, "musig2."},
	{"schnorr_fun 0.13.0, Schnorr adaptors", rust, "signs", adaptSchnorr, "schnorr."},
	{"frost-secp256k1-tr 3.0.0, shares", rust, "deals", signApart, "frost."},
	{"@noble/curves 2.4.0, shares of schnorr_FROST", noble, "deals", signApart, "noble."},
}

// A session is one run of a protocol between both implementations.
type session struct {
	*rand.Rand
	*peer
	ops    string
	leads  bool           // whether the other implementation leads
	counts map[string]int // the number of sessions for each event in them
	plant  string         // the value to be handed over with a wrong bit
	hit    bool           // whether it was handed over
}

// is ends the session with a difference between the implementations, unless ok.
func (s *session) is(ok bool, format string, args ...any) {
	if !ok {
		must.Fail(format, args...)
	}
}

// same compares two values that have to be the same.
func (s *session) same(what string, ours, theirs any) {
	a, b := fmt.Sprintf("%x", ours), fmt.Sprintf("%x", theirs)
	s.is(a == b, "%s: this library has %s, the other %s", what, a, b)
}

// to returns b, to be handed to the other implementation. If what is the planted value, b has a wrong bit the first
// time.
func (s *session) to(what string, b []byte) octets {
	if s.counts["to "+what]++; s.plant != what || s.hit || len(b) == 0 {
		return b
	}
	s.hit = true
	return wrong(b)
}

// wrong returns b with its last bit inverted.
func wrong(b []byte) octets {
	b = slices.Clone(b)
	b[len(b)-1] ^= 1
	return b
}

// seldom returns true in a third of the cases, and counts those cases.
func (s *session) seldom(what string) bool {
	if s.IntN(3) > 0 {
		return false
	}
	s.counts[what]++
	return true
}

// mixed counts a session in which some of n parties are this library's, and others are not.
func (s *session) mixed(n int, ours func(i int) bool) {
	for i := range n {
		if ours(i) != ours(0) {
			s.counts["with parties of both"]++
			return
		}
	}
}

func (s *session) key() *p256k1.PrivateKey { return must.Get(p256k1.ParsePrivateKey(s.bytes(32))) }

// keys returns n keys, with their public keys and the encodings of these. With probability 1/repeats, a key is the
// first again, unless repeats is 0.
func (s *session) keys(n, repeats int) (keys []*p256k1.PrivateKey, publics []*p256k1.PublicKey, encoded []octets) {
	for i := range n {
		keys = append(keys, s.key())
		if i > 0 && repeats > 0 && s.IntN(repeats) == 0 {
			keys[i] = keys[0]
		}
		publics = append(publics, keys[i].PublicKey())
		encoded = append(encoded, publics[i].Bytes())
	}
	return keys, publics, encoded
}

func (s *session) bytes(n int) octets {
	b := make(octets, n)
	for i := range b {
		b[i] = byte(s.Uint32())
	}
	return b
}

func must2[T, U any](v T, w U, err error) (T, U) { return must.Get(v, err), w }

type tweaks struct {
	values []octets
	xOnly  []bool
}

// tweaks applies up to three tweaks, and returns them for the other implementation.
func (s *session) tweaks(apply func(t []byte, xOnly bool)) tweaks {
	all := tweaks{[]octets{}, []bool{}}
	for range s.IntN(4) {
		t, xOnly := s.bytes(32), s.IntN(2) == 0
		apply(t, xOnly)
		all.values, all.xOnly = append(all.values, s.to("tweak", t)), append(all.xOnly, xOnly)
	}
	if len(all.values) > 0 {
		s.counts["tweaked"]++
	}
	return all
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("twoparty", flag.ContinueOnError)
	f.SetOutput(stderr)
	n := f.Int("n", 50, "number of sessions with each implementation and, with -planted, for each planted value")
	seed := f.Uint64("seed", rand.Uint64(), "seed of all random choices except nonces (default random)")
	only := f.String("only", "", "run the implementations whose name contains this text")
	planted := f.Bool("planted", false, "also run sessions with wrong values, which must end with a difference")
	folders := make(map[string]*string)
	for name := range references {
		folders[name] = f.String(name, "", "folder of the reference in Python")
	}
	if err := f.Parse(args); err != nil {
		return 2
	}
	if *n < 1 || !slices.ContainsFunc(counterparts, func(c counterpart) bool { return strings.Contains(c.name, *only) }) {
		fmt.Fprintf(stderr, "NOTHING TESTED: -n %d is below 1, or no implementation's name contains %q\n", *n, *only)
		return 2
	}
	bad := false
	fmt.Fprintf(stdout, "seed %d\n", *seed)
	for _, c := range counterparts {
		if !strings.Contains(c.name, *only) {
			continue
		}
		p, err := c.start(folders)
		if err != nil {
			fmt.Fprintf(stderr, "NOT TESTED: %s: %v\n", c.name, err)
			bad = bad || os.Getenv("CI") == "true"
			continue
		}
		ok := c.sessions(p, *n, *seed, *planted, stdout)
		if err := p.close(); err != nil {
			ok = false
			fmt.Fprintln(stdout, " ", err)
		}
		bad = bad || !ok
	}
	if bad {
		fmt.Fprintln(stderr, "twoparty: implementations differ, or were not tested though CI is set")
		return 1
	}
	return 0
}

// sessions runs n sessions and, if planted is set, n sessions for each value to plant. It reports whether all sessions
// end as they should.
func (c counterpart) sessions(p *peer, n int, seed uint64, planted bool, w io.Writer) bool {
	fmt.Fprintln(w, c.name)
	counts, ok := make(map[string]int), true
	// play returns the difference with which a session ends, if any, and whether the planted value was handed over.
	play := func(turn int, plant string) (found error, hit bool) {
		random := rand.New(rand.NewPCG(seed, uint64(turn)))
		s := &session{Rand: random, peer: p, ops: c.ops, leads: turn%2 == 1, counts: counts, plant: plant}
		found = must.Catch(func() { c.run(s) })
		return found, s.hit
	}
	for turn := range n {
		if found, _ := play(turn, ""); found != nil {
			ok = false
			fmt.Fprintf(w, "  DIFFERENCE in session %d: %v\n", turn, found)
		}
	}
	fmt.Fprintf(w, "  result: %d sessions, this library %s in %d of them", n, c.leads, (n+1)/2)
	var values []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		if value, isValue := strings.CutPrefix(what, "to "); isValue {
			values = append(values, value)
		} else {
			fmt.Fprintf(w, "; %d %s", counts[what], what)
		}
	}
	fmt.Fprintln(w)
	if !planted || !ok {
		return ok
	}
	if len(values) == 0 {
		fmt.Fprintln(w, "  planted: NOTHING TESTED, because no value was handed over")
		return false
	}
	for _, value := range values {
		tried, noticed, example := 0, 0, ""
		for turn := range n {
			if found, hit := play(turn, value); hit {
				tried++
				if found != nil {
					noticed, example = noticed+1, found.Error()
				}
			}
		}
		fmt.Fprintf(w, "  planted: wrong %s: noticed in %d of %d sessions, as in: %.90s\n", value, noticed, tried, example)
		ok = ok && noticed == tried && tried > 0
	}
	return ok
}
