package musig2

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
	"p256k1.mleku.dev/v2/schnorr"
)

func newPrivate(t testing.TB, r *oracle.Rand) *p256k1.PrivateKey {
	t.Helper()
	b := oracle.Bytes(r.ValidScalar())
	k, err := p256k1.ParsePrivateKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// newSet returns n signers and their key set.
func newSet(t testing.TB, r *oracle.Rand, n int) (privs []*p256k1.PrivateKey, pubs []*p256k1.PublicKey, keys *KeySet) {
	t.Helper()
	for range n {
		privs = append(privs, newPrivate(t, r))
		pubs = append(pubs, privs[len(privs)-1].PublicKey())
	}
	keys, err := Aggregate(pubs)
	if err != nil {
		t.Fatal(err)
	}
	return privs, pubs, keys
}

// TestManySigners computes the aggregate of many keys again, signs with all of them, and finds one that is wrong.
func TestManySigners(t *testing.T) {
	const n = 300
	privs, pubs, keys := newSet(t, oracle.New(t), n)
	var list []byte
	for _, pub := range pubs {
		list = append(list, pub.Bytes()...)
	}
	hash, sum := oracle.TaggedHash("KeyAgg list", list), new(big.Int)
	var secrets []*SecretNonce
	var nonces []PublicNonce
	msg := []byte("message")
	for i, priv := range privs {
		a := big.NewInt(1)
		if i != 1 {
			coefficient := oracle.TaggedHash("KeyAgg coefficient", hash[:], pubs[i].Bytes())
			a = oracle.Int(coefficient[:])
		}
		sum = oracle.Fn.Add(sum, oracle.Fn.Mul(a, oracle.Int(priv.Bytes())))
		s, public, err := NewNonce(priv, keys, msg)
		if err != nil {
			t.Fatal(err)
		}
		secrets, nonces = append(secrets, s), append(nonces, public)
	}
	if want := oracle.G.Mul(sum).Compressed(); !bytes.Equal(keys.PublicKey().Bytes(), want) {
		t.Fatalf("the aggregate is %v, want %x", keys.PublicKey(), want)
	}
	aggregate, err := AggregateNonces(nonces)
	if err != nil {
		t.Fatal(err)
	}
	session, err := NewSession(keys, aggregate, msg)
	if err != nil {
		t.Fatal(err)
	}
	sigs := make([]PartialSignature, n)
	for i := range sigs {
		if sigs[i], err = session.Sign(secrets[i], privs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if sig, err := session.Combine(sigs, nonces); err != nil || !schnorr.Verify(keys.PublicKey().XOnly(), msg, sig[:]) {
		t.Error(err)
	}
	sigs[n-2] = sigs[0]
	var partials []Partial
	for i := range 8 * n {
		partials = append(partials, Partial{session, sigs[i%n], nonces[i%n], pubs[i%n]})
		if i < 7*n && i%n == n-2 {
			partials[i] = partials[i-1]
		}
	}
	if bad := InvalidPartials(partials); !slices.Equal(bad, []int{8*n - 2}) {
		t.Errorf("%d partial signatures, %v are invalid", len(partials), bad)
	}
	var blame *protocols.BlameError
	if _, err := session.Combine(sigs, nonces); !errors.As(err, &blame) || !slices.Equal(blame.Participants, []uint32{n - 2}) {
		t.Error(err)
	}
}

func TestSortMany(t *testing.T) {
	_, pubs, _ := newSet(t, oracle.New(t), 60)
	for range 5 {
		sorted := Sort(pubs)
		for i := range len(sorted) - 1 {
			if bytes.Compare(sorted[i].Bytes(), sorted[i+1].Bytes()) >= 0 {
				t.Fatalf("%v before %v", sorted[i], sorted[i+1])
			}
		}
		pubs = append(pubs[7:], pubs[:7]...)
	}
}

// TestTweakedKeys compares both kinds of tweaks with the tweaks of package p256k1, and signs with tweaked keys of both
// parities.
func TestTweakedKeys(t *testing.T) {
	r := oracle.New(t)
	var odd, even, negated int
	for i := range 24 {
		privs, _, keys := newSet(t, r, 2)
		tweaks := [][32]byte{oracle.Bytes(r.ValidScalar()), oracle.Bytes(r.ValidScalar()), oracle.Bytes(r.ValidScalar())}
		for j, b := range tweaks {
			xOnly := (i>>j)&1 != 0
			q := keys.PublicKey()
			f := keys.Tweak
			want, err := q.TweakAdd(b[:])
			if xOnly {
				f = keys.TweakXOnly
				want, err = q.XOnly().TweakAdd(b[:])
				negated += q.Point().IsYOdd()
			}
			next, err2 := f(b[:])
			if err != nil || err2 != nil || !next.PublicKey().Equal(want) {
				t.Fatalf("tweak, x-only %v: %v, want %v (%v, %v)", xOnly, next.PublicKey(), want, err, err2)
			}
			if _, err := next.ExtendedKey([4]byte{}); !errors.Is(err, ErrTweaked) {
				t.Errorf("extended key of a tweaked one: %v", err)
			}
			if _, err := next.Derive(1); !errors.Is(err, ErrTweaked) {
				t.Errorf("derivation from a tweaked key: %v", err)
			}
			keys = next
		}
		odd, even = odd+keys.q.IsYOdd(), even+1-keys.q.IsYOdd()
		var secrets []*SecretNonce
		var nonces []PublicNonce
		for _, priv := range privs {
			s, n, err := NewNonce(priv, keys, nil)
			if err != nil {
				t.Fatal(err)
			}
			secrets, nonces = append(secrets, s), append(nonces, n)
		}
		sum, err := AggregateNonces(nonces)
		if err != nil {
			t.Fatal(err)
		}
		session, err := NewSession(keys, sum, []byte("m"))
		if err != nil {
			t.Fatal(err)
		}
		var sigs []PartialSignature
		for j, priv := range privs {
			sig, err := session.Sign(secrets[j], priv)
			if err != nil {
				t.Fatal(err)
			}
			sigs = append(sigs, sig)
		}
		sig, err := session.Combine(sigs, nonces)
		if err != nil || !schnorr.VerifyBytes(keys.PublicKey().XOnly().Bytes(), []byte("m"), sig[:]) {
			t.Fatalf("%d: %v", i, err)
		}
		if _, err := session.Combine(sigs[:1], nonces); !errors.Is(err, p256k1.ErrLength) {
			t.Errorf("one signature: %v", err)
		}
	}
	if odd == 0 || even == 0 || negated == 0 {
		t.Errorf("%d odd, %d even, %d negated", odd, even, negated)
	}
}

// TestDerivation compares Derive with BIP-32's CKDpub, up to the largest depth that BIP-32 allows.
func TestDerivation(t *testing.T) {
	_, _, keys := newSet(t, oracle.New(t), 2)
	q, _ := oracle.DecodePoint(keys.PublicKey().Bytes())
	chain := sha256.Sum256([]byte("MuSig2MuSig2MuSig2"))
	child := func(q oracle.Point, chain []byte, number uint32) (oracle.Point, []byte) {
		mac := hmac.New(sha512.New, chain)
		mac.Write(binary.BigEndian.AppendUint32(q.Compressed(), number))
		sum := mac.Sum(nil)
		return q.Add(oracle.G.Mul(oracle.Int(sum[:32]))), sum[32:]
	}
	path := []uint32{0, 1, 1 << 30, 1<<31 - 1}
	next, c := q, chain[:]
	for i, number := range path {
		next, c = child(next, c, number)
		got, err := keys.Derive(path[:i+1]...)
		if err != nil || !bytes.Equal(got.PublicKey().Bytes(), next.Compressed()) {
			t.Fatalf("%v: %v, %v", path[:i+1], got.PublicKey(), err)
		}
		if _, err := got.ExtendedKey([4]byte{}); !errors.Is(err, ErrTweaked) {
			t.Errorf("extended key at depth %d: %v", i+1, err)
		}
	}
	one, err := keys.Derive(path[0])
	if err != nil {
		t.Fatal(err)
	}
	if rest, err := one.Derive(path[1:]...); err != nil || !bytes.Equal(rest.PublicKey().Bytes(), next.Compressed()) {
		t.Errorf("in two parts: %v", err)
	}
	if _, err := keys.Derive(1 << 31); !errors.Is(err, p256k1.ErrRange) {
		t.Errorf("hardened: %v", err)
	}
	deep, err := keys.Derive(make([]uint32, 255)...)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := deep.Derive(0); s != nil || !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("depth 256: %v", err)
	}
}

// long is a message whose length has three different bytes.
var long = bytes.Repeat([]byte("m"), 0x010203)

// TestNonceByOracle recomputes NonceGen with and without a key set, and without a message, with an empty message, with
// a message, and with a long one and long extra input.
func TestNonceByOracle(t *testing.T) {
	r := oracle.New(t)
	privs, _, keys := newSet(t, r, 2)
	for i, known := range []*KeySet{nil, keys} {
		for _, msg := range [][]byte{nil, {}, []byte("message"), long} {
			random := oracle.Bytes(r.ValidScalar())
			extra := []byte("extra")
			if len(msg) == len(long) {
				extra = long
			}
			s := secretsOf(t, privs[i], known, msg, random, extra)
			aux := oracle.TaggedHash("MuSig/aux", random[:])
			masked := slices.Clone(privs[i].Bytes())
			for j := range masked {
				masked[j] ^= aux[j]
			}
			var q, prefix []byte
			if known != nil {
				q = known.PublicKey().XOnly().Bytes()
			}
			prefix = []byte{0}
			if msg != nil {
				prefix = binary.BigEndian.AppendUint64([]byte{1}, uint64(len(msg)))
			}
			own := privs[i].PublicKey().Bytes()
			for j := range s.K {
				want := oracle.TaggedHash("MuSig/nonce", masked, []byte{33}, own, []byte{byte(len(q))}, q, prefix, msg, binary.BigEndian.AppendUint32(nil, uint32(len(extra))), extra, []byte{byte(j)})
				if !bytes.Equal(s.K[j].Bytes(), want[:]) {
					t.Errorf("nonce %d: %x, want %x", j, s.K[j].Bytes(), want)
				}
				if half := s.Pub.Encoded[33*j:][:33]; !bytes.Equal(half, oracle.G.Mul(oracle.Int(want[:])).Compressed()) {
					t.Errorf("public nonce %d: %x", j, half)
				}
			}
			if (s.keys == nil) != (known == nil) || (s.message == nil) != (msg == nil) {
				t.Error("bound to what is not known, or not to what is")
			}
		}
	}
}

// TestDeterministicByOracle recomputes the public nonce of DeterministicSign, without and with aux.
func TestDeterministicByOracle(t *testing.T) {
	r := oracle.New(t)
	privs, _, keys := newSet(t, r, 2)
	other := secretsOf(t, privs[0], nil, nil, [32]byte{1}, nil)
	others, err := AggregateNonces([]PublicNonce{{other.Pub}})
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range [][]byte{{}, []byte("message"), long} {
		for _, aux := range []*[32]byte{nil, {1}} {
			masked := privs[1].Bytes()
			if aux != nil {
				hash := oracle.TaggedHash("MuSig/aux", aux[:])
				subtle.XORBytes(masked, masked, hash[:])
			}
			var want []byte
			for i := range 2 {
				k := oracle.TaggedHash("MuSig/deterministic/nonce", masked, others.Bytes(), keys.PublicKey().XOnly().Bytes(),
					binary.BigEndian.AppendUint64(nil, uint64(len(msg))), msg, []byte{byte(i)})
				want = append(want, oracle.G.Mul(oracle.Int(k[:])).Compressed()...)
			}
			if public, _, err := SignDeterministic(privs[1], others, keys, msg, aux); err != nil || !bytes.Equal(public.Bytes(), want) {
				t.Errorf("%d bytes: %x, %v, want %x", len(msg), public.Bytes(), err, want)
			}
		}
	}
}

// secretsOf returns the secrets of NewNonce for the given randomness and extra input.
func secretsOf(t *testing.T, priv *p256k1.PrivateKey, keys *KeySet, msg []byte, random [32]byte, extra []byte) *secrets {
	t.Helper()
	all, err := newSecrets(priv, []*KeySet{keys}, [][]byte{msg}, random[:], [][]byte{extra})
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// TestNonceBatch compares a batch of nonces with nonces that are made one at a time, with the same randomness.
func TestNonceBatch(t *testing.T) {
	r := oracle.New(t)
	priv := newPrivate(t, r)
	other := newPrivate(t, r)
	sets, err := AggregateBatch([][]*p256k1.PublicKey{{priv.PublicKey()}, {other.PublicKey(), priv.PublicKey()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 2, 7, 8, 9, 100} {
		var keys []*KeySet
		var msgs, extra [][]byte
		for i := range n {
			keys = append(keys, []*KeySet{nil, sets[0], sets[1]}[i%3])
			msgs = append(msgs, [][]byte{nil, {}, {byte(i)}, r.Bytes(200)}[i%4])
			extra = append(extra, r.Bytes(i%20))
		}
		random := r.Bytes(32 * n)
		given := slices.Clone(random)
		all, err := newSecrets(priv, keys, msgs, given, extra)
		if err != nil || len(all) != n {
			t.Fatalf("%d of %d: %v", len(all), n, err)
		}
		for i, s := range all {
			want := secretsOf(t, priv, keys[i], msgs[i], [32]byte(random[32*i:]), extra[i])
			if s.K[0].Equal(&want.K[0])&s.K[1].Equal(&want.K[1]) != 1 || s.Pub.Encoded != want.Pub.Encoded || s.signer != want.signer {
				t.Errorf("nonce %d of %d: %x, want %x", i, n, s.Pub.Encoded, want.Pub.Encoded)
			}
			for j := range s.K {
				var p curve.Point
				if !bytes.Equal(p.ScalarBaseMult(&s.K[j]).Bytes(), s.Pub.Encoded[33*j:][:33]) || p.Equal(&s.Pub.R[j]) != 1 {
					t.Errorf("nonce %d of %d: public nonce %x", i, n, s.Pub.Encoded)
				}
			}
			if (s.keys == nil) != (keys[i] == nil) || (s.keys != nil && *s.keys != keys[i].identity()) || (s.message == nil) != (msgs[i] == nil) ||
				(s.message != nil && *s.message != sha256.Sum256(msgs[i])) {
				t.Errorf("nonce %d of %d is bound to something else", i, n)
			}
		}
	}
}

// TestNonceBatchUse signs once with each nonce of a batch, with the keys and the message for which the nonce was made.
func TestNonceBatchUse(t *testing.T) {
	r := oracle.New(t)
	privs, _, keys := newSet(t, r, 1)
	priv := privs[0]
	const n = 9
	msgs := make([][]byte, n)
	for i := range msgs {
		msgs[i] = []byte{byte(i)}
	}
	before := calls.Load()
	secrets, publics, err := NewNonceBatch(priv, slices.Repeat([]*KeySet{keys}, n), msgs)
	if err != nil {
		t.Fatal(err)
	}
	if drawn := calls.Load() - before; drawn != n {
		t.Errorf("counted %d nonces", drawn)
	}
	var sessions []*Session
	for i := range n {
		sum, err := AggregateNonces(publics[i : i+1])
		if err != nil {
			t.Fatal(err)
		}
		session, err := NewSession(keys, sum, msgs[i])
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(publics[:i], func(p PublicNonce) bool { return p.p.Encoded == publics[i].p.Encoded }) {
			t.Errorf("nonce %d occurs twice", i)
		}
		sessions = append(sessions, session)
	}
	if _, err := sessions[0].Sign(secrets[n-1], priv); !errors.Is(err, ErrNonceBound) {
		t.Errorf("the nonce of another item: %v", err)
	}
	for i, session := range sessions {
		state := secrets[i].state.Load()
		sig, err := session.Sign(secrets[i], priv)
		if i == n-1 {
			if !errors.Is(err, ErrNonceUsed) {
				t.Errorf("a nonce that was refused: %v", err)
			}
			continue
		}
		if err != nil || !session.VerifyPartial(sig, publics[i], priv.PublicKey()) || state.K[0].IsZero()&state.K[1].IsZero() != 1 {
			t.Errorf("signature %d: %v", i, err)
		}
		if _, err := session.Sign(secrets[i], priv); !errors.Is(err, ErrNonceUsed) {
			t.Errorf("nonce %d signs twice: %v", i, err)
		}
	}
}

// TestNonceBatchRefused makes nonces with private keys and key sets that NewNonce refuses.
func TestNonceBatchRefused(t *testing.T) {
	r := oracle.New(t)
	privs, _, keys := newSet(t, r, 2)
	_, _, others := newSet(t, r, 2)
	opposite, err := Aggregate([]*p256k1.PublicKey{privs[1].PublicKey().Negate()})
	if err != nil {
		t.Fatal(err)
	}
	wiped := newPrivate(t, r)
	wiped.Zero()
	var failures p256k1.Failures
	for n := range 3 {
		for _, priv := range []*p256k1.PrivateKey{nil, new(p256k1.PrivateKey), wiped} {
			s, p, err := NewNonceBatch(priv, slices.Repeat([]*KeySet{others}, n), make([][]byte, n))
			if s != nil || p != nil || !errors.Is(err, p256k1.ErrNoKey) || errors.As(err, &failures) {
				t.Errorf("%d nonces without a key: %v", n, err)
			}
		}
	}
	for i := range 9 {
		for _, c := range []struct {
			bad  *KeySet
			want error
		}{{others, ErrNotSigner}, {opposite, ErrNotSigner}, {new(KeySet), p256k1.ErrNoKey}} {
			sets := slices.Repeat([]*KeySet{keys}, 9)
			sets[8], sets[i] = others, c.bad
			s, p, err := NewNonceBatch(privs[1], sets, make([][]byte, 9))
			_, _, one := NewNonce(privs[1], c.bad, nil)
			if !errors.As(err, &failures) || failures[0].Index != i || failures[len(failures)-1].Index != 8 || !errors.Is(err, c.want) || failures[0].Err.Error() != one.Error() {
				t.Errorf("item %d: %v, alone %v, want %v", i, err, one, c.want)
			}
			for j := range sets {
				if ok := j != i && j != 8; (s[j] != nil) != ok || p[j].p.IsSet() != ok {
					t.Errorf("item %d beside item %d: %v, %v", j, i, s[j], p[j])
				}
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("slices of different lengths")
		}
	}()
	NewNonceBatch(privs[0], make([]*KeySet, 2), make([][]byte, 3))
}

func TestIdentity(t *testing.T) {
	r := oracle.New(t)
	_, _, keys := newSet(t, r, 3)
	id := keys.identity()
	if !bytes.Equal(id[:32], keys.hash[:]) || !bytes.Equal(id[32:], keys.PublicKey().Bytes()) {
		t.Errorf("%x", id)
	}
	// A different set of signers has a different identity, even if a tweak gives it the same aggregate key.
	other := *keys
	other.hash[5] ^= 1
	privs, _, _ := newSet(t, r, 1)
	other.encoded = append(slices.Clone(keys.encoded), [33]byte(privs[0].PublicKey().Bytes()))
	keys.encoded = other.encoded
	nonce, public, err := NewNonce(privs[0], keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := AggregateNonces([]PublicNonce{public})
	if err != nil {
		t.Fatal(err)
	}
	session, err := NewSession(&other, sum, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Sign(nonce, privs[0]); !errors.Is(err, ErrNonceBound) {
		t.Errorf("signed for another set with the same key: %v", err)
	}
}

// TestWiped checks that secret nonces are wiped after use.
func TestWiped(t *testing.T) {
	r := oracle.New(t)
	privs, _, keys := newSet(t, r, 2)
	session := newSession(t, keys)
	other := newPrivate(t, r)
	for name, use := range map[string]func(*SecretNonce){
		"Zero":              (*SecretNonce).Zero,
		"Sign":              func(n *SecretNonce) { session.Sign(n, privs[0]) },
		"Sign with another": func(n *SecretNonce) { session.Sign(n, other) },
		"Sign with none":    func(n *SecretNonce) { session.Sign(n, nil) },
		"Sign in none":      func(n *SecretNonce) { new(Session).Sign(n, privs[0]) },
	} {
		n, _, err := NewNonce(privs[0], nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := n.state.Load()
		if s.K[0].IsZero()|s.K[1].IsZero() != 0 {
			t.Fatal("no nonce")
		}
		use(n)
		if s.K[0].IsZero()&s.K[1].IsZero() != 1 || n.state.Load() != nil {
			t.Errorf("%s: the nonce is still there", name)
		}
	}
	new(SecretNonce).Zero()
	(*SecretNonce)(nil).Zero()
}

func newSession(t *testing.T, keys *KeySet) *Session {
	t.Helper()
	g := new(curve.Point).SetGenerator().Bytes()
	nonce, err := ParseAggregateNonce(slices.Concat(g, g))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSession(keys, nonce, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestZeroNonces signs when one or both of the secret nonces are zero, which only a fault could bring about.
func TestZeroNonces(t *testing.T) {
	r := oracle.New(t)
	privs, pubs, keys := newSet(t, r, 2)
	session := newSession(t, keys)
	key := [33]byte(pubs[0].Bytes())
	for zero := 1; zero < 4; zero++ {
		set := func() *secrets {
			s := new(secrets)
			for i := range s.K {
				if zero>>i&1 == 0 {
					s.K[i].SetUint64(5)
				}
			}
			return s
		}
		s := set()
		if err := s.Finish(); !errors.Is(err, p256k1.ErrFault) || s.K[0].IsZero()&s.K[1].IsZero() != 1 {
			t.Errorf("%b: %v", zero, err)
		}
		all := []*nonce.Secret{{}, &set().Secret, {}}
		all[0].K[0].SetUint64(7)
		all[0].K[1].SetUint64(8)
		all[2].K[0].SetUint64(9)
		if err := nonce.FinishBatch(all); !errors.Is(err, p256k1.ErrFault) {
			t.Errorf("%b, the second of three: %v", zero, err)
		}
		for i, s := range all {
			if s.K[0].IsZero()&s.K[1].IsZero() != 1 {
				t.Errorf("%b, the second of three: nonce %d is not wiped", zero, i)
			}
		}
		if sig, err := session.partial(&set().Secret, privs[0], &key); !errors.Is(err, p256k1.ErrFault) || sig.s.IsZero() == 0 {
			t.Errorf("%b, signing: %v", zero, err)
		}
	}
	wiped := newPrivate(t, r)
	wiped.Zero()
	s := new(secrets)
	s.K[0].SetUint64(5)
	s.K[1].SetUint64(6)
	if _, err := session.partial(&s.Secret, wiped, &key); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("a wiped key: %v", err)
	}
}

// TestFaultyChallenge signs in a session in which e, b or the parity of R was changed. Verification in the same session
// accepts the signature; verification in a second session refuses it.
func TestFaultyChallenge(t *testing.T) {
	r := oracle.New(t)
	privs, pubs, keys := newSet(t, r, 2)
	key := [33]byte(pubs[0].Bytes())
	for name, flip := range map[string]func(*Session){
		"nothing": func(*Session) {},
		"e":       func(s *Session) { s.e.Add(&s.e, new(curve.Scalar).SetUint64(8)) },
		"b":       func(s *Session) { s.b.Add(&s.b, new(curve.Scalar).SetUint64(8)) },
		"odd":     func(s *Session) { s.odd ^= 1 },
	} {
		session, check := newSession(t, keys), newSession(t, keys)
		flip(session)
		for _, in := range []*Session{session, check} {
			var want error
			if in == check && name != "nothing" {
				want = p256k1.ErrFault
			}
			k := secretsOf(t, privs[0], nil, nil, [32]byte{}, nil)
			sig, err := session.sign(in, &k.Secret, privs[0], &key)
			if !errors.Is(err, want) || sig.s.IsZero() == 1 != (want != nil) {
				t.Errorf("%s flipped, verified in its own session %v: %v, want %v", name, in == session, err, want)
			}
		}
	}
	secret, _, err := NewNonce(privs[1], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	libtest.Misread(t, privs[1])
	if sig, err := newSession(t, keys).Sign(secret, privs[1]); !errors.Is(err, p256k1.ErrFault) || sig.s.IsZero() != 1 {
		t.Errorf("a private key that is misread in memory: %v", err)
	}
}

// TestForeign verifies partial signatures that must be refused although their equation holds: one by a key that is not
// in the set, and one without a nonce.
func TestForeign(t *testing.T) {
	r := oracle.New(t)
	privs, pubs, keys := newSet(t, r, 2)
	session := newSession(t, keys)
	other := newPrivate(t, r)
	foreign := [33]byte(other.PublicKey().Bytes())
	k := secretsOf(t, other, nil, nil, [32]byte{}, nil)
	pub := PublicNonce{k.Pub}
	sig, err := session.partial(&k.Secret, other, &foreign)
	if err != nil || !session.valid(&sig.s, &pub.p, &foreign) {
		t.Fatalf("the equation does not hold: %v", err)
	}
	if session.VerifyPartial(sig, pub, other.PublicKey()) {
		t.Error("a signature by a key that is not of the set is valid")
	}
	for n := range 3 {
		if bad := InvalidPartials(slices.Repeat([]Partial{{session, sig, pub, other.PublicKey()}}, n)); len(bad) != n {
			t.Errorf("%d signatures by a key that is not of the set: only %v are invalid", n, bad)
		}
	}
	if session.valid(&sig.s, &pub.p, new([33]byte)) {
		t.Error("a signature by no key is valid")
	}
	// If the nonce is 0, the partial signature is f·d.
	own := [33]byte(pubs[0].Bytes())
	var f curve.Scalar
	session.factor(&f, &own)
	if err := privs[0].Use(func(d curve.Scalar) error { f.Mul(&f, &d); return nil }); err != nil {
		t.Fatal(err)
	}
	none := PartialSignature{f}
	if !session.valid(&none.s, &nonce.Pair{}, &own) {
		t.Fatal("the equation does not hold")
	}
	if session.VerifyPartial(none, PublicNonce{}, pubs[0]) {
		t.Error("a signature with no nonce is valid")
	}
	for n := range 3 {
		if bad := InvalidPartials(slices.Repeat([]Partial{{session, none, PublicNonce{}, pubs[0]}}, n)); len(bad) != n {
			t.Errorf("%d signatures with no nonce: only %v are invalid", n, bad)
		}
	}
	var who *protocols.BlameError
	if _, err := session.Combine([]PartialSignature{none, none}, make([]PublicNonce, 2)); !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{0, 1}) || !errors.Is(err, p256k1.ErrInfinity) {
		t.Errorf("Combine: %v", err)
	}
}

// TestZeroByte uses public nonces whose x coordinate begins with a zero byte, such as x = 1.
func TestZeroByte(t *testing.T) {
	r := oracle.New(t)
	privs, pubs, keys := newSet(t, r, 2)
	one := append(append([]byte{2}, make([]byte, 31)...), 1)
	g := new(curve.Point).SetGenerator().Bytes()
	for _, c := range []struct {
		first, second []byte
		want          error
	}{
		{one, one, nil}, {g, g, nil}, {one, g, nil},
		{make([]byte, 33), g, p256k1.ErrInfinity}, {g, make([]byte, 33), p256k1.ErrInfinity}, {make([]byte, 33), make([]byte, 33), p256k1.ErrInfinity},
	} {
		others, err := ParseAggregateNonce(slices.Concat(c.first, c.second))
		if err != nil {
			t.Fatal(err)
		}
		_, sig, err := SignDeterministic(privs[1], others, keys, nil, nil)
		if !errors.Is(err, c.want) || (c.want != nil && sig.s.IsZero() == 0) {
			t.Errorf("%x, %x: %v, want %v", c.first, c.second, err, c.want)
		}
	}
	for range 20_000 { // one of 256 fits
		n, public, err := NewNonce(privs[0], nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if public.p.Encoded[1] != 0 {
			continue
		}
		if _, err := AggregateNonces([]PublicNonce{public}); err != nil {
			t.Errorf("the sum of %x: %v", public.Bytes(), err)
		}
		session := newSession(t, keys)
		sig, err := session.Sign(n, privs[0])
		if err != nil || !session.VerifyPartial(sig, public, pubs[0]) {
			t.Fatalf("a signature with the nonce %x is not valid, %v", public.Bytes(), err)
		}
		var who *protocols.BlameError
		if _, err := session.Combine([]PartialSignature{sig, sig}, []PublicNonce{public, public}); !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{1}) {
			t.Errorf("Combine blames %v", err)
		}
		return
	}
	t.Error("no such nonce")
}
