package protocols_test

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"slices"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/libtest/counts"
	"p256k1.mleku.dev/v2/internal/oracle"
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

// nonceGen computes a public nonce as NonceGen of BIP-327 and BIP-445 does, where scheme is what the tags of the hashes
// have in common, and the further input consists of the number of the call and the time. q may be nil.
func nonceGen(scheme string, random []byte, key *p256k1.PrivateKey, q *p256k1.PublicKey, msg []byte, call int) (nonce []byte) {
	b := oracle.TaggedHash(scheme+"/aux", random)
	subtle.XORBytes(b[:], b[:], key.Bytes())
	input := slices.Concat(b[:], []byte{33}, key.PublicKey().Bytes())
	if q == nil {
		input = append(input, 0)
	} else {
		input = append(append(input, 32), q.XOnly().Bytes()...)
	}
	if msg == nil {
		input = append(input, 0)
	} else {
		input = append(binary.BigEndian.AppendUint64(append(input, 1), uint64(len(msg))), msg...)
	}
	input = binary.BigEndian.AppendUint64(append(input, 0, 0, 0, 16), uint64(call))
	input = binary.BigEndian.AppendUint64(input, uint64(time.Now().UnixNano()))
	for i := range byte(2) {
		k := oracle.TaggedHash(scheme+"/nonce", input, []byte{i})
		nonce = append(nonce, libtest.Must(p256k1.ParsePrivateKey(k[:])).PublicKey().Bytes()...)
	}
	return nonce
}

// proven returns the halves e and s of a proof (BIP-374), and its nonce s − e·a.
func proven(proof []byte, a *p256k1.PrivateKey) [][]byte {
	e, s := oracle.Int(proof[:32]), oracle.Int(proof[32:])
	k := oracle.Bytes(oracle.Fn.Sub(s, oracle.Fn.Mul(e, oracle.Int(a.Bytes()))))
	return [][]byte{proof[:32], proof[32:], k[:]}
}

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
	// A Schnorr pre-signature is k·G + T and s', and the third result is k·G.
	schnorrs := func(key *p256k1.PrivateKey, point *p256k1.PublicKey, msg []byte) func() [][]byte {
		return func() [][]byte {
			b := libtest.Must(adaptor.SignSchnorr(key, point, msg)).Bytes()
			r := libtest.Must(p256k1.ParsePublicKey(b[:33])).Point()
			return [][]byte{b[:33], b[33:], r.Add(r, new(curve.Point).Negate(point.Point())).Bytes()}
		}
	}
	ecdsas := func(key *p256k1.PrivateKey, point *p256k1.PublicKey, digest []byte) func() [][]byte {
		return func() [][]byte {
			b := libtest.Must(adaptor.SignECDSA(key, point, digest)).Bytes()
			return [][]byte{b[:33], b[33:66], b[66:98], b[98:130], b[130:]}
		}
	}
	prove := func(a *p256k1.PrivateKey, b *p256k1.PublicKey, opts *dleq.Options) func() [][]byte {
		return func() [][]byte { proof := second(dleq.Prove(a, b, opts)); return proven(proof[:], a) }
	}
	third := counts.Small(3)
	pair, more := libtest.Must(musig2.Aggregate([]*p256k1.PublicKey{pub, third.PublicKey()})), libtest.Must(musig2.Aggregate([]*p256k1.PublicKey{third.PublicKey(), pub}))
	tweaked, bent := libtest.Must(pair.Tweak(digest)), libtest.Must(pair.TweakXOnly(digest))
	nonce := func(key *p256k1.PrivateKey, keys *musig2.KeySet, msg []byte) func() [][]byte {
		return func() [][]byte { n := second(musig2.NewNonce(key, keys, msg)); return libtest.Halved(n.Bytes()) }
	}
	libtest.CheckDraws(t,
		libtest.Draw{Function: "protocols/adaptor.SignSchnorr", Bytes: 32, Results: schnorrs(key, pub, msg),
			Others: []func() [][]byte{schnorrs(third, pub, msg), schnorrs(key, peer.PublicKey(), msg), schnorrs(key, pub, digest), schnorrs(key, pub, nil)}},
		libtest.Draw{Function: "protocols/adaptor.SignECDSA", Bytes: 32, Results: ecdsas(key, pub, digest),
			Others: []func() [][]byte{ecdsas(peer, pub, digest), ecdsas(key, peer.PublicKey(), digest), ecdsas(key, pub, pub.XOnly().Bytes())}},
		libtest.Draw{Function: "protocols/bip324.NewInitiator", Bytes: 64, Keys: 1, Results: func() [][]byte {
			return libtest.Halved(libtest.Must(bip324.NewInitiator(quiet)).Send())
		}},
		// The garbage has 2,009 bytes, as 12 of the first 16 bits say.
		libtest.Draw{Function: "protocols/bip324.NewResponder", Bytes: 2 + 2009 + 64, Changes: libtest.SomeResult, Idle: [2]int{12, 16},
			Results: func() [][]byte { return [][]byte{answered(nil)} }},
		libtest.Draw{Function: "protocols/bip324.Handshake.Receive", Bytes: 64, Keys: 1, Results: func() [][]byte {
			return libtest.Halved(answered(quiet)[:64])
		}},
		libtest.Draw{Function: "protocols/dleq.Prove", Bytes: 32, Results: prove(key, pub, nil),
			Others: []func() [][]byte{
				prove(third, pub, nil), prove(key, third.PublicKey(), nil), prove(key, pub, &dleq.Options{Message: new([32]byte)}),
				prove(key, pub, &dleq.Options{Message: (*[32]byte)(digest)}), // the generator enters only the challenge (BIP-374)
			},
			Model: func(drawn []byte) [][]byte { return prove(key, pub, &dleq.Options{AuxRand: (*[32]byte)(drawn)})() }},
		libtest.Draw{Function: "protocols/musig2.NewNonce", Bytes: 32, Calls: &musigCalls, Results: nonce(key, bent, msg),
			Others: []func() [][]byte{
				nonce(key, nil, nil), nonce(key, nil, msg), nonce(key, bent, nil), nonce(key, bent, []byte{}), nonce(key, bent, digest), nonce(third, bent, msg),
				nonce(key, pair, msg), nonce(key, more, msg), nonce(key, tweaked, msg),
			},
			Model: func(drawn []byte) [][]byte {
				return libtest.Halved(nonceGen("MuSig", drawn, key, bent.PublicKey(), msg, 1))
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

	// Sessions of ChillDKG with two participants begin, and sessions with one participant end.
	params := libtest.Must(chilldkg.NewParams(2, []*p256k1.PublicKey{pub, group.PublicShare(0)}, nil))
	lonely := libtest.Must(chilldkg.NewParams(1, []*p256k1.PublicKey{pub}, nil))
	session := func(random [32]byte) (sign func() chilldkg.ParticipantMessage2, recovery []byte) {
		join := func() (*chilldkg.Participant, chilldkg.ParticipantMessage1) {
			return must2(newParticipant(key, lonely, &random))
		}
		_, message := join()
		coordinator, answer := must2(chilldkg.NewCoordinator(lonely, []chilldkg.ParticipantMessage1{message}))
		sign = func() chilldkg.ParticipantMessage2 { p, _ := join(); return libtest.Must(p.Sign(answer)) }
		return sign, second(coordinator.Finish([]chilldkg.ParticipantMessage2{sign()})).Recovery
	}
	signed := func(random [32]byte) func() [][]byte {
		sign, _ := session(random)
		return func() [][]byte { return libtest.Halved(sign()) }
	}
	acknowledge := func(random [32]byte) func() [][]byte {
		_, recovery := session(random)
		return func() [][]byte {
			sig := libtest.Must(chilldkg.Acknowledge(key, lonely, recovery))
			return libtest.Halved(sig[:])
		}
	}
	recipients := []silentpayments.Recipient{{Scan: pub, Spend: pub}, {Scan: group.PublicShare(0), Spend: pub}}
	// The nonces of the proofs depend on the key, or on the sum of the keys, and on the recipient's scan key.
	nonces := func(create func([]silentpayments.UnsignedInput, []*p256k1.PrivateKey, []silentpayments.Recipient) ([]silentpayments.Share, error),
		key, sum *p256k1.PrivateKey, to ...silentpayments.Recipient) func() [][]byte {
		script := append([]byte{0x51, 0x20}, key.PublicKey().XOnly().Bytes()...)
		inputs := []silentpayments.UnsignedInput{{ScriptPubKey: script}, {Index: 1, ScriptPubKey: script}}
		return func() [][]byte {
			shares := libtest.Must(create(inputs, []*p256k1.PrivateKey{key, key}, to))
			return each(shares, func(s silentpayments.Share) []byte { return proven(s.Proof, sum)[2] })
		}
	}
	even, third := counts.Small(1), counts.Small(3) // their points have even y, so that they sign as they are
	other := silentpayments.Recipient{Scan: third.PublicKey(), Spend: pub}
	msg, tweak := []byte("message"), bytes.Repeat([]byte{5}, 32)
	signers := libtest.Must(group.Signers(0, 1, 2))
	bent := libtest.Must(signers.TweakXOnly(tweak))
	nonce := func(share *frost.Share, signers *frost.Signers, msg []byte) func() [][]byte {
		return func() [][]byte { n := second(frost.NewNonce(share, signers, msg)); return libtest.Halved(n.Bytes()) }
	}
	agree := func(share *frost.Share, peer *p256k1.PublicKey) func() [][]byte {
		return func() [][]byte {
			part := libtest.Must(frost.Agree(share, peer))
			return proven(part.Proof[:], share.Key())
		}
	}
	// Two points, a proof, a nonce and two encrypted shares.
	begin := func(host *p256k1.PrivateKey, params *chilldkg.Params) func() [][]byte {
		return func() [][]byte {
			b := second(chilldkg.NewParticipant(host, params))
			return [][]byte{b[:33], b[33:66], b[66:98], b[98:130], b[130:163], b[163:195], b[195:]}
		}
	}
	turned := libtest.Must(chilldkg.NewParams(2, []*p256k1.PublicKey{group.PublicShare(0), pub}, nil))
	foreign := libtest.Must(chilldkg.NewParams(2, []*p256k1.PublicKey{pub, third.PublicKey()}, nil))
	libtest.CheckDraws(t,
		libtest.Draw{Function: "protocols/frost.NewNonce", Bytes: 32, Calls: &frostCalls, Results: nonce(shares[0], bent, msg),
			Others: []func() [][]byte{
				nonce(shares[0], nil, nil), nonce(shares[0], nil, msg), nonce(shares[0], bent, nil), nonce(shares[0], bent, []byte{}), nonce(shares[0], bent, tweak),
				nonce(shares[1], bent, msg), nonce(shares[0], signers, msg),
			},
			// The key of the signers enters the nonce, and which participants sign does not (BIP-445).
			Model: func(drawn []byte) [][]byte {
				return libtest.Halved(nonceGen("BIP0445", drawn, shares[0].Key(), bent.PublicKey(), msg, 1))
			}},
		libtest.Draw{Function: "protocols/frost.Agree", Bytes: 32, Results: agree(shares[0], pub),
			Others: []func() [][]byte{agree(shares[1], pub), agree(shares[0], third.PublicKey())}},
		libtest.Draw{Function: "protocols/chilldkg.NewParticipant", Bytes: 32, Results: begin(key, params),
			Others: []func() [][]byte{begin(shares[0].Key(), params), begin(key, turned), begin(key, foreign)}},
		// The last 32 bytes serve to verify the group.
		libtest.Draw{Function: "protocols/chilldkg.Participant.Sign", Bytes: 32 + 32, Idle: [2]int{256, 512}, Results: signed([32]byte{}), Others: []func() [][]byte{signed([32]byte{1})}},
		libtest.Draw{Function: "protocols/chilldkg.Acknowledge", Bytes: 32, Results: acknowledge([32]byte{}), Others: []func() [][]byte{acknowledge([32]byte{1})}},
		libtest.Draw{Function: "protocols/silentpayments.CreateShares", Bytes: 32 * 4, Changes: 32, Results: nonces(silentpayments.CreateShares, even, even, recipients...),
			Others: []func() [][]byte{nonces(silentpayments.CreateShares, counts.Small(2), counts.Small(2), recipients...), nonces(silentpayments.CreateShares, even, even, other)}},
		libtest.Draw{Function: "protocols/silentpayments.CreateGlobalShares", Bytes: 32 * 2, Changes: 32, Results: nonces(silentpayments.CreateGlobalShares, even, counts.Small(2), recipients...),
			Others: []func() [][]byte{nonces(silentpayments.CreateGlobalShares, counts.Small(2), counts.Small(4), recipients...), nonces(silentpayments.CreateGlobalShares, even, counts.Small(2), other)}},
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
		sets, msgs, known := make([]*musig2.KeySet, n), make([][]byte, n), make([]*p256k1.PublicKey, n)
		for i := range sets {
			if i%3 > 0 {
				sets[i] = libtest.Must(musig2.Aggregate([]*p256k1.PublicKey{key.PublicKey(), recipients[i].Scan}))
				known[i] = sets[i].PublicKey()
			}
			if i%5 > 0 {
				msgs[i] = bytes.Repeat([]byte{byte(i)}, i%64)
			}
		}
		libtest.CheckDraws(t,
			libtest.Draw{Function: "protocols/musig2.NewNonceBatch", Bytes: 32 * n, Changes: 32, Calls: &musigCalls, Results: func() [][]byte {
				all := second(musig2.NewNonceBatch(key, sets, msgs))
				return each(all, func(n musig2.PublicNonce) []byte { return n.Bytes() })
			}, Model: func(drawn []byte) (b [][]byte) {
				for i := range sets {
					b = append(b, nonceGen("MuSig", drawn[32*i:32*i+32], key, known[i], msgs[i], i+1))
				}
				return b
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
