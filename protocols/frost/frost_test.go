package frost

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
	"p256k1.mleku.dev/v2/schnorr"
)

func newKey(t testing.TB) *p256k1.PrivateKey {
	key, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func deal(t testing.TB, threshold, n int) (*p256k1.PrivateKey, *Group, []*Share) {
	t.Helper()
	key := newKey(t)
	group, shares, err := Deal(key, threshold, n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return key, group, shares
}

// A round holds the values that the signers of one message send.
type round struct {
	signers *Signers
	session *Session
	secrets []*SecretNonce
	nonces  []PublicNonce
	sigs    []PartialSignature
}

func newRound(t testing.TB, signers *Signers, shares []*Share, msg []byte) *round {
	t.Helper()
	r := &round{signers: signers}
	for _, id := range signers.IDs() {
		secret, public, err := NewNonce(shares[id], signers, msg)
		if err != nil {
			t.Fatal(err)
		}
		r.secrets, r.nonces = append(r.secrets, secret), append(r.nonces, public)
	}
	sum, err := AggregateNonces(r.nonces)
	if err != nil {
		t.Fatal(err)
	}
	if r.session, err = NewSession(signers, sum, msg); err != nil {
		t.Fatal(err)
	}
	for i, id := range signers.IDs() {
		sig, err := r.session.Sign(r.secrets[i], shares[id])
		if err != nil {
			t.Fatal(err)
		}
		r.sigs = append(r.sigs, sig)
	}
	return r
}

// signs fails the test unless the shares with the given numbers make a valid signature by key.
func signs(t testing.TB, group *Group, shares []*Share, key *p256k1.PublicKey, ids ...uint32) {
	t.Helper()
	signers, err := group.Signers(ids...)
	if err != nil {
		t.Fatal(err)
	}
	msg := fmt.Append(nil, ids)
	r := newRound(t, signers, shares, msg)
	sig, err := r.session.Combine(r.sigs, r.nonces)
	if err != nil || !schnorr.Verify(key.XOnly(), msg, sig[:]) || !signers.PublicKey().Equal(key) {
		t.Errorf("participants %v: %x, %v", ids, sig, err)
	}
}

func all(n int) (ids []uint32) {
	for i := range n {
		ids = append(ids, uint32(i))
	}
	return ids
}

// TestSigns signs with every set of t or more of n participants, for all t and n up to 5, and with many participants of
// a large group.
func TestSigns(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for threshold := 1; threshold <= n; threshold++ {
			key, group, shares := deal(t, threshold, n)
			for set := range 1 << n {
				var ids []uint32
				for i := range uint32(n) {
					if set>>i&1 == 1 {
						ids = append([]uint32{i}, ids...) // not in ascending order
					}
				}
				if len(ids) >= threshold {
					signs(t, group, shares, key.PublicKey(), ids...)
				} else if _, err := group.Signers(ids...); !errors.Is(err, ErrSigners) {
					t.Errorf("%d of %d, participants %v: %v", threshold, n, ids, err)
				}
			}
			if _, err := NewGroup(threshold, group.PublicKey(), publicShares(group), nil); err != nil {
				t.Errorf("%d of %d: %v", threshold, n, err)
			}
		}
	}
	key, group, shares := deal(t, 67, MaxParticipants)
	signs(t, group, shares, key.PublicKey(), all(MaxParticipants)[3:70]...)
	signs(t, group, shares, key.PublicKey(), all(MaxParticipants)...)
}

// TestLarge makes a group whose threshold and numbers have two bytes. It signs with most of the participants, and
// recomputes what is hashed for a session and for a deterministic nonce, and the encoding of the group.
func TestLarge(t *testing.T) {
	const threshold, n = 0x0102, 0x0110
	key := newKey(t)
	group, shares, err := Deal(key, threshold, n, &Options{Large: true})
	if err != nil {
		t.Fatal(err)
	}
	ids := all(n)[5:]
	slices.Reverse(ids)
	signs(t, group, shares, key.PublicKey(), ids...)
	encoded := append([]byte{1, 0, 0, 1, 2, 0, 0, 1, 0x10}, key.PublicKey().Bytes()...)
	for _, share := range shares {
		encoded = append(encoded, share.Public().Bytes()...)
	}
	if read, err := ParseGroup(encoded, &Options{Large: true}); !bytes.Equal(group.Bytes(), encoded) || err != nil || !reflect.DeepEqual(read, group) {
		t.Errorf("another encoding, or %v", err)
	}

	signers, err := group.Signers(ids...)
	if err != nil {
		t.Fatal(err)
	}
	_, public, err := NewNonce(shares[5], signers, nil)
	if err != nil {
		t.Fatal(err)
	}
	others, err := AggregateNonces([]PublicNonce{public})
	if err != nil {
		t.Fatal(err)
	}
	msg, q, aux := bytes.Repeat([]byte("m"), 0x010203), key.PublicKey().XOnly().Bytes(), [32]byte{1}
	var sorted []byte
	for id := uint32(5); id < n; id++ {
		sorted = binary.BigEndian.AppendUint32(sorted, id)
	}
	session, err := NewSession(signers, others, msg)
	if err != nil {
		t.Fatal(err)
	}
	b := oracle.TaggedHash("BIP0445/noncecoef", binary.BigEndian.AppendUint32(nil, uint32(len(sorted))), sorted, others.Bytes(), q, msg)
	if want := oracle.Fn.Reduce(oracle.Int(b[:])); oracle.Int(session.b.Bytes()).Cmp(want) != 0 {
		t.Errorf("b is %x, want %x", session.b.Bytes(), want)
	}
	for _, id := range []uint32{5, 0x0105, n - 1} {
		masked := shares[id].Key().Bytes()
		hash := oracle.TaggedHash("BIP0445/aux", aux[:])
		subtle.XORBytes(masked, masked, hash[:])
		var want []byte
		for i := range 2 {
			k := oracle.TaggedHash("BIP0445/deterministic/nonce", masked, binary.BigEndian.AppendUint32(nil, id), binary.BigEndian.AppendUint32(nil, n-5), sorted,
				others.Bytes(), q, binary.BigEndian.AppendUint64(nil, uint64(len(msg))), msg, []byte{byte(i)})
			want = append(want, oracle.G.Mul(oracle.Int(k[:])).Compressed()...)
		}
		if public, _, err := SignDeterministic(shares[id], &others, signers, msg, &aux); err != nil || !bytes.Equal(public.Bytes(), want) {
			t.Errorf("participant %d: %x, %v, want %x", id, public.Bytes(), err, want)
		}
	}
	b1 := slices.Concat(make([]byte, 6), []byte{1, 2}, make([]byte, 6), []byte{1, 0x10}, sorted, key.PublicKey().Bytes())
	if signers.identity() != sha256.Sum256(b1) {
		t.Error("another identity")
	}
}

func publicShares(g *Group) (shares []*p256k1.PublicKey) {
	for i := range g.Participants() {
		shares = append(shares, g.PublicShare(uint32(i)))
	}
	return shares
}

// TestTweaks signs for keys with plain and x-only tweaks in all orders, and compares the tweaked keys with the tweaks
// of p256k1.PublicKey.
func TestTweaks(t *testing.T) {
	r := oracle.New(t)
	_, group, shares := deal(t, 2, 3)
	for kinds := range 8 {
		for odd := range 2 {
			signers, err := group.Signers(2, 0)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				tweak := oracle.Bytes(r.ValidScalar())
				before := signers.PublicKey()
				xOnly := kinds>>i&1 == 1
				if xOnly {
					signers, err = signers.TweakXOnly(tweak[:])
					before = before.XOnly().PublicKey()
				} else {
					signers, err = signers.Tweak(tweak[:])
				}
				if err != nil {
					t.Fatal(err)
				}
				want, err := before.TweakAdd(tweak[:])
				if err != nil || !want.Equal(signers.PublicKey()) {
					t.Fatalf("tweak %d of %b: %v, want %v, %v", i, kinds, signers.PublicKey(), want, err)
				}
			}
			msg := []byte{byte(kinds), byte(odd)}
			round := newRound(t, signers, shares, msg)
			sig, err := round.session.Combine(round.sigs, round.nonces)
			if err != nil || !schnorr.Verify(signers.PublicKey().XOnly(), msg, sig[:]) {
				t.Errorf("tweaks %b: %v", kinds, err)
			}
		}
	}
}

// TestBlame spoils the contributions of every set of signers, and requires that the error names exactly these signers.
func TestBlame(t *testing.T) {
	_, group, shares := deal(t, 3, 5)
	signers, err := group.Signers(4, 0, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := newRound(t, signers, shares, []byte("blame"))
	var delta curve.Scalar
	for set := 1; set < 16; set++ {
		sigs, unset := slices.Clone(r.sigs), slices.Clone(r.nonces)
		var want []uint32
		for i, id := range signers.IDs() {
			if set>>i&1 == 1 {
				sigs[i].s.Add(&sigs[i].s, delta.SetUint64(1<<i))
				unset[i] = PublicNonce{}
				want = append(want, id)
			}
		}
		blames(t, "signatures", second(r.session.Combine(sigs, r.nonces)), ErrPartialSignature, want...)
		blames(t, "nonces", second(r.session.Combine(sigs, unset)), p256k1.ErrInfinity, want...)
		if _, err := AggregateNonces(unset); !errors.Is(err, p256k1.ErrInfinity) {
			t.Errorf("the sum without nonces of %v: %v", want, err)
		}
	}
	// The errors cancel, so the sum is a valid signature, although two partial signatures are invalid.
	sigs := slices.Clone(r.sigs)
	sigs[1].s.Add(&sigs[1].s, delta.SetUint64(1))
	sigs[3].s.Sub(&sigs[3].s, &delta)
	blames(t, "errors that cancel", r.session.blame(sigs, r.nonces), ErrPartialSignature, 0, 1)
	if _, err := r.session.Combine(sigs, nil); !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("no nonces: %v", err)
	}
	// All signatures are valid, but the nonces do not add up to the aggregate nonce.
	other := newRound(t, signers, shares, []byte("blame"))
	mixed, err := NewSession(signers, AggregateNonce{other.session.pairOf(other.nonces)}, []byte("blame"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mixed.Combine(r.sigs, r.nonces); !errors.Is(err, ErrPartialSignature) {
		t.Errorf("signatures of another session: %v", err)
	}
	sum, err := AggregateNonces(append(slices.Clone(r.nonces), r.nonces[0]))
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := NewSession(signers, sum, []byte("sum"))
	if err != nil {
		t.Fatal(err)
	}
	sigs = nil
	var nonces []PublicNonce
	for _, id := range signers.IDs() {
		secret, public, err := NewNonce(shares[id], nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		sig, err := wrong.Sign(secret, shares[id])
		if err != nil {
			t.Fatal(err)
		}
		sigs, nonces = append(sigs, sig), append(nonces, public)
	}
	if _, err := wrong.Combine(sigs, nonces); !errors.Is(err, ErrAggregateNonce) {
		t.Errorf("a wrong aggregate nonce: %v", err)
	}
}

// TestNonce uses secret nonces twice, from many goroutines, after errors, and for shares, signers and messages for
// which they were not made.
func TestNonce(t *testing.T) {
	_, group, shares := deal(t, 2, 3)
	signers, err := group.Signers(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	others, err := group.Signers(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	tweaked, err := signers.Tweak(make([]byte, 31+1))
	if err != nil {
		t.Fatal(err)
	}
	tweaked, err = tweaked.TweakXOnly(append(make([]byte, 31), 1))
	if err != nil {
		t.Fatal(err)
	}
	r := newRound(t, signers, shares, []byte("one"))
	session := func(s *Signers, msg string) *Session {
		session, err := NewSession(s, AggregateNonce{r.session.pairOf(r.nonces)}, []byte(msg))
		if err != nil {
			t.Fatal(err)
		}
		return session
	}
	for what, try := range map[string]struct {
		session *Session
		share   *Share
		want    error
	}{
		"another message":            {session(signers, "two"), shares[0], ErrNonceBound},
		"other signers":              {session(others, "one"), shares[0], ErrNonceBound},
		"another key":                {session(tweaked, "one"), shares[0], ErrNonceBound},
		"another share":              {session(signers, "one"), shares[1], ErrNonceBound},
		"a share that does not sign": {session(signers, "one"), shares[2], ErrSigners},
		"a share of another":         {session(signers, "one"), &Share{id: 0, key: shares[1].key}, ErrShare},
		"no share":                   {session(signers, "one"), nil, p256k1.ErrNoKey},
		"no session":                 {nil, shares[0], p256k1.ErrNoKey},
	} {
		secret, _, err := NewNonce(shares[0], signers, []byte("one"))
		if err != nil {
			t.Fatal(err)
		}
		state := secret.state.Load()
		sig, err := try.session.Sign(secret, try.share)
		if !errors.Is(err, try.want) || sig.s.IsZero() != 1 {
			t.Errorf("%s: %v, want %v", what, err, try.want)
		}
		if state.K[0].IsZero()&state.K[1].IsZero() != 1 {
			t.Errorf("%s: the nonce was not wiped", what)
		}
		if _, err := session(signers, "one").Sign(secret, shares[0]); !errors.Is(err, ErrNonceUsed) {
			t.Errorf("%s, and then again: %v", what, err)
		}
	}
	// A nonce that is bound to nothing else is still bound to its signer's number and share. With t = 1, all shares are
	// the same key.
	_, equal, same := deal(t, 1, 2)
	pair, err := equal.Signers(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for what, try := range map[string]struct {
		signers         *Signers
		owner, borrower *Share
	}{"another's number": {pair, same[0], same[1]}, "another group's share": {signers, same[0], shares[0]}} {
		secret, _, err := NewNonce(try.owner, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session(try.signers, "one").Sign(secret, try.borrower); !errors.Is(err, ErrNonceBound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	secret, _, err := NewNonce(shares[0], signers, []byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	state := secret.state.Load()
	secret.Zero()
	for _, none := range []*SecretNonce{nil, {}, secret} {
		none.Zero()
		if _, err := r.session.Sign(none, shares[0]); !errors.Is(err, ErrNonceUsed) {
			t.Errorf("a nonce that is nil, zero or wiped: %v", err)
		}
	}
	if state.K[0].IsZero()&state.K[1].IsZero() != 1 {
		t.Error("Zero does not wipe the nonce")
	}
	if secret, _, err = NewNonce(shares[0], signers, []byte("one")); err != nil {
		t.Fatal(err)
	}
	var signed atomic.Int32
	var goroutines sync.WaitGroup
	for range 16 {
		goroutines.Go(func() {
			copied := *secret
			if _, err := r.session.Sign(&copied, shares[0]); err == nil {
				signed.Add(1)
			}
		})
	}
	goroutines.Wait()
	if signed.Load() != 1 {
		t.Errorf("one nonce signed %d times", signed.Load())
	}
	if _, err := json.Marshal(secret); !errors.Is(err, p256k1.ErrMarshal) {
		t.Errorf("JSON of a secret nonce: %v", err)
	}
	if _, err := json.Marshal(shares[0]); !errors.Is(err, p256k1.ErrMarshal) {
		t.Errorf("JSON of a share: %v", err)
	}
	if s := fmt.Sprintf("%v %+v %x %v", *secret, shares[0], *shares[0], shares[0].Key()); s != secretText+" "+shareText+" "+shareText+" p256k1.PrivateKey(secret)" {
		t.Errorf("printed: %s", s)
	}
}

// TestFaults makes partial signatures that are wrong as after a hardware error: in a session in which e, b or the
// parity of R was changed, with nonces that are zero, and with a wiped share. No wrong signature may leave.
func TestFaults(t *testing.T) {
	_, group, shares := deal(t, 2, 3)
	signers, err := group.Signers(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	check := newRound(t, signers, shares, nil).session
	fresh := func() *nonce.Secret {
		secret, _, err := NewNonce(shares[0], nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return &secret.take().Secret
	}
	for what, flip := range map[string]func(*Session){
		"e":   func(s *Session) { s.e.Add(&s.e, new(curve.Scalar).SetUint64(8)) },
		"b":   func(s *Session) { s.b.Add(&s.b, new(curve.Scalar).SetUint64(8)) },
		"odd": func(s *Session) { s.odd ^= 1 },
	} {
		wrong := *check
		flip(&wrong)
		if sig, err := wrong.sign(check, fresh(), shares[0]); !errors.Is(err, p256k1.ErrFault) || sig.s.IsZero() != 1 {
			t.Errorf("%s flipped: %v", what, err)
		}
		if _, err := wrong.sign(&wrong, fresh(), shares[0]); err != nil {
			t.Errorf("%s flipped in both sessions: %v", what, err)
		}
	}
	for i := range 2 {
		k := fresh()
		k.K[i].Zero()
		if sig, err := check.partial(k, shares[0], 0); !errors.Is(err, p256k1.ErrFault) || sig.s.IsZero() != 1 {
			t.Errorf("nonce %d is zero: %v", i, err)
		}
	}
	k := fresh()
	secret, _, err := NewNonce(shares[1], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	libtest.Misread(t, shares[1].key)
	if sig, err := check.Sign(secret, shares[1]); !errors.Is(err, p256k1.ErrFault) || sig.s.IsZero() != 1 {
		t.Errorf("a share that is misread in memory: %v", err)
	}
	libtest.Misread(t, shares[1].key) // is right again
	key, err := p256k1.ParsePrivateKey(shares[0].key.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	copied := &Share{0, key, group}
	shares[0].Zero()
	if sig, err := check.sign(check, k, shares[0]); !errors.Is(err, p256k1.ErrNoKey) || sig.s.IsZero() != 1 {
		t.Errorf("a wiped share: %v", err)
	}
	sum := AggregateNonce{k.Pub}
	resharing, err := NewResharing(signers, 2, MaxParticipants+1, &Options{Large: true})
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"NewNonce":          third(NewNonce(shares[0], signers, nil)),
		"SignDeterministic": third(SignDeterministic(shares[0], &sum, signers, nil, nil)),
		"Deal":              third(resharing.Deal(shares[0])),
	} {
		if !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%s with a wiped share: %v", what, err)
		}
	}
	var dealings []Dealing
	for _, share := range []*Share{copied, shares[1]} {
		d, _, err := resharing.Deal(share)
		if err != nil {
			t.Fatal(err)
		}
		dealings = append(dealings, d)
	}
	if large, err := resharing.Group(dealings); err != nil || large.Participants() != MaxParticipants+1 {
		t.Errorf("a large group: %v", err)
	}
	var none *Session
	if none.VerifyPartial(PartialSignature{}, PublicNonce{k.Pub}, 0) {
		t.Error("a partial signature is valid in no session")
	}
	if (*Share)(nil).ID() != 0 || (*Group)(nil).Threshold() != 0 || (*Signers)(nil).IDs() != nil || new(PublicNonce).Bytes() != nil ||
		new(AgreementShare).Bytes() != nil {
		t.Error("a value that is nil or zero has contents")
	}
}

// pairOf returns the sum of public nonces.
func (s *Session) pairOf(nonces []PublicNonce) nonce.Pair {
	sum, err := AggregateNonces(nonces)
	if err != nil {
		panic(err)
	}
	return sum.p
}

// TestWrongGroup changes each share of a group, the key and the threshold, and passes wrong sizes.
func TestWrongGroup(t *testing.T) {
	_, group, shares := deal(t, 3, 6)
	public, other := publicShares(group), newKey(t).PublicKey()
	for i := range public {
		changed := slices.Clone(public)
		changed[i] = other
		if _, err := NewGroup(3, group.PublicKey(), changed, nil); !errors.Is(err, ErrShare) {
			t.Errorf("share %d changed: %v", i, err)
		}
		changed[i] = nil
		if _, err := NewGroup(3, group.PublicKey(), changed, nil); !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("share %d is nil: %v", i, err)
		}
		if group.Has(&Share{id: uint32(i), key: newKey(t)}) || group.Has(&Share{id: uint32(i+1) % 6, key: shares[i].key}) || !group.Has(shares[i]) {
			t.Errorf("share %d: Has is wrong", i)
		}
	}
	for what, err := range map[string]error{
		"another key":   second(NewGroup(3, other, public, nil)),
		"a lower t":     second(NewGroup(2, group.PublicKey(), public, nil)),
		"t = 0":         second(NewGroup(0, group.PublicKey(), public, nil)),
		"t = 7":         second(NewGroup(7, group.PublicKey(), public, nil)),
		"no shares":     second(NewGroup(1, group.PublicKey(), nil, nil)),
		"no key":        second(NewGroup(3, nil, public, nil)),
		"large":         third(Deal(newKey(t), 2, MaxParticipants+1, nil)),
		"wiped":         third(Deal(new(p256k1.PrivateKey), 2, 3, nil)),
		"a number of 6": second(group.Signers(0, 1, 6)),
		"twice":         second(group.Signers(0, 1, 1)),
		"no group":      second(new(Group).Signers(0)),
		"nil":           second((*Group)(nil).Signers(0)),
		"no share":      second(NewShare(0, nil)),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	// A threshold above the real threshold is not an error, because it only requires more signers than necessary.
	if _, err := NewGroup(4, group.PublicKey(), public, nil); err != nil {
		t.Errorf("a higher t: %v", err)
	}
	if _, _, err := Deal(newKey(t), 2, MaxParticipants+1, &Options{Large: true}); err != nil {
		t.Errorf("large: %v", err)
	}
	shares[1].Zero()
	if group.Has(nil) || group.Has(new(Share)) || (*Group)(nil).Has(shares[0]) || group.Has(shares[1]) {
		t.Error("a group has a share that is none")
	}
}

func second[A any](_ A, err error) error        { return err }
func third[A, B any](_ A, _ B, err error) error { return err }

// TestInvalid checks that Invalid finds the invalid ones among many signatures.
func TestManyBlamed(t *testing.T) {
	_, group, shares := deal(t, 100, 100)
	signers, err := group.Signers(all(100)...)
	if err != nil {
		t.Fatal(err)
	}
	r := newRound(t, signers, shares, nil)
	if err := r.session.blame(r.sigs, r.nonces); !errors.Is(err, ErrAggregateNonce) {
		t.Errorf("blame for valid signatures: %v", err)
	}
	for _, want := range [][]uint32{{0}, {99}, {0, 1, 50, 98, 99}, {31, 32, 33}} {
		sigs := slices.Clone(r.sigs)
		for _, i := range want {
			sigs[i].s.Negate(&sigs[i].s)
		}
		blames(t, "signatures", second(r.session.Combine(sigs, r.nonces)), ErrPartialSignature, want...)
	}
	// Sums of valid equations are zero, for R with odd and even y: no signature has to be verified alone.
	_, group, shares = deal(t, 2, 3)
	if signers, err = group.Signers(0, 2); err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		r := newRound(t, signers, shares, []byte{byte(i)})
		if equations := r.session.equations(r.sigs, r.nonces); !equations.Hold([]int{0}) || !equations.Hold([]int{0, 1}) {
			t.Errorf("message %d: the sum of valid equations is not zero", i)
		}
	}
}

// TestNoNonce makes partial signatures f·d, for which the equation holds with a nonce at infinity.
func TestNoNonce(t *testing.T) {
	_, group, shares := deal(t, 2, 3)
	signers, err := group.Signers(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	r := newRound(t, signers, shares, nil)
	sigs := make([]PartialSignature, 2)
	for i, id := range signers.IDs() {
		r.session.factor(&sigs[i].s, i)
		if err := shares[id].key.Use(func(d curve.Scalar) error { sigs[i].s.Mul(&sigs[i].s, &d); return nil }); err != nil {
			t.Fatal(err)
		}
		if !r.session.valid(&sigs[i].s, &nonce.Pair{}, i) {
			t.Fatal("the equation does not hold")
		}
		if r.session.VerifyPartial(sigs[i], PublicNonce{}, id) {
			t.Errorf("the partial signature of %d with no nonce is valid", id)
		}
	}
	blames(t, "no nonces", second(r.session.Combine(sigs, make([]PublicNonce, 2))), p256k1.ErrInfinity, 0, 2)
}

func BenchmarkVerify(b *testing.B) {
	_, group, shares := deal(b, 67, 100)
	signers, err := group.Signers(all(100)...)
	if err != nil {
		b.Fatal(err)
	}
	r := newRound(b, signers, shares, nil)
	for _, n := range []int{1, 100} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if n == 1 {
					r.session.VerifyPartial(r.sigs[0], r.nonces[0], 0)
				} else {
					r.session.blame(r.sigs, r.nonces)
				}
			}
		})
	}
}

// TestAllocs counts the allocations of functions that a server calls many times.
func TestAllocs(t *testing.T) {
	_, group, shares := deal(t, 2, 3)
	signers, err := group.Signers(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 10
	var secrets []*SecretNonce
	var nonces []PublicNonce
	for i := range 14 {
		secret, public, err := NewNonce(shares[signers.IDs()[i%2]], nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		secrets, nonces = append(secrets, secret), append(nonces, public)
	}
	sum, err := AggregateNonces(nonces[:2])
	if err != nil {
		t.Fatal(err)
	}
	session, err := NewSession(signers, sum, nil)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := session.Sign(secrets[0], shares[0])
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(runs, func() { session.VerifyPartial(sig, nonces[0], 0) }); n != 0 {
		t.Errorf("VerifyPartial: %v allocations", n)
	}
	i := 0
	if n := testing.AllocsPerRun(5, func() {
		i += 2
		if _, err := session.Sign(secrets[i], shares[0]); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Sign: %v allocations", n)
	}
}
