package differential

import (
	"bytes"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcmusig2 "github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

// A party of a session is ours, or one of the others'.
type party struct {
	priv   *p256k1.PrivateKey
	pub    [33]byte
	whose  int // 0 for ours, 1 for libsecp256k1's, 2 for btcec's
	ours   *musig2.SecretNonce
	c      libsecp.MusigNonce
	btcec  *btcmusig2.Nonces
	nonce  [66]byte
	public musig2.PublicNonce
}

const (
	tweakedKind = kind("tweaked")
	mixed       = kind("signers of more than one library")
	blamed      = kind("blamed")
)

// TestMusig2 has sessions of one to four signers, each with a library of its own, and compares all that is public. The secret
// nonces are random.
func TestMusig2(t *testing.T) {
	differential(t, func(r *run) {
		fail := func(what string, values ...any) { r.errorf("%s: %v", what, values) }
		c, slow := r.secp(), r.slow()
		msg := r.ScalarBytes()
		n := 1 + r.IntN(4)
		signers := make([]party, n)
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
			switch s.whose = r.IntN(3); {
			case s.whose == 1 && c == nil, s.whose == 2 && !slow:
				s.whose = 0
			}
			libraries[s.whose] = true
			s.pub = [33]byte(s.priv.PublicKey().Bytes())
			other, err := btcec.ParsePubKey(s.pub[:])
			if err != nil {
				fail("btcec", err)
				return
			}
			pubs, keys, theirs = append(pubs, s.pub), append(keys, s.priv.PublicKey()), append(theirs, other)
		}
		if len(libraries) > 1 {
			r.kind(mixed)
		}
		set, err := musig2.Aggregate(keys)
		if err != nil {
			fail("Aggregate", err)
			return
		}
		var m *libsecp.Musig
		if c != nil {
			if m, err = c.NewMusig(); err != nil || !m.Load(pubs) || !m.Aggregate() {
				fail("libsecp256k1 does not aggregate", pubs, err)
				return
			}
		}
		var tweaks []btcmusig2.KeyTweakDesc
		for range r.IntN(4) {
			t, xOnly := r.ScalarBytes(), r.IntN(2) == 0
			tweak := set.Tweak
			if xOnly {
				tweak = set.TweakXOnly
			}
			next, err := tweak(t[:])
			if c != nil && m.Tweak(&t, xOnly) != (err == nil) {
				fail("tweak", t, err)
				return
			}
			if err == nil {
				set = next
				tweaks = append(tweaks, btcmusig2.KeyTweakDesc{Tweak: t, IsXOnly: xOnly})
				r.kind(tweakedKind)
			} else {
				if c == nil {
					return
				}
				// C wipes its cache then.
				if !m.Aggregate() {
					return
				}
				for _, t := range tweaks {
					m.Tweak(&t.Tweak, t.IsXOnly)
				}
			}
		}
		key := [33]byte(set.PublicKey().Bytes())
		if c != nil {
			if got, ok := m.Key(); !ok || got != key {
				fail("aggregate key", key, got)
			}
		}
		if slow {
			got, _, _, err := btcmusig2.AggregateKeys(theirs, false, btcmusig2.WithKeyTweaks(tweaks...))
			if err != nil || [33]byte(got.FinalKey.SerializeCompressed()) != key {
				fail("aggregate key of btcec", key, err)
			}
		}

		var encoded [][66]byte
		var nonces []musig2.PublicNonce
		for i := range signers {
			s := &signers[i]
			switch s.whose {
			case 0:
				s.ours, s.public, err = musig2.NewNonce(s.priv, set, msg[:])
				s.nonce = [66]byte(s.public.Bytes())
			case 1:
				random, d := r.ScalarBytes(), [32]byte(s.priv.Bytes())
				random[0] ^= byte(i + 1) // never zero, and another for each
				random[1] |= 1
				var ok bool
				if s.c, s.nonce, ok = m.NonceGen(&random, &d, &msg); !ok {
					fail("libsecp256k1 makes no nonce", random, d)
					return
				}
				s.public, err = musig2.NewPublicNonce(s.nonce[:])
			case 2:
				if s.btcec, err = btcmusig2.GenNonces(btcmusig2.WithPublicKey(theirs[i])); err == nil {
					s.nonce = s.btcec.PubNonce
					s.public, err = musig2.NewPublicNonce(s.nonce[:])
				}
			}
			if err != nil {
				fail("nonce", s.whose, err)
				return
			}
			encoded, nonces = append(encoded, s.nonce), append(nonces, s.public)
		}
		sum, err := musig2.AggregateNonces(nonces)
		if err != nil {
			fail("AggregateNonces", err)
			return
		}
		sum66 := [66]byte(sum.Bytes())
		if c != nil {
			if got, ok := m.NonceAgg(encoded); !ok || got != sum66 || !m.LoadSum(&sum66) || !m.Process(&msg) {
				fail("aggregate nonce", sum66, got)
				return
			}
		}
		if slow {
			if got, err := btcmusig2.AggregateNonces(encoded); err != nil || got != sum66 {
				fail("aggregate nonce of btcec", sum66, got, err)
			}
		}
		session, err := musig2.NewSession(set, sum, msg[:])
		if err != nil {
			fail("NewSession", err)
			return
		}

		var sigs []musig2.PartialSignature
		var sigs32 [][32]byte
		var options []btcmusig2.SignOption
		if len(tweaks) > 0 {
			options = append(options, btcmusig2.WithTweaks(tweaks...))
		}
		for i := range signers {
			s := &signers[i]
			var sig musig2.PartialSignature
			var err error
			switch s.whose {
			case 0:
				sig, err = session.Sign(s.ours, s.priv)
			case 1:
				pair, _ := c.LoadKeypair((*[32]byte)(s.priv.Bytes()))
				b, ok := m.Sign(&s.c, &pair)
				if sig, err = musig2.NewPartialSignature(b[:]); !ok {
					fail("libsecp256k1 does not sign")
				}
			case 2:
				priv, _ := btcec.PrivKeyFromBytes(s.priv.Bytes())
				p, err := btcmusig2.Sign(s.btcec.SecNonce, priv, sum66, theirs, msg, append(options, btcmusig2.WithFastSign())...)
				if err != nil {
					fail("btcec does not sign", err)
					return
				}
				b := p.S.Bytes()
				if sig, err = musig2.NewPartialSignature(b[:]); err != nil {
					fail("btcec's partial signature", err)
				}
			}
			if err != nil {
				fail("partial signature", s.whose, err)
				return
			}
			b := [32]byte(sig.Bytes())
			cKey := libsecp.Pubkey{}
			if c != nil {
				cKey, _ = c.LoadPubkey(s.pub[:])
			}
			valid := session.VerifyPartial(sig, s.public, keys[i])
			if !valid || c != nil && !m.Verify(&b, &s.nonce, &cKey) {
				fail("a valid partial signature is refused", s.whose, valid)
			}
			if slow {
				p := btcmusig2.PartialSignature{S: new(btcec.ModNScalar)}
				p.S.SetBytes(&b)
				if !p.Verify(s.nonce, sum66, theirs, theirs[i], msg, options...) {
					fail("btcec refuses a valid partial signature", s.whose)
				}
			}
			bad := b
			bad[r.IntN(32)] ^= 1 << r.IntN(8)
			if p, err := musig2.NewPartialSignature(bad[:]); err == nil && session.VerifyPartial(p, s.public, keys[i]) || c != nil && m.Verify(&bad, &s.nonce, &cKey) {
				fail("an invalid partial signature is accepted", bad)
			}
			sigs, sigs32 = append(sigs, sig), append(sigs32, b)
		}
		final, err := session.Combine(sigs, nonces)
		if err != nil || !schnorr.Verify(set.PublicKey().XOnly(), msg[:], final[:]) {
			fail("Combine", err)
		}
		if c != nil {
			if got, ok := m.Combine(sigs32); !ok || !bytes.Equal(got[:], final[:]) || !c.SchnorrVerify((*[32]byte)(key[1:]), msg[:], &final) {
				fail("signature", final, got)
			}
		}
		wrong := slices.Clone(sigs)
		i := r.IntN(n)
		wrong[i] = musig2.PartialSignature{}
		if _, err := session.Combine(wrong, nonces); err == nil {
			fail("a signature without one signer")
		} else {
			r.kind(blamed)
		}
	}, tweakedKind, mixed, blamed)
}
