package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"golang.org/x/crypto/ripemd160" //lint:ignore SA1019 Bitcoin's scripts have this hash

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// p256k1Protocols lists the operations that need more data than a member has.
var p256k1Protocols = map[string]grouping[member]{
	"musig2-aggregate": musigAggregate, "musig2-nonces": musigNonces, "musig2-sign": musigSign, "musig2-verify": musigVerify,
	"ellswift-ecdh": swiftECDH, "silent-scan": silentScan, "dleq-verify": dleqVerify,
	"cashu-sign": cashuOf(func(c *coin, out *Result) error {
		sig, err := cashu.Sign(c.mint.secret, c.blinded)
		return out.setKey(sig.C, err)
	}),
	"cashu-unblind": cashuOf(func(c *coin, out *Result) error {
		return out.setKey(cashu.Unblind(c.mint.public, c.Digest[:], c.sig, c.secret))
	}),
	"cashu-verify": cashuOf(func(c *coin, _ *Result) error {
		return refused(cashu.Verify(c.mint.secret, c.Digest[:], c.c), "signature")
	}),
}

func musigAggregate(size int, members []member) Prepared {
	keys := windows(pick(members, func(m *member) *p256k1.PublicKey { return m.public }), size)
	return cycle(keys, func(keys *[]*p256k1.PublicKey, out *Result) error {
		set, err := musig2.Aggregate(*keys)
		if err != nil {
			return err
		}
		return out.setKey(set.PublicKey(), nil)
	})
}

func musigNonces(size int, members []member) Prepared {
	parsed := make([]musig2.PublicNonce, size)
	nonces := pick(members, func(m *member) [66]byte { return nonceOf(m.Input) })
	return cycle(windows(nonces, size), func(nonces *[][66]byte, out *Result) (err error) {
		for j, b := range *nonces {
			if parsed[j], err = musig2.ParsePublicNonce(b[:]); err != nil {
				return err
			}
		}
		sum, err := musig2.AggregateNonces(parsed)
		return out.set(sum.Bytes(), err)
	})
}

// nonceOf returns a public nonce for aggregation, which needs no secret nonce.
func nonceOf(in *Input) (nonce [66]byte) {
	copy(nonce[:33], in.Pub[:])
	copy(nonce[33:], in.Peer[:])
	return nonce
}

// signers returns the members that have sessions of MuSig2, each with its peer.
func signers[M any](members []M) []M { return members[:min(64, len(members))] }

// A musigSession is a session of a member and its peer.
type musigSession struct {
	*member
	keys    *musig2.KeySet
	sum     musig2.AggregateNonce
	session *musig2.Session
	nonce   []byte // nonce of the member, public
	sig     []byte // partial signature
}

func newMusigSession(m *member) musigSession {
	s := musigSession{member: m, keys: must.Get(musig2.Aggregate([]*p256k1.PublicKey{m.public, m.peer}))}
	secret, public, err := musig2.NewNonce(m.secret, s.keys, nil)
	must.Do(err)
	other := nonceOf(m.Input)
	theirs := must.Get(musig2.ParsePublicNonce(other[:]))
	s.sum = must.Get(musig2.AggregateNonces([]musig2.PublicNonce{public, theirs}))
	s.session = must.Get(musig2.NewSession(s.keys, s.sum, m.Digest[:]))
	sig := must.Get(s.session.Sign(secret, m.secret))
	s.nonce, s.sig = public.Bytes(), sig.Bytes()
	return s
}

func musigSign(_ int, members []member) Prepared {
	return usedUp(pick(signers(members), newMusigSession), func(s *musigSession) *musig2.SecretNonce {
		nonce, _, err := musig2.NewNonce(s.secret, nil, nil)
		must.Do(err)
		return nonce
	}, func(_ int, s *musigSession, nonce *musig2.SecretNonce, _ *Result) error {
		session, err := musig2.NewSession(s.keys, s.sum, s.Digest[:])
		if err == nil {
			_, err = session.Sign(nonce, s.secret)
		}
		return err
	})
}

func musigVerify(_ int, members []member) Prepared {
	return cycle(pick(signers(members), newMusigSession), func(s *musigSession, _ *Result) error {
		sig, err := musig2.ParsePartialSignature(s.sig)
		if err != nil {
			return err
		}
		nonce, err := musig2.ParsePublicNonce(s.nonce)
		return refused(err == nil && s.session.VerifyPartial(sig, nonce, s.public), "partial signature")
	})
}

func swiftECDH(_ int, members []member) Prepared {
	return usedUp(members, func(m *member) *ellswift.PrivateKey {
		return must.Get(ellswift.NewPrivateKey(must.Get(p256k1.ParsePrivateKey(m.Secret[:])), &m.Swift))
	}, func(i int, _ *member, key *ellswift.PrivateKey, out *Result) error {
		return out.set32(key.ECDH(&members[(i+1)%len(members)].Swift, i%2 == 0))
	})
}

// silentOutputs is the number of Taproot outputs of each transaction that is scanned.
const silentOutputs = 2

// silentInput returns the only input of a member's transaction. The input spends a P2WPKH output.
func silentInput(in *Input) []silentpayments.Input {
	sum := sha256.Sum256(in.Pub[:])
	h := ripemd160.New()
	h.Write(sum[:])
	script := h.Sum([]byte{0, 20})
	return []silentpayments.Input{{TxID: in.Digest, ScriptPubKey: script, Witness: [][]byte{nil, in.Pub[:]}}}
}

// silent returns a scanner with the first input's scan key and the last input's spend key, and the outputs of the
// transactions to scan. Only the first input's transaction pays to these keys.
func silent(inputs []*Input) (scanner *silentpayments.Scanner, outputs [][silentOutputs][32]byte) {
	first, last := newMember(inputs[0]), newMember(inputs[len(inputs)-1])
	scanner = must.Get(silentpayments.NewScanner(first.secret, last.public))
	for _, in := range inputs {
		outputs = append(outputs, [silentOutputs][32]byte{[32]byte(in.Pub[1:]), [32]byte(in.Peer[1:])})
	}
	paid := must.Get(silentpayments.CreateOutputs(silentInput(first.Input), []*p256k1.PrivateKey{first.secret},
		[]silentpayments.Recipient{scanner.Recipient()}))
	outputs[0][1] = [32]byte(paid[0].Bytes())
	return scanner, outputs
}

func silentScan(size int, members []member) Prepared {
	scanner, outputs := silent(pick(members, func(m *member) *Input { return m.Input }))
	tweaks := pick(members, func(m *member) [33]byte {
		return [33]byte(must.Get(silentpayments.Tweak(silentInput(m.Input))).Bytes())
	})
	prefixes := windows(pick(outputs, func(x *[silentOutputs][32]byte) []uint64 {
		return []uint64{binary.BigEndian.Uint64(x[0][:]), binary.BigEndian.Uint64(x[1][:])}
	}), size)
	return overIndexes(windows(tweaks, size), func(i int, tweaks *[][33]byte, _ *Result) error {
		hits, err := scanner.ScanTweaks(context.Background(), *tweaks, prefixes[i])
		if err != nil {
			return err
		}
		return checkHits(len(hits), i*size, size, len(members))
	})
}

// checkHits returns an error unless found is the number of times that input 0 of n inputs occurs among size successive
// inputs, which begin with input first modulo n.
func checkHits(found, first, size, n int) error {
	if want := (first+size+n-1)/n - (first+n-1)/n; found != want {
		return fmt.Errorf("%w: found %d payments, not %d", ErrInvalid, found, want)
	}
	return nil
}

func dleqVerify(size int, members []member) Prepared {
	all := pick(members, func(m *member) dleq.Item {
		c, proof, err := dleq.Prove(m.secret, m.peer, nil)
		return must.Get(dleq.Item{A: m.public, B: m.peer, C: c, Proof: proof[:]}, err)
	})
	if size == 0 {
		return cycle(all, func(p *dleq.Item, _ *Result) error {
			return refused(dleq.Verify(p.A, p.B, p.C, p.Proof, nil), "proof")
		})
	}
	return cycle(windows(all, size), func(items *[]dleq.Item, _ *Result) error {
		return refused(dleq.Invalid(nil, *items) == nil, "proof")
	})
}

// A coin is a Cashu secret, namely the digest of a member. The member blinds the secret with its private key, and the
// next member signs the blinded secret as the mint.
type coin struct {
	*member
	mint    *member
	blinded *p256k1.PublicKey
	sig     cashu.BlindSignature
	c       *p256k1.PublicKey
}

func cashuOf(run call[coin]) grouping[member] {
	return func(_ int, members []member) Prepared {
		next := 0
		return cycle(pick(members, func(m *member) coin {
			next++
			c := coin{member: m, mint: &members[next%len(members)], blinded: must.Get(cashu.Blind(m.Digest[:], m.secret))}
			c.sig = must.Get(cashu.Sign(c.mint.secret, c.blinded))
			c.c = must.Get(cashu.UnblindWithoutProof(c.mint.public, c.sig, c.secret))
			return c
		}), run)
	}
}
