package flood

import (
	"bytes"
	"strings"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// An item is a signature with its key and message, or an event, whose JSON is msg.
type item struct{ pub, msg, sig []byte }

// A subject verifies items one by one, or with batches that return how many items of a call are invalid.
type subject struct {
	name   string
	sizes  []int
	shares []int    // one item of so many is invalid, or none for 0
	kinds  []string // ways to spoil an item
	sign   func(in *engine.Input) item
	one    func(pub, msg, sig []byte) bool
	batch  func() func(call []item) int
}

var (
	shares = []int{0, 1024, 256, 64, 16, 4, 1}
	// The numbers are another item's, or not below their modulus, or not the x coordinate of a point.
	kinds = []string{"message", "s", "r", "r-point", "r-range", "s-range", "key", "key-point", "key-range"}
)

var subjects = []subject{
	{"schnorr", []int{64, 256, 1024}, shares, kinds,
		func(in *engine.Input) item { return item{in.Pub[1:], in.Digest[:], in.Schnorr[:]} }, schnorr.VerifyBytes,
		func() func([]item) int {
			b := new(schnorr.Batch)
			return together(b.Add, func() int { defer b.Reset(); return len(b.Invalid(nil)) })
		}},
	{"ecdsa", []int{256}, shares, kinds[:1],
		func(in *engine.Input) item { return item{in.Pub[:], in.Digest[:], in.DER} }, ecdsa.VerifyDER,
		func() func([]item) int {
			b := new(ecdsa.Batch)
			return together(b.AddDER, func() int { defer b.Reset(); return len(b.Invalid(nil)) })
		}},
	events("nostr id", 0, 16, 1), events("nostr sig", 16, 1), events("nostr key", 16, 1),
}

// events returns events of which a field is another's.
func events(kind string, shares ...int) subject {
	return subject{kind, []int{512}, shares, []string{kind},
		func(in *engine.Input) item {
			e := &nostr.Event{CreatedAt: 1_700_000_000, Kind: 1, Content: "a note of usual length, which says something about the weather"}
			must.Do(e.Sign(must.Get(p256k1.ParsePrivateKey(in.Secret[:]))))
			return item{msg: must.Get(e.AppendJSON(nil))}
		},
		func(_, msg, _ []byte) bool {
			e, err := nostr.Parse(msg)
			return err == nil && e.Verify() == nil
		},
		func() func([]item) int {
			v := new(nostr.Verifier)
			return together(func(_, msg, _ []byte) { v.Add(msg) }, func() int { return len(v.Invalid(nil)) })
		}}
}

// oneByOne returns the number of items in a call that are invalid.
func (s *subject) oneByOne(call []item) (invalid int) {
	for _, it := range call {
		if !s.one(it.pub, it.msg, it.sig) {
			invalid++
		}
	}
	return invalid
}

// together returns a function that adds all items of a call to a batch.
func together(add func(pub, msg, sig []byte), invalid func() int) func(call []item) int {
	return func(call []item) int {
		for _, it := range call {
			add(it.pub, it.msg, it.sig)
		}
		return invalid()
	}
}

// spoil returns the item it, changed so that it is invalid. The changed field is another item's, unless the kind says
// that it is out of range or no point.
func (it item) spoil(kind string, other item) item {
	if strings.HasPrefix(kind, "nostr") {
		e, from := must.Get(nostr.Parse(it.msg)), must.Get(nostr.Parse(other.msg))
		switch kind {
		case "nostr id":
			e.Content += "."
		case "nostr sig":
			e.Sig = from.Sig
		case "nostr key":
			e.PubKey = from.PubKey
			e.ID = must.Get(e.ComputeID())
		}
		return item{msg: must.Get(e.AppendJSON(nil))}
	}
	it = item{bytes.Clone(it.pub), bytes.Clone(it.msg), bytes.Clone(it.sig)}
	name, how, _ := strings.Cut(kind, "-")
	field := func(it item) []byte {
		return map[string][]byte{"message": it.msg, "r": it.sig[:32], "s": it.sig[32:], "key": it.pub}[name]
	}
	x := field(it)
	copy(x, field(other))
	switch how {
	case "range":
		copy(x, bytes.Repeat([]byte{255}, 32))
	case "point":
		for _, err := p256k1.ParseXOnlyPublicKey(x); err == nil; _, err = p256k1.ParseXOnlyPublicKey(x) {
			x[31]++
		}
	}
	return it
}
