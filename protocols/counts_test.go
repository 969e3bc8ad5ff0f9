package protocols_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/libtest/counts"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/chilldkg"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/halfagg"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/schnorr"
)

// many lists the functions that take many items.
var many = []counts.Row{
	counts.Each("dleq.Invalid", counts.Enough, func(items []*counts.Item) []any {
		return counts.Invalid(len(items), dleq.Invalid(nil, counts.Values(items, func(v *counts.Item) dleq.Item { return things()[v].proof })))
	}),
	counts.Whole("halfagg", counts.Enough, func(items []*counts.Item) bool {
		claims := counts.Values(items, func(v *counts.Item) halfagg.Claim {
			return halfagg.Claim{PublicKey: [32]byte(v.Public.XOnly().Bytes()), Message: [32]byte(v.Digest)}
		})
		sigs := counts.Values(items, func(v *counts.Item) [64]byte { return v.Schnorr })
		aggregate, err := halfagg.Aggregate(claims, sigs)
		if slices.ContainsFunc(items, counts.Bad) {
			return err != nil && slices.Equal(counts.Shown(make([]bool, len(items)), err), failed(items))
		}
		half := len(items) / 2
		added := libtest.Must(halfagg.Add(libtest.Must(halfagg.Aggregate(claims[:half], sigs[:half])), claims[:half], claims[half:], sigs[half:]))
		claims[len(claims)-1].Message[0] ^= 1
		wrong := halfagg.Verify(aggregate, claims)
		claims[len(claims)-1].Message[0] ^= 1
		return err == nil && bytes.Equal(added, aggregate) && halfagg.Verify(aggregate, claims) && !wrong
	}),
	counts.Whole("musig2", 40, func(items []*counts.Item) bool {
		pubs := musig2.Sort(counts.Values(items, counts.Public))
		byKey := make(map[string]*p256k1.PrivateKey)
		for _, v := range items {
			byKey[string(v.Public.Bytes())] = v.Key
		}
		keys := libtest.Must(musig2.AggregateBatch([][]*p256k1.PublicKey{pubs, pubs[:1]}))[0]
		point, msg := counts.Small(8), []byte("message")
		derived, path := keys, make([]uint32, len(items))
		for i := range path {
			path[i] = uint32(i)
			derived = libtest.Must(derived.Derive(path[i]))
		}
		var secrets [2][]*musig2.SecretNonce
		var nonces [2][]musig2.PublicNonce
		for _, pub := range pubs {
			s, n := must2(musig2.NewNonceBatch(byKey[string(pub.Bytes())], []*musig2.KeySet{keys, keys}, [][]byte{msg, msg}))
			for i := range s {
				secrets[i], nonces[i] = append(secrets[i], s[i]), append(nonces[i], n[i])
			}
		}
		session := libtest.Must(musig2.NewSessionBatch([]musig2.SessionParams{{Keys: keys, Nonce: libtest.Must(musig2.AggregateNonces(nonces[0])), Message: msg}}))[0]
		adaptors := libtest.Must(musig2.NewAdaptorSession(keys, libtest.Must(musig2.AggregateNonces(nonces[1])), msg, point.PublicKey()))
		var partial, theirs []musig2.PartialSignature
		for i, pub := range pubs {
			partial = append(partial, libtest.Must(session.Sign(secrets[0][i], byKey[string(pub.Bytes())])))
			theirs = append(theirs, libtest.Must(adaptors.Sign(secrets[1][i], byKey[string(pub.Bytes())])))
		}
		wrong := swapped(items, partial, func(i int) musig2.PartialSignature { return theirs[i] })
		_, err := session.Combine(wrong, nonces[0])
		var all []musig2.Partial
		for i, pub := range pubs {
			all = append(all, musig2.Partial{Session: session, Signature: wrong[i], Nonce: nonces[0][i], Key: pub})
			if items[i].Malformed {
				all[i].Nonce = musig2.PublicNonce{}
			}
		}
		sigs, failed := musig2.CombineBatch([]musig2.Combination{{Session: session, Signatures: partial, Nonces: nonces[0]}, {Session: session, Signatures: wrong, Nonces: nonces[0]}})
		pre := libtest.Must(adaptors.CombineAdaptor(theirs, nonces[1]))
		x := keys.PublicKey().XOnly()
		return blames(items, err) && (failed != nil) == (err != nil) && schnorr.Verify(x, msg, sigs[0][:]) && pre.Verify(x, point.PublicKey(), msg) &&
			slices.Equal(counts.Invalid(len(all), musig2.InvalidPartials(all)), counts.Shown(counts.Values(items, func(v *counts.Item) bool { return v.Bad }), nil)) &&
			libtest.Must(keys.Derive(path...)).PublicKey().Equal(derived.PublicKey()) && libtest.Must(musig2.Aggregate(pubs)).PublicKey().Equal(keys.PublicKey())
	}),
	counts.Each("musig2.AggregateBatch and others, of many sessions", 40, func(items []*counts.Item) []any {
		sets := libtest.Must(musig2.AggregateBatch(counts.Values(items, func(v *counts.Item) []*p256k1.PublicKey { return []*p256k1.PublicKey{v.Public} })))
		var combinations []musig2.Combination
		var partials []musig2.Partial
		secrets, nonces := must2(musig2.NewNonceBatch(counts.Small(9), make([]*musig2.KeySet, len(items)), counts.Values(items, counts.Digest)))
		sessions := libtest.Must(musig2.NewSessionBatch(counts.Numbered(items, func(i int, v *counts.Item) musig2.SessionParams {
			return musig2.SessionParams{Keys: libtest.Must(musig2.Aggregate([]*p256k1.PublicKey{counts.Small(9).PublicKey()})), Nonce: libtest.Must(musig2.AggregateNonces(nonces[i:][:1])), Message: v.Digest}
		})))
		for i, v := range items {
			sig := libtest.Must(sessions[i].Sign(secrets[i], counts.Small(9)))
			if v.Bad {
				sig = libtest.Must(musig2.ParsePartialSignature(v.D.Bytes()))
			}
			if v.Malformed {
				nonces[i] = musig2.PublicNonce{}
			}
			partials = append(partials, musig2.Partial{Session: sessions[i], Signature: sig, Nonce: nonces[i], Key: counts.Small(9).PublicKey()})
			combinations = append(combinations, musig2.Combination{Session: sessions[i], Signatures: []musig2.PartialSignature{sig}, Nonces: nonces[i:][:1]})
			if v.Malformed {
				combinations[i].Signatures = nil
			}
		}
		sigs, err := musig2.CombineBatch(combinations)
		all := counts.Shown(make([]bool, len(items)), err)
		for i, wrong := range counts.Invalid(len(items), musig2.InvalidPartials(partials)) {
			valid := schnorr.Verify(counts.Small(9).PublicKey().XOnly(), items[i].Digest, sigs[i][:])
			all[i] = fmt.Sprint(all[i], wrong, valid, sets[i].PublicKey().Bytes())
		}
		return all
	}),
	counts.Whole("frost", 33, func(items []*counts.Item) bool {
		n, msg, key := len(items), []byte("message"), counts.Small(77)
		group, shares := must2(frost.Deal(key, (n+1)/2, n, nil))
		var ids []uint32
		for i := range items {
			ids = append(ids, uint32(i))
		}
		signers := libtest.Must(group.Signers(ids...))
		public := counts.Values(shares, (*frost.Share).Public)
		same := libtest.Must(frost.NewSigners((n+1)/2, n, signers.IDs(), public, key.PublicKey(), nil))
		libtest.Must(frost.NewGroup((n+1)/2, key.PublicKey(), public, nil))
		var secrets []*frost.SecretNonce
		var nonces []frost.PublicNonce
		for _, share := range shares {
			s, p := must2(frost.NewNonce(share, signers, msg))
			secrets, nonces = append(secrets, s), append(nonces, p)
		}
		session := libtest.Must(frost.NewSession(same, libtest.Must(frost.AggregateNonces(nonces)), msg))
		partial := counts.Numbered(shares, func(i int, share *frost.Share) frost.PartialSignature {
			return libtest.Must(session.Sign(secrets[i], share))
		})
		wrong := func(i int) frost.PartialSignature {
			return libtest.Must(frost.ParsePartialSignature(items[i].D.Bytes()))
		}
		sig, err := session.Combine(swapped(items, partial, wrong), nonces)
		parts := counts.Values(shares, func(share *frost.Share) frost.AgreementShare {
			return libtest.Must(frost.Agree(share, items[0].Public))
		})
		x := libtest.Must(signers.SharedX(items[0].Public, parts))
		_, refused := signers.SharedX(items[0].Public, swapped(items, parts, func(i int) frost.AgreementShare {
			if items[i].Malformed {
				return frost.AgreementShare{}
			}
			return libtest.Must(frost.Agree(shares[i], counts.Small(78).PublicKey()))
		}))
		right := blames(items, refused) && blames(items, err) && (err != nil || schnorr.Verify(key.PublicKey().XOnly(), msg, sig[:])) && x == libtest.Must(ecdh.X(key, items[0].Public))
		if n == 1 || n > 17 || err != nil {
			return right
		}
		resharing := libtest.Must(frost.NewResharing(signers, (n+1)/2, n, nil))
		repair := libtest.Must(frost.NewRepair(group, ids[1:], 0))
		var dealings []frost.Dealing
		subs, split := make([][]*p256k1.PrivateKey, n), make([][]*p256k1.PrivateKey, n)
		for i, share := range shares {
			dealing, keys := must2(resharing.Deal(share))
			dealings = append(dealings, dealing)
			for to, sub := range keys {
				subs[to] = append(subs[to], sub)
			}
			if i > 0 {
				for to, part := range libtest.Must(repair.Split(share)) {
					split[to] = append(split[to], part)
				}
			}
		}
		fresh := libtest.Must(resharing.Group(dealings))
		for id, keys := range subs {
			right = right && fresh.Has(libtest.Must(resharing.Share(uint32(id), dealings, keys)))
		}
		return right && libtest.Must(repair.Share(counts.Values(split[:n-1], func(parts []*p256k1.PrivateKey) *p256k1.PrivateKey { return libtest.Must(repair.Add(parts)) }))).Key().Equal(shares[0].Key())
	}),
	counts.Whole("chilldkg", 17, func(items []*counts.Item) bool {
		hosts := counts.Numbered(items, func(i int, _ *counts.Item) *p256k1.PrivateKey { return counts.Small(int64(2000 + i)) })
		params := libtest.Must(chilldkg.NewParams((len(hosts)+1)/2, counts.Values(hosts, (*p256k1.PrivateKey).PublicKey), nil))
		var all []*chilldkg.Participant
		var firsts []chilldkg.ParticipantMessage1
		for _, host := range hosts {
			p, message := must2(chilldkg.NewParticipant(host, params))
			all, firsts = append(all, p), append(firsts, message)
		}
		_, _, err := chilldkg.NewCoordinator(params, swapped(items, firsts, func(i int) chilldkg.ParticipantMessage1 {
			return append(firsts[i][:len(firsts[i])-32:len(firsts[i])-32], counts.OutOfRange()...)
		}))
		if !items[0].Bad {
			p, message := must2(chilldkg.NewParticipant(hosts[0], params))
			wrong := swapped(items, firsts, func(i int) chilldkg.ParticipantMessage1 {
				b := bytes.Clone(firsts[i])
				b[33*params.Threshold()+63] ^= 1 // in the proof
				return b
			})
			wrong[0] = message
			_, answer := must2(chilldkg.NewCoordinator(params, wrong))
			_, unproven := p.Sign(answer)
			if !blames(items, unproven) {
				return false
			}
		}
		coordinator, answer := must2(chilldkg.NewCoordinator(params, firsts))
		seconds := counts.Values(all, func(p *chilldkg.Participant) chilldkg.ParticipantMessage2 { return libtest.Must(p.Sign(answer)) })
		last, result := must2(coordinator.Finish(seconds))
		right := blames(items, err) && len(coordinator.Investigate()) == len(hosts)
		acks := make([][64]byte, len(hosts))
		for i, p := range all {
			right = right && result.Group.Has(libtest.Must(p.Finish(last)).Share)
			acks[i] = libtest.Must(chilldkg.Acknowledge(hosts[i], params, result.Recovery))
		}
		acks = swapped(items, acks, func(i int) [64]byte { return items[i].Schnorr })
		return right && blames(items, chilldkg.VerifyAcknowledgements(params, result.Recovery, acks))
	}),
	counts.Each("silentpayments.Scanner.ScanTweaks and TweakBatch", counts.Enough, func(items []*counts.Item) []any {
		tweaks := libtest.Must(silentpayments.TweakBatch(counts.Values(items, func(v *counts.Item) []silentpayments.Input { return inputsOf(v, 0) })))
		prefixes := counts.Values(items, func(v *counts.Item) []uint64 { return []uint64{1, binary.BigEndian.Uint64(things()[v].paid[:])} })
		hits := libtest.Must(receiver().ScanTweaks(context.Background(), counts.Values(items, func(v *counts.Item) [33]byte { return things()[v].tweak }), prefixes))
		all := counts.Invalid(len(items), counts.Values(hits, func(h silentpayments.Hit) int { return h.Tweak }))
		for i := range all {
			all[i] = fmt.Sprint(all[i], [33]byte(tweaks[i].Bytes()) == things()[items[i]].tweak)
		}
		return all
	}),
	counts.Whole("silentpayments.Scanner.Scan, outputs", counts.Enough, func(items []*counts.Item) bool {
		place := slices.IndexFunc(items, func(v *counts.Item) bool { return v.Bad })
		outputs := counts.Values(items, func(v *counts.Item) [32]byte { return [32]byte(v.Public.XOnly().Bytes()) })
		if place >= 0 {
			outputs[place] = things()[counts.Stock()[0]].paid
		}
		prefixes := counts.Values(outputs, func(x [32]byte) uint64 { return binary.BigEndian.Uint64(x[:]) })
		tweak := things()[counts.Stock()[0]].tweak
		found := libtest.Must(receiver().Scan(context.Background(), libtest.Must(p256k1.ParsePublicKey(tweak[:])), outputs))
		hits := libtest.Must(receiver().ScanTweaks(context.Background(), [][33]byte{tweak}, [][]uint64{prefixes}))
		if place < 0 {
			return len(found) == 0 && len(hits) == 0
		}
		// Where all outputs are equal, any of them may be found.
		return len(found) > 0 && outputs[found[0].Output] == outputs[place] && len(hits) == 1 && outputs[hits[0].Prefix] == outputs[place]
	}),
	counts.Whole("silentpayments, inputs, recipients and labels", 40, func(items []*counts.Item) bool {
		var inputs []silentpayments.Input
		var unsigned []silentpayments.UnsignedInput
		var labels []uint32
		keys := counts.Values(items, counts.Key)
		for i, v := range items {
			inputs, labels = append(inputs, inputsOf(v, i)...), append(labels, uint32(i+1))
			unsigned = append(unsigned, silentpayments.UnsignedInput{Index: uint32(i), ScriptPubKey: inputs[i].ScriptPubKey})
		}
		s := libtest.Must(silentpayments.NewScanner(counts.Small(5), counts.Small(6).PublicKey(), labels...))
		to := counts.Values(labels, func(m uint32) silentpayments.Recipient { return libtest.Must(s.Labeled(m)) })
		outputs := counts.Values(libtest.Must(silentpayments.CreateOutputs(inputs, keys, to)), (*p256k1.XOnlyPublicKey).Bytes)
		found := libtest.Must(s.Scan(context.Background(), libtest.Must(silentpayments.Tweak(inputs)), counts.Values(outputs, func(b []byte) [32]byte { return [32]byte(b) })))
		shares := libtest.Must(silentpayments.CreateShares(unsigned, keys, to))
		all := libtest.Must(silentpayments.CreateGlobalShares(unsigned, keys, to))
		same := counts.Values(libtest.Must(silentpayments.OutputsFromShares(unsigned, shares, to)), (*p256k1.XOnlyPublicKey).Bytes)
		again := counts.Values(libtest.Must(silentpayments.OutputsFromShares(unsigned, all, to)), (*p256k1.XOnlyPublicKey).Bytes)
		for i := range shares {
			shares[i].Proof = bytes.Clone(shares[i].Proof)
			if items[i].Bad {
				shares[i].Proof[40] ^= 1
			}
			if items[i].Malformed {
				shares[i].Proof = shares[i].Proof[:63]
			}
		}
		none := make([]bool, len(items))
		skipped := append([]silentpayments.UnsignedInput{{Index: 99, ScriptPubKey: []byte{0x6a}}}, unsigned...)
		after := append([]silentpayments.Share{{Input: 0}}, shares...) // the first input has no key, so its share is skipped
		for i := range shares {
			after[i+1].Input++
		}
		return len(found) == len(items) && fmt.Sprint(outputs) == fmt.Sprint(same) && fmt.Sprint(outputs) == fmt.Sprint(again) &&
			slices.Equal(counts.Shown(none, silentpayments.VerifyShares(unsigned, shares)), failed(items)) &&
			slices.Equal(counts.Shown(append(none, false), silentpayments.VerifyShares(skipped, after))[1:], failed(items))
	}),
}

func TestCounts(t *testing.T) { counts.Run(t, many) }

// failed returns the results of items that only the bad ones fail, as counts.Shown does.
func failed(items []*counts.Item) []any {
	return counts.Values(items, func(v *counts.Item) any {
		if v.Bad {
			return "failed"
		}
		return false
	})
}

// blames reports whether err blames the participants with bad items, or is nil if there are none.
func blames(items []*counts.Item, err error) bool {
	var want []uint32
	for i, v := range items {
		if v.Bad {
			want = append(want, uint32(i))
		}
	}
	var blame *protocols.BlameError
	if !errors.As(err, &blame) {
		return err == nil && want == nil
	}
	return slices.Equal(blame.Participants, want) || slices.Equal(blame.Participants, want[:min(1, len(want))])
}

// swapped returns a copy of the list in which the values of bad items are those of other places.
func swapped[T any](items []*counts.Item, list []T, other func(i int) T) []T {
	list = slices.Clone(list)
	for i, v := range items {
		if v.Bad {
			list[i] = other(i)
		}
	}
	return list
}

// must2 returns two results of a call that does not fail.
func must2[T, U any](v T, w U, err error) (T, U) {
	libtest.Must(0, err)
	return v, w
}

// A thing has what the protocols verify or find, made from an item. If the item is bad, the proof is wrong, and no
// output pays to the receiver.
type thing struct {
	proof dleq.Item
	tweak [33]byte
	paid  [32]byte
}

var receiver = sync.OnceValue(func() *silentpayments.Scanner {
	return libtest.Must(silentpayments.NewScanner(counts.Small(5), counts.Small(6).PublicKey()))
})

var things = sync.OnceValue(func() map[*counts.Item]*thing {
	all, base := make(map[*counts.Item]*thing), counts.Small(7).PublicKey()
	for _, v := range counts.Stock() {
		c, proof := must2(dleq.Prove(v.Key, base, nil))
		inputs := inputsOf(v, 0)
		outputs := libtest.Must(silentpayments.CreateOutputs(inputs, []*p256k1.PrivateKey{v.Key}, []silentpayments.Recipient{receiver().Recipient()}))
		one := &thing{dleq.Item{A: v.Public, B: base, C: c, Proof: proof[:]}, [33]byte(libtest.Must(silentpayments.Tweak(inputs)).Bytes()), [32]byte(outputs[0].Bytes())}
		if v.Bad {
			proof[63] ^= 1
			one.paid[0] ^= 1
		}
		if v.Malformed {
			one.proof.Proof = proof[:63]
		}
		all[v] = one
	}
	return all
})

// inputsOf returns an input of a transaction, which spends an output of the item's key.
func inputsOf(v *counts.Item, i int) []silentpayments.Input {
	return []silentpayments.Input{{Index: uint32(i), ScriptPubKey: append([]byte{0x51, 0x20}, v.Public.XOnly().Bytes()...), Witness: [][]byte{nil}}}
}
