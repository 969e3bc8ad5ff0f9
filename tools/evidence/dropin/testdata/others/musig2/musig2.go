// The program musig2 calls all functions and methods that btcec's package musig2 exports.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
)

// show formats a value as text.
func show(v any) any {
	switch v := v.(type) {
	case *btcec.PublicKey:
		if v != nil {
			return fmt.Sprintf("%x", v.SerializeUncompressed())
		}
	case *btcec.ModNScalar:
		if v != nil {
			return fmt.Sprintf("%x", v.Bytes())
		}
	case *musig2.AggregateKey:
		if v != nil {
			return fmt.Sprintf("%x %x", v.FinalKey.SerializeUncompressed(), v.PreTweakedKey.SerializeUncompressed())
		}
	case *musig2.PartialSignature:
		if v != nil {
			return fmt.Sprintf("%x %x", v.S.Bytes(), v.R.SerializeUncompressed())
		}
	case *schnorr.Signature:
		if v != nil {
			return fmt.Sprintf("%x", v.Serialize())
		}
	case *musig2.Nonces:
		if v != nil {
			return fmt.Sprintf("%x %x", v.SecNonce, v.PubNonce)
		}
	case [66]byte:
		return fmt.Sprintf("%x", v)
	}
	return v
}

// reader reads from r.
type reader struct{}

func (reader) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return len(b), nil
}

var source reader

// tell prints a line as say does, with the kinds of an error.
func tell(name string, results ...any) {
	for _, v := range results {
		if err, ok := v.(error); ok {
			for i, kind := range kinds {
				if errors.Is(err, kind) {
					results = append(results, fmt.Sprint("kind ", i))
				}
			}
		}
	}
	say(name, results...)
}

var kinds = []error{musig2.ErrSignersNotSpecified, musig2.ErrSignerNotInKeySet, musig2.ErrAlredyHaveAllNonces, musig2.ErrNotEnoughSigners,
	musig2.ErrAlreadyHaveAllSigners, musig2.ErrAlredyHaveAllSigs, musig2.ErrSigningContextReuse, musig2.ErrFinalSigInvalid,
	musig2.ErrCombinedNonceUnavailable, musig2.ErrTaprootInternalKeyUnavailable, musig2.ErrNoEarlyNonce,
	musig2.ErrCombinedNonceAfterPubNonces, musig2.ErrTweakedKeyIsInfinity, musig2.ErrTweakedKeyOverflows, musig2.ErrPubkeyInvalid,
	musig2.ErrNoncePointAtInfinity, musig2.ErrPrivKeyZero, musig2.ErrPartialSigInvalid, musig2.ErrSecretNonceZero,
	musig2.ErrSecNoncePubkey, musig2.ErrPubkeyNotIncluded}

func maybe() bool { return r.IntN(2) == 0 }
func rare() bool  { return r.IntN(16) == 0 }

func bytes32() (b [32]byte) {
	source.Read(b[:])
	return b
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// flip changes one bit, or sets the first byte to 0, which stands for infinity, or sets each byte to 0 or 255.
func flip(b []byte) {
	switch r.IntN(8) {
	case 0:
		b[0] = 0
	case 1:
		for i := range b {
			b[i] = byte(-r.IntN(2))
		}
	default:
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	}
}

type party struct {
	priv   *btcec.PrivateKey
	pub    *btcec.PublicKey
	nonces *musig2.Nonces
}

// tweaks has tweaks of a key, specified in one of four ways.
type tweaks struct {
	agg     []musig2.KeyAggOption
	sign    []musig2.SignOption
	context []musig2.ContextOption
	combine func(msg [32]byte, keys []*btcec.PublicKey, sort bool) []musig2.CombineOption
	good    bool
}

func someTweaks() (t tweaks) {
	t.good = true
	t.combine = func([32]byte, []*btcec.PublicKey, bool) []musig2.CombineOption { return nil }
	switch r.IntN(4) {
	case 0:
		list := make([]musig2.KeyTweakDesc, r.IntN(4))
		for i := range list {
			list[i] = musig2.KeyTweakDesc{Tweak: bytes32(), IsXOnly: maybe()}
			switch r.IntN(16) {
			case 0:
				list[i].Tweak = [32]byte{}
			case 1:
				list[i].Tweak = [32]byte(bytes.Repeat([]byte{255}, 32))
				t.good = false
			case 2: // n − 1, n or n + 1
				n := n.Bytes()
				n[31] += byte(r.IntN(3) - 1)
				list[i].Tweak = [32]byte(n)
				t.good = t.good && n[31] == 0x40
			}
		}
		t.agg = append(t.agg, musig2.WithKeyTweaks(list...))
		t.sign = append(t.sign, musig2.WithTweaks(list...))
		t.context = append(t.context, musig2.WithTweakedContext(list...))
		t.combine = func(msg [32]byte, keys []*btcec.PublicKey, sort bool) []musig2.CombineOption {
			return []musig2.CombineOption{musig2.WithTweakedCombine(msg, keys, list, sort)}
		}
	case 1:
		root := bytes32()
		t.agg = append(t.agg, musig2.WithTaprootKeyTweak(root[:]))
		t.sign = append(t.sign, musig2.WithTaprootSignTweak(root[:]))
		t.context = append(t.context, musig2.WithTaprootTweakCtx(root[:]))
		t.combine = func(msg [32]byte, keys []*btcec.PublicKey, sort bool) []musig2.CombineOption {
			return []musig2.CombineOption{musig2.WithTaprootTweakedCombine(msg, keys, root[:], sort)}
		}
	case 2:
		t.agg = append(t.agg, musig2.WithBIP86KeyTweak())
		t.sign = append(t.sign, musig2.WithBip86SignTweak())
		t.context = append(t.context, musig2.WithBip86TweakCtx())
		t.combine = func(msg [32]byte, keys []*btcec.PublicKey, sort bool) []musig2.CombineOption {
			return []musig2.CombineOption{musig2.WithBip86TweakedCombine(msg, keys, sort)}
		}
	}
	return t
}

// somebody returns a random signer with nonces.
func somebody(combined *btcec.PublicKey, msg [32]byte) *party {
	b := bytes32()
	p := new(party)
	p.priv, p.pub = btcec.PrivKeyFromBytes(b[:])
	options := []musig2.NonceGenOption{musig2.WithCustomRand(source)}
	if !rare() {
		options = append(options, musig2.WithPublicKey(p.pub))
	}
	if maybe() {
		options = append(options, musig2.WithNonceSecretKeyAux(p.priv))
	}
	if maybe() {
		options = append(options, musig2.WithNonceCombinedKeyAux(combined))
	}
	if maybe() {
		options = append(options, musig2.WithNonceMessageAux(msg))
	}
	if maybe() {
		options = append(options, musig2.WithNonceAuxInput(make([]byte, r.IntN(40))))
	}
	var err error
	p.nonces, err = musig2.GenNonces(options...)
	tell("GenNonces", p.nonces, err)
	if err != nil {
		p.nonces = must(musig2.GenNonces(musig2.WithCustomRand(source), musig2.WithPublicKey(p.pub)))
	}
	return p
}

// play makes one round of calls.
func play() {
	msg := bytes32()
	_, other := btcec.PrivKeyFromBytes(msg[:])
	var parties []*party
	for range 1 + r.IntN(4) {
		parties = append(parties, somebody(other, msg))
	}
	if rare() { // one signer twice, with different nonces
		p := *parties[r.IntN(len(parties))]
		p.nonces = must(musig2.GenNonces(musig2.WithCustomRand(source), musig2.WithPublicKey(p.pub)))
		parties = append(parties, &p)
	}
	if rare() { // a public nonce of zeros
		p := parties[0]
		p.nonces.PubNonce = [66]byte{}
	}
	var keys []*btcec.PublicKey
	var nonces [][66]byte
	for _, p := range parties {
		keys = append(keys, p.pub)
		nonces = append(nonces, p.nonces.PubNonce)
	}
	// Each call gets a slice of its own. At the end, the order of each slice is printed, because some calls sort it.
	var lists [][]*btcec.PublicKey
	list := func() []*btcec.PublicKey {
		lists = append(lists, slices.Clone(keys))
		return lists[len(lists)-1]
	}
	defer func() {
		for _, keys := range lists {
			var order []byte
			for _, key := range keys {
				order = append(order, key.SerializeCompressed()[1])
			}
			say("order", order)
		}
	}()
	sort, how := maybe(), someTweaks()

	aggOptions := slices.Clone(how.agg)
	if rare() {
		hash := bytes32()
		aggOptions = append(aggOptions, musig2.WithKeysHash(hash[:]))
	}
	if rare() {
		aggOptions = append(aggOptions, musig2.WithUniqueKeyIndex(r.IntN(len(keys)+1)-1))
	}
	key, parity, tweak, err := musig2.AggregateKeys(list(), sort, aggOptions...)
	tell("AggregateKeys", key, parity, tweak, err)
	try("AggregateKeys with two tweaks", func() {
		first, second := someTweaks(), someTweaks()
		key, parity, tweak, err := musig2.AggregateKeys(list(), sort, append(first.agg, second.agg...)...)
		tell("AggregateKeys with two tweaks", key, parity, tweak, err)
	})
	key, _, _, err = musig2.AggregateKeys(list(), sort, how.agg...)

	mutated := slices.Clone(nonces)
	if maybe() {
		i := r.IntN(len(mutated))
		flip(mutated[i][33*r.IntN(2):][:33])
	}
	nonce, nonceErr := musig2.AggregateNonces(mutated)
	tell("AggregateNonces", nonce, nonceErr)
	nonce, nonceErr = musig2.AggregateNonces(nonces)

	options := slices.Clone(how.sign)
	if sort {
		options = append(options, musig2.WithSortedKeys())
	}
	var sigs []*musig2.PartialSignature
	for i, p := range parties {
		sig, err := musig2.Sign(p.nonces.SecNonce, p.priv, nonce, list(), msg, append(slices.Clone(options), musig2.WithFastSign())...)
		tell("Sign", sig, err)
		if err != nil {
			continue
		}
		sigs = append(sigs, sig)
		tell("Verify", sig.Verify(p.nonces.PubNonce, nonce, list(), p.pub, msg, options...))
		j := r.IntN(len(parties))
		tell("Verify another's", sig.Verify(parties[j].nonces.PubNonce, nonce, list(), p.pub, msg, options...),
			sig.Verify(p.nonces.PubNonce, nonce, list(), parties[j].pub, msg, options...))
		public, combined := p.nonces.PubNonce, nonce
		flip(public[33*r.IntN(2):][:33])
		flip(combined[33*r.IntN(2):][:33])
		tell("Verify mutated", sig.Verify(public, nonce, list(), p.pub, msg, options...),
			sig.Verify(p.nonces.PubNonce, combined, list(), p.pub, msg, options...))
		if i == 0 {
			secret, combined := p.nonces.SecNonce, nonce
			flip(secret[32*r.IntN(2):][:33])
			sig, err = musig2.Sign(secret, p.priv, nonce, list(), msg, append(slices.Clone(options), musig2.WithFastSign())...)
			tell("Sign with another nonce", sig, err)
			flip(combined[33*r.IntN(2):][:33])
			sig, err = musig2.Sign(p.nonces.SecNonce, p.priv, combined, list(), msg, options...)
			tell("Sign for another nonce", sig, err)
			clear(secret[32*r.IntN(2):][:32])
			sig, err = musig2.Sign(secret, p.priv, nonce, list(), msg, options...)
			tell("Sign with zeros", sig, err)
			sig, err = musig2.Sign(p.nonces.SecNonce, parties[j].priv, nonce, list(), msg, options...)
			tell("Sign with another's key", sig, err)
			sig, err = musig2.Sign(p.nonces.SecNonce, p.priv, nonce, list()[1:], msg, options...)
			tell("Sign outside", sig, err)
		}
	}
	if len(sigs) == len(parties) {
		if rare() {
			sigs[0].S.Negate()
		}
		final := musig2.CombineSigs(sigs[0].R, sigs, how.combine(msg, list(), sort)...)
		tell("CombineSigs", final, final.Verify(msg[:], key.FinalKey))
		var R btcec.JacobianPoint
		sigs[0].R.AsJacobian(&R)
		x := btcec.NewPublicKey(&R.X, new(btcec.FieldVal))
		tell("CombineSigs with x alone", musig2.CombineSigs(x, sigs, how.combine(msg, list(), sort)...))
		var w bytes.Buffer
		tell("Encode", sigs[0].Encode(&w), w.Bytes())
	}
	b := bytes.Repeat([]byte{255}, 32+r.IntN(16))
	if maybe() {
		source.Read(b)
	}
	var sig musig2.PartialSignature
	err = sig.Decode(bytes.NewReader(b))
	tell("Decode", sig.S, err)
	made := musig2.NewPartialSignature(sig.S, other)
	tell("NewPartialSignature", made.S, made.R)

	session(parties, list(), how, sort, msg)
}

// session uses contexts and sessions, with steps left out or repeated.
func session(parties []*party, keys []*btcec.PublicKey, how tweaks, sort bool, msg [32]byte) {
	_, err := musig2.NewContext(parties[0].priv, sort)
	tell("NewContext without signers", err)
	_, err = musig2.NewContext(parties[0].priv, sort, musig2.WithKnownSigners(slices.Clone(keys[1:])))
	tell("NewContext without the signer", err)
	early, err := musig2.NewContext(parties[0].priv, sort, musig2.WithNumSigners(2), musig2.WithEarlyNonceGen())
	nonces, earlyErr := early.EarlySessionNonce()
	again, _ := early.EarlySessionNonce()
	tell("EarlySessionNonce of two", err, earlyErr, nonces == again, nonces.SecNonce[64:])
	if !how.good || len(parties) < 2 {
		return
	}
	var all []*musig2.Session
	for i, p := range parties {
		var c *musig2.Context
		if known := maybe(); known || !sort {
			c, err = musig2.NewContext(p.priv, sort, append(slices.Clone(how.context), musig2.WithKnownSigners(slices.Clone(keys)))...)
			tell("NewContext", err)
		} else {
			c, err = musig2.NewContext(p.priv, sort, append(slices.Clone(how.context), musig2.WithNumSigners(len(keys)))...)
			tell("NewContext", err)
			for j, key := range keys {
				_, err := c.NewSession()
				tell("NewSession too early", err)
				_, err = c.CombinedKey()
				tell("CombinedKey too early", err)
				_, err = c.TaprootInternalKey()
				tell("TaprootInternalKey too early", err)
				if j != i {
					done, err := c.RegisterSigner(key)
					tell("RegisterSigner", done, err, c.NumRegisteredSigners())
				}
			}
		}
		done, err := c.RegisterSigner(keys[0])
		tell("RegisterSigner once more", done, err)
		_, err = c.EarlySessionNonce()
		tell("EarlySessionNonce", err)
		key, err := c.CombinedKey()
		tell("CombinedKey", key, err)
		key, err = c.TaprootInternalKey()
		tell("TaprootInternalKey", key, err)
		own := c.PubKey()
		tell("PubKey", &own)
		for _, key := range c.SigningKeys() {
			tell("SigningKeys", key)
		}
		nonces := p.nonces
		if rare() { // the nonces of another signer
			nonces = parties[(i+1)%len(parties)].nonces
		}
		s, err := c.NewSession(musig2.WithPreGeneratedNonce(nonces))
		tell("NewSession", err)
		tell("PublicNonce", s.PublicNonce(), s.NumRegisteredNonces())
		_, err = s.Sign(msg)
		tell("Sign too early", err)
		all = append(all, s)
	}
	combined, nonceErr := [66]byte{}, error(nil)
	for i, s := range all {
		_, err := s.CombinedNonce()
		tell("CombinedNonce too early", err)
		if i > 0 && maybe() {
			tell("RegisterCombinedNonce", s.RegisterCombinedNonce(combined))
		} else {
			for j, p := range parties {
				if j == i {
					continue
				}
				nonce := p.nonces.PubNonce
				if rare() && rare() {
					flip(nonce[:33])
				}
				done, err := s.RegisterPubNonce(nonce)
				tell("RegisterPubNonce", done, err, s.NumRegisteredNonces())
				if maybe() {
					tell("RegisterCombinedNonce after some", s.RegisterCombinedNonce(parties[0].nonces.PubNonce))
				}
			}
		}
		got, err := s.CombinedNonce()
		tell("CombinedNonce", got, err)
		if i == 0 {
			combined, nonceErr = got, err
		}
		done, err := s.RegisterPubNonce(parties[0].nonces.PubNonce)
		tell("RegisterPubNonce once more", done, err)
		flip(got[:33])
		tell("RegisterCombinedNonce once more", s.RegisterCombinedNonce(got))
	}
	if nonceErr != nil {
		return
	}
	var sigs []*musig2.PartialSignature
	for _, s := range all {
		var options []musig2.SignOption
		if rare() {
			options = append(options, musig2.WithSortedKeys())
		}
		if rare() {
			options = append(options, someTweaks().sign...)
		}
		sig, err := s.Sign(msg, append(options, musig2.WithFastSign())...)
		tell("Session.Sign", sig, err)
		_, err = s.Sign(msg)
		tell("Session.Sign once more", err)
		if err == nil || sig == nil {
			return
		}
		sigs = append(sigs, sig)
	}
	for i, s := range all {
		tell("FinalSig too early", s.FinalSig())
		for j, sig := range sigs {
			if j != i {
				if rare() && rare() {
					sig = &musig2.PartialSignature{S: new(btcec.ModNScalar).SetInt(1), R: sig.R}
				}
				done, err := s.CombineSig(sig)
				tell("CombineSig", done, err, s.FinalSig())
			}
		}
		done, err := s.CombineSig(sigs[0])
		tell("CombineSig once more", done, err, s.FinalSig())
	}
}
