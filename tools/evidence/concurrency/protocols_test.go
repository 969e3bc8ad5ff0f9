package concurrency

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/nip44"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/schnorr"
)

// protocols are what goroutines share of the modules' values. Of musig2 it is a session that is over.
type protocols struct {
	keys       *musig2.KeySet
	usedNonce  *musig2.SecretNonce
	nonces     []musig2.PublicNonce
	sum        musig2.AggregateNonce
	session    *musig2.Session
	partial    []musig2.PartialSignature
	combined   [64]byte
	scanner    *silentpayments.Scanner
	inputs     []silentpayments.Input
	inputKeys  []*p256k1.PrivateKey
	payTweak   *p256k1.PublicKey
	outputs    [][32]byte
	found      []silentpayments.Found
	options    *dleq.Options
	proofs     []dleq.Item
	blinded    *p256k1.PublicKey
	promise    cashu.BlindSignature
	token      *p256k1.PublicKey
	talk       *nip44.Conversation
	payload    []byte
	event, bad *nostr.Event
	line       []byte
}

func newProtocols(w *world) *protocols {
	p := new(protocols)
	privs := []*p256k1.PrivateKey{w.priv, w.other}
	p.keys = must(musig2.Aggregate([]*p256k1.PublicKey{w.pub, w.peer}))
	var secrets []*musig2.SecretNonce
	for _, priv := range privs {
		secret, nonce, err := musig2.NewNonce(priv, p.keys, w.msg)
		secrets, p.nonces = append(secrets, must(secret, err)), append(p.nonces, nonce)
	}
	p.usedNonce = secrets[0]
	p.sum = must(musig2.AggregateNonces(p.nonces))
	p.session = must(musig2.NewSession(p.keys, p.sum, w.msg))
	for i, priv := range privs {
		p.partial = append(p.partial, must(p.session.Sign(secrets[i], priv)))
	}
	p.combined = must(p.session.Combine(p.partial, p.nonces))

	p.scanner = must(silentpayments.NewScanner(w.priv, w.peer, 1))
	for i, key := range privs {
		p.inputs = append(p.inputs, silentpayments.Input{Index: uint32(i), Witness: [][]byte{w.msg},
			ScriptPubKey: append([]byte{0x51, 0x20}, key.PublicKey().XOnly().Bytes()...)})
	}
	p.inputKeys = privs
	p.payTweak = must(silentpayments.Tweak(p.inputs))
	for _, x := range must(silentpayments.CreateOutputs(p.inputs, privs, []silentpayments.Recipient{p.scanner.Recipient(), must(p.scanner.Labeled(1)), p.scanner.Change()})) {
		p.outputs = append(p.outputs, [32]byte(x.Bytes()))
	}
	p.found = must(p.scanner.Scan(p.payTweak, p.outputs))

	p.options = &dleq.Options{Message: w.aux, AuxRand: w.aux}
	c, proof, err := dleq.Prove(w.priv, w.peer, p.options)
	must(c, err)
	p.proofs = slices.Repeat([]dleq.Item{{A: w.pub, B: w.peer, C: c, Proof: proof[:], Options: p.options}}, 9)
	p.proofs[4].C = w.peer

	p.blinded = must(cashu.Blind(w.msg, w.other))
	p.promise = must(cashu.Sign(w.priv, p.blinded))
	p.token = must(cashu.Unblind(w.pub, w.msg, p.promise, w.other))

	p.talk = must(nip44.New(w.priv, w.peerX))
	p.payload = must(p.talk.Encrypt(nil, w.msg))
	p.event = &nostr.Event{CreatedAt: 1, Kind: 1, Tags: [][]string{{"t", "x"}}, Content: "content"}
	must(p.event, p.event.Sign(w.priv))
	bad := *p.event
	bad.Content = "another"
	p.bad = &bad
	p.line = must(p.event.MarshalJSON())
	return p
}

// texts is what values with a text form, without String, have of it.
func texts[T any, P interface {
	*T
	UnmarshalText([]byte) error
}](shared interface{ MarshalText() ([]byte, error) }) []any {
	text, err := shared.MarshalText()
	own := P(new(T))
	return list(text, err, own.UnmarshalText(text), own.UnmarshalText(text[1:]))
}

// hidden is what values that hide their secrets do when they are written, and read.
func hidden(shared interface {
	MarshalText() ([]byte, error)
	MarshalBinary() ([]byte, error)
	UnmarshalText([]byte) error
	UnmarshalBinary([]byte) error
}) []any {
	return join(list(fmt.Sprintf("%v %x", shared, shared), shared.UnmarshalText(nil), shared.UnmarshalBinary(nil)), list(shared.MarshalText()), list(shared.MarshalBinary()))
}

func init() {
	operations = append(operations, ofProtocols...)
}

var ofProtocols = []operation{
	{"musig2", "Aggregate AggregateNonces NewAggregateNonce NewNonce NewPartialSignature NewPublicNonce NewSession SignDeterministic Sort", func(w *world) []any {
		keys := must(musig2.Aggregate(musig2.Sort([]*p256k1.PublicKey{w.pub, w.peer})))
		_, err := musig2.Aggregate([]*p256k1.PublicKey{w.pub, nil})
		secret, nonce, err2 := musig2.NewNonce(w.priv, keys, w.msg)
		others, err3 := musig2.AggregateNonces([]musig2.PublicNonce{nonce})
		last, lastSig, err4 := musig2.SignDeterministic(w.other, others, keys, w.msg, w.aux)
		nonces := []musig2.PublicNonce{nonce, last}
		session := must(musig2.NewSession(keys, must(musig2.AggregateNonces(nonces)), w.msg))
		sigs := []musig2.PartialSignature{must(session.Sign(secret, w.priv)), lastSig}
		if !keys.PublicKey().Equal(w.keys.PublicKey()) { // the sorted keys stand the other way round
			slices.Reverse(sigs)
			slices.Reverse(nonces)
		}
		sig, err5 := session.Combine(sigs, nonces)
		fixed, fixedSig, err6 := musig2.SignDeterministic(w.priv, w.sum, w.keys, w.msg, nil)
		again, err7 := musig2.NewPublicNonce(fixed.Bytes())
		same, err8 := musig2.NewPartialSignature(fixedSig.Bytes())
		sum, err9 := musig2.NewAggregateNonce(w.sum.Bytes())
		return list(keys.PublicKey(), err, err2, err3, err4, err5, schnorr.Verify(keys.PublicKey().XOnly(), w.msg, sig[:]),
			again.Bytes(), same.Bytes(), sum.Bytes(), err6, err7, err8, err9)
	}},
	{"musig2.KeySet", "Derive ExtendedKey PublicKey Tweak TweakXOnly", func(w *world) []any {
		derived, err := w.keys.Derive(1, 2)
		tweaked, err2 := must(w.keys.Tweak(w.tweak)).TweakXOnly(w.tweak)
		extended, err3 := w.keys.ExtendedKey([4]byte{4})
		return list(w.keys.PublicKey(), derived.PublicKey(), tweaked.PublicKey(), extended[:], err, err2, err3)
	}},
	{"musig2.Session", "Combine Sign VerifyPartial", func(w *world) []any {
		_, err := w.session.Sign(w.usedNonce, w.priv)
		_, err2 := w.session.Combine(w.partial[:1], w.nonces[:1])
		_, err3 := w.session.Combine([]musig2.PartialSignature{w.partial[0], w.partial[0]}, w.nonces)
		sig, err4 := w.session.Combine(w.partial, w.nonces)
		return list(err, err2, err3, err4, sig == w.combined, schnorr.Verify(w.keys.PublicKey().XOnly(), w.msg, sig[:]),
			w.session.VerifyPartial(w.partial[0], w.nonces[0], w.pub), w.session.VerifyPartial(w.partial[0], w.nonces[1], w.peer))
	}},
	{"musig2.PublicNonce", "Bytes MarshalText UnmarshalText", func(w *world) []any {
		return append(texts[musig2.PublicNonce](w.nonces[0]), w.nonces[0].Bytes())
	}},
	{"musig2.AggregateNonce", "Bytes MarshalText UnmarshalText", func(w *world) []any {
		return append(texts[musig2.AggregateNonce](w.sum), w.sum.Bytes())
	}},
	{"musig2.PartialSignature", "Bytes MarshalText UnmarshalText", func(w *world) []any {
		return append(texts[musig2.PartialSignature](w.partial[0]), w.partial[0].Bytes())
	}},
	{"musig2.SecretNonce", "Format LogValue MarshalBinary MarshalText UnmarshalBinary UnmarshalText Zero", func(w *world) []any {
		w.usedNonce.Zero()
		return append(hidden(w.usedNonce), w.usedNonce.LogValue().String())
	}},
	{"musig2.SignerError", "Error Unwrap", func(w *world) []any {
		err := &musig2.SignerError{Signer: 1, Err: musig2.ErrPartialSignature}
		return list(err.Error(), err.Unwrap())
	}},

	{"silentpayments", "CreateOutputs NewScanner Tweak", func(w *world) []any {
		own := must(silentpayments.NewScanner(w.priv, w.peer, 1, 2))
		keys, err := silentpayments.CreateOutputs(w.inputs, w.inputKeys, []silentpayments.Recipient{own.Recipient(), w.scanner.Change()})
		tweak, err2 := silentpayments.Tweak(w.inputs)
		_, err3 := silentpayments.Tweak([]silentpayments.Input{{ScriptPubKey: w.inputs[0].ScriptPubKey}})
		return list(keys[0], keys[1], err, tweak, err2, err3)
	}},
	{"silentpayments.Input", "PublicKey", func(w *world) []any { return list(w.inputs[0].PublicKey(), w.inputs[1].PublicKey()) }},
	{"silentpayments.Found", "PrivateKey", func(w *world) []any {
		return join(list(w.found[2].PrivateKey(w.other)), list(w.found[2].PrivateKey(w.priv)))
	}},
	{"silentpayments.Scanner", "Change Format Labeled LogValue MarshalBinary MarshalText Recipient Scan ScanTweaks UnmarshalBinary UnmarshalText Zero", func(w *world) []any {
		own := must(silentpayments.NewScanner(w.priv, w.peer))
		own.Zero()
		_, err := own.Scan(w.payTweak, w.outputs)
		labeled, err2 := w.scanner.Labeled(1)
		found, err3 := w.scanner.Scan(w.payTweak, w.outputs)
		tweaks := slices.Repeat([][33]byte{[33]byte(w.peer.Bytes())}, 9)
		tweaks[7] = [33]byte(w.payTweak.Bytes())
		prefixes := make([][]uint64, 9)
		prefixes[7] = []uint64{1, binary.BigEndian.Uint64(w.outputs[0][:])}
		hits, err4 := w.scanner.ScanTweaks(tweaks, prefixes)
		return join(hidden(w.scanner), list(err, labeled.Scan, labeled.Spend, w.scanner.Change().Spend, w.scanner.Recipient().Spend, err2,
			w.scanner.LogValue().String(), fmt.Sprint(found), err3, fmt.Sprint(hits), err4))
	}},

	{"dleq", "Prove ProveChecked Verify VerifyBatch", func(w *world) []any {
		c, proof, err := dleq.Prove(w.priv, w.peer, w.options)
		checked, same, err2 := dleq.ProveChecked(w.priv, w.peer, w.options)
		valid := make([]bool, len(w.proofs))
		dleq.VerifyBatch(valid, w.proofs)
		return list(c, proof[:], err, checked, same[:], err2, fmt.Sprint(valid), dleq.Verify(w.pub, w.peer, c, proof[:], w.options), dleq.Verify(w.peer, w.peer, c, proof[:], w.options))
	}},

	{"cashu", "Blind HashToCurve HashToCurveVartime Sign Unblind UnblindWithoutProof Verify", func(w *world) []any {
		promise, err := cashu.Sign(w.priv, w.blinded)
		return join(list(cashu.HashToCurve(w.msg)), list(cashu.HashToCurveVartime(w.msg)), list(cashu.Blind(w.msg, w.other)),
			list(promise.C, promise.DLEQ.E[:], promise.DLEQ.S[:], err, cashu.Verify(w.priv, w.msg, w.token), cashu.Verify(w.other, w.msg, w.token)),
			list(cashu.Unblind(w.pub, w.msg, w.promise, w.other)), list(cashu.Unblind(w.peer, w.msg, w.promise, w.other)), list(cashu.UnblindWithoutProof(w.pub, w.promise, w.other)))
	}},
	{"cashu.DLEQ", "Verify VerifyToken", func(w *world) []any {
		return list(w.promise.DLEQ.Verify(w.pub, w.blinded, w.promise.C), w.promise.DLEQ.Verify(w.peer, w.blinded, w.promise.C),
			w.promise.DLEQ.VerifyToken(w.pub, w.msg, w.token, w.other), w.promise.DLEQ.VerifyToken(w.pub, w.msg, w.token, w.priv))
	}},
	{"cashu.Integer", "MarshalText UnmarshalText", func(w *world) []any { return texts[cashu.Integer](w.promise.DLEQ.E) }},

	{"nostr", "NewReader Parse VerifyAll", func(w *world) []any {
		e, err := nostr.Parse(w.line)
		_, err2 := nostr.Parse(w.line[1:])
		return list(e.ID[:], err, err2, fmt.Sprint(nostr.VerifyAll([]*nostr.Event{w.event, w.bad, nil})), nostr.NewReader(nil, 0) != nil)
	}},
	{"nostr.Event", "AppendJSON AppendSerialized ComputeID MarshalJSON Sign SignWith UnmarshalJSON Verify", func(w *world) []any {
		var own nostr.Event
		err := own.UnmarshalJSON(w.line)
		same := own.Sig == w.event.Sig
		err2, err3 := own.Sign(w.other), own.Verify()
		err4, err5 := own.SignWith(w.nostr), own.Verify()
		id, err6 := w.event.ComputeID()
		return join(list(err, same, err2, err3, err4, err5, id, err6, w.event.Verify(), w.bad.Verify()),
			list(w.event.MarshalJSON()), list(w.event.AppendJSON(nil)), list(w.event.AppendSerialized(nil)))
	}},
	{"nostr.Reader", "All Next Verified", func(w *world) []any {
		lines := string(w.line) + "\n{\n" + string(w.line) + "\n"
		var all []any
		for frame, err := range nostr.NewReader(strings.NewReader(lines), 0).All() {
			all = append(all, len(frame.Event), err)
		}
		for frame, err := range nostr.NewReader(strings.NewReader(lines), 0).Verified() {
			all = append(all, len(frame.Event), err)
		}
		_, err := nostr.NewReader(strings.NewReader(""), 0).Next()
		return append(all, err == io.EOF)
	}},
	{"nostr.Verifier", "Add AddEvent Len Verdicts", func(w *world) []any {
		var own nostr.Verifier
		for range 5 {
			own.Add(w.line)
			own.AddEvent(w.event)
			own.AddEvent(w.bad)
			own.Add(w.line[1:])
		}
		return list(own.Len(), fmt.Sprint(own.Verdicts(nil)), own.Len())
	}},

	{"nostr.wrongID", "Error Unwrap", func(w *world) []any {
		err := w.bad.Verify()
		return list(err.Error(), errors.Unwrap(err))
	}},

	{"nip44", "FromKey New", func(w *world) []any {
		message, err := nip44.FromKey(w.aux).Decrypt(nil, w.payload)
		own, err2 := nip44.New(w.other, w.x)
		read, err3 := own.Decrypt(nil, w.payload)
		return list(message, err, err2, read, err3)
	}},
	{"nip44.Conversation", "Decrypt Encrypt Format LogValue MarshalBinary MarshalText UnmarshalBinary UnmarshalText Zero", func(w *world) []any {
		payload, err := w.talk.Encrypt(nil, w.digest)
		read, err2 := w.talk.Decrypt(nil, payload)
		own := nip44.FromKey(w.aux)
		own.Zero()
		_, err3 := own.Encrypt(nil, w.msg)
		return join(hidden(w.talk), list(err, bytes.Equal(read, w.digest), err2, err3, w.talk.LogValue().String()), list(w.talk.Decrypt(nil, w.payload)))
	}},
}

// TestProtocols sees that the shared values are good ones, so that what is compared are not errors alone.
func TestProtocols(t *testing.T) {
	w := newWorld(t)
	if !schnorr.Verify(w.keys.PublicKey().XOnly(), w.msg, w.combined[:]) || len(w.found) != 3 || w.event.Verify() != nil || !cashu.Verify(w.priv, w.msg, w.token) {
		t.Error("something shared is wrong")
	}
	for _, o := range ofProtocols {
		if o.of == "musig2" || o.of == "nostr.Event" || o.of == "nip44.Conversation" {
			if all := text(o.do(w)); !strings.Contains(all, "true\n") || strings.Contains(all, "false\n") {
				t.Errorf("%s: %s", o.of, all)
			}
		}
	}
}
