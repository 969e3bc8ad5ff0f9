package transform_test

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"p256k1.mleku.dev/v2/scale/transform"
)

func init() {
	register.Function1x0(keep)
	register.Function1x0(show)
}

func keep(e []byte) { fmt.Printf("good: %s\n", e) }

func show(r transform.Refused) { fmt.Println(r.Shape, r.Reason) }

// This pipeline prints the good events, and the shapes and reasons of the refused lines.
func ExampleVerifyEvents() {
	p, s := beam.NewPipelineWithRoot()
	events := beam.CreateList(s, [][]byte{
		[]byte(`{"id":"` + zeros + `","pubkey":"` + zeros + `","created_at":1,"kind":1,"tags":[],"content":"hi","sig":"` + zeros + zeros + `"}`),
	})
	good, refused := transform.VerifyEvents(s, events)
	beam.ParDo0(s, keep, good)
	beam.ParDo0(s, show, refused)
	if _, err := beamx.RunWithMetrics(context.Background(), p); err != nil {
		fmt.Println(err)
	}
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"
