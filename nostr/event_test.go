package nostr

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"weak"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/signer"
)

// publicEvents holds two events from public relays.
var publicEvents = []string{
	`{"id":"dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962","pubkey":"3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d","created_at":1644271588,"kind":1,"tags":[],"content":"now that https://blueskyweb.org/blog/2-7-2022-overview was announced we can stop working on nostr?","sig":"230e9d8f0ddaf7eb70b5f7741ccfa37e87a455c9a469282e3464e2052d3192cd63a167e196e381ef9d7e69e9ea43af2443b839974dc85d8aaab9efe1d9296524"}`,
	`{"id":"9e662bdd7d8abc40b5b15ee1ff5e9320efc87e9274d8d440c58e6eed2dddfbe2","pubkey":"373ebe3d45ec91977296a178d9f19f326c70631d2a1b0bbba5c5ecc2eb53b9e7","created_at":1644844224,"kind":3,"tags":[["p","3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"],["p","75fc5ac2487363293bd27fb0d14fb966477d0f1dbc6361d37806a6a740eda91e"],["p","46d0dfd3a724a302ca9175163bdf788f3606b3fd1bb12d5fe055d1e418cb60ea"]],"content":"{\"wss://nostr-pub.wellorder.net\":{\"read\":true,\"write\":true},\"wss://nostr.bitcoiner.social\":{\"read\":false,\"write\":true},\"wss://expensive-relay.fiatjaf.com\":{\"read\":true,\"write\":true},\"wss://relayer.fiatjaf.com\":{\"read\":true,\"write\":true},\"wss://relay.bitid.nz\":{\"read\":true,\"write\":true},\"wss://nostr.rocks\":{\"read\":true,\"write\":true}}","sig":"811355d3484d375df47581cb5d66bed05002c2978894098304f20b595e571b7e01b2efd906c5650080ffe49cf1c62b36715698e9d88b9e8be43029a2f3fa66be"}`,
}

func testKey(t testing.TB) *p256k1.PrivateKey {
	t.Helper()
	secret := sha256.Sum256([]byte("a key that everybody knows"))
	key, err := p256k1.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// signed returns a signed event.
func signed(t testing.TB, createdAt int64, kind uint16, tags [][]string, content string) *Event {
	t.Helper()
	e := &Event{CreatedAt: createdAt, Kind: kind, Tags: tags, Content: content}
	if err := e.Sign(testKey(t)); err != nil {
		t.Fatal(err)
	}
	return e
}

func events(t testing.TB) []*Event {
	return []*Event{
		signed(t, 0, 0, nil, ""),
		signed(t, 1700000000, 1, [][]string{{"e", "a", ""}, {}, {"\"\n"}}, "hello"),
		signed(t, math.MinInt64, math.MaxUint16, [][]string{{""}}, " "),
		signed(t, math.MaxInt64, 30023, [][]string{{libtest.Everything, libtest.Everything}, {"", libtest.Everything}}, libtest.Everything),
		signed(t, -1, 1, nil, strings.Repeat(libtest.Everything, 1000)),
	}
}

// serialization is a second implementation of the serialization of NIP-01, independent of the package, with NIP-01's
// list of escape sequences.
func serialization(e *Event) string {
	return libtest.NIP01Serialization(hex.EncodeToString(e.PubKey[:]), e.CreatedAt, int64(e.Kind), e.Tags, e.Content, libtest.NIP01Escapes)
}

// large returns an event with many tags, one of which is long, and with more than 2 MiB of content.
func large(t testing.TB) *Event {
	tags := slices.Repeat([][]string{{"e", "1"}, {"\n"}}, 3000)
	tags[4000] = slices.Repeat([]string{"x", "\"y"}, 500)
	return signed(t, 1<<40, 30023, tags, strings.Repeat("long\n", 600_000)+strings.Repeat("end", 800_000))
}

func TestRoundTrip(t *testing.T) {
	all := events(t)
	if !testing.Short() {
		all = append(all, large(t))
	}
	for _, e := range all {
		if err := e.Verify(); err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		got, err := e.AppendSerialized([]byte("x"))
		if want := "x" + serialization(e); string(got) != want || err != nil {
			t.Errorf("%.2000s, %v\nwant %.2000s", got, err, want)
		}
		for name, marshal := range map[string]func() ([]byte, error){
			"MarshalJSON": e.MarshalJSON,
			"AppendJSON":  func() ([]byte, error) { return e.AppendJSON(nil) },
			"json":        func() ([]byte, error) { return json.Marshal(e) },
			"json, value": func() ([]byte, error) { return json.Marshal(*e) },
			"json, indented": func() ([]byte, error) {
				return json.MarshalIndent(map[string]any{"x": e}["x"], " ", "\t")
			},
		} {
			text, err := marshal()
			if err != nil || !json.Valid(text) {
				t.Fatalf("%s: %s, %v", name, text, err)
			}
			again, err := Parse(text)
			if err != nil || !reflect.DeepEqual(again, e) {
				t.Errorf("%s: %s: %+v, %v", name, text, again, err)
			}
			var decoded struct{ Events []Event }
			if err := json.Unmarshal(slices.Concat([]byte(`{"events":[`), text, []byte(`]}`)), &decoded); err != nil || !reflect.DeepEqual(&decoded.Events[0], e) {
				t.Errorf("%s: %+v, %v", name, decoded, err)
			}
		}
	}
}

func TestPublicEvents(t *testing.T) {
	for _, text := range publicEvents {
		e, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Verify(); err != nil {
			t.Error(err)
		}
		if again, err := e.MarshalJSON(); string(again) != text || err != nil {
			t.Errorf("%s, %v", again, err)
		}
	}
}

// TestVerdicts changes an event in many ways, and checks that all functions that verify return the same verdict.
func TestVerdicts(t *testing.T) {
	good := *signed(t, 1700000000, 1, [][]string{{"e", "a"}, {"p"}}, "hello")
	notOnCurve := good
	notOnCurve.PubKey = [32]byte{31: 5}
	notOnCurve.ID, _ = notOnCurve.ComputeID()
	other := *signed(t, 1700000001, 1, nil, "")
	spoil := func(change func(e *Event)) *Event {
		e := good
		e.Tags = [][]string{{"e", "a"}, {"p"}}
		change(&e)
		return &e
	}
	var all []*Event
	var kinds []error
	for _, c := range []struct {
		e    *Event
		kind error
	}{
		{&good, nil},
		{spoil(func(e *Event) { e.Content = "Hello" }), ErrID},
		{spoil(func(e *Event) { e.Content += "\x00" }), ErrID},
		{spoil(func(e *Event) { e.CreatedAt++ }), ErrID},
		{spoil(func(e *Event) { e.Kind++ }), ErrID},
		{spoil(func(e *Event) { e.Tags = nil }), ErrID},
		{spoil(func(e *Event) { e.Tags[0][1] = "b" }), ErrID},
		{spoil(func(e *Event) { e.Tags = append(e.Tags, nil) }), ErrID},
		{spoil(func(e *Event) { e.PubKey[0] ^= 1 }), ErrID},
		{spoil(func(e *Event) { e.ID[31] ^= 0x80 }), ErrID},
		{&other, nil},
		{spoil(func(e *Event) { e.Sig[0] ^= 1 }), ErrSignature},
		{spoil(func(e *Event) { e.Sig[63] ^= 1 }), ErrSignature},
		{spoil(func(e *Event) { e.Sig = other.Sig }), ErrSignature},
		{spoil(func(e *Event) { clear(e.Sig[:]) }), ErrSignature},
		{spoil(func(e *Event) { copy(e.Sig[:], bytes.Repeat([]byte{0xff}, 64)) }), ErrSignature},
		{&notOnCurve, ErrField},
		{spoil(func(e *Event) { e.Content = "\xff" }), ErrFormat},
		{spoil(func(e *Event) { e.Tags[1][0] = "\xed\xa0\x80" }), ErrFormat},
		{nil, ErrFormat},
		{new(Event), ErrID},
		{&good, nil},
	} {
		all, kinds = append(all, c.e), append(kinds, c.kind)
	}
	var v Verifier
	for range 20 { // in a new random order each time
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j], kinds[i], kinds[j] = all[j], all[i], kinds[j], kinds[i] })
		for name, verdicts := range map[string][]error{"VerifyAll": verifyAll(all), "AddEvent": addAll(&v, all), "Add": addTexts(t, &v, all)} {
			if len(verdicts) != len(all) {
				t.Fatalf("%s: %d verdicts", name, len(verdicts))
			}
			for i, verdict := range verdicts {
				if !errors.Is(verdict, kinds[i]) || (verdict == nil) != (kinds[i] == nil) {
					t.Errorf("%s: %v, want %v", name, verdict, kinds[i])
				}
				if all[i] == nil || errors.Is(kinds[i], ErrFormat) {
					continue
				}
				if alone := all[i].Verify(); fmt.Sprint(alone) != fmt.Sprint(verdict) {
					t.Errorf("%s: %v, alone %v", name, verdict, alone)
				}
			}
		}
	}
}

// verdicts returns the error of each event of v, which is nil for a valid event.
func (v *Verifier) verdicts() []error {
	all := make([]error, v.Len())
	held := p256k1.Failures{{Index: -1}, {Index: 1 << 30}}
	failures := v.Invalid(slices.Clone(held))
	if !slices.Equal(failures[:2], held) {
		panic("Invalid changes what dst held")
	}
	for _, f := range failures[2:] {
		all[f.Index] = f.Err
	}
	return all
}

func verifyAll(events []*Event) []error {
	all := make([]error, len(events))
	var failures p256k1.Failures
	errors.As(VerifyAll(events), &failures)
	for _, f := range failures {
		all[f.Index] = f.Err
	}
	return all
}

func addAll(v *Verifier, all []*Event) []error {
	for _, e := range all {
		v.AddEvent(e)
	}
	return v.verdicts()
}

func addTexts(t *testing.T, v *Verifier, all []*Event) []error {
	for i, e := range all {
		text := []byte("x")
		if e != nil {
			var err error
			if text, err = e.MarshalJSON(); err != nil {
				text = []byte("\xff")
			}
		}
		v.Add(text)
		clear(text) // the verifier must not refer to the text any more
		if v.Len() != i+1 {
			t.Fatalf("%d events of %d", v.Len(), i+1)
		}
	}
	return v.verdicts()
}

// TestVerifierKeepsNothing checks that a Verifier does not keep the text of an event in memory. Some events contain
// spaces, because package wire parses such events with other code.
func TestVerifierKeepsNothing(t *testing.T) {
	var v Verifier
	for _, places := range []string{"", "{", "[", "{["} {
		text := []byte(publicEvents[1])
		for i := range places {
			text = bytes.Replace(text, []byte{places[i]}, []byte{places[i], ' '}, 1)
		}
		kept := weak.Make(&text[0])
		v.Add(text)
		if err := v.verdicts()[0]; err != nil {
			t.Error(err)
		}
		text = nil
		runtime.GC()
		if kept.Value() != nil {
			t.Errorf("a text with spaces after %q is kept", places)
		}
	}
	runtime.KeepAlive(&v)
}

// TestEveryBit flips each bit of the id, the key and the signature of a decoded event.
func TestEveryBit(t *testing.T) {
	e := signed(t, 1, 1, nil, "")
	var v Verifier
	n := 0
	for _, field := range [][]byte{e.ID[:], e.PubKey[:], e.Sig[:]} {
		for bit := range 8 * len(field) {
			field[bit/8] ^= 1 << (bit % 8)
			v.AddEvent(e)
			n++
			field[bit/8] ^= 1 << (bit % 8)
		}
	}
	for i, verdict := range v.verdicts() {
		if verdict == nil {
			t.Errorf("bit %d: good", i)
		}
	}
	if n != 1024 {
		t.Errorf("%d bits", n)
	}
}

func TestUnmarshalKeeps(t *testing.T) {
	e := signed(t, 1, 1, [][]string{{"a"}}, "before")
	before := *e
	for _, text := range []string{"", "null", "{}", publicEvents[0][:200], strings.Replace(publicEvents[0], `"kind":1`, `"kind":-1`, 1)} {
		if err := e.UnmarshalJSON([]byte(text)); !errors.Is(err, ErrFormat) || !reflect.DeepEqual(*e, before) {
			t.Errorf("%s: %v, %+v", text, err, e)
		}
	}
	if err := json.Unmarshal([]byte(`[null]`), &[]Event{}); !errors.Is(err, ErrFormat) {
		t.Errorf("null: %v", err)
	}
	var p []*Event
	if err := json.Unmarshal([]byte(`[null]`), &p); err != nil || p[0] != nil {
		t.Errorf("null as a pointer: %v", err)
	}
}

func TestSign(t *testing.T) {
	key := testKey(t)
	s := signer.NewP256K1Signer()
	if err := s.InitSec(key.Bytes()); err != nil {
		t.Fatal(err)
	}
	a, b := Event{Content: "a"}, Event{Content: "a"}
	if err := errors.Join(a.Sign(key), b.SignWith(s)); err != nil {
		t.Fatal(err)
	}
	if a.ID != b.ID || a.PubKey != b.PubKey || a.Sig == b.Sig || a.Verify() != nil || b.Verify() != nil {
		t.Errorf("%+v and %+v", a, b)
	}

	wiped := testKey(t)
	wiped.Zero()
	before := Event{ID: [32]byte{1}, Content: "x"}
	text := Event{ID: [32]byte{1}, Content: "\xff"}
	for name, c := range map[string]struct {
		e    Event
		sign func(*Event) error
		want error
	}{
		"nil":         {before, func(e *Event) error { return e.Sign(nil) }, p256k1.ErrNoKey},
		"zero":        {before, func(e *Event) error { return e.Sign(new(p256k1.PrivateKey)) }, p256k1.ErrNoKey},
		"wiped":       {before, func(e *Event) error { return e.Sign(wiped) }, p256k1.ErrNoKey},
		"not UTF-8":   {text, func(e *Event) error { return e.Sign(key) }, ErrFormat},
		"no UTF-8":    {text, func(e *Event) error { return e.SignWith(s) }, ErrFormat},
		"no key":      {before, func(e *Event) error { return e.SignWith(signer.NewP256K1Signer()) }, p256k1.ErrNoKey},
		"watching":    {before, func(e *Event) error { return e.SignWith(watching(t, key)) }, p256k1.ErrNoKey},
		"short":       {before, func(e *Event) error { return e.SignWith(strange{s, 32, 63}) }, ErrField},
		"long":        {before, func(e *Event) error { return e.SignWith(strange{s, 32, 65}) }, ErrField},
		"short key":   {before, func(e *Event) error { return e.SignWith(strange{s, 31, 64}) }, ErrField},
		"long key":    {before, func(e *Event) error { return e.SignWith(strange{s, 33, 64}) }, ErrField},
		"nil, signer": {before, func(e *Event) error { return e.SignWith(nil) }, p256k1.ErrNoKey},
	} {
		e := c.e
		if err := c.sign(&e); !errors.Is(err, c.want) || !reflect.DeepEqual(e, c.e) {
			t.Errorf("%s: %v, %+v", name, err, e)
		}
	}
	for _, e := range []Event{{Content: "\xff"}, {Tags: [][]string{{}, {"a", "\xff"}}}} {
		serialized, err1 := e.AppendSerialized([]byte("x"))
		text, err2 := e.AppendJSON([]byte("y"))
		id, err3 := e.ComputeID()
		for _, err := range []error{err1, err2, err3, e.Verify(), VerifyAll([]*Event{&e})} {
			if !errors.Is(err, ErrFormat) || string(serialized) != "x" || string(text) != "y" || id != (ID{}) {
				t.Errorf("%+v: %v, %q, %q, %x", e, err, serialized, text, id)
			}
		}
	}
}

func watching(t *testing.T, key *p256k1.PrivateKey) signer.I {
	s := signer.NewP256K1Signer()
	if err := s.InitPub(key.PublicKey().XOnly().Bytes()); err != nil {
		t.Fatal(err)
	}
	return s
}

// strange is a signer with a public key and signatures of any length.
type strange struct {
	signer.I
	key, signature int
}

func (s strange) Pub() []byte                     { return make([]byte, s.key) }
func (s strange) Sign(msg []byte) ([]byte, error) { return make([]byte, s.signature), nil }

func TestAllocs(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector allocates")
	}
	var v Verifier
	texts := make([][]byte, 64)
	for i := range texts {
		texts[i], _ = signed(t, int64(i), 1, [][]string{{"e", "\n"}}, libtest.Everything).MarshalJSON()
	}
	all := []*Event{signed(t, 1, 1, nil, "x"), signed(t, 2, 1, [][]string{{"e", "\n"}}, libtest.Everything)}
	run := func() {
		for _, text := range texts {
			v.Add(text)
		}
		for _, e := range all {
			v.AddEvent(e)
		}
		if failures := v.Invalid(nil); failures != nil {
			t.Fatal(failures)
		}
	}
	run()
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("Verifier: %v allocations", n)
	}
	e, room := all[1], make([]byte, 0, 4096)
	for name, f := range map[string]func() error{
		"Verify":           e.Verify,
		"VerifyAll":        func() error { return VerifyAll(all) },
		"ComputeID":        func() error { _, err := e.ComputeID(); return err },
		"AppendJSON":       func() error { _, err := e.AppendJSON(room); return err },
		"AppendSerialized": func() error { _, err := e.AppendSerialized(room); return err },
	} {
		if n := testing.AllocsPerRun(10, func() {
			if err := f(); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// FuzzParse compares Parse with encoding/json, and Verifier with Parse and Verify.
func FuzzParse(f *testing.F) {
	for _, e := range events(f)[:4] {
		text, err := e.MarshalJSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(bytes.ReplaceAll(text, []byte(`"created_at"`), []byte(`"created\u005fat"`)))
	}
	f.Add([]byte(publicEvents[1]))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := Parse(text)
		var v Verifier
		v.Add(text)
		verdict := v.verdicts()[0]
		if err != nil {
			if (!errors.Is(err, ErrFormat) && !errors.Is(err, ErrField)) || fmt.Sprint(verdict) != err.Error() {
				t.Fatalf("%v, verdict %v", err, verdict)
			}
			return
		}
		if alone := e.Verify(); errors.Is(alone, ErrID) != errors.Is(verdict, ErrID) || (alone == nil) != (verdict == nil) {
			t.Fatalf("%v, alone %v", verdict, alone)
		}
		if serialized, err := e.AppendSerialized(nil); string(serialized) != serialization(e) || err != nil {
			t.Fatalf("%s, %v", serialized, err)
		}
		again, err := e.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if parsed, err := Parse(again); err != nil || !reflect.DeepEqual(parsed, e) {
			t.Fatalf("%s: %+v, %v, want %+v", again, parsed, err, e)
		}
		var raw map[string]json.RawMessage // a map, because package json matches field names in any case
		if err := json.Unmarshal(text, &raw); err != nil {
			t.Fatal(err)
		}
		var theirs Event
		var id, pubkey, sig string
		for name, v := range map[string]any{
			"id": &id, "pubkey": &pubkey, "created_at": &theirs.CreatedAt, "kind": &theirs.Kind,
			"tags": &theirs.Tags, "content": &theirs.Content, "sig": &sig,
		} {
			if err := json.Unmarshal(raw[name], v); err != nil {
				t.Fatal(err)
			}
		}
		if len(theirs.Tags) == 0 {
			theirs.Tags = nil
		}
		theirs.ID, theirs.PubKey, theirs.Sig = e.ID, e.PubKey, e.Sig
		if id != hex.EncodeToString(e.ID[:]) || pubkey != hex.EncodeToString(e.PubKey[:]) || sig != hex.EncodeToString(e.Sig[:]) || !reflect.DeepEqual(&theirs, e) {
			t.Fatalf("%+v, want %+v", e, theirs)
		}
	})
}
