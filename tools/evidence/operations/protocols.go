package operations

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"golang.org/x/crypto/ripemd160" //lint:ignore SA1019 Bitcoin's scripts have this hash

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/halfagg"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/schnorr"
)

// A payment is a transaction to four recipients: an address, a labeled address, the change address, and another
// wallet's address. The scanner finds the outputs of the first three. The inputs have the keys Key, Other and a third
// key, which does not count because it is not compressed.
type payment struct {
	inputs     []silentpayments.Input
	keys       []*p256k1.PrivateKey
	recipients []silentpayments.Recipient
	scanner    *silentpayments.Scanner // scans with Key; its spend key is Peer
	tweak      *p256k1.PublicKey
	outputs    [][32]byte
	prefixes   []uint64
}

func newPayment(in *In) *payment {
	third := wiped(in, must(p256k1.ParsePrivateKey(in.Tweak)))
	long := third.PublicKey().BytesUncompressed()
	Declassify(long[1:], 64)
	hash160 := func(script, b []byte) []byte {
		sum, h := sha256.Sum256(b), ripemd160.New()
		h.Write(sum[:])
		return h.Sum(script)
	}
	p := &payment{
		keys: []*p256k1.PrivateKey{in.Key(), in.Other(), third},
		inputs: []silentpayments.Input{
			{ScriptPubKey: append([]byte{0x51, 0x20}, in.X().Bytes()...), Witness: [][]byte{nil}},
			{Index: 1, ScriptPubKey: hash160([]byte{0, 0x14}, in.Peer().Bytes()), Witness: [][]byte{nil, in.Peer().Bytes()}},
			{Index: 2, ScriptPubKey: append(hash160([]byte{0x76, 0xa9, 0x14}, long), 0x88, 0xac), ScriptSig: long},
		},
		scanner: wiped(in, must(silentpayments.NewScanner(in.Key(), in.Peer(), 1))),
	}
	p.recipients = []silentpayments.Recipient{p.scanner.Recipient(), must(p.scanner.Labeled(1)), p.scanner.Change(), {Scan: in.Peer(), Spend: in.Pub()}}
	for i := range p.recipients {
		for _, key := range []**p256k1.PublicKey{&p.recipients[i].Scan, &p.recipients[i].Spend} {
			b := (*key).Bytes()
			Declassify(b, 0) // 0, because part of b was declassified before
			*key = must(p256k1.ParsePublicKey(b))
		}
	}
	p.tweak = must(silentpayments.Tweak(p.inputs))
	for _, x := range must(silentpayments.CreateOutputs(p.inputs, p.keys, p.recipients)) {
		b := x.Bytes()
		Declassify(b, 32)
		p.outputs, p.prefixes = append(p.outputs, [32]byte(b)), append(p.prefixes, binary.BigEndian.Uint64(b))
	}
	return p
}

// sum returns the sum of the input keys and BIP-352's input hash.
func (p *payment) sum(in *In) (sum, hash *big.Int) {
	sum = oracle.Fn.Add(even(in.d(), in.pub()), in.e())
	b := oracle.TaggedHash("BIP0352/Inputs", make([]byte, 36), oracle.G.Mul(sum).Compressed())
	return sum, oracle.Int(b[:])
}

// scanned returns the point that the scanner shares with the sender, and the tweak of the first output.
func scanned(in *In) (oracle.Point, *big.Int) {
	sum, hash := in.Payment().sum(in)
	p := oracle.G.Mul(oracle.Fn.Mul(oracle.Fn.Mul(sum, hash), in.d()))
	t := oracle.TaggedHash("BIP0352/SharedSecret", p.Compressed(), make([]byte, 4))
	return p, oracle.Int(t[:])
}

var payments = []Op{
	onSecrets("silentpayments.CreateOutputs", Varies,
		func(in *In, r Results) ([]Secret, bool) {
			sum, hash := in.Payment().sum(in)
			product := oracle.Fn.Mul(sum, hash)
			all := slices.Concat(scalar("sum of keys", sum), recoded("sum of keys", sum), scalar("input hash times key", product), recoded("input hash times key", product))
			return all, len(r) == 4
		}, func(in *In, out *Out) {
			p := in.Payment()
			for _, key := range must(silentpayments.CreateOutputs(p.inputs, p.keys, p.recipients)) {
				out.Bytes(key.Bytes())
			}
		}),
	onSecrets("silentpayments.CreateShares", Varies, nil, func(in *In, out *Out) {
		p := in.Payment()
		inputs := []silentpayments.UnsignedInput{{ScriptPubKey: p.inputs[0].ScriptPubKey}, {Index: 1, ScriptPubKey: p.inputs[1].ScriptPubKey}}
		shares := must(silentpayments.CreateShares(inputs, p.keys[:2], p.recipients))
		all := must(silentpayments.CreateGlobalShares(inputs, p.keys[:2], p.recipients))
		inputs[1].Key = in.Peer()
		check(silentpayments.VerifyShares(inputs, shares))
		same := must(silentpayments.OutputsFromShares(inputs, all, p.recipients))
		for i, key := range must(silentpayments.OutputsFromShares(inputs, shares, p.recipients)) {
			out.True(key.Equal(same[i]))
			out.Bytes(key.Bytes())
		}
	}).shown(checksItsWork),
	onSecrets("silentpayments.NewScanner", Varies, nil, func(in *In, out *Out) {
		s := must(silentpayments.NewScanner(in.Key(), in.Peer(), 1, 2))
		for _, recipient := range []silentpayments.Recipient{s.Recipient(), must(s.Labeled(1)), s.Change()} {
			out.Some(recipient.Scan.Bytes(), 0)
			out.Some(recipient.Spend.Bytes(), 0)
		}
		s.Zero()
	}),
	onPublic("silentpayments.Recipient.Address", Varies, "addresses, which are public", func(in *In, out *Out) {
		text := must(silentpayments.Recipient{Scan: in.Peer(), Spend: in.Pub()}.Address(silentpayments.Mainnet))
		recipient, n := must2(silentpayments.ParseAddress(text))
		out.Values(text, n, recipient.Scan, recipient.Spend)
	}),
	// The tweaks of outputs are results of Scan; a tweak alone is not a key.
	onSecrets("silentpayments.Scanner.Scan", Varies,
		func(in *In, r Results) ([]Secret, bool) {
			p, t := scanned(in)
			d := oracle.Fn.Add(in.e(), t)
			all := append(coordinates("shared point", p), ofResult(d)...)
			return all, r.is(number(even(d, oracle.G.Mul(d))), nil, number(t)) || r.is(number(d), nil, number(t))
		}, func(in *In, out *Out) {
			p := in.Payment()
			s := must(silentpayments.NewScanner(in.Key(), in.Peer(), 1, 2))
			found := must(s.Scan(context.Background(), p.tweak, p.outputs))
			for i := range found {
				out.Key(must(found[i].PrivateKey(in.Other())))
				out.Secret(found[i].Tweak[:])
			}
			one := must(s.Scan(context.Background(), p.tweak, p.outputs[:1])) // more than twice as many labels as outputs
			out.True(len(one) == 1)
			clear(one)
			s.Zero()
		}),
	onSecrets("silentpayments.Scanner.ScanTweaks", Varies,
		func(in *In, _ Results) ([]Secret, bool) {
			p, t := scanned(in)
			return append(coordinates("shared point", p), scalar("tweak of the output", t)...), true
		}, func(in *In, out *Out) {
			p := in.Payment()
			s := must(silentpayments.NewScanner(in.Key(), in.Peer(), 1, 2))
			tweaks, prefixes := slices.Repeat([][33]byte{[33]byte(p.tweak.Bytes())}, many+2), slices.Repeat([][]uint64{p.prefixes}, many+2)
			tweaks[many], prefixes[many+1] = [33]byte(in.Peer().Bytes()), nil
			hits := must(s.ScanTweaks(context.Background(), tweaks, prefixes))
			out.True(len(hits) == many && hits[many-1].Tweak == many-1)
			s.Zero()
		}),
	onPublic("silentpayments.Scanner, shared", Varies, "a transaction, and a scanner; other operations run its methods on a scanner of their own", func(in *In, out *Out) {
		p := in.Payment()
		out.True(len(must(p.scanner.Scan(context.Background(), p.tweak, p.outputs))) == 3)
		out.True(len(must(p.scanner.ScanTweaks(context.Background(), [][33]byte{[33]byte(p.tweak.Bytes())}, [][]uint64{p.prefixes}))) == 1)
		labeled := must(p.scanner.Labeled(1))
		out.Values(labeled.Scan, labeled.Spend, p.scanner.Change().Spend, p.scanner.Recipient().Spend)
		wiped := must(silentpayments.NewScanner(in.Key(), in.Peer()))
		wiped.Zero()
		out.Refused(failure(wiped.Scan(context.Background(), p.tweak, p.outputs)))
	}),
	onPublic("silentpayments.Tweak", Varies, "a transaction", func(in *In, out *Out) {
		p := in.Payment()
		tweak := must(silentpayments.Tweak(p.inputs))
		out.True(must(silentpayments.Tweak(p.inputs[2:])) == nil)
		out.Values(tweak, must(p.inputs[0].PublicKey()), must(p.inputs[1].PublicKey()))
		out.True(must(p.inputs[2].PublicKey()) == nil)
	}).right(func(in *In, r Results) ([]Secret, bool) {
		sum, hash := in.Payment().sum(in)
		return nil, bytes.Contains(r[1].Bytes, fmt.Appendf(nil, "%x\n", oracle.G.Mul(oracle.Fn.Mul(sum, hash)).Compressed()))
	}),
	onPublic("silentpayments.TweakBatch", Varies, "transactions", func(in *In, out *Out) {
		p := in.Payment()
		for i, tweak := range must(silentpayments.TweakBatch(append(slices.Repeat([][]silentpayments.Input{p.inputs}, many), p.inputs[2:]))) {
			out.True((i < many && tweak.Equal(p.tweak)) || (i == many && tweak == nil))
		}
	}),
	texts(func(in *In) *halfagg.Claim { return &halfagg.Claim{Message: [32]byte(in.Digest)} }),
	texts(func(in *In) *silentpayments.TxID { return &silentpayments.TxID{1} }),
}

// proven is the oracle of operations whose result is Key·Peer.
func proven(in *In, r Results) ([]Secret, bool) {
	p := in.peer().Mul(in.d())
	return halves(in.d()), r.is(p.Compressed())
}

var proofs = []Op{
	onSecrets("dleq.Prove", Varies, proven, func(in *In, out *Out) {
		c, proof, err := dleq.Prove(in.Key(), in.Peer(), &dleq.Options{Message: (*[32]byte)(in.Digest), AuxRand: in.Aux})
		check(err)
		out.Bytes(c.Bytes(), proof[:])
	}),
	onSecrets("dleq.Prove, another generator", Varies, proven, func(in *In, out *Out) {
		c, proof := must2(dleq.Prove(in.Key(), in.Peer(), &dleq.Options{Generator: in.Peer()}))
		out.Bytes(c.Bytes())
		out.Fresh(proof[:])
	}),
	onSecrets("dleq.Prove, checked", Varies, proven, func(in *In, out *Out) {
		c, proof := must2(dleq.Prove(in.Key(), in.Peer(), &dleq.Options{Checked: true}))
		out.Bytes(c.Bytes())
		out.Fresh(proof[:])
	}).shown(checksItsWork),
	onPublic("halfagg", Varies, "signatures with their public keys and messages", func(in *In, out *Out) {
		claims := slices.Repeat([]halfagg.Claim{{PublicKey: [32]byte(in.X().Bytes()), Message: [32]byte(in.Digest)}}, many)
		sigs := slices.Repeat([][64]byte{must(schnorr.Sign(in.Key(), in.Digest, &schnorr.Options{AuxRand: in.Aux}))}, many)
		part := must(halfagg.Aggregate(claims[:2], sigs[:2]))
		all := must(halfagg.Add(part, claims[:2], claims[2:], sigs[2:]))
		out.True(len(all) == halfagg.Size(many) && halfagg.Verify(all, claims))
		out.False(halfagg.Verify(in.flip(all), claims))
		sigs[1][63] ^= 1
		_, err := halfagg.Aggregate(claims, sigs)
		var invalid p256k1.Failures
		out.True(errors.As(err, &invalid) && len(invalid) == 1 && invalid[0].Index == 1 && errors.Is(err, halfagg.ErrSignature))
		out.Values(all)
	}),
	onPublic("dleq.Verify", Varies, "proofs and the points they are about", func(in *In, out *Out) {
		options := &dleq.Options{Message: in.Aux}
		c, proof := must2(dleq.Prove(in.Key(), in.Peer(), options))
		out.True(dleq.Verify(in.Pub(), in.Peer(), c, proof[:], options))
		out.False(dleq.Verify(in.Peer(), in.Peer(), c, proof[:], options))
		out.False(dleq.Verify(in.Pub(), in.Peer(), c, in.flip(proof[:]), options))
		items := slices.Repeat([]dleq.Item{{A: in.Pub(), B: in.Peer(), C: c, Proof: proof[:], Options: options}}, many)
		items[4].Proof = in.flip(proof[:])
		out.True(slices.Equal(dleq.Invalid(nil, items), []int{4}))
	}),
}

// A minting has the values of a Cashu token that Key signs: blinded secret, blind signature, unblinded signature.
type minting struct {
	blinded *p256k1.PublicKey
	promise cashu.BlindSignature
	token   *p256k1.PublicKey
}

func newMinting(in *In) *minting {
	m := &minting{blinded: must(cashu.Blind(in.Msg, in.Other()))}
	m.promise = must(cashu.Sign(in.Key(), m.blinded))
	m.token = must(cashu.Unblind(in.Pub(), in.Msg, m.promise, in.Other()))
	return m
}

// blindSignature returns a point with an unknown logarithm, from which no multiple of another point gives infinity.
func blindSignature() cashu.BlindSignature {
	return cashu.BlindSignature{C: must(cashu.HashToCurve([]byte("a blind signature")))}
}

var mints = []Op{
	onSecrets("cashu.HashToCurve", Varies, nil, func(in *In, out *Out) {
		out.Some(must(cashu.HashToCurve(in.Secret)).Bytes(), 32)
	}).unsearched("it hashes memory that its caller holds, and does not promise to wipe it"),
	onSecrets("cashu.Blind", Varies, nil, func(in *In, out *Out) { out.Bytes(must(cashu.Blind(in.Aux[:], in.Key())).Bytes()) }),
	onSecrets("cashu.UnblindWithoutProof", Varies,
		gives(func(in *In) parts {
			c, _ := oracle.DecodePoint(blindSignature().C.Bytes())
			return parts{c.Add(in.peer().Mul(in.d()).Neg()).Compressed()}
		}), func(in *In, out *Out) {
			out.Bytes(must(cashu.UnblindWithoutProof(in.Peer(), blindSignature(), in.Key())).Bytes())
		}),
	onSecrets("cashu.Sign", Varies,
		func(in *In, r Results) ([]Secret, bool) {
			d, product := in.d(), in.peer().Mul(in.d())
			ed := oracle.Fn.Mul(oracle.Fn.Reduce(oracle.Int(r[0].Bytes)), d)
			nonce := oracle.Fn.Sub(oracle.Int(r[1].Bytes), ed)
			mac := hmacSHA256(in.Secret, []byte("Cashu_DLEQ_R_v1"), in.pub().Uncompressed(), in.peer().Uncompressed(), product.Uncompressed(), []byte{0})
			return slices.Concat(ofNonce(nonce), scalar("e·k", ed), pads("key", in.Secret)), bytes.Equal(mac, number(nonce)) && r[2:].is(product.Compressed())
		}, func(in *In, out *Out) {
			sig := must(cashu.Sign(in.Key(), in.Peer()))
			out.Bytes(sig.DLEQ.E[:], sig.DLEQ.S[:], sig.C.Bytes())
		}),
	onSecrets("cashu.Verify", Varies, gives(func(in *In) parts { return parts{[]byte{0}} }),
		func(in *In, out *Out) { out.Bool(cashu.Verify(in.Key(), in.Digest, in.Peer())) }),
	onSecrets("cashu.Unblind", Varies, nil, func(in *In, out *Out) {
		m := in.Minting()
		out.Bytes(must(cashu.Unblind(in.Pub(), in.Msg, m.promise, in.Other())).Bytes())
		out.Refused(failure(cashu.Unblind(in.Peer(), in.Msg, m.promise, in.Other())))
	}).shown("it verifies a proof in variable time, and calls UnblindWithoutProof for the rest"),
	onSecrets("cashu.DLEQ.VerifyToken", Varies, nil, func(in *In, out *Out) {
		m := in.Minting()
		out.True(m.promise.DLEQ.VerifyToken(in.Pub(), in.Msg, m.token, in.Other()))
		out.False(m.promise.DLEQ.VerifyToken(in.Pub(), in.Msg, m.token, in.Key()))
	}).shown("it ends in a verification in variable time; other operations time what it computes from the secret"),
	onPublic("cashu.DLEQ.Verify", Varies, "secrets that have been shown, and proofs with the points they are about", func(in *In, out *Out) {
		m := in.Minting()
		out.True(m.promise.DLEQ.Verify(in.Pub(), m.blinded, m.promise.C))
		out.False(m.promise.DLEQ.Verify(in.Peer(), m.blinded, m.promise.C))
		out.True(cashu.Verify(in.Key(), in.Msg, m.token))
		out.False(cashu.Verify(in.Other(), in.Msg, m.token))
		p := must(cashu.HashToCurveVartime(in.Msg))
		out.True(p.Equal(must(cashu.HashToCurve(in.Msg))))
		out.Values(p, m.token)
	}),
	texts(func(in *In) *cashu.Integer { return &in.Minting().promise.DLEQ.E }),
}
