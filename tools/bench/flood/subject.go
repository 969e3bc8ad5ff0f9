package flood

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// An item is a signature with its key and message, or an event, whose JSON is msg.
type item struct {
	pub, msg, sig []byte
	event         *nostr.Event
}

// A subject verifies items one by one, or with batches that return how many items of a call are invalid.
type subject struct {
	name   string
	sizes  []int
	shares []int // one item of so many is invalid, or none for 0
	kinds  []string
	places []string
	sign   func(in *engine.Input) item
	one    func(it *item) bool
	batch  func() func(call []item) int
}

// shares are the numbers of items of which one is invalid.
var shares = []int{0, 1024, 256, 64, 16, 4, 1}

var subjects = []subject{
	{"schnorr", []int{64, 256, 1024}, shares, []string{"message"}, places[:1],
		func(in *engine.Input) item { return item{pub: in.Pub[1:], msg: in.Digest[:], sig: in.Schnorr[:]} },
		func(it *item) bool { return schnorr.VerifyBytes(it.pub, it.msg, it.sig) },
		func() func([]item) int {
			b := new(schnorr.Batch)
			return together(b, func(it *item) { b.Add(it.pub, it.msg, it.sig) })
		}},
	{"ecdsa", []int{256}, shares, []string{"message"}, places[:1],
		func(in *engine.Input) item { return item{pub: in.Pub[:], msg: in.Digest[:], sig: in.DER} },
		func(it *item) bool { return ecdsa.VerifyDER(it.pub, it.msg, it.sig) },
		func() func([]item) int {
			b := new(ecdsa.Batch)
			return together(b, func(it *item) { b.AddDER(it.pub, it.msg, it.sig) })
		}},
	events("nostr id", 0, 16, 1), events("nostr sig", 16, 1), events("nostr key", 16, 1),
}

// events returns events of which a field is another's.
func events(kind string, shares ...int) subject {
	return subject{kind, []int{512}, shares, []string{kind}, places[:1],
		func(in *engine.Input) (it item) {
			it.event = &nostr.Event{CreatedAt: 1_700_000_000, Kind: 1, Content: "a note of usual length, which says something about the weather"}
			must.Do(it.event.Sign(must.Get(p256k1.ParsePrivateKey(in.Secret[:]))))
			it.msg = must.Get(it.event.AppendJSON(nil))
			return it
		},
		func(it *item) bool {
			e, err := nostr.Parse(it.msg)
			return err == nil && e.Verify() == nil
		},
		func() func([]item) int {
			v := new(nostr.Verifier)
			var invalid p256k1.Failures
			return func(call []item) int {
				for i := range call {
					v.Add(call[i].msg)
				}
				invalid = v.Invalid(invalid[:0])
				return len(invalid)
			}
		}}
}

// oneByOne returns the number of items in a call that are invalid.
func (s *subject) oneByOne(call []item) (invalid int) {
	for i := range call {
		if !s.one(&call[i]) {
			invalid++
		}
	}
	return invalid
}

// together returns a function that verifies with b.
func together(b interface {
	Invalid(dst []int) []int
	Reset()
}, add func(it *item)) func(call []item) int {
	var invalid []int
	return func(call []item) int {
		b.Reset()
		for i := range call {
			add(&call[i])
		}
		invalid = b.Invalid(invalid[:0])
		return len(invalid)
	}
}

// kinds are the ways to spoil a Schnorr signature. The numbers are of another item, or not below their modulus, or not
// the x coordinate of a point.
var kinds = []string{"message", "s", "r", "r-no-point", "r-range", "s-range", "key", "key-no-point", "key-range"}

// spoil returns the item it, changed so that it is invalid. Some of the changed fields are another item's.
func (it item) spoil(kind string, other item) item {
	it.pub, it.sig = bytes.Clone(it.pub), bytes.Clone(it.sig)
	beyond := bytes.Repeat([]byte{255}, 32)
	switch kind {
	case "message":
		it.msg = other.msg
	case "s":
		it.sig[63] ^= 1
	case "r":
		copy(it.sig, other.sig[:32])
	case "r-no-point":
		noPoint(it.sig[:32])
	case "r-range":
		copy(it.sig, beyond)
	case "s-range":
		copy(it.sig[32:], beyond)
	case "key":
		it.pub = other.pub
	case "key-no-point":
		noPoint(it.pub)
	case "key-range":
		it.pub = beyond
	}
	if it.event == nil {
		return it
	}
	e := *it.event
	switch kind {
	case "nostr id":
		e.Content += "."
	case "nostr sig":
		e.Sig = other.event.Sig
	case "nostr key":
		e.PubKey = other.event.PubKey
		e.ID = must.Get(e.ComputeID())
	}
	return item{msg: must.Get(e.AppendJSON(nil))}
}

// noPoint increases x until it is not the x coordinate of a point.
func noPoint(x []byte) {
	for {
		if _, err := p256k1.ParseXOnlyPublicKey(x); err != nil {
			return
		}
		x[31]++
	}
}

// places are where the invalid items of a call are.
var places = []string{"random", "start", "end", "run"}

// indexes returns the indexes of k items among n.
func indexes(place string, k, n int) []int {
	all := rand.Perm(n)
	if place != "random" {
		slices.Sort(all)
		all = all[map[string]int{"end": n - k, "run": rand.IntN(n - k + 1)}[place]:]
	}
	return all[:k]
}
