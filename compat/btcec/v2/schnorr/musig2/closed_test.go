package musig2

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/btcsuite/btcd/btcec/v2"
)

// Most of these tests cover misuse that btcec's musig2 allows and this package refuses or survives.

func newKeys(t *testing.T, n int) (privs []*btcec.PrivateKey, pubs []*btcec.PublicKey) {
	t.Helper()
	for range n {
		priv, err := btcec.NewPrivateKey()
		if err != nil {
			t.Fatal(err)
		}
		privs, pubs = append(privs, priv), append(pubs, priv.PubKey())
	}
	return privs, pubs
}

// newSessions returns a session for each key, with all nonces registered.
func newSessions(t *testing.T, n int, options func(i int) ([]ContextOption, []SessionOption)) (contexts []*Context, sessions []*Session) {
	t.Helper()
	privs, pubs := newKeys(t, n)
	for i, priv := range privs {
		forContext, forSession := options(i)
		c, err := NewContext(priv, true, append(forContext, WithKnownSigners(pubs))...)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.NewSession(forSession...)
		if err != nil {
			t.Fatal(err)
		}
		contexts, sessions = append(contexts, c), append(sessions, s)
	}
	for i, s := range sessions {
		for j := range sessions {
			if i != j {
				if _, err := s.RegisterPubNonce(sessions[j].PublicNonce()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return contexts, sessions
}

func none(int) ([]ContextOption, []SessionOption) { return nil, nil }

func TestNoncesWiped(t *testing.T) {
	var zero [SecNonceSize]byte
	_, sessions := newSessions(t, 2, none)
	own := sessions[0].local.nonces.Load()
	if own.SecNonce == zero {
		t.Fatal("no nonce")
	}
	before := sessions[0].PublicNonce()
	if _, err := sessions[0].Sign([32]byte{1}); err != nil {
		t.Fatal(err)
	}
	if own.SecNonce != zero {
		t.Error("the secret nonce is left after signing")
	}
	if sessions[0].PublicNonce() != before {
		t.Error("another public nonce after signing")
	}

	// A nonce that was generated early is wiped, even if signing fails.
	privs, pubs := newKeys(t, 2)
	c, err := NewContext(privs[0], false, WithKnownSigners(pubs), WithEarlyNonceGen())
	if err != nil {
		t.Fatal(err)
	}
	early, err := c.EarlySessionNonce()
	if err != nil || early.SecNonce == zero {
		t.Fatal(err)
	}
	s, err := c.NewSession()
	if err != nil || s.PublicNonce() != early.PubNonce {
		t.Fatal(err)
	}
	if _, err := c.EarlySessionNonce(); !errors.Is(err, ErrNoEarlyNonce) {
		t.Error("the early nonce is there for a second session")
	}
	s.combinedNonce = &[PubNonceSize]byte{5}
	if _, err := s.Sign([32]byte{1}); err == nil || early.SecNonce != zero {
		t.Errorf("after an error (%v) the secret nonce is left", err)
	}
	if _, err := s.Sign([32]byte{1}); !errors.Is(err, ErrSigningContextReuse) {
		t.Errorf("a second signature: %v", err)
	}

	// Nonces that the caller generated are not wiped.
	mine, err := GenNonces(WithPublicKey(pubs[0]))
	if err != nil {
		t.Fatal(err)
	}
	copied := *mine
	if s, err = c.NewSession(WithPreGeneratedNonce(mine)); err != nil {
		t.Fatal(err)
	}
	other, err := GenNonces(WithPublicKey(pubs[1]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.RegisterPubNonce(other.PubNonce); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sign([32]byte{1}); err != nil || *mine != copied {
		t.Errorf("%v, or the caller's nonces have changed", err)
	}
}

// TestSignsOnce lets goroutines sign with copies of one session.
func TestSignsOnce(t *testing.T) {
	for range 20 {
		_, sessions := newSessions(t, 2, none)
		var signed, refused atomic.Int32
		var all sync.WaitGroup
		for i := range 8 {
			session := *sessions[0]
			all.Go(func() {
				switch _, err := session.Sign([32]byte{byte(i)}); {
				case err == nil:
					signed.Add(1)
				case errors.Is(err, ErrSigningContextReuse):
					refused.Add(1)
				}
			})
		}
		all.Wait()
		if signed.Load() != 1 || refused.Load() != 7 {
			t.Fatalf("%d signed, %d refused", signed.Load(), refused.Load())
		}
	}
}

func TestOrderKept(t *testing.T) {
	privs, pubs := newKeys(t, 20)
	kept := slices.Clone(pubs)
	nonces, err := GenNonces(WithPublicKey(pubs[3]))
	if err != nil {
		t.Fatal(err)
	}
	key, _, _, err := AggregateKeys(pubs, true)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := Sign(nonces.SecNonce, privs[3], nonces.PubNonce, pubs, [32]byte{}, WithSortedKeys())
	if err != nil || !sig.Verify(nonces.PubNonce, nonces.PubNonce, pubs, pubs[3], [32]byte{}, WithSortedKeys()) {
		t.Fatal(err)
	}
	c, err := NewContext(privs[3], true, WithKnownSigners(pubs))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kept, pubs) {
		t.Error("the caller's slice was reordered")
	}
	own := c.SigningKeys()
	if slices.Equal(own, pubs) || !slices.IsSortedFunc(own, func(a, b *btcec.PublicKey) int {
		return bytes.Compare(a.SerializeCompressed(), b.SerializeCompressed())
	}) {
		t.Error("the context's keys are not sorted")
	}
	slices.Reverse(pubs) // the caller changes the slice later
	if got, err := c.CombinedKey(); err != nil || !got.IsEqual(key.FinalKey) || !slices.Equal(own, c.SigningKeys()) {
		t.Errorf("another key: %v", err)
	}
}

func TestRandomnessReadWhole(t *testing.T) {
	_, pubs := newKeys(t, 1)
	random := bytes.Repeat([]byte{1, 2}, 16)
	whole, err := GenNonces(WithPublicKey(pubs[0]), WithCustomRand(bytes.NewReader(random)))
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := GenNonces(WithPublicKey(pubs[0]), WithCustomRand(iotest.OneByteReader(bytes.NewReader(random))))
	if err != nil || *whole != *pieces {
		t.Errorf("%v, or other nonces when the randomness comes byte by byte", err)
	}
	end, err := GenNonces(WithPublicKey(pubs[0]), WithCustomRand(iotest.DataErrReader(bytes.NewReader(random))))
	if err != nil || *whole != *end {
		t.Errorf("%v, or other nonces when the randomness comes with its end", err)
	}
	if _, err := GenNonces(WithPublicKey(pubs[0]), WithCustomRand(bytes.NewReader(random[1:]))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("31 bytes of randomness: %v", err)
	}
	if err := new(PartialSignature).Decode(bytes.NewReader(random[1:])); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("31 bytes of a partial signature: %v", err)
	}
}

func TestInsteadOfPanics(t *testing.T) {
	if _, err := new(Session).Sign([32]byte{}); !errors.Is(err, ErrSigningContextReuse) {
		t.Error(err)
	}
	privs, pubs := newKeys(t, 2)
	if _, err := NewContext(privs[0], true, WithNumSigners(-1)); !errors.Is(err, ErrSignersNotSpecified) {
		t.Error(err)
	}
	if new(PartialSignature).Verify([PubNonceSize]byte{1}, [PubNonceSize]byte{1}, pubs, pubs[0], [32]byte{}) {
		t.Error("nothing is a valid partial signature")
	}
	_, sessions := newSessions(t, 2, none)
	one := &PartialSignature{S: new(btcec.ModNScalar).SetInt(1), R: pubs[0]}
	if done, err := sessions[0].CombineSig(one); done || err != nil {
		t.Error(done, err)
	}
	if _, err := sessions[0].CombineSig(one); err == nil {
		t.Error("signatures of all but the signer make a whole")
	}
	var x, y btcec.FieldVal
	off := btcec.NewPublicKey(x.SetInt(5), y.SetInt(1))
	if _, _, _, err := AggregateKeys([]*btcec.PublicKey{pubs[0], off}, false); err == nil {
		t.Error("a key off the curve was aggregated")
	}
	for _, option := range []KeyAggOption{WithBIP86KeyTweak(), WithKeyTweaks(KeyTweakDesc{})} {
		if _, _, _, err := AggregateKeys(nil, false, option); !errors.Is(err, ErrTweakedKeyIsInfinity) {
			t.Error(err)
		}
	}
}

// TestOneSigner makes contexts for a single signer, whose aggregate key exists from the start.
func TestOneSigner(t *testing.T) {
	privs, pubs := newKeys(t, 1)
	want, _, _, err := AggregateKeys(pubs, false)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewContext(privs[0], true, WithNumSigners(1))
	if err != nil {
		t.Fatal(err)
	}
	if key, err := c.CombinedKey(); err != nil || !key.IsEqual(want.FinalKey) {
		t.Error(err)
	}
	var all sync.WaitGroup // the race detector checks that sessions do not write to their context
	for range 2 {
		all.Go(func() {
			if _, err := c.NewSession(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	large := KeyTweakDesc{Tweak: [32]byte(bytes.Repeat([]byte{255}, 32))}
	if _, err := NewContext(privs[0], true, WithNumSigners(1), WithTweakedContext(large)); !errors.Is(err, ErrTweakedKeyOverflows) {
		t.Error(err)
	}
}

// TestRefusedKey registers a key that is not on the curve, after the keys of the known signers have been aggregated.
func TestRefusedKey(t *testing.T) {
	privs, pubs := newKeys(t, 2)
	c, err := NewContext(privs[0], false, WithKnownSigners(pubs), WithNumSigners(3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CombinedKey(); err != nil {
		t.Fatal(err)
	}
	var x, y btcec.FieldVal
	if done, err := c.RegisterSigner(btcec.NewPublicKey(x.SetInt(5), y.SetInt(1))); done || err == nil {
		t.Error(done, err)
	}
	if _, err := c.CombinedKey(); !errors.Is(err, ErrNotEnoughSigners) {
		t.Errorf("the key of those before is left: %v", err)
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if _, err := c.NewSession(); err == nil {
				t.Error("a session of those before")
			}
		})
	}
	all.Wait()
}

// TestCopiedContext registers a signer through a copy of a context.
func TestCopiedContext(t *testing.T) {
	privs, pubs := newKeys(t, 2)
	c, err := NewContext(privs[0], false, WithNumSigners(2))
	if err != nil {
		t.Fatal(err)
	}
	d := *c
	if done, err := d.RegisterSigner(pubs[1]); !done || err != nil || c.NumRegisteredSigners() != 2 {
		t.Error(done, err, c.NumRegisteredSigners())
	}
	if _, err := c.RegisterSigner(pubs[1]); !errors.Is(err, ErrAlreadyHaveAllSigners) {
		t.Error(err)
	}
	if _, err := c.NewSession(); err != nil {
		t.Error(err)
	}

	// A copy can also register the last signer after the keys of the known signers have been aggregated.
	privs, pubs = newKeys(t, 3)
	if c, err = NewContext(privs[0], false, WithKnownSigners(pubs[:2]), WithNumSigners(3)); err != nil {
		t.Fatal(err)
	}
	d = *c
	if done, err := d.RegisterSigner(pubs[2]); !done || err != nil {
		t.Fatal(done, err)
	}
	want, _, _, err := AggregateKeys(pubs, false)
	if err != nil {
		t.Fatal(err)
	}
	if key, err := c.CombinedKey(); err != nil || !key.IsEqual(want.FinalKey) {
		t.Error("a context has the key of the signers before", err)
	}
}

// TestTweaksKept changes the caller's tweaks after a context was made with them.
func TestTweaksKept(t *testing.T) {
	privs, pubs := newKeys(t, 2)
	for _, taproot := range []bool{false, true} {
		tweaks, root := []KeyTweakDesc{{Tweak: [32]byte{1}}}, bytes.Repeat([]byte{1}, 32)
		tweak := WithTweakedContext(tweaks...)
		if taproot {
			tweak = WithTaprootTweakCtx(root)
		}
		var sessions []*Session
		for i, priv := range privs {
			c, err := NewContext(priv, true, WithKnownSigners(pubs), tweak)
			if err != nil {
				t.Fatal(err)
			}
			s, err := c.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			if sessions = append(sessions, s); i == 1 {
				for j := range sessions {
					if _, err := sessions[j].RegisterPubNonce(sessions[1-j].PublicNonce()); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		tweaks[0], root[0] = KeyTweakDesc{Tweak: [32]byte{2}}, 2
		for _, s := range sessions {
			if _, err := s.Sign([32]byte{1}, WithSortedKeys()); err != nil {
				t.Fatal(err)
			}
		}
		if done, err := sessions[0].CombineSig(sessions[1].ourSig); !done || err != nil {
			t.Error("taproot", taproot, done, err)
		}
	}
}

// TestKeyChanged changes the key of a signer after its context was made.
func TestKeyChanged(t *testing.T) {
	privs, pubs := newKeys(t, 3)
	c, err := NewContext(privs[0], false, WithKnownSigners(pubs[:2]))
	if err != nil {
		t.Fatal(err)
	}
	nonces, err := GenNonces(WithPublicKey(pubs[2]))
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.NewSession(WithPreGeneratedNonce(nonces))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RegisterCombinedNonce(nonces.PubNonce); err != nil {
		t.Fatal(err)
	}
	privs[0].Key.Set(&privs[2].Key)
	if _, err := s.Sign([32]byte{}); !errors.Is(err, ErrPubkeyNotIncluded) {
		t.Errorf("a key that is not in the set signs: %v", err)
	}

	// The context holds the caller's pointer to a public key, which the test changes.
	_, sessions := newSessions(t, 2, none)
	keys := sessions[0].ctx.opts.keySet
	own := slices.IndexFunc(keys, sessions[0].ctx.pubKey.IsEqual)
	*keys[own] = *pubs[1]
	if _, err := sessions[0].Sign([32]byte{}, WithSortedKeys()); !errors.Is(err, ErrPubkeyNotIncluded) {
		t.Errorf("a set without the key is signed for: %v", err)
	}
}

// TestForeignKey signs with a key that is not in the set. It checks that Verify refuses the partial signature, although
// the signature satisfies BIP-327's equation for partial signatures.
func TestForeignKey(t *testing.T) {
	privs, pubs := newKeys(t, 3)
	nonces, err := GenNonces(WithPublicKey(pubs[2]))
	if err != nil {
		t.Fatal(err)
	}
	var how keyAggOption
	set, err := aggregate(pubs[:2], false, &how)
	if err != nil {
		t.Fatal(err)
	}
	set.encoded = append(set.encoded, encode(pubs[2])) // otherwise set.sign would refuse the key
	sig, err := set.sign(&nonces.SecNonce, privs[2], &nonces.PubNonce, new([32]byte), false)
	if err != nil {
		t.Fatal(err)
	}
	if sig.Verify(nonces.PubNonce, nonces.PubNonce, pubs[:2], pubs[2], [32]byte{}) {
		t.Error("a signer outside of the set has a valid partial signature")
	}
	if _, err := Sign(nonces.SecNonce, privs[2], nonces.PubNonce, pubs[:2], [32]byte{}); !errors.Is(err, ErrPubkeyNotIncluded) {
		t.Error(err)
	}
}

// TestTwoTweaks passes two options that tweak the key, and expects the key that btcec computes for the same options.
func TestTwoTweaks(t *testing.T) {
	_, pubs := newKeys(t, 3)
	list := []KeyTweakDesc{{Tweak: [32]byte{1}, IsXOnly: true}, {Tweak: [32]byte{2}}}
	kept := slices.Clone(list)
	key := func(options ...KeyAggOption) *AggregateKey {
		key, _, _, err := AggregateKeys(pubs, false, options...)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	root, bip86, tweaks := WithTaprootKeyTweak([]byte{1}), WithBIP86KeyTweak(), WithKeyTweaks(list...)
	for name, c := range map[string]struct{ got, want *AggregateKey }{
		"root, BIP-86":            {key(root, bip86), key(bip86)},
		"BIP-86, root":            {key(bip86, root), key(bip86)},
		"tweaks, root":            {key(tweaks, root), key(root)},
		"another root, one tweak": {key(WithTaprootKeyTweak([]byte{9}), WithKeyTweaks(list[:1]...)), key(root)},
		"BIP-86, one tweak":       {key(bip86, WithKeyTweaks(list[:1]...)), key(bip86)},
	} {
		if !c.got.FinalKey.IsEqual(c.want.FinalKey) {
			t.Errorf("%s: another key", name)
		}
	}
	two := key(root, tweaks)
	if two.FinalKey.IsEqual(key(root).FinalKey) || two.FinalKey.IsEqual(key(tweaks).FinalKey) {
		t.Error("root, tweaks: the second tweak has no effect, or the root has none")
	}
	if !slices.Equal(list, kept) {
		t.Error("the caller's tweaks have changed")
	}
}
