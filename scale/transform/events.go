package transform

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/crypto/sha3"
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/cmd/p256k1/verify"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
)

func init() {
	register.DoFn3x0[[]byte, func([]byte), func(Refused)](&linesFn{})
	register.DoFn3x0[Signed, func(Sender), func(NoSender)](&recoverFn{})
	register.DoFn3x1[Tweak, func(Hit), func(string), error](&scanFn{})
	register.Emitter1[[]byte]()
	register.Emitter1[Refused]()
	register.Emitter1[Sender]()
	register.Emitter1[NoSender]()
	register.Emitter1[Hit]()
	beam.RegisterType(reflect.TypeFor[Tweak]())
	beam.RegisterType(reflect.TypeFor[Signed]())
}

// group is how many elements of a bundle are worked on together, which is where lanes are full.
const group = 256

// mustBeGlobal panics for a collection with windows. What comes out for the elements of a bundle has none of its own.
func mustBeGlobal(c beam.PCollection, name string) {
	if kind := c.WindowingStrategy().Fn.Kind; kind != window.GlobalWindows {
		panic(fmt.Sprintf("transform: %s of a collection with windows (%s), want the global one", name, kind))
	}
}

// Refused is a line that is not good.
type Refused struct {
	Line    []byte
	Verdict int64 // verify.Bad or verify.Unreadable
	Shape   int64 // verify.Shape
	Reason  string
}

// VerifyEvents verifies Nostr events: a PCollection of []byte, each an event in JSON. It returns the good ones, as they
// are, and a PCollection of Refused. The verdicts and reasons are those of "p256k1 verify"; a line that is no event is
// unreadable. It panics if the collection has windows.
func VerifyEvents(s beam.Scope, events beam.PCollection) (good, refused beam.PCollection) {
	mustBeGlobal(events, "VerifyEvents")
	return beam.ParDo2(s.Scope("p256k1.VerifyEvents"), &linesFn{EventsOnly: true}, events)
}

// VerifyRows is VerifyEvents for JSON of all shapes that "p256k1 verify" reads.
func VerifyRows(s beam.Scope, rows beam.PCollection, lowS bool) (good, refused beam.PCollection) {
	mustBeGlobal(rows, "VerifyRows")
	return beam.ParDo2(s.Scope("p256k1.VerifyRows"), &linesFn{LowS: lowS}, rows)
}

// linesFn verifies lines, some of a bundle together.
type linesFn struct {
	EventsOnly, LowS bool

	checker verify.Checker
	lines   [][]byte // as they came
	texts   [][]byte // without white space around them
	results []verify.Result
}

func (f *linesFn) StartBundle(func([]byte), func(Refused)) {
	f.lines, f.texts = f.lines[:0], f.texts[:0] // of a bundle that failed
}

func (f *linesFn) ProcessElement(line []byte, good func([]byte), refused func(Refused)) {
	f.lines, f.texts = append(f.lines, line), append(f.texts, bytes.Trim(line, " \t\r\n"))
	if len(f.lines) == group {
		f.FinishBundle(good, refused)
	}
}

func (f *linesFn) FinishBundle(good func([]byte), refused func(Refused)) {
	f.checker.LowS = f.LowS
	f.results = f.checker.Lines(f.results[:0], f.texts)
	for i, r := range f.results {
		switch {
		case f.EventsOnly && r.Verdict != verify.Unreadable && r.Shape != verify.Event:
			refused(Refused{f.lines[i], int64(verify.Unreadable), int64(r.Shape), "no event"})
		case r.Verdict != verify.Good:
			refused(Refused{f.lines[i], int64(r.Verdict), int64(r.Shape), r.Reason})
		default:
			good(f.lines[i])
		}
	}
	clear(f.lines)
	clear(f.texts)
	f.lines, f.texts = f.lines[:0], f.texts[:0]
}

// Signed is what an Ethereum transaction or message has for its sender to be found.
type Signed struct {
	ID        string
	Digest    []byte // 32 bytes
	Signature []byte // r‖s‖v, 65 bytes, v being 27 or 28
}

// Sender is who signed.
type Sender struct {
	ID      string
	Key     []byte // 65 bytes
	Address []byte // 20 bytes: the end of Keccak-256 of the key
}

// NoSender is a signature that leads to no key.
type NoSender struct {
	ID, Reason string
}

// RecoverSenders finds the senders of a PCollection of Signed. It returns PCollections of Sender and of NoSender. It
// panics if the collection has windows.
func RecoverSenders(s beam.Scope, signed beam.PCollection) (senders, none beam.PCollection) {
	mustBeGlobal(signed, "RecoverSenders")
	return beam.ParDo2(s.Scope("p256k1.RecoverSenders"), &recoverFn{}, signed)
}

type recoverFn struct {
	ids     []string
	digests [][]byte
	sigs    []ecdsa.RecoverableSignature
	keys    []*p256k1.PublicKey
}

func (f *recoverFn) StartBundle(func(Sender), func(NoSender)) { f.reset() }

func (f *recoverFn) reset() { f.ids, f.digests, f.sigs = f.ids[:0], f.digests[:0], f.sigs[:0] }

func (f *recoverFn) ProcessElement(signed Signed, sender func(Sender), none func(NoSender)) {
	sig, err := ecdsa.ParseRecoverableEthereum(signed.Signature)
	if err == nil && len(signed.Digest) != 32 {
		err = fmt.Errorf("digest of %d bytes, want 32", len(signed.Digest))
	}
	if err != nil {
		none(NoSender{signed.ID, err.Error()})
		return
	}
	f.ids, f.digests, f.sigs = append(f.ids, signed.ID), append(f.digests, signed.Digest), append(f.sigs, sig)
	if len(f.ids) == group {
		f.FinishBundle(sender, none)
	}
}

func (f *recoverFn) FinishBundle(sender func(Sender), none func(NoSender)) {
	f.keys = append(f.keys[:0], make([]*p256k1.PublicKey, len(f.ids))...)
	ecdsa.RecoverBatch(f.keys, f.digests, f.sigs)
	for i, key := range f.keys {
		if key == nil {
			none(NoSender{f.ids[i], ecdsa.ErrRecover.Error()})
			continue
		}
		encoded := key.BytesUncompressed()
		hash := sha3.NewLegacyKeccak256()
		hash.Write(encoded[1:])
		sender(Sender{f.ids[i], encoded, hash.Sum(nil)[12:]})
	}
	f.reset()
}

// Tweak is a transaction as an index server for silent payments has it.
type Tweak struct {
	ID      string
	Tweak   []byte   // 33 bytes, a compressed point
	Outputs [][]byte // the x coordinates of its Taproot outputs, or the first eight bytes of each
}

// Hit is a transaction that pays to the scanner, all but certainly.
type Hit struct {
	ID     string
	Output int64 // the index of its first output that does
}

// ScanTweaks looks through a PCollection of Tweak and returns a PCollection of Hit, and the IDs of those that are
// malformed. Every worker calls load for the scanner, so that no key is in the pipeline, where runners keep it and show
// it. Load must be registered: register.Function0x2(load). ScanTweaks panics if the collection has windows.
func ScanTweaks(s beam.Scope, tweaks beam.PCollection, load func() (*silentpayments.Scanner, error)) (hits, malformed beam.PCollection) {
	mustBeGlobal(tweaks, "ScanTweaks")
	return beam.ParDo2(s.Scope("p256k1.ScanTweaks"), &scanFn{Load: beam.EncodedFunc{Fn: reflectx.MakeFunc(load)}}, tweaks)
}

type scanFn struct {
	Load beam.EncodedFunc

	scanner  *silentpayments.Scanner
	ids      []string
	tweaks   [][33]byte
	prefixes [][]uint64
}

func (f *scanFn) Setup() error {
	result := f.Load.Fn.Call(nil)
	if err, ok := result[1].(error); ok {
		return err
	}
	f.scanner = result[0].(*silentpayments.Scanner)
	return nil
}

func (f *scanFn) Teardown() {
	if f.scanner != nil {
		f.scanner.Zero()
	}
}

func (f *scanFn) StartBundle(func(Hit), func(string)) { f.reset() }

func (f *scanFn) reset() { f.ids, f.tweaks, f.prefixes = f.ids[:0], f.tweaks[:0], f.prefixes[:0] }

func (f *scanFn) ProcessElement(t Tweak, hit func(Hit), malformed func(string)) error {
	if len(t.Tweak) != 33 {
		malformed(t.ID)
		return nil
	}
	prefixes := make([]uint64, len(t.Outputs))
	for i, x := range t.Outputs {
		if len(x) < 8 {
			malformed(t.ID)
			return nil
		}
		prefixes[i] = binary.BigEndian.Uint64(x)
	}
	f.ids, f.tweaks, f.prefixes = append(f.ids, t.ID), append(f.tweaks, [33]byte(t.Tweak)), append(f.prefixes, prefixes)
	if len(f.ids) == group {
		return f.FinishBundle(hit, malformed)
	}
	return nil
}

func (f *scanFn) FinishBundle(hit func(Hit), malformed func(string)) error {
	hits, err := f.scanner.ScanTweaks(f.tweaks, f.prefixes)
	for _, h := range hits {
		hit(Hit{f.ids[h.Tweak], int64(h.Prefix)})
	}
	if err != nil { // it names those that are no points; which, the encodings say
		none := true
		for i := range f.tweaks {
			if _, e := p256k1.NewPublicKey(f.tweaks[i][:]); e != nil {
				malformed(f.ids[i])
				none = false
			}
		}
		if none {
			return err
		}
	}
	f.reset()
	return nil
}
