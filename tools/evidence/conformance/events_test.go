package conformance

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/schnorr"
)

// gonostr is the running program in which go-nostr checks events.
type gonostr struct {
	*testing.T
	input  io.WriteCloser
	output *bufio.Reader
}

func startGonostr(t *testing.T) *gonostr {
	if os.Getenv("CI") != "true" && os.Getenv("P256K1_PEERS") == "" {
		t.Skip("NOT TESTED: events compared with go-nostr; CI downloads it, and so does P256K1_PEERS=1")
	}
	cmd := exec.Command("go", "run", "./verify") // the program ends when its input ends
	cmd.Dir = peers
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	input, output := must(cmd.StdinPipe()), must(cmd.StdoutPipe())
	libtest.Check(t, cmd.Start())
	t.Cleanup(func() {
		input.Close()
		libtest.Check(t, cmd.Wait())
	})
	return &gonostr{t, input, bufio.NewReaderSize(output, 1<<20)}
}

// judge returns the program's answer for each event.
func (g *gonostr) judge(events [][]byte) (verdicts []string) {
	go g.input.Write(append(bytes.Join(events, []byte("\n")), "\n\n"...))
	for range events {
		verdicts = append(verdicts, g.line())
	}
	return verdicts
}

func (g *gonostr) line() string { return strings.TrimSuffix(must(g.output.ReadString('\n')), "\n") }

// ours returns this library's verdict on an event, in the format of the other program.
func ours(t *testing.T, v *nostr.Verifier, text []byte) string {
	v.Add(text)
	invalid := v.Invalid(nil)
	e, err := nostr.Parse(text)
	if err != nil {
		if invalid == nil {
			t.Fatalf("%s: good, but %v", text, err)
		}
		return "unreadable"
	}
	alone := e.Verify()
	if (alone == nil) != (invalid == nil) {
		t.Fatalf("%s: %v, alone %v", text, invalid, alone)
	}
	return fmt.Sprintf("%x %v", must(e.ComputeID()), invalid == nil)
}

// maker makes random events.
type maker struct {
	*rand.Rand
	keys [8]*p256k1.PrivateKey
}

func newMaker(seed uint64) *maker {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	for i := range m.keys {
		secret := sha256.Sum256(binary.BigEndian.AppendUint64([]byte{byte(i)}, seed))
		m.keys[i] = privateKey(secret[:])
	}
	return m
}

// text returns a text without the control characters that go-nostr hashes as \u00xx and not verbatim.
func (m *maker) text() string {
	parts := []string{
		"a", "Hello", " ", "\"", "\\", "/", "\n", "\t", "\r", "\b", "\f", "\x7f", "\u0080", "ü", "日本", "😀", "\u2028",
		"\ufffd", "<b>&amp;'", "\\u0041", "wss://relay.example.com/", strings.Repeat("0123456789abcdef", 4),
	}
	var b strings.Builder
	for range m.IntN(30) {
		b.WriteString(parts[m.IntN(len(parts))])
	}
	return b.String()
}

// event returns a valid event.
func (m *maker) event(t *testing.T) *nostr.Event {
	e := &nostr.Event{CreatedAt: m.Int64() >> m.IntN(63), Kind: uint16(m.Uint32() >> m.IntN(17)), Content: m.text()}
	if m.IntN(4) == 0 {
		e.CreatedAt = -e.CreatedAt
	}
	for range m.IntN(5) {
		tag := []string{} // go-nostr also accepts tags without strings
		for range m.IntN(4) {
			tag = append(tag, m.text())
		}
		e.Tags = append(e.Tags, tag)
	}
	libtest.Check(t, e.Sign(m.keys[m.IntN(len(m.keys))]))
	return e
}

// json formats the event in one of the allowed ways.
func (m *maker) json(e *nostr.Event) []byte {
	ways := []struct {
		old, new string
		times    int
	}{
		{"/", `\/`, -1},
		{"ü", `\u00fc`, -1},
		{"😀", `\ud83d\uDE00`, -1},
		{`,"kind":`, " , \"kind\" :\t", 1},
		{`{"id":`, `{"seen_on":["x",{"y":1}],"id":`, 1},
		{"", "", 0},
	}
	way := ways[m.IntN(len(ways))]
	return bytes.Replace(must(e.MarshalJSON()), []byte(way.old), []byte(way.new), way.times)
}

// spoil changes the event so that it is no longer valid.
func (m *maker) spoil(e *nostr.Event) {
	flip := func(b []byte) { b[m.IntN(len(b))] ^= 1 << m.IntN(8) }
	switch m.IntN(9) {
	case 0:
		flip(e.ID[:])
	case 1:
		flip(e.PubKey[:])
	case 2:
		flip(e.Sig[:])
	case 3:
		e.CreatedAt++
	case 4:
		e.Kind++
	case 5:
		e.Content += "x"
	case 6:
		e.Tags = append(e.Tags, []string{"x"})
	case 7: // the correct id of another event
		e.Content += "x"
		e.ID = must(e.ComputeID())
	case 8: // about half of all x belong to no point
		flip(e.PubKey[:])
		e.ID = must(e.ComputeID())
	}
}

// TestEvents compares ids and verdicts with the results of go-nostr, for generated events and for real events.
func TestEvents(t *testing.T) {
	g := startGonostr(t)
	m := newMaker(1)
	var all [][]byte
	for _, text := range realEvents {
		all = append(all, []byte(text))
	}
	good := len(all)
	for i := range min(cases(), slowCases) {
		e := m.event(t)
		if i%2 == 1 {
			m.spoil(e)
		} else {
			good++
		}
		all = append(all, m.json(e))
	}
	v := new(nostr.Verifier)
	agreed := 0
	for i, theirs := range g.judge(all) {
		got := ours(t, v, all[i])
		if got != theirs {
			t.Errorf("%s:\n%s here\n%s there", all[i], got, theirs)
		}
		if strings.HasSuffix(got, " true") {
			agreed++
		}
	}
	if agreed != good {
		t.Errorf("%d good events, want %d", agreed, good)
	}
	t.Logf("result: %d events, of which %d are valid, with the same ids and verdicts", len(all), agreed)
}

// realEvents are events of the public network, from go-nostr's tests.
var realEvents = []string{
	`{"kind":1,"id":"dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962","pubkey":"3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d","created_at":1644271588,"tags":[],"content":"now that https://blueskyweb.org/blog/2-7-2022-overview was announced we can stop working on nostr?","sig":"230e9d8f0ddaf7eb70b5f7741ccfa37e87a455c9a469282e3464e2052d3192cd63a167e196e381ef9d7e69e9ea43af2443b839974dc85d8aaab9efe1d9296524"}`,
	`{"kind":1,"id":"dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962","pubkey":"3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d","created_at":1644271588,"tags":[],"content":"now that https://blueskyweb.org/blog/2-7-2022-overview was announced we can stop working on nostr?","sig":"230e9d8f0ddaf7eb70b5f7741ccfa37e87a455c9a469282e3464e2052d3192cd63a167e196e381ef9d7e69e9ea43af2443b839974dc85d8aaab9efe1d9296524","extrakey":55}`,
	`{"kind":3,"id":"9e662bdd7d8abc40b5b15ee1ff5e9320efc87e9274d8d440c58e6eed2dddfbe2","pubkey":"373ebe3d45ec91977296a178d9f19f326c70631d2a1b0bbba5c5ecc2eb53b9e7","created_at":1644844224,"tags":[["p","3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"],["p","75fc5ac2487363293bd27fb0d14fb966477d0f1dbc6361d37806a6a740eda91e"],["p","46d0dfd3a724a302ca9175163bdf788f3606b3fd1bb12d5fe055d1e418cb60ea"]],"content":"{\"wss://nostr-pub.wellorder.net\":{\"read\":true,\"write\":true},\"wss://nostr.bitcoiner.social\":{\"read\":false,\"write\":true},\"wss://expensive-relay.fiatjaf.com\":{\"read\":true,\"write\":true},\"wss://relayer.fiatjaf.com\":{\"read\":true,\"write\":true},\"wss://relay.bitid.nz\":{\"read\":true,\"write\":true},\"wss://nostr.rocks\":{\"read\":true,\"write\":true}}","sig":"811355d3484d375df47581cb5d66bed05002c2978894098304f20b595e571b7e01b2efd906c5650080ffe49cf1c62b36715698e9d88b9e8be43029a2f3fa66be"}`,
}

// TestDifferences checks events, for most of which go-nostr has another verdict. nostr/README.md has a table of them.
func TestDifferences(t *testing.T) {
	g := startGonostr(t)
	key := newMaker(2).keys[0]
	e := &nostr.Event{CreatedAt: 1700000000, Kind: 1, Tags: [][]string{{"t", "x"}}, Content: "hello"}
	libtest.Check(t, e.Sign(key))
	good := string(must(e.MarshalJSON()))
	replace := func(old, replacement string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %q in %s", old, good)
		}
		return strings.Replace(good, old, replacement, 1)
	}
	id, pub, sig := hex.EncodeToString(e.ID[:]), hex.EncodeToString(e.PubKey[:]), hex.EncodeToString(e.Sig[:])
	verbatim := &nostr.Event{CreatedAt: 1700000000, Kind: 1, Content: "\x1b"}
	libtest.Check(t, verbatim.Sign(key))
	escaped := *verbatim
	escaped.ID = sha256.Sum256(bytes.Replace(must(escaped.AppendSerialized(nil)), []byte("\x1b"), []byte(`\u001b`), 1))
	escaped.Sig = must(schnorr.Sign(key, escaped.ID[:], nil))
	var all [][]byte
	cases := []struct{ why, text, here, there string }{
		{"nothing", good, "true", "true"},
		{"a control character, hashed as NIP-01 has it", string(must(verbatim.MarshalJSON())), "true", "false"},
		{"a control character, hashed as JSON has it", string(must(escaped.MarshalJSON())), "false", "true"},
		{"a name twice", replace(`"kind":1,`, `"kind":2,"kind":1,`), "unreadable", "true"},
		{"upper case in the key", replace(pub, strings.ToUpper(pub)), "unreadable", "false"},
		{"upper case in the signature", replace(sig, strings.ToUpper(sig)), "unreadable", "true"},
		{"a text behind the id", replace(id, id+"00"), "unreadable", "true"},
		{"an id of 31 bytes", replace(id, id[:62]), "unreadable", "panic"},
		{"half of a surrogate pair", replace(`hello`, `\ud800`), "unreadable", "false"},
		{"no content", replace(`"content":"hello",`, ``), "unreadable", "false"},
		{"content null", replace(`"content":"hello"`, `"content":null`), "unreadable", "false"},
		{"kind 65537", replace(`"kind":1`, `"kind":65537`), "unreadable", "false"},
		{"exponent", replace(`"kind":1`, `"kind":1e0`), "unreadable", "unreadable"},
		{"-0", replace(`"kind":1`, `"kind":-0`), "unreadable", "false"},
		{"two events", good + good, "unreadable", "unreadable"},
	}
	for _, c := range cases {
		all = append(all, []byte(c.text))
	}
	v := new(nostr.Verifier)
	for i, there := range g.judge(all) {
		c := cases[i]
		here := ours(t, v, all[i])
		if !strings.HasSuffix(here, c.here) || !strings.HasSuffix(there, c.there) {
			t.Errorf("%s:\n%s here, want %s\n%s there, want %s", c.why, here, c.here, there, c.there)
		}
	}
}

// cpuTime returns the processor time of this process in nanoseconds, measured in the same way as in the go-nostr
// program.
func cpuTime(t *testing.T) int64 {
	var used syscall.Rusage
	libtest.Check(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return used.Utime.Nano() + used.Stime.Nano()
}

// TestSpeed compares the processor time in which go-nostr and this library verify the JSON of events, alternately.
func TestSpeed(t *testing.T) {
	if os.Getenv("P256K1_PEERS") == "" {
		t.Skip("measures time; P256K1_PEERS=1 runs it")
	}
	g := startGonostr(t)
	m := newMaker(3)
	var all [][]byte
	size := 0
	for range 512 {
		all = append(all, must(m.event(t).MarshalJSON()))
		size += len(all[len(all)-1])
	}
	g.judge(all)
	var v nostr.Verifier
	alone := func() {
		for _, text := range all {
			if e, err := nostr.Parse(text); err != nil || e.Verify() != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
	}
	together := func() {
		for _, text := range all {
			v.Add(text)
		}
		if invalid := v.Invalid(nil); invalid != nil {
			t.Fatal(invalid)
		}
	}
	ways := []func(){together, alone}
	ratios, times := make([][]float64, len(ways)), make([][]float64, len(ways)+1)
	for range 11 {
		fmt.Fprintln(g.input)
		var theirs, good int64
		must(fmt.Sscan(g.line(), &theirs, &good))
		if good != int64(len(all)) {
			t.Fatalf("%d good events", good)
		}
		times[len(ways)] = append(times[len(ways)], float64(theirs)/float64(len(all)))
		for i, way := range ways {
			const rounds = 10 // because a single round is short
			start := cpuTime(t)
			for range rounds {
				way()
			}
			took := float64(cpuTime(t)-start) / rounds
			ratios[i] = append(ratios[i], float64(theirs)/took)
			times[i] = append(times[i], took/float64(len(all)))
		}
	}
	median := func(v []float64) float64 {
		slices.Sort(v)
		return v[len(v)/2]
	}
	t.Logf("result: events of %d bytes, processor time for one: go-nostr %.0f ns; "+
		"this library one by one %.0f ns, %.1f times as fast; 512 together %.0f ns, %.1f times as fast",
		size/len(all), median(times[2]), median(times[1]), median(ratios[1]), median(times[0]), median(ratios[0]))
	if r := median(ratios[0]); r < 2 {
		t.Errorf("512 events together are %.1f times as fast as go-nostr", r)
	}
}
