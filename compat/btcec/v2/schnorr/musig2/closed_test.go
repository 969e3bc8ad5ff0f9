package musig2

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/btcsuite/btcd/btcec/v2"
)

// Most of these tests cover habits of btcec's musig2 on which programs rely, and misuse that this package refuses.

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

// TestManyKeys computes the aggregate of many keys again, from the private keys.
func TestManyKeys(t *testing.T) {
	privs, pubs := newKeys(t, 300)
	hash := func(name string, data []byte) [32]byte {
		tag := sha256.Sum256([]byte(name))
		return sha256.Sum256(slices.Concat(tag[:], tag[:], data))
	}
	var list []byte
	for _, pub := range pubs {
		list = append(list, pub.SerializeCompressed()...)
	}
	l := hash("KeyAgg list", list)
	var sum btcec.ModNScalar
	for i, priv := range privs {
		a := new(btcec.ModNScalar).SetInt(1)
		if i != 1 { // the second key has the coefficient 1
			b := hash("KeyAgg coefficient", append(l[:], pubs[i].SerializeCompressed()...))
			a.SetBytes(&b)
		}
		sum.Add(a.Mul(&priv.Key))
	}
	want := btcec.PrivKeyFromScalar(&sum).PubKey()
	got, _, _, err := AggregateKeys(pubs, false)
	if err != nil || !got.FinalKey.IsEqual(want) {
		t.Errorf("%v, want %x", err, want.SerializeCompressed())
	}
}

func TestNoncesWiped(t *testing.T) {
	var zero [SecNonceSize]byte
	_, sessions := newSessions(t, 2, none)
	own := sessions[0].local.nonces
	if own.SecNonce == zero {
		t.Fatal("no nonce")
	}
	if _, err := sessions[0].Sign([32]byte{1}); err != nil {
		t.Fatal(err)
	}
	if own.SecNonce != zero {
		t.Error("the secret nonce is left after signing")
	}
	panics(t, "PublicNonce after signing", func() { sessions[0].PublicNonce() })

	// A nonce that was generated early is wiped, even if signing fails, unless the caller has a pointer to it.
	privs, pubs := newKeys(t, 2)
	var c *Context
	var s *Session
	for _, shown := range []bool{false, true} {
		var err error
		if c, err = NewContext(privs[0], false, WithKnownSigners(pubs), WithEarlyNonceGen()); err != nil {
			t.Fatal(err)
		}
		early := c.early.nonces
		if early.SecNonce == zero {
			t.Fatal("no nonce")
		}
		if shown {
			if same, err := c.EarlySessionNonce(); err != nil || same != early {
				t.Fatal(err)
			}
		}
		if s, err = c.NewSession(); err != nil || s.PublicNonce() != early.PubNonce {
			t.Fatal(err)
		}
		if _, err := c.EarlySessionNonce(); !errors.Is(err, ErrNoEarlyNonce) {
			t.Error("the early nonce is there for a second session")
		}
		s.combinedNonce = &[PubNonceSize]byte{5}
		if _, err := s.Sign([32]byte{1}); err == nil || shown == (early.SecNonce == zero) {
			t.Errorf("after an error (%v) the secret nonce is left, or the caller's is wiped: %v", err, shown)
		}
		if _, err := s.Sign([32]byte{1}); !errors.Is(err, ErrSigningContextReuse) {
			t.Errorf("a second signature: %v", err)
		}
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

// panics fails the test if do does not panic.
func panics(t *testing.T, name string, do func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s does not panic, unlike btcec", name)
		}
	}()
	do()
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

// TestOrder checks that each function sorts the caller's slice in place exactly if it is asked to sort.
func TestOrder(t *testing.T) {
	privs, pubs := newKeys(t, 20)
	pubs = append(pubs, pubs[3]) // one key twice, so that the order of equal keys counts, too
	nonces, err := GenNonces(WithPublicKey(pubs[3]))
	if err != nil {
		t.Fatal(err)
	}
	root, sig := make([]byte, 32), &PartialSignature{S: new(btcec.ModNScalar), R: pubs[0]}
	signers := func(sort bool, options ...SignOption) []SignOption {
		if sort {
			options = append(options, WithSortedKeys())
		}
		return options
	}
	for name, do := range map[string]func(keys []*btcec.PublicKey, sort bool){
		"AggregateKeys": func(keys []*btcec.PublicKey, sort bool) { AggregateKeys(keys, sort) },
		"AggregateKeys with an error": func(keys []*btcec.PublicKey, sort bool) {
			AggregateKeys(keys, sort, WithKeyTweaks(KeyTweakDesc{Tweak: [32]byte(bytes.Repeat([]byte{255}, 32))}))
		},
		"NewContext": func(keys []*btcec.PublicKey, sort bool) { NewContext(privs[3], sort, WithKnownSigners(keys)) },
		"RegisterSigner": func(keys []*btcec.PublicKey, sort bool) {
			c, _ := NewContext(privs[3], false, WithKnownSigners(keys[:20:21]), WithNumSigners(21))
			c.shouldSort = sort
			c.RegisterSigner(keys[20])
		},
		"Sign": func(keys []*btcec.PublicKey, sort bool) {
			Sign(nonces.SecNonce, privs[3], nonces.PubNonce, keys, [32]byte{}, signers(sort)...)
		},
		"Session.Sign": func(keys []*btcec.PublicKey, sort bool) {
			c, _ := NewContext(privs[3], false, WithKnownSigners(keys))
			s, _ := c.NewSession()
			s.RegisterCombinedNonce(nonces.PubNonce)
			s.Sign([32]byte{}, signers(sort, WithFastSign())...)
		},
		"Verify": func(keys []*btcec.PublicKey, sort bool) {
			sig.Verify(nonces.PubNonce, nonces.PubNonce, keys, pubs[3], [32]byte{}, signers(sort)...)
		},
		"WithTweakedCombine": func(keys []*btcec.PublicKey, sort bool) {
			CombineSigs(pubs[0], nil, WithTweakedCombine([32]byte{}, keys, nil, sort))
		},
		"WithTaprootTweakedCombine": func(keys []*btcec.PublicKey, sort bool) {
			CombineSigs(pubs[0], nil, WithTaprootTweakedCombine([32]byte{}, keys, root, sort))
		},
		"WithBip86TweakedCombine": func(keys []*btcec.PublicKey, sort bool) {
			CombineSigs(pubs[0], nil, WithBip86TweakedCombine([32]byte{}, keys, sort))
		},
	} {
		keys := slices.Clone(pubs)
		do(keys, false)
		if !slices.Equal(keys, pubs) {
			t.Errorf("%s reorders the keys", name)
		}
		do(keys, true)
		if slices.Equal(keys, pubs) || !slices.IsSortedFunc(keys, func(a, b *btcec.PublicKey) int {
			return bytes.Compare(a.SerializeCompressed(), b.SerializeCompressed())
		}) {
			t.Errorf("%s does not sort the caller's slice", name)
		}
	}

	// A key outside of the set is an error before the keys are sorted.
	for _, other := range []int{3, 4} {
		keys := slices.Clone(pubs[10:20])
		nonces, _ := GenNonces(WithPublicKey(pubs[4]))
		if _, err := Sign(nonces.SecNonce, privs[other], nonces.PubNonce, keys, [32]byte{}, WithSortedKeys()); err == nil {
			t.Error("signed")
		}
		if _, err := NewContext(privs[other], true, WithKnownSigners(keys)); err == nil || !slices.Equal(keys, pubs[10:20]) {
			t.Errorf("%v, or the keys are reordered", err)
		}
	}
}

// TestStoredOrder is a program that stores the slice that AggregateKeys has sorted, and verifies with it later, without
// WithSortedKeys.
func TestStoredOrder(t *testing.T) {
	var stored []*btcec.PublicKey
	private := make(map[btcec.SerializedKey]*btcec.PrivateKey)
	for i := range 5 {
		seed := sha256.Sum256([]byte{byte(i)})
		priv, pub := btcec.PrivKeyFromBytes(seed[:])
		stored, private[btcec.ToSerialized(pub)] = append(stored, pub), priv
	}
	root, msg := make([]byte, 32), sha256.Sum256([]byte("sighash"))
	if _, _, _, err := AggregateKeys(stored, true, WithTaprootKeyTweak(root)); err != nil {
		t.Fatal(err)
	}
	var nonces []*Nonces
	var public [][PubNonceSize]byte
	for _, key := range stored {
		n, err := GenNonces(WithPublicKey(key))
		if err != nil {
			t.Fatal(err)
		}
		nonces, public = append(nonces, n), append(public, n.PubNonce)
	}
	combined, err := AggregateNonces(public)
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range stored {
		sig, err := Sign(nonces[i].SecNonce, private[btcec.ToSerialized(key)], combined, stored, msg, WithSortedKeys(),
			WithTaprootSignTweak(root))
		if err != nil || !sig.Verify(nonces[i].PubNonce, combined, stored, key, msg, WithTaprootSignTweak(root)) {
			t.Errorf("signer %d: %v, or not valid", i, err)
		}
	}
}

func TestRandomnessReadWhole(t *testing.T) {
	_, pubs := newKeys(t, 1)
	random := bytes.Repeat([]byte{1, 2}, 16)
	whole, err := GenNonces(WithPublicKey(pubs[0]), WithCustomRand(bytes.NewReader(random)))
	if err != nil {
		t.Fatal(err)
	}
	for way, r := range map[string]io.Reader{
		"byte by byte": iotest.OneByteReader(bytes.NewReader(random)), "by halves": iotest.HalfReader(bytes.NewReader(random)),
	} {
		if pieces, err := GenNonces(WithPublicKey(pubs[0]), WithCustomRand(r)); err != nil || *whole != *pieces {
			t.Errorf("%v, or other nonces when the randomness comes %s", err, way)
		}
	}
	end, err := GenNonces(WithPublicKey(pubs[0]), WithCustomRand(iotest.DataErrReader(bytes.NewReader(random))))
	if end != nil || !errors.Is(err, io.EOF) {
		t.Errorf("randomness that comes with its end: %v, %v; btcec refuses it", end, err)
	}
	if _, err := GenNonces(WithPublicKey(pubs[0]), WithCustomRand(bytes.NewReader(random[1:]))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("31 bytes of randomness: %v", err)
	}
	for way, r := range map[string]io.Reader{
		"at once": bytes.NewReader(random), "byte by byte": iotest.OneByteReader(bytes.NewReader(random)),
		"by halves": iotest.HalfReader(bytes.NewReader(random)), "with the end": iotest.DataErrReader(bytes.NewReader(random)),
	} {
		var sig PartialSignature
		if err := sig.Decode(r); err != nil || sig.S.Bytes() != [32]byte(random) {
			t.Errorf("a partial signature that comes %s: %v", way, err)
		}
	}
	if err := new(PartialSignature).Decode(bytes.NewReader(random[1:])); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("31 bytes of a partial signature: %v", err)
	}
}

// TestPanics checks that calls panic that panic in btcec.
func TestPanics(t *testing.T) {
	if _, err := new(Session).Sign([32]byte{}); !errors.Is(err, ErrSigningContextReuse) {
		t.Error(err)
	}
	privs, pubs := newKeys(t, 2)
	panics(t, "a negative number of signers", func() { NewContext(privs[0], true, WithNumSigners(-1)) })
	_, sessions := newSessions(t, 2, none)
	one := &PartialSignature{S: new(btcec.ModNScalar).SetInt(1), R: pubs[0]}
	if done, err := sessions[0].CombineSig(one); done || err != nil {
		t.Error(done, err)
	}
	panics(t, "CombineSig before Sign", func() { sessions[0].CombineSig(one) })
	if _, err := sessions[0].CombineSig(one); !errors.Is(err, ErrAlredyHaveAllSigs) {
		t.Error(err)
	}
	large := KeyTweakDesc{Tweak: [32]byte(bytes.Repeat([]byte{255}, 32))}
	panics(t, "WithTweakedCombine with a large tweak", func() {
		CombineSigs(pubs[0], nil, WithTweakedCombine([32]byte{}, pubs, []KeyTweakDesc{large}, false))
	})

	// An empty set of keys.
	panics(t, "the Taproot tweak of no keys", func() { AggregateKeys(nil, false, WithBIP86KeyTweak()) })
	if key, _, _, err := AggregateKeys(nil, false, WithKeyTweaks(KeyTweakDesc{})); err != nil || *key.FinalKey != (btcec.PublicKey{}) {
		t.Error(key, err)
	}
	two := KeyTweakDesc{Tweak: [32]byte{31: 2}}
	if key, _, _, err := AggregateKeys(nil, false, WithKeyTweaks(KeyTweakDesc{}, two)); err != nil ||
		!key.FinalKey.IsEqual(btcec.PrivKeyFromScalar(new(btcec.ModNScalar).SetInt(2)).PubKey()) {
		t.Error(key, err)
	}

	// A context for one signer has no combined key, so its sessions need nonces. Only Sign checks its tweaks.
	c, err := NewContext(privs[0], true, WithNumSigners(1), WithTweakedContext(large))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CombinedKey(); !errors.Is(err, ErrNotEnoughSigners) {
		t.Error(err)
	}
	panics(t, "NewSession for one signer", func() { c.NewSession() })
	nonces, err := GenNonces(WithPublicKey(pubs[0]))
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.NewSession(WithPreGeneratedNonce(nonces))
	if err != nil || s.RegisterCombinedNonce(nonces.PubNonce) != nil {
		t.Fatal(err)
	}
	if _, err := s.Sign([32]byte{}); !errors.Is(err, ErrTweakedKeyOverflows) {
		t.Error(err)
	}
	if c, err = NewContext(privs[0], true, WithNumSigners(2), WithTweakedContext(large)); err != nil {
		t.Fatal(err)
	}
	if done, err := c.RegisterSigner(pubs[1]); done || !errors.Is(err, ErrTweakedKeyOverflows) {
		t.Error(done, err)
	}
	panics(t, "NewSession after an error of RegisterSigner", func() { c.NewSession() })
}

// TestOffCurve aggregates a key that is not on the curve, also after the keys of the known signers have been
// aggregated.
func TestOffCurve(t *testing.T) {
	privs, pubs := newKeys(t, 2)
	var x, y btcec.FieldVal
	outside := btcec.NewPublicKey(x.SetInt(5), y.SetInt(1))
	if _, _, _, err := AggregateKeys([]*btcec.PublicKey{pubs[0], outside}, false); err == nil {
		t.Error("a key off the curve was aggregated")
	}
	c, err := NewContext(privs[0], false, WithKnownSigners(pubs), WithNumSigners(3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CombinedKey(); err != nil {
		t.Fatal(err)
	}
	if done, err := c.RegisterSigner(outside); done || err == nil {
		t.Error(done, err)
	}
	if _, err := c.CombinedKey(); !errors.Is(err, ErrNotEnoughSigners) {
		t.Errorf("the key of those before is left: %v", err)
	}
	panics(t, "NewSession without a combined key", func() { c.NewSession() })
}

// TestEveryItem passes lists in which one item is wrong, at every index: a key, either half of a nonce, or a tweak. A
// tweak or a partial signature of n or more is wrong, although it is congruent to a right one.
func TestEveryItem(t *testing.T) {
	_, pubs := newKeys(t, 3)
	var x, y btcec.FieldVal
	outside := btcec.NewPublicKey(x.SetInt(5), y.SetInt(1))
	order := [32]byte(btcec.S256().N.Bytes())
	var nonces [3][PubNonceSize]byte
	for i := range nonces {
		n, err := GenNonces(WithPublicKey(pubs[i]))
		if err != nil {
			t.Fatal(err)
		}
		nonces[i] = n.PubNonce
	}
	if _, err := AggregateNonces(nonces[:]); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		keys, tweaks := slices.Clone(pubs), []KeyTweakDesc{{}, {}, {}}
		keys[i], tweaks[i].Tweak = outside, order
		if _, _, _, err := AggregateKeys(keys, false); err == nil {
			t.Errorf("key %d off the curve was aggregated", i)
		}
		if _, _, _, err := AggregateKeys(pubs, false, WithKeyTweaks(tweaks...)); !errors.Is(err, ErrTweakedKeyOverflows) {
			t.Errorf("tweak %d is n: %v", i, err)
		}
		for _, half := range []int{0, 33} {
			for _, bad := range []byte{1, 4, 5} { // no prefix of a compressed point
				list := nonces
				list[i][half] = bad
				if sum, err := AggregateNonces(list[:]); err == nil {
					t.Errorf("nonce %d begins its half with %d: %x", i, bad, sum)
				}
			}
		}
	}
	for d, want := range []bool{true, false, false} { // n − 1, n, n + 1
		s := order
		s[31] += byte(d) - 1
		var p PartialSignature
		if err := p.Decode(bytes.NewReader(s[:])); (err == nil) != want {
			t.Errorf("a partial signature of n − 1 + %d: %v", d, err)
		}
	}
}

// TestCopiedContext registers a signer through a copy of a context. The original then knows all keys, but has no
// combined key, as in btcec.
func TestCopiedContext(t *testing.T) {
	privs, pubs := newKeys(t, 2)
	c, err := NewContext(privs[0], false, WithNumSigners(2), WithEarlyNonceGen())
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
	if _, err := d.CombinedKey(); err != nil {
		t.Error(err)
	}
	if _, err := c.CombinedKey(); !errors.Is(err, ErrNotEnoughSigners) {
		t.Error(err)
	}
	// Both copies have the early nonces, of which one session can sign.
	one, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	two, err := d.NewSession()
	if err != nil || one.PublicNonce() != two.PublicNonce() {
		t.Fatal(err)
	}
	other, err := GenNonces(WithPublicKey(pubs[1]))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Session{one, two} {
		if _, err := s.RegisterPubNonce(other.PubNonce); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := one.Sign([32]byte{1}); err != nil {
		t.Error(err)
	}
	if _, err := two.Sign([32]byte{2}); !errors.Is(err, ErrSigningContextReuse) {
		t.Errorf("the nonces of a copy sign twice: %v", err)
	}
	panics(t, "NewSession without a combined key", func() { c.NewSession() })
}

// TestTags changes the tag in an exported variable.
func TestTags(t *testing.T) {
	_, pubs := newKeys(t, 2)
	before, _, _, err := AggregateKeys(pubs, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range []*[]byte{&KeyAggTagList, &KeyAggTagCoeff} {
		(*tag)[0] ^= 1
		after, _, _, err := AggregateKeys(pubs, false)
		(*tag)[0] ^= 1
		if err != nil || after.FinalKey.IsEqual(before.FinalKey) {
			t.Errorf("%s: %v, or the tag has no effect", *tag, err)
		}
	}
	if again, _, _, err := AggregateKeys(pubs, false); err != nil || !again.FinalKey.IsEqual(before.FinalKey) {
		t.Error(err)
	}
}

// TestChangedContext changes the slices that a context shares with its caller. As in btcec, the combined key stays, and
// Sign and SigningKeys use what the slices hold now.
func TestChangedContext(t *testing.T) {
	privs, pubs := newKeys(t, 3)
	large := KeyTweakDesc{Tweak: [32]byte(bytes.Repeat([]byte{255}, 32))}
	for name, c := range map[string]struct {
		change func(keys []*btcec.PublicKey, tweaks []KeyTweakDesc)
		err    error
	}{
		"nothing":                   {func([]*btcec.PublicKey, []KeyTweakDesc) {}, nil},
		"another order":             {func(keys []*btcec.PublicKey, _ []KeyTweakDesc) { slices.Reverse(keys) }, nil},
		"a key replaced":            {func(keys []*btcec.PublicKey, _ []KeyTweakDesc) { keys[0] = pubs[2] }, ErrPubkeyNotIncluded},
		"a tweak that is too large": {func(_ []*btcec.PublicKey, tweaks []KeyTweakDesc) { tweaks[0] = large }, ErrTweakedKeyOverflows},
	} {
		keys, tweaks := slices.Clone(pubs[:2]), []KeyTweakDesc{{Tweak: [32]byte{1}}}
		ctx, err := NewContext(privs[0], false, WithKnownSigners(keys), WithTweakedContext(tweaks...))
		if err != nil {
			t.Fatal(err)
		}
		s, err := ctx.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		other, err := GenNonces(WithPublicKey(pubs[1]))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.RegisterPubNonce(other.PubNonce); err != nil {
			t.Fatal(err)
		}
		before, _ := ctx.CombinedKey()
		c.change(keys, tweaks)
		if after, err := ctx.CombinedKey(); err != nil || after != before || !slices.Equal(ctx.SigningKeys(), keys) {
			t.Errorf("%s: %v, another combined key, or old keys", name, err)
		}
		sig, err := s.Sign([32]byte{1}, WithFastSign())
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
		if err == nil && !sig.Verify(s.pubNonces[0], *s.combinedNonce, keys, pubs[0], [32]byte{1}, WithTweaks(tweaks...)) {
			t.Errorf("%s: not valid for the keys and tweaks of now", name)
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
	key := func(options ...KeyAggOption) *AggregateKey {
		key, _, _, err := AggregateKeys(pubs, false, options...)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	root, bip86 := WithTaprootKeyTweak([]byte{1}), WithBIP86KeyTweak()
	tweaks := func(list []KeyTweakDesc) KeyAggOption { return WithKeyTweaks(slices.Clone(list)...) }
	for name, c := range map[string]struct{ got, want *AggregateKey }{
		"root, BIP-86":            {key(root, bip86), key(bip86)},
		"BIP-86, root":            {key(bip86, root), key(bip86)},
		"tweaks, root":            {key(tweaks(list), root), key(root)},
		"another root, one tweak": {key(WithTaprootKeyTweak([]byte{9}), tweaks(list[:1])), key(root)},
		"BIP-86, one tweak":       {key(bip86, tweaks(list[:1])), key(bip86)},
	} {
		if !c.got.FinalKey.IsEqual(c.want.FinalKey) {
			t.Errorf("%s: another key", name)
		}
	}
	two := key(root, tweaks(list))
	if two.FinalKey.IsEqual(key(root).FinalKey) || two.FinalKey.IsEqual(key(tweaks(list)).FinalKey) {
		t.Error("root, tweaks: the second tweak has no effect, or the root has none")
	}
	// As in btcec, the hash that Taproot adds replaces the first of the caller's tweaks.
	first, again := key(root, WithKeyTweaks(list[0])), slices.Clone(list)
	key(root, WithKeyTweaks(again...))
	if again[0] == list[0] || again[1] != list[1] {
		t.Error("the caller's tweaks are unchanged")
	}
	if !key(WithKeyTweaks(again[0])).FinalKey.IsEqual(first.FinalKey) {
		t.Error("the caller's tweak is another hash")
	}
}
