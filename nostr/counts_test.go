package nostr_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/libtest/counts"
	"p256k1.mleku.dev/v2/nostr"
)

// many lists the functions that take many items.
var many = []counts.Row{
	counts.Each("nostr.Pool", 20, func(items []*counts.Item) []any {
		var p nostr.Pool
		return counts.Together(items, func(v *counts.Item) any { return p.Verify(context.Background(), eventOf(v)) == nil })
	}),
	counts.Each("nostr.Verifier", counts.Enough, func(items []*counts.Item) []any {
		var v nostr.Verifier
		for i, e := range items {
			if i%2 == 0 {
				v.Add(libtest.Must(eventOf(e).MarshalJSON()))
			} else {
				v.AddEvent(eventOf(e))
			}
		}
		if v.Len() != len(items) {
			panic("Verifier.Len")
		}
		all := counts.Shown(make([]bool, len(items)), v.Invalid(nil).Err())
		if again := counts.Shown(make([]bool, len(items)), nostr.VerifyAll(counts.Values(items, func(v *counts.Item) *nostr.Event { return eventOf(v) }))); !slices.Equal(all, again) {
			panic("Verifier and VerifyAll differ")
		}
		return all
	}),
	counts.Each("nostr.Reader", counts.Enough, func(items []*counts.Item) (all []any) {
		lines := bytes.Join(counts.Values(items, func(v *counts.Item) []byte { return libtest.Must(eventOf(v).MarshalJSON()) }), []byte("\n"))
		for frame, err := range nostr.NewReader(bytes.NewReader(lines), 0).Verified() {
			all = append(all, fmt.Sprint(len(frame.Event), err == nil))
		}
		n, r := 0, nostr.NewReader(bytes.NewReader(lines), 0)
		for range r.All() {
			n++
		}
		if n != len(all) {
			panic("All and Verified differ")
		}
		return all
	}),
}

func TestCounts(t *testing.T) { counts.Run(t, many) }

// events has an event of each item. The signature of the bad item's event does not verify, and the id of the malformed
// item's event is wrong.
var events = sync.OnceValue(func() map[*counts.Item]*nostr.Event {
	all := make(map[*counts.Item]*nostr.Event)
	for i, v := range counts.Stock() {
		e := &nostr.Event{CreatedAt: int64(i), Content: "content"}
		if err := e.Sign(v.Key); err != nil {
			panic(err)
		}
		if v.Bad {
			e.Sig[63] ^= 1
		}
		if v.Malformed {
			e.PubKey = nostr.PubKey{31: 5} // no point has this x coordinate
		}
		all[v] = e
	}
	return all
})

func eventOf(v *counts.Item) *nostr.Event { return events()[v] }
