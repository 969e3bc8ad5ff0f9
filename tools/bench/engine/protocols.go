package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"golang.org/x/crypto/ripemd160" //lint:ignore SA1019 Bitcoin's scripts have this hash

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
)

// Party is the keys and the message of one party to a protocol.
type Party struct {
	Secret, Digest *[32]byte
	Pub, Peer      *[33]byte // its own key, and another's
}

// A Prepared is an operation of a protocol with its inputs loaded, of which there are as many
// as parties.
type Prepared struct {
	// Run runs it on input i modulo the number of inputs, or on as many as it was prepared for
	// from there on. Of a result it writes what does not depend on randomness to out.
	Run func(i int, out *[64]byte) error
	// Refill makes what n calls use up, like secret nonces, of which they take the last first;
	// nil if that is nothing.
	Refill func(n int) error
}

// Protocols is a Session that has operations of protocols, by names of ProtocolOps. Size is
// how many keys, nonces or inputs a call takes.
type Protocols interface {
	PrepareProtocol(op string, size int, parties []Party) (Prepared, error)
}

// The operations that Protocols may have.
const (
	Musig2Aggregate = "musig2-aggregate" // keys
	Musig2Nonces    = "musig2-nonces"    // from bytes of public nonces to those of their sum
	Musig2Sign      = "musig2-sign"
	Musig2Verify    = "musig2-verify"
	EllswiftEncode  = "ellswift-encode"
	EllswiftDecode  = "ellswift-decode"
	EllswiftECDH    = "ellswift-ecdh"
	SilentScan      = "silent-scan"
	DLEQProve       = "dleq-prove"
	DLEQVerify      = "dleq-verify"
	CashuBlind      = "cashu-blind"
	CashuSign       = "cashu-sign"
	CashuUnblind    = "cashu-unblind"
	CashuVerify     = "cashu-verify"
	HashToCurve     = "hash-to-curve"
	EncodeToCurve   = "encode-to-curve"
)

// ProtocolOps are all of these.
var ProtocolOps = []string{
	Musig2Aggregate, Musig2Nonces, Musig2Sign, Musig2Verify, EllswiftEncode, EllswiftDecode, EllswiftECDH, SilentScan,
	DLEQProve, DLEQVerify, CashuBlind, CashuSign, CashuUnblind, CashuVerify, HashToCurve, EncodeToCurve,
}

var _ Protocols = (*p256k1Session)(nil)

// loaded is parties with keys of this library.
type loaded struct {
	secrets []*p256k1.PrivateKey
	publics []*p256k1.PublicKey
	peers   []*p256k1.PublicKey
}

func load(parties []Party) (l loaded, err error) {
	for _, p := range parties {
		secret, err := p256k1.NewPrivateKey(p.Secret[:])
		if err != nil {
			return l, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		peer, err := p256k1.NewPublicKey(p.Peer[:])
		if err != nil {
			return l, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		l.secrets, l.publics, l.peers = append(l.secrets, secret), append(l.publics, secret.PublicKey()), append(l.peers, peer)
	}
	return l, nil
}

// windows returns some of size items each, one after the other, which begin over at the end.
func windows[E any](all []E, size int) (w [][]E) {
	n := len(all)
	for len(all) < n+size {
		all = append(all, all[:n:n]...)
	}
	for i := range n {
		first := i * size % n
		w = append(w, all[first:first+size:first+size])
	}
	return w
}

// PrepareProtocol implements Protocols.
func (*p256k1Session) PrepareProtocol(op string, size int, parties []Party) (Prepared, error) {
	l, err := load(parties)
	if err != nil {
		return Prepared{}, err
	}
	n := len(parties)
	switch op {
	case Musig2Aggregate:
		keys := windows(l.publics, size)
		return Prepared{Run: func(i int, out *[64]byte) error {
			set, err := musig2.Aggregate(keys[i%len(keys)])
			if err == nil {
				copy(out[:], set.PublicKey().Bytes())
			}
			return err
		}}, nil
	case Musig2Nonces:
		var all [][66]byte
		for _, p := range parties {
			all = append(all, nonceOf(p))
		}
		of := windows(all, size)
		parsed := make([]musig2.PublicNonce, size)
		return Prepared{Run: func(i int, out *[64]byte) (err error) {
			for j, b := range of[i%len(of)] {
				if parsed[j], err = musig2.NewPublicNonce(b[:]); err != nil {
					return err
				}
			}
			sum, err := musig2.AggregateNonces(parsed)
			copy(out[:], sum.Bytes())
			return err
		}}, nil
	case Musig2Sign, Musig2Verify:
		return l.musig2(op, parties)
	case EllswiftEncode:
		return Prepared{Run: func(i int, out *[64]byte) error {
			_, err := ellswift.Encode(l.publics[i%n], parties[i%n].Digest)
			return err
		}}, nil
	case EllswiftDecode:
		encodings := swifts(parties)
		return Prepared{Run: func(i int, out *[64]byte) error {
			copy(out[:], ellswift.Decode(&encodings[i%n]).Bytes())
			return nil
		}}, nil
	case EllswiftECDH:
		return l.ellswiftECDH(parties)
	case SilentScan:
		return l.silentScan(size, parties)
	case DLEQProve:
		return Prepared{Run: func(i int, out *[64]byte) error {
			c, _, err := dleq.Prove(l.secrets[i%n], l.peers[i%n], &dleq.Options{AuxRand: parties[i%n].Digest})
			if err == nil {
				copy(out[:], c.Bytes())
			}
			return err
		}}, nil
	case DLEQVerify:
		return l.dleqVerify(size)
	case CashuBlind, CashuSign, CashuUnblind, CashuVerify:
		return l.cashu(op, parties)
	case HashToCurve, EncodeToCurve:
		hash := (*curve.Point).HashToCurve
		if op == EncodeToCurve {
			hash = (*curve.Point).EncodeToCurve
		}
		tag := []byte("bench")
		return Prepared{Run: func(i int, out *[64]byte) error {
			var p curve.Point
			_, err := hash(&p, parties[i%n].Digest[:], tag)
			copy(out[:], p.Bytes())
			return err
		}}, nil
	}
	return Prepared{}, ErrNotSupported
}

// nonceOf is a public nonce of no use but to be added.
func nonceOf(p Party) (nonce [66]byte) {
	copy(nonce[:33], p.Pub[:])
	copy(nonce[33:], p.Peer[:])
	return nonce
}

// swifts returns an encoding of each party's key.
func swifts(parties []Party) [][64]byte {
	all := make([][64]byte, len(parties))
	for i, p := range parties {
		if pub, err := p256k1.NewPublicKey(p.Pub[:]); err == nil {
			all[i], _ = ellswift.Encode(pub, p.Digest)
		}
	}
	return all
}

// musigSessions is how many sessions there are, each of two signers.
const musigSessions = 64

func (l loaded) musig2(op string, parties []Party) (Prepared, error) {
	count := min(musigSessions, len(parties))
	keys, sessions := make([]*musig2.KeySet, count), make([]*musig2.Session, count)
	nonces, sigs := make([][66]byte, count), make([][32]byte, count)
	sums := make([]musig2.AggregateNonce, count)
	for i := range count {
		var err error
		if keys[i], err = musig2.Aggregate([]*p256k1.PublicKey{l.publics[i], l.peers[i]}); err != nil {
			return Prepared{}, err
		}
		secret, public, err := musig2.NewNonce(l.secrets[i], keys[i], nil)
		if err != nil {
			return Prepared{}, err
		}
		other := nonceOf(parties[i])
		theirs, err := musig2.NewPublicNonce(other[:])
		if err != nil {
			return Prepared{}, err
		}
		if sums[i], err = musig2.AggregateNonces([]musig2.PublicNonce{public, theirs}); err != nil {
			return Prepared{}, err
		}
		if sessions[i], err = musig2.NewSession(keys[i], sums[i], parties[i].Digest[:]); err != nil {
			return Prepared{}, err
		}
		sig, err := sessions[i].Sign(secret, l.secrets[i])
		if err != nil {
			return Prepared{}, err
		}
		nonces[i], sigs[i] = [66]byte(public.Bytes()), [32]byte(sig.Bytes())
	}
	if op == Musig2Verify {
		return Prepared{Run: func(i int, _ *[64]byte) error {
			i %= count
			sig, err := musig2.NewPartialSignature(sigs[i][:])
			if err != nil {
				return err
			}
			nonce, err := musig2.NewPublicNonce(nonces[i][:])
			if err == nil && !sessions[i].VerifyPartial(sig, nonce, l.publics[i]) {
				err = fmt.Errorf("%w: partial signature", ErrInvalid)
			}
			return err
		}}, nil
	}
	var ready []*musig2.SecretNonce
	return Prepared{
		Run: func(_ int, _ *[64]byte) error {
			nonce := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			i := len(ready) % count
			session, err := musig2.NewSession(keys[i], sums[i], parties[i].Digest[:])
			if err == nil {
				_, err = session.Sign(nonce, l.secrets[i])
			}
			return err
		},
		Refill: func(n int) error {
			ready = ready[:0]
			for i := range n {
				nonce, _, err := musig2.NewNonce(l.secrets[i%count], nil, nil)
				if err != nil {
					return err
				}
				ready = append(ready, nonce)
			}
			return nil
		},
	}, nil
}

func (l loaded) ellswiftECDH(parties []Party) (Prepared, error) {
	encodings := swifts(parties)
	var ready []*ellswift.PrivateKey
	n := len(parties)
	return Prepared{
		Run: func(_ int, out *[64]byte) error {
			key := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			i := len(ready) % n
			secret, err := key.ECDH(&encodings[(i+1)%n], i%2 == 0)
			copy(out[:], secret[:])
			return err
		},
		Refill: func(count int) error {
			ready = ready[:0]
			for i := range count {
				secret, err := p256k1.NewPrivateKey(parties[i%n].Secret[:])
				if err != nil {
					return err
				}
				key, err := ellswift.NewPrivateKey(secret, &encodings[i%n])
				if err != nil {
					return err
				}
				ready = append(ready, key)
			}
			return nil
		},
	}, nil
}

// silentOutputs is how many Taproot outputs each transaction has that is scanned.
const silentOutputs = 2

// silentInput is the one input of a party's transaction: P2WPKH.
func silentInput(p Party) silentpayments.Input {
	sum := sha256.Sum256(p.Pub[:])
	h := ripemd160.New()
	h.Write(sum[:])
	script := h.Sum([]byte{0, 20})
	return silentpayments.Input{TxID: *p.Digest, ScriptPubKey: script, Witness: [][]byte{nil, p.Pub[:]}}
}

// silent is what there is to be scanned for the first party's scan key and the last one's spend
// key: the first party's transaction pays to it, and no other does.
func (l loaded) silent(parties []Party) (scanner *silentpayments.Scanner, outputs [][silentOutputs][32]byte, err error) {
	n := len(parties)
	if scanner, err = silentpayments.NewScanner(l.secrets[0], l.publics[n-1]); err != nil {
		return nil, nil, err
	}
	for i, p := range parties {
		outputs = append(outputs, [silentOutputs][32]byte{[32]byte(p.Pub[1:]), [32]byte(p.Peer[1:])})
		if i == 0 {
			paid, err := silentpayments.CreateOutputs([]silentpayments.Input{silentInput(p)}, l.secrets[:1], []silentpayments.Recipient{scanner.Recipient()})
			if err != nil {
				return nil, nil, err
			}
			outputs[0][1] = [32]byte(paid[0].Bytes())
		}
	}
	return scanner, outputs, nil
}

func (l loaded) silentScan(size int, parties []Party) (Prepared, error) {
	scanner, outputs, err := l.silent(parties)
	if err != nil {
		return Prepared{}, err
	}
	var tweaks [][33]byte
	var prefixes [][]uint64
	for i, p := range parties {
		tweak, err := silentpayments.Tweak([]silentpayments.Input{silentInput(p)})
		if err != nil {
			return Prepared{}, err
		}
		tweaks = append(tweaks, [33]byte(tweak.Bytes()))
		var of []uint64
		for _, x := range outputs[i] {
			of = append(of, binary.BigEndian.Uint64(x[:]))
		}
		prefixes = append(prefixes, of)
	}
	from, to := windows(tweaks, size), windows(prefixes, size)
	return Prepared{Run: func(i int, out *[64]byte) error {
		i %= len(from)
		hits, err := scanner.ScanTweaks(from[i], to[i])
		if err == nil {
			err = checkHits(len(hits), i*size, size, len(parties))
		}
		return err
	}}, nil
}

// checkHits compares how often the first of n parties was found with how often it is among so many
// from one on.
func checkHits(found, first, size, n int) error {
	if want := (first+size+n-1)/n - (first+n-1)/n; found != want {
		return fmt.Errorf("%w: found %d payments, not %d", ErrInvalid, found, want)
	}
	return nil
}

func (l loaded) dleqVerify(size int) (Prepared, error) {
	var all []dleq.Item
	for i := range l.secrets {
		c, proof, err := dleq.Prove(l.secrets[i], l.peers[i], nil)
		if err != nil {
			return Prepared{}, err
		}
		all = append(all, dleq.Item{A: l.publics[i], B: l.peers[i], C: c, Proof: proof[:]})
	}
	refused := fmt.Errorf("%w: proof", ErrInvalid)
	if size == 0 {
		return Prepared{Run: func(i int, _ *[64]byte) error {
			if p := &all[i%len(all)]; !dleq.Verify(p.A, p.B, p.C, p.Proof, nil) {
				return refused
			}
			return nil
		}}, nil
	}
	items, valid := windows(all, size), make([]bool, size)
	return Prepared{Run: func(i int, _ *[64]byte) error {
		dleq.VerifyBatch(valid, items[i%len(items)])
		for _, ok := range valid {
			if !ok {
				return refused
			}
		}
		return nil
	}}, nil
}

// cashu has for each party a secret, its digest, that it blinds with its key, and its peer's key
// for that of a mint.
func (l loaded) cashu(op string, parties []Party) (Prepared, error) {
	type coin struct {
		x       []byte
		mint    *p256k1.PrivateKey
		blinded *p256k1.PublicKey
		sig     cashu.BlindSignature
		c       *p256k1.PublicKey
	}
	n := len(parties)
	coins := make([]coin, n)
	for i := range coins {
		coin := &coins[i]
		coin.x, coin.mint = parties[i].Digest[:], l.secrets[(i+1)%n]
		var err error
		if coin.blinded, err = cashu.Blind(coin.x, l.secrets[i]); err != nil {
			return Prepared{}, err
		}
		if coin.sig, err = cashu.Sign(coin.mint, coin.blinded); err != nil {
			return Prepared{}, err
		}
		if coin.c, err = cashu.UnblindWithoutProof(coin.mint.PublicKey(), coin.sig, l.secrets[i]); err != nil {
			return Prepared{}, err
		}
	}
	run := func(i int, out *[64]byte) error {
		blinded, err := cashu.Blind(coins[i].x, l.secrets[i])
		if err == nil {
			copy(out[:], blinded.Bytes())
		}
		return err
	}
	switch op {
	case CashuSign:
		run = func(i int, out *[64]byte) error {
			sig, err := cashu.Sign(coins[i].mint, coins[i].blinded)
			if err == nil {
				copy(out[:], sig.C.Bytes())
			}
			return err
		}
	case CashuUnblind:
		run = func(i int, out *[64]byte) error {
			c, err := cashu.Unblind(l.publics[(i+1)%n], coins[i].x, coins[i].sig, l.secrets[i])
			if err == nil {
				copy(out[:], c.Bytes())
			}
			return err
		}
	case CashuVerify:
		run = func(i int, _ *[64]byte) error {
			if !cashu.Verify(coins[i].mint, coins[i].x, coins[i].c) {
				return fmt.Errorf("%w: signature", ErrInvalid)
			}
			return nil
		}
	}
	return Prepared{Run: func(i int, out *[64]byte) error { return run(i%n, out) }}, nil
}
