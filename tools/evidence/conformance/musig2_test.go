package conformance

import (
	"fmt"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcmusig2 "github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

// A party of a session uses this library or another library.
type party struct {
	priv    *p256k1.PrivateKey
	pub     [33]byte
	library int // 0 for this library, 1 for libsecp256k1, 2 for btcec
	ours    *musig2.SecretNonce
	c       libsecp.MusigNonce
	btcec   *btcmusig2.Nonces
	nonce   [66]byte
	public  musig2.PublicNonce
}

const (
	tweakedKind = kind("tweaked")
	mixed       = kind("signers of more than one library")
)

// TestMusig2 runs sessions of one to four signers, each of which uses one of the libraries, and compares all public
// values. The secret nonces are random.
func TestMusig2(t *testing.T) {
	differential(t, func(r *run) {
		c, slow := r.secp(), r.slow()
		msg := r.ScalarBytes()
		signers := make([]party, 1+r.IntN(4))
		var pubs [][33]byte
		var keys []*p256k1.PublicKey
		var theirs []*btcec.PublicKey
		libraries := make(map[int]bool)
		for i := range signers {
			s := &signers[i]
			s.priv, _ = r.keys(r.ValidScalar())
			if i > 0 && r.IntN(4) == 0 {
				s.priv = signers[r.IntN(i)].priv
			}
			s.library = r.IntN(3)
			if (s.library == 1 && c == nil) || (s.library == 2 && !slow) {
				s.library = 0
			}
			libraries[s.library] = true
			s.pub = [33]byte(s.priv.PublicKey().Bytes())
			pubs, keys = append(pubs, s.pub), append(keys, s.priv.PublicKey())
			theirs = append(theirs, must(btcec.ParsePubKey(s.pub[:])))
		}
		r.addIf(len(libraries) > 1, mixed)
		r.given("keys %x, message %x", pubs, msg)
		set := must(musig2.Aggregate(keys))
		var m *libsecp.Musig
		if c != nil {
			m = must(c.NewMusig())
			r.is(m.Load(pubs) && m.Aggregate(), "libsecp256k1 aggregates the keys")
		}
		var tweaks []btcmusig2.KeyTweakDesc
		for range r.IntN(4) {
			t, xOnly := r.ScalarBytes(), r.IntN(2) == 0
			next, err := choose(xOnly, set.TweakXOnly, set.Tweak)(t[:])
			if c != nil {
				r.same(fmt.Sprintf("tweaked by %x, libsecp256k1", t), err == nil, m.Tweak(&t, xOnly))
			}
			if err == nil {
				set = next
				tweaks = append(tweaks, btcmusig2.KeyTweakDesc{Tweak: t, IsXOnly: xOnly})
				r.add(tweakedKind)
			} else if c != nil { // when libsecp256k1 refuses a tweak, it wipes its cache
				m.Aggregate()
				for _, t := range tweaks {
					m.Tweak(&t.Tweak, t.IsXOnly)
				}
			}
		}
		key := set.PublicKey()
		r.given("keys %x, tweaks %v, message %x", pubs, tweaks, msg)
		if c != nil {
			r.same("aggregate key, libsecp256k1", key, from(m.Key()))
		}
		if slow {
			got, _, _, err := btcmusig2.AggregateKeys(theirs, false, btcmusig2.WithKeyTweaks(tweaks...))
			r.same("aggregate key, btcec", key, must(got, err).FinalKey.SerializeCompressed())
		}

		var encoded [][66]byte
		var nonces []musig2.PublicNonce
		for i := range signers {
			s := &signers[i]
			switch s.library {
			case 0:
				nonce, public, err := musig2.NewNonce(s.priv, set, msg[:])
				r.same("our nonce", err, nil)
				s.ours, s.nonce = nonce, [66]byte(public.Bytes())
			case 1:
				random, d := r.ScalarBytes(), [32]byte(s.priv.Bytes())
				random[0] ^= byte(i + 1) // never zero, and different for each signer
				random[1] |= 1
				nonce, public, ok := m.NonceGen(&random, &d, &msg)
				r.is(ok, "libsecp256k1 makes a nonce")
				s.c, s.nonce = nonce, public
			case 2:
				s.btcec = must(btcmusig2.GenNonces(btcmusig2.WithPublicKey(theirs[i])))
				s.nonce = s.btcec.PubNonce
			}
			s.public = must(musig2.ParsePublicNonce(s.nonce[:]))
			encoded, nonces = append(encoded, s.nonce), append(nonces, s.public)
		}
		sum := must(musig2.AggregateNonces(nonces))
		sum66 := [66]byte(sum.Bytes())
		if c != nil {
			r.same("aggregate nonce, libsecp256k1", sum66, from(m.NonceAgg(encoded)))
			r.is(m.LoadSum(&sum66) && m.Process(&msg), "libsecp256k1 takes the nonces")
		}
		if slow {
			r.same("aggregate nonce, btcec", sum66, result(btcmusig2.AggregateNonces(encoded)))
		}
		session := must(musig2.NewSession(set, sum, msg[:]))

		var sigs []musig2.PartialSignature
		var sigs32 [][32]byte
		var options []btcmusig2.SignOption
		if len(tweaks) > 0 {
			options = append(options, btcmusig2.WithTweaks(tweaks...))
		}
		for i := range signers {
			s := &signers[i]
			var b [32]byte
			switch s.library {
			case 0:
				sig := must(session.Sign(s.ours, s.priv))
				b = [32]byte(sig.Bytes())
			case 1:
				pair, _ := c.LoadKeypair((*[32]byte)(s.priv.Bytes()))
				sig, ok := m.Sign(&s.c, &pair)
				r.is(ok, "libsecp256k1 signs")
				b = sig
			case 2:
				priv, _ := btcec.PrivKeyFromBytes(s.priv.Bytes())
				fast := append(options, btcmusig2.WithFastSign())
				b = must(btcmusig2.Sign(s.btcec.SecNonce, priv, sum66, theirs, msg, fast...)).S.Bytes()
			}
			sig := must(musig2.ParsePartialSignature(b[:]))
			bad := b
			bad[r.IntN(32)] ^= 1 << r.IntN(8)
			p, err := musig2.ParsePartialSignature(bad[:])
			r.is(session.VerifyPartial(sig, s.public, keys[i]), "the partial signature %x of library %d is valid", b, s.library)
			r.is(err != nil || !session.VerifyPartial(p, s.public, keys[i]), "%x is invalid", bad)
			if c != nil {
				cKey, _ := c.LoadPubkey(s.pub[:])
				r.is(m.Verify(&b, &s.nonce, &cKey), "libsecp256k1 takes %x", b)
				r.is(!m.Verify(&bad, &s.nonce, &cKey), "libsecp256k1 refuses %x", bad)
			}
			if slow {
				p := btcmusig2.PartialSignature{S: new(btcec.ModNScalar)}
				p.S.SetBytes(&b)
				r.is(p.Verify(s.nonce, sum66, theirs, theirs[i], msg, options...), "btcec takes %x", b)
			}
			sigs, sigs32 = append(sigs, sig), append(sigs32, b)
		}
		final := must(session.Combine(sigs, nonces))
		r.is(schnorr.Verify(key.XOnly(), msg[:], final[:]), "the signature %x is valid", final)
		if c != nil {
			r.same("signature, libsecp256k1", final, from(m.Combine(sigs32)))
			r.is(c.SchnorrVerify((*[32]byte)(key.XOnly().Bytes()), msg[:], &final), "the signature %x is valid for libsecp256k1", final)
		}
		sigs[r.IntN(len(sigs))] = musig2.PartialSignature{}
		_, err := session.Combine(sigs, nonces)
		r.is(err != nil, "Combine refuses a partial signature of zero")
	}, tweakedKind, mixed)
}
