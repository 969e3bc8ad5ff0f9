package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// agree compares the results of scan and tokens. For an event, it also compares the serialization of the raw text with
// the serialization of the decoded strings. It reports whether scan accepted the line.
func agree(t testing.TB, line []byte) bool {
	t.Helper()
	var f Fields
	if !scan(line, Names[:], f[:]) {
		return false
	}
	var r Reader
	want := make([][]byte, len(Names))
	if err := r.tokens(line, Names[:], want); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	for i := range want {
		if !bytes.Equal(f[i], want[i]) || (f[i] == nil) != (want[i] == nil) {
			t.Fatalf("%q: %s is %q, want %q", line, Names[i], f[i], want[i])
		}
	}
	var e Event
	if slices.ContainsFunc(f[:], func(v []byte) bool { return v == nil }) || r.Event(&e, &f) != nil {
		return true
	}
	var decoded struct {
		Tags    [][]string
		Content string
	}
	if err := json.Unmarshal(line, &decoded); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	serialized, err := r.serialize(&e)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if want := libtest.NIP01Serialization(hex.EncodeToString(e.PubKey[:]), e.CreatedAt, int64(e.Kind), decoded.Tags, decoded.Content, libtest.NIP01Escapes); string(serialized) != want {
		t.Fatalf("%q: serialized as %q, want %q", line, serialized, want)
	}
	return true
}

const (
	fixedShape = `{"id":"` + someKey + `","pubkey":"` + someKey + `","created_at":1700000000,"kind":1,"tags":[["t","a"],[],["e","\n\"\\","ü"]],"content":"\t\b\f\r <>&/' ` + "\u2028\x7f" + `ünïcødé 🗝️","sig":"` + someKey + someKey + `"}`
	someKey    = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
)

func TestScan(t *testing.T) {
	for line, want := range map[string]bool{
		fixedShape:                               true,
		`{"kind":-12,"tags":[],"sig":""}`:        true,
		`{"tags":[[]],"content":"\\"}`:           true,
		`{"kind":0}`:                             true,
		`{"kind":99999999999999999999}`:          true,
		`{"content":"1234567\""}`:                true,
		"{\"content\":\"\u0080\U0010ffff\"}":     true,
		`{}`:                                     false,
		``:                                       false,
		`{`:                                      false,
		`[]`:                                     false,
		`{"kind"`:                                false,
		`{"kind":`:                               false,
		`{"kind":1`:                              false,
		`{"kind":1,`:                             false,
		`{"kind":1,}`:                            false,
		`{"kind":1}}`:                            false,
		`{"kind":1} `:                            false,
		` {"kind":1}`:                            false,
		`{"kind": 1}`:                            false,
		`{"kind":01}`:                            false,
		`{"kind":-}`:                             false,
		`{"kind":-01}`:                           false,
		`{"kind":1.0}`:                           false,
		`{"kind":1e0}`:                           false,
		`{"kind":1,"kind":1}`:                    false,
		`{"other":1}`:                            false,
		`{"kin\u0064":1}`:                        false,
		`{"content":"\u0041"}`:                   false,
		`{"content":"\/"}`:                       false,
		`{"content":"\"}`:                        false,
		`{"content":"\`:                          false,
		"{\"content\":\"\x1f\"}":                 false,
		"{\"content\":\"\xed\xa0\x80\"}":         false,
		"{\"content\":\"12345678\xff\"}":         false,
		"{\"content\":\"\xc3\",\"id\":\"\xbc\"}": false,
		`{"tags":[1]}`:                           false,
		`{"tags":[[1]]}`:                         false,
		`{"tags":[["a",]]}`:                      false,
		`{"tags":[["a"],]}`:                      false,
		`{"tags":[,]}`:                           false,
		`{"tags":[[]`:                            false,
		`{"tags":[`:                              false,
		`{"tags":[["a""b"]]}`:                    false,
		`{"tags":[["a"]["b"]]}`:                  false,
	} {
		if got := agree(t, []byte(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// TestScanMutants calls agree with lines that are changed at random.
func TestScanMutants(t *testing.T) {
	n := 200000
	if testing.Short() {
		n = 20000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range n {
		if agree(t, libtest.MutateJSON(rng, []byte(fixedShape))) {
			taken++
		}
	}
	t.Logf("took %d of %d changed lines", taken, n)
	if taken < n/10 || taken > n/2 {
		t.Errorf("took %d of %d changed lines", taken, n)
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(fixedShape))
	f.Add([]byte(`{"tags":[[],["","\n"]],"kind":-0,"content":"\\\"ü"}`))
	f.Add([]byte(strings.ReplaceAll(fixedShape, "ü", "\xc3")))
	f.Add([]byte(strings.ReplaceAll(fixedShape, `\n`, `\/`)))
	f.Add([]byte(strings.ReplaceAll(fixedShape, `"tags":`, `"tags": `)))
	f.Fuzz(func(t *testing.T, line []byte) { agree(t, line) })
}
