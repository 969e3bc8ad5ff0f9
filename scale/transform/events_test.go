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

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/scale/transform"
	"p256k1.mleku.dev/v2/schnorr"
)

func init() {
	register.Function1x1(text)
}

func TestMain(m *testing.M) {
	ptest.MainWithDefault(m, "prism")
}

func text(b []byte) string { return string(b) }

func TestTransforms(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()

	secret := sha256.Sum256([]byte("nostr"))
	key := libtest.Must(p256k1.ParsePrivateKey(secret[:]))
	var events [][]byte
	var good []string
	for i := range 600 { // more than are verified together
		e := nostr.Event{CreatedAt: int64(i), Kind: 1, Content: "hello"}
		libtest.Check(t, e.Sign(key))
		text := libtest.Must(json.Marshal(e))
		if i == 300 {
			text = bytes.Replace(text, []byte("hello"), []byte("hellO"), 1)
		} else {
			good = append(good, string(text))
		}
		events = append(events, text)
	}
	sig := libtest.Must(schnorr.Sign(key, nil, nil))
	row := fmt.Appendf(nil, `{"t":"schnorr","pub":"%x","h":"","sig":"%x"}`, key.PublicKey().XOnly().Bytes(), sig) // good, but not an event
	events = append(events, []byte("frob"), row)
	verified, refused := transform.VerifyEvents(s, beam.CreateList(s, events))
	passert.EqualsList(s, beam.ParDo(s, text, verified), good)
	passert.Count(s, refused, "refused events", 3)
	rows, refusedRows := transform.VerifyRows(s, beam.CreateList(s, events[300:]), true)
	passert.Count(s, rows, "good rows", 300)
	passert.Count(s, refusedRows, "refused rows", 2)

	libtest.Check(t, ptest.Run(p))
}

// TestWindows checks that VerifyEvents panics for a windowed collection.
func TestWindows(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("VerifyEvents takes windows")
		}
	}()
	_, s := beam.NewPipelineWithRoot()
	transform.VerifyEvents(s, beam.WindowInto(s, window.NewSessions(1), beam.CreateList(s, [][]byte{{1}})))
}
