package protocols_test

import (
	"bytes"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/protocols/bip324"
	"p256k1.mleku.dev/v2/protocols/chilldkg"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
)

// These variables count the nonces of a process.
//
//go:linkname frostCalls p256k1.mleku.dev/v2/protocols/frost.calls
var frostCalls atomic.Uint64

//go:linkname musigCalls p256k1.mleku.dev/v2/protocols/musig2.calls
var musigCalls atomic.Uint64

//go:linkname newParticipant p256k1.mleku.dev/v2/protocols/chilldkg.newParticipant
func newParticipant(host *p256k1.PrivateKey, params *chilldkg.Params, random *[32]byte) (*chilldkg.Participant, chilldkg.ParticipantMessage1, error)

// newTable returns a table, which begins with its key of 32 bytes.
//
//go:linkname newTable p256k1.mleku.dev/v2/protocols/silentpayments.newTable
func newTable(list [][32]byte) unsafe.Pointer

// second returns the second of two results of a call that does not fail.
func second[T, U any](v T, u U, err error) U { libtest.Must(0, err); return u }

// each returns what f returns for each element.
func each[T any](all []T, f func(T) []byte) (b [][]byte) {
	for _, v := range all {
		b = append(b, f(v))
	}
	return b
}

func keysOf(keys []*p256k1.PrivateKey) [][]byte { return each(keys, (*p256k1.PrivateKey).Bytes) }

// TestDrawsOnce observes functions that make one signature, proof, key or nonce.
func TestDrawsOnce(t *testing.T) {
	key, msg, digest := libtest.SecretKey(t), []byte("message"), bytes.Repeat([]byte{5}, 32)
	pub, peer := key.PublicKey(), key.Negate()
	ours, quiet := libtest.Must(ellswift.Encode(pub, new([32]byte))), &bip324.Config{Garbage: []byte{}}
	answered := func(cfg *bip324.Config) []byte {
		h := libtest.Must(bip324.NewResponder(cfg))
		libtest.Must(h.Receive(ours[:]))
		return h.Send()
	}
	libtest.CheckDraws(t,
		libtest.Draw{Function: "protocols/adaptor.SignSchnorr", Bytes: 32, Results: func() [][]byte {
			return libtest.Halved(libtest.Must(adaptor.SignSchnorr(key, pub, msg)).Bytes())
		}},
		libtest.Draw{Function: "protocols/adaptor.SignECDSA", Bytes: 32, Results: func() [][]byte {
			b := libtest.Must(adaptor.SignECDSA(key, pub, digest)).Bytes()
			return [][]byte{b[:33], b[33:66], b[66:98], b[98:130], b[130:]}
		}},
		libtest.Draw{Function: "protocols/bip324.NewInitiator", Bytes: 64, Keys: 1, Results: func() [][]byte {
			return libtest.Halved(libtest.Must(bip324.NewInitiator(quiet)).Send())
		}},
		// The garbage has 2,009 bytes, as 12 of the first 16 bits say.
		libtest.Draw{Function: "protocols/bip324.NewResponder", Bytes: 2 + 2009 + 64, Changes: libtest.SomeResult, Idle: [2]int{12, 16},
			Results: func() [][]byte { return [][]byte{answered(nil)} }},
		libtest.Draw{Function: "protocols/bip324.Handshake.Receive", Bytes: 64, Keys: 1, Results: func() [][]byte {
			return libtest.Halved(answered(quiet)[:64])
		}},
		libtest.Draw{Function: "protocols/dleq.Prove", Bytes: 32, Results: func() [][]byte {
			proof := second(dleq.Prove(key, peer.PublicKey(), nil))
			return libtest.Halved(proof[:])
		}},
		libtest.Draw{Function: "protocols/musig2.NewNonce", Bytes: 32, Calls: &musigCalls, Results: func() [][]byte {
			n := second(musig2.NewNonce(key, nil, nil))
			return libtest.Halved(n.Bytes())
		}},
		libtest.Draw{Function: "protocols/silentpayments.newTable", Bytes: 32, Results: func() [][]byte {
			return [][]byte{(*[32]byte)(newTable(nil))[:]}
		}},
	)
}

// TestDrawsShared observes functions that share a secret or sign with many others.
func TestDrawsShared(t *testing.T) {
	key := libtest.SecretKey(t)
	pub := key.PublicKey()
	group, shares := must2(frost.Deal(key, 3, 4, nil))

	// A session of ChillDKG with two participants begins, and a session with one participant ends.
	params := libtest.Must(chilldkg.NewParams(2, []*p256k1.PublicKey{pub, group.PublicShare(0)}, nil))
	lonely := libtest.Must(chilldkg.NewParams(1, []*p256k1.PublicKey{pub}, nil))
	join := func() (*chilldkg.Participant, chilldkg.ParticipantMessage1) {
		return must2(newParticipant(key, lonely, new([32]byte)))
	}
	participant, message := join()
	coordinator, answer := must2(chilldkg.NewCoordinator(lonely, []chilldkg.ParticipantMessage1{message}))
	result := second(coordinator.Finish([]chilldkg.ParticipantMessage2{libtest.Must(participant.Sign(answer))}))

	script := append([]byte{0x51, 0x20}, pub.XOnly().Bytes()...)
	inputs := []silentpayments.UnsignedInput{{ScriptPubKey: script}, {Index: 1, ScriptPubKey: script}}
	recipients := []silentpayments.Recipient{{Scan: pub, Spend: pub}, {Scan: group.PublicShare(0), Spend: pub}}
	proofs := func(create func([]silentpayments.UnsignedInput, []*p256k1.PrivateKey, []silentpayments.Recipient) ([]silentpayments.Share, error)) func() [][]byte {
		return func() [][]byte {
			shares := libtest.Must(create(inputs, []*p256k1.PrivateKey{key, key}, recipients))
			return each(shares, func(s silentpayments.Share) []byte { return s.Proof })
		}
	}
	libtest.CheckDraws(t,
		libtest.Draw{Function: "protocols/frost.NewNonce", Bytes: 32, Calls: &frostCalls, Results: func() [][]byte {
			n := second(frost.NewNonce(shares[0], nil, nil))
			return libtest.Halved(n.Bytes())
		}},
		libtest.Draw{Function: "protocols/frost.Agree", Bytes: 32, Results: func() [][]byte {
			part := libtest.Must(frost.Agree(shares[0], pub))
			return libtest.Halved(part.Proof[:])
		}},
		// Two points, a proof, a nonce and two encrypted shares.
		libtest.Draw{Function: "protocols/chilldkg.NewParticipant", Bytes: 32, Results: func() [][]byte {
			b := second(chilldkg.NewParticipant(key, params))
			return [][]byte{b[:33], b[33:66], b[66:98], b[98:130], b[130:163], b[163:195], b[195:]}
		}},
		// The last 32 bytes serve to verify the group.
		libtest.Draw{Function: "protocols/chilldkg.Participant.Sign", Bytes: 32 + 32, Idle: [2]int{256, 512}, Results: func() [][]byte {
			p, _ := join()
			return libtest.Halved(libtest.Must(p.Sign(answer)))
		}},
		libtest.Draw{Function: "protocols/chilldkg.Acknowledge", Bytes: 32, Results: func() [][]byte {
			sig := libtest.Must(chilldkg.Acknowledge(key, lonely, result.Recovery))
			return libtest.Halved(sig[:])
		}},
		libtest.Draw{Function: "protocols/silentpayments.CreateShares", Bytes: 32 * 4, Changes: 32, Results: proofs(silentpayments.CreateShares)},
		libtest.Draw{Function: "protocols/silentpayments.CreateGlobalShares", Bytes: 32 * 2, Changes: 32, Results: proofs(silentpayments.CreateGlobalShares)},
	)
}

// TestDrawsMany observes functions of many items, with more items than are computed at a time.
func TestDrawsMany(t *testing.T) {
	key := libtest.SecretKey(t)
	script := append([]byte{0x51, 0x20}, key.PublicKey().XOnly().Bytes()...)
	for _, n := range []int{1, 9, 33, 257} {
		inputs, keys := make([]silentpayments.UnsignedInput, n), slices.Repeat([]*p256k1.PrivateKey{key}, n)
		for i := range inputs {
			inputs[i] = silentpayments.UnsignedInput{Index: uint32(i), ScriptPubKey: script}
		}
		recipients := make([]silentpayments.Recipient, n)
		for i, k := range libtest.Must(p256k1.GenerateKeys(n)) {
			recipients[i] = silentpayments.Recipient{Scan: k.PublicKey(), Spend: key.PublicKey()}
		}
		proofs := func(shares []silentpayments.Share, err error) [][]byte {
			libtest.Check(t, err)
			return each(shares, func(s silentpayments.Share) []byte { return s.Proof })
		}
		libtest.CheckDraws(t,
			libtest.Draw{Function: "protocols/musig2.NewNonceBatch", Bytes: 32 * n, Changes: 32, Calls: &musigCalls, Results: func() [][]byte {
				all := second(musig2.NewNonceBatch(key, make([]*musig2.KeySet, n), make([][]byte, n)))
				return each(all, func(n musig2.PublicNonce) []byte { return n.Bytes() })
			}},
			libtest.Draw{Function: "protocols/silentpayments.CreateShares", Bytes: 32 * n, Changes: 32,
				Results: func() [][]byte { return proofs(silentpayments.CreateShares(inputs, keys, recipients[:1])) }},
			libtest.Draw{Function: "protocols/silentpayments.CreateGlobalShares", Bytes: 32 * n, Changes: 32,
				Results: func() [][]byte { return proofs(silentpayments.CreateGlobalShares(inputs[:1], keys[:1], recipients)) }},
		)
	}
	for _, n := range []int{1, 9, 33, 70} {
		group, shares := must2(frost.Deal(key, n+1, n+2, nil))
		helpers := make([]uint32, n+1)
		for i := range helpers {
			helpers[i] = uint32(i)
		}
		signers := libtest.Must(group.Signers(helpers...))
		libtest.CheckDraws(t,
			libtest.Draw{Function: "protocols/frost.Deal", Bytes: 32 * n, Keys: n, Results: func() [][]byte {
				return each(second(frost.Deal(key, n+1, n+2, nil)), func(s *frost.Share) []byte { return s.Key().Bytes() })
			}},
			libtest.Draw{Function: "protocols/frost.Resharing.Deal", Bytes: 32 * n, Keys: n, Results: func() [][]byte {
				return keysOf(second(libtest.Must(frost.NewResharing(signers, n+1, n+2, nil)).Deal(shares[0])))
			}},
			libtest.Draw{Function: "protocols/frost.Repair.Split", Bytes: 32 * n, Changes: 32, Keys: n, Results: func() [][]byte {
				return keysOf(libtest.Must(libtest.Must(frost.NewRepair(group, helpers, uint32(n+1))).Split(shares[0])))
			}},
		)
	}
}

// TestDrawsWeights observes functions that add equations with random weights.
func TestDrawsWeights(t *testing.T) {
	key := libtest.SecretKey(t)
	keys := libtest.Must(musig2.Aggregate([]*p256k1.PublicKey{key.PublicKey()}))
	secret, nonce := must2(musig2.NewNonce(key, keys, nil))
	session := libtest.Must(musig2.NewSession(keys, libtest.Must(musig2.AggregateNonces([]musig2.PublicNonce{nonce})), nil))
	sig := libtest.Must(session.Sign(secret, key))
	var partials []musig2.Partial
	var items []musig2.Combination
	for _, b := range libtest.PlusMinus(sig.Bytes(), 4) {
		sig := libtest.Must(musig2.ParsePartialSignature(b))
		partials = append(partials, musig2.Partial{Session: session, Signature: sig, Nonce: nonce, Key: key.PublicKey()})
		items = append(items, musig2.Combination{Session: session, Signatures: []musig2.PartialSignature{sig}, Nonces: []musig2.PublicNonce{nonce}})
	}
	// The values f(0), …, f(3) of a polynomial f of degree 1 have the weights −1/6, 1, −3/2 and 2/3 times c(0) if the
	// two coefficients of c are equal, so the errors 6 and 1 cancel.
	group, _ := must2(frost.Deal(key, 2, 3, nil))
	wrong := libtest.Must(group.PublicKey().TweakAdd(append(make([]byte, 31), 6)))
	shares := []*p256k1.PublicKey{libtest.Must(group.PublicShare(0).TweakAdd(append(make([]byte, 31), 1))), group.PublicShare(1), group.PublicShare(2)}
	libtest.CheckDraws(t,
		libtest.Draw{Function: "protocols/musig2.InvalidPartials", Bytes: 16 * 8, Changes: libtest.EqualWeights, Results: func() [][]byte {
			return libtest.Verdict(musig2.InvalidPartials(partials) == nil)
		}},
		libtest.Draw{Function: "protocols/musig2.CombineBatch", Bytes: 16 * 8, Changes: libtest.EqualWeights, Results: func() [][]byte {
			_, err := musig2.CombineBatch(items)
			return libtest.Verdict(err == nil)
		}},
		libtest.Draw{Function: "protocols/frost.NewGroup", Bytes: 32 * 2, Changes: libtest.EqualWeights, Results: func() [][]byte {
			_, err := frost.NewGroup(2, wrong, shares, nil)
			return libtest.Verdict(err == nil)
		}},
	)
}
