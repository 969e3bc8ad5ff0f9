package transform_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"golang.org/x/crypto/sha3"
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/scale/transform"
)

func init() {
	register.Function1x1(text)
	register.Function1x1(refusal)
	register.Function1x1(address)
	register.Function0x2(loadScanner)
}

func TestMain(m *testing.M) {
	ptest.MainWithDefault(m, "prism")
}

func text(b []byte) string               { return string(b) }
func refusal(r transform.Refused) string { return fmt.Sprint(r.Verdict, r.Reason) }
func address(s transform.Sender) string  { return fmt.Sprintf("%s %x %x", s.ID, s.Key, s.Address) }

func key(name string) *p256k1.PrivateKey {
	sum := sha256.Sum256([]byte(name))
	k, err := p256k1.NewPrivateKey(sum[:])
	if err != nil {
		panic(err)
	}
	return k
}

// loadScanner is what a worker calls. A real one reads a file, or asks a service for secrets.
func loadScanner() (*silentpayments.Scanner, error) {
	return silentpayments.NewScanner(key("scan"), key("spend").PublicKey())
}

func TestTransforms(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()

	var events [][]byte
	var good []string
	for i := range 600 { // more than are verified together
		e := nostr.Event{CreatedAt: int64(i), Kind: 1, Content: "hello"}
		if err := e.Sign(key("nostr")); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if i == 300 {
			text = bytes.Replace(text, []byte("hello"), []byte("hellO"), 1)
		} else {
			good = append(good, string(text))
		}
		events = append(events, text)
	}
	row := fmt.Appendf(nil, `{"t":"schnorr","pub":"%064x","h":"","sig":"%0128x"}`, 0, 0)
	events = append(events, []byte("frob"), row)
	verified, refused := transform.VerifyEvents(s, beam.CreateList(s, events))
	passert.EqualsList(s, beam.ParDo(s, text, verified), good)
	passert.Count(s, refused, "refused events", 3)
	rows, refusedRows := transform.VerifyRows(s, beam.CreateList(s, events[300:]), true)
	passert.Count(s, rows, "good rows", 299)
	passert.Count(s, refusedRows, "refused rows", 3)

	digest := sha256.Sum256([]byte("digest"))
	sig, err := ecdsa.SignRecoverable(key("sender"), digest[:])
	if err != nil {
		t.Fatal(err)
	}
	pub := key("sender").PublicKey().BytesUncompressed()
	hash := sha3.NewLegacyKeccak256()
	hash.Write(pub[1:])
	senders, none := transform.RecoverSenders(s, beam.CreateList(s, []transform.Signed{
		{"a", digest[:], sig.BytesEthereum()}, {"b", digest[:31], sig.BytesEthereum()}, {"c", digest[:], nil},
		{"d", digest[:], append(make([]byte, 64), 27)},
	}))
	passert.Equals(s, beam.ParDo(s, address, senders), fmt.Sprintf("a %x %x", pub, hash.Sum(nil)[12:]))
	passert.Count(s, none, "no senders", 3)

	to, err := loadScanner()
	if err != nil {
		t.Fatal(err)
	}
	coin := key("coin")
	input := silentpayments.Input{
		TxID:         sha256.Sum256([]byte("an earlier transaction")),
		ScriptPubKey: append([]byte{0x51, 0x20}, coin.PublicKey().XOnly().Bytes()...),
	}
	outputs, err := silentpayments.CreateOutputs([]silentpayments.Input{input}, []*p256k1.PrivateKey{coin}, []silentpayments.Recipient{to.Recipient()})
	if err != nil {
		t.Fatal(err)
	}
	input.Witness = [][]byte{make([]byte, 64)}
	tweak, err := silentpayments.Tweak([]silentpayments.Input{input})
	if err != nil {
		t.Fatal(err)
	}
	paid := tweak.Bytes()
	hits, malformed := transform.ScanTweaks(s, beam.CreateList(s, []transform.Tweak{
		{"paid", paid, [][]byte{pub[1:33], outputs[0].Bytes()}}, {"other", key("other").PublicKey().Bytes(), [][]byte{pub[1:33]}},
		{"short", []byte{2}, nil}, {"no point", make([]byte, 33), nil}, {"cut", key("x").PublicKey().Bytes(), [][]byte{{1}}},
	}), loadScanner)
	passert.Equals(s, hits, transform.Hit{ID: "paid", Output: 1})
	passert.Count(s, malformed, "malformed tweaks", 3)
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
}

// TestWindows has windows where there may be none.
func TestWindows(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("VerifyEvents takes windows")
		}
	}()
	_, s := beam.NewPipelineWithRoot()
	transform.VerifyEvents(s, beam.WindowInto(s, window.NewSessions(1), beam.CreateList(s, [][]byte{{1}})))
}
