package musig2_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
)

func newSigners(t testing.TB, n int) (privs []*p256k1.PrivateKey, keys []*p256k1.PublicKey) {
	t.Helper()
	privs, err := p256k1.GenerateKeys(n)
	if err != nil {
		t.Fatal(err)
	}
	for _, priv := range privs {
		keys = append(keys, priv.PublicKey())
	}
	return privs, keys
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run is a session together with the keys, nonces and message of its signers.
type run struct {
	privs   []*p256k1.PrivateKey
	pubs    []*p256k1.PublicKey
	keys    *musig2.KeySet
	msg     []byte
	secrets []*musig2.SecretNonce
	nonces  []musig2.PublicNonce
	session *musig2.Session
}

func newRun(t testing.TB, n int, bound bool) *run {
	t.Helper()
	r := &run{msg: []byte("a message of any length")}
	r.privs, r.pubs = newSigners(t, n)
	var err error
	r.keys, err = musig2.Aggregate(r.pubs)
	check(t, err)
	for _, priv := range r.privs {
		var secret *musig2.SecretNonce
		var nonce musig2.PublicNonce
		if bound {
			secret, nonce, err = musig2.NewNonce(priv, r.keys, r.msg)
		} else {
			secret, nonce, err = musig2.NewNonce(priv, nil, nil)
		}
		check(t, err)
		r.secrets, r.nonces = append(r.secrets, secret), append(r.nonces, nonce)
	}
	r.session = r.newSession(t, r.keys, r.msg)
	return r
}

func (r *run) newSession(t testing.TB, keys *musig2.KeySet, msg []byte) *musig2.Session {
	t.Helper()
	sum, err := musig2.AggregateNonces(r.nonces)
	check(t, err)
	session, err := musig2.NewSession(keys, sum, msg)
	check(t, err)
	return session
}

func (r *run) sign(t testing.TB) (sigs []musig2.PartialSignature) {
	t.Helper()
	for i, priv := range r.privs {
		sig, err := r.session.Sign(r.secrets[i], priv)
		check(t, err)
		if !r.session.VerifyPartial(sig, r.nonces[i], r.pubs[i]) {
			t.Fatal("a valid partial signature is refused")
		}
		sigs = append(sigs, sig)
	}
	return sigs
}

func TestRuns(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for _, bound := range []bool{false, true} {
			r := newRun(t, n, bound)
			sig, err := r.session.Combine(r.sign(t), r.nonces)
			if err != nil || !schnorr.Verify(r.keys.PublicKey().XOnly(), r.msg, sig[:]) {
				t.Errorf("%d signers: %v", n, err)
			}
		}
	}
}

func TestThousandKeys(t *testing.T) {
	_, pubs := newSigners(t, 1000)
	keys, err := musig2.Aggregate(pubs)
	check(t, err)
	again, err := musig2.Aggregate(append(pubs[999:], pubs[:999]...))
	check(t, err)
	if keys.PublicKey().Equal(again.PublicKey()) {
		t.Error("the order does not matter")
	}
	a, err := musig2.Aggregate(musig2.Sort(pubs))
	check(t, err)
	b, err := musig2.Aggregate(musig2.Sort(append(pubs[500:], pubs[:500]...)))
	check(t, err)
	if !a.PublicKey().Equal(b.PublicKey()) {
		t.Error("sorted keys have another aggregate in another order")
	}
}

// TestSignsOnce lets goroutines sign different messages with copies of one nonce.
func TestSignsOnce(t *testing.T) {
	for range 50 {
		r := newRun(t, 2, false)
		var sessions []*musig2.Session
		for i := range 8 {
			sessions = append(sessions, r.newSession(t, r.keys, []byte{byte(i)}))
		}
		var signed, used atomic.Int32
		var all sync.WaitGroup
		for _, session := range sessions {
			nonce := *r.secrets[0]
			all.Go(func() {
				switch _, err := session.Sign(&nonce, r.privs[0]); {
				case err == nil:
					signed.Add(1)
				case errors.Is(err, musig2.ErrNonceUsed):
					used.Add(1)
				}
			})
		}
		all.Wait()
		if signed.Load() != 1 || used.Load() != 7 {
			t.Fatalf("%d signed, %d were refused", signed.Load(), used.Load())
		}
	}
}

// TestUsedUp makes signing fail in many ways, and checks that the nonce is used up each time.
func TestUsedUp(t *testing.T) {
	foreign, foreignKeys := newSigners(t, 1)
	for _, c := range []struct {
		name  string
		sign  func(r *run) error
		want  error
		bound bool
	}{
		{"another's key", func(r *run) error { _, err := r.session.Sign(r.secrets[0], r.privs[1]); return err }, musig2.ErrNonceBound, false},
		{"a foreign key", func(r *run) error { _, err := r.session.Sign(r.secrets[0], foreign[0]); return err }, musig2.ErrNotSigner, false},
		{"no key", func(r *run) error { _, err := r.session.Sign(r.secrets[0], nil); return err }, p256k1.ErrNoKey, false},
		{"a key that was never set", func(r *run) error { _, err := r.session.Sign(r.secrets[0], new(p256k1.PrivateKey)); return err }, p256k1.ErrNoKey, false},
		{"a wiped key", func(r *run) error {
			r.privs[0].Zero()
			_, err := r.session.Sign(r.secrets[0], r.privs[0])
			return err
		}, p256k1.ErrNoKey, false},
		{"another message", func(r *run) error {
			_, err := r.newSession(t, r.keys, []byte("another")).Sign(r.secrets[0], r.privs[0])
			return err
		}, musig2.ErrNonceBound, true},
		{"another tweak", func(r *run) error {
			keys, err := r.keys.Tweak(bytes.Repeat([]byte{1}, 32))
			check(t, err)
			_, err = r.newSession(t, keys, r.msg).Sign(r.secrets[0], r.privs[0])
			return err
		}, musig2.ErrNonceBound, true},
		{"other keys", func(r *run) error {
			keys, err := musig2.Aggregate(append(foreignKeys, r.pubs...))
			check(t, err)
			_, err = r.newSession(t, keys, r.msg).Sign(r.secrets[0], r.privs[0])
			return err
		}, musig2.ErrNonceBound, true},
		{"a nonce that was wiped", func(r *run) error {
			r.secrets[0].Zero()
			_, err := r.session.Sign(r.secrets[0], r.privs[0])
			return err
		}, musig2.ErrNonceUsed, false},
	} {
		r := newRun(t, 2, c.bound)
		if err := c.sign(r); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := r.session.Sign(r.secrets[0], r.privs[0]); !errors.Is(err, musig2.ErrNonceUsed) {
			t.Errorf("%s: the nonce is still good: %v", c.name, err)
		}
	}
	r := newRun(t, 2, false)
	for _, n := range []*musig2.SecretNonce{nil, new(musig2.SecretNonce)} {
		if _, err := r.session.Sign(n, r.privs[0]); !errors.Is(err, musig2.ErrNonceUsed) {
			t.Error(err)
		}
		n.Zero()
	}
}

func TestRefused(t *testing.T) {
	privs, pubs := newSigners(t, 3)
	var who *protocols.BlameError
	for _, bad := range []*p256k1.PublicKey{nil, new(p256k1.PublicKey)} {
		if _, err := musig2.Aggregate([]*p256k1.PublicKey{pubs[0], bad}); !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{1}) {
			t.Error(err)
		}
		musig2.Sort([]*p256k1.PublicKey{pubs[0], bad})
	}
	if _, err := musig2.Aggregate(nil); !errors.Is(err, p256k1.ErrLength) {
		t.Error(err)
	}
	keys, err := musig2.Aggregate(pubs[:2])
	check(t, err)
	if _, _, err := musig2.NewNonce(privs[2], keys, nil); !errors.Is(err, musig2.ErrNotSigner) {
		t.Error(err)
	}
	for _, priv := range []*p256k1.PrivateKey{nil, new(p256k1.PrivateKey)} {
		if _, _, err := musig2.NewNonce(priv, keys, nil); !errors.Is(err, p256k1.ErrNoKey) {
			t.Error(err)
		}
	}
	unset := new(musig2.KeySet)
	if _, _, err := musig2.NewNonce(privs[0], unset, nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Error(err)
	}
	for _, s := range []*musig2.KeySet{nil, unset} {
		if _, err := musig2.NewSession(s, musig2.AggregateNonce{}, nil); !errors.Is(err, p256k1.ErrNoKey) {
			t.Error(err)
		}
	}
	if _, err := unset.Tweak(make([]byte, 32)); !errors.Is(err, p256k1.ErrNoKey) {
		t.Error(err)
	}
	for _, n := range []int{0, 31, 33} {
		if _, err := keys.Tweak(make([]byte, n)); !errors.Is(err, p256k1.ErrLength) {
			t.Error(err)
		}
		if _, err := musig2.ParsePartialSignature(make([]byte, n)); !errors.Is(err, p256k1.ErrLength) {
			t.Error(err)
		}
	}
	for _, n := range []int{0, 33, 65, 67} {
		if _, err := musig2.ParsePublicNonce(make([]byte, n)); !errors.Is(err, p256k1.ErrLength) {
			t.Error(err)
		}
		if _, err := musig2.ParseAggregateNonce(make([]byte, n)); !errors.Is(err, p256k1.ErrLength) {
			t.Error(err)
		}
	}
	if _, err := musig2.ParsePublicNonce(make([]byte, 66)); !errors.Is(err, p256k1.ErrPrefix) {
		t.Error(err)
	}
	if _, err := musig2.AggregateNonces(nil); !errors.Is(err, p256k1.ErrLength) {
		t.Error(err)
	}
	r := newRun(t, 3, true)
	if _, err := musig2.AggregateNonces([]musig2.PublicNonce{r.nonces[0], {}}); !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{1}) {
		t.Error(err)
	}
	sigs := r.sign(t)
	if _, err := r.session.Combine(sigs[:2], r.nonces[:2]); !errors.Is(err, p256k1.ErrLength) {
		t.Error(err)
	}
	if _, err := r.session.Combine(sigs, r.nonces[:2]); !errors.Is(err, p256k1.ErrLength) {
		t.Error(err)
	}
	for i := range sigs { // signer i sends a wrong partial signature
		bad := append([]musig2.PartialSignature(nil), sigs...)
		bad[i] = sigs[(i+1)%3]
		if _, err := r.session.Combine(bad, r.nonces); !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{uint32(i)}) || !errors.Is(err, musig2.ErrPartialSignature) {
			t.Error(err)
		}
		bad[i] = musig2.PartialSignature{}
		nonces := append([]musig2.PublicNonce(nil), r.nonces...)
		nonces[i] = musig2.PublicNonce{}
		if _, err := r.session.Combine(bad, nonces); !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{uint32(i)}) || !errors.Is(err, p256k1.ErrInfinity) {
			t.Error(err)
		}
		if r.session.VerifyPartial(sigs[i], r.nonces[(i+1)%3], r.pubs[i]) || r.session.VerifyPartial(sigs[i], r.nonces[i], r.pubs[(i+1)%3]) ||
			r.session.VerifyPartial(sigs[i], r.nonces[i], nil) || r.session.VerifyPartial(sigs[i], musig2.PublicNonce{}, r.pubs[i]) {
			t.Error("a partial signature is valid for another")
		}
	}
	// The aggregator sent a wrong sum: each partial signature is valid, but the signature is not.
	wrong := newRun(t, 3, false)
	sum, err := musig2.AggregateNonces(wrong.nonces[:2])
	check(t, err)
	wrong.session, err = musig2.NewSession(wrong.keys, sum, wrong.msg)
	check(t, err)
	if _, err := wrong.session.Combine(wrong.sign(t), wrong.nonces); !errors.Is(err, musig2.ErrAggregateNonce) {
		t.Error(err)
	}
}

func TestDeterministic(t *testing.T) {
	r := newRun(t, 3, false)
	others, err := musig2.AggregateNonces(r.nonces[:2])
	check(t, err)
	var sig musig2.PartialSignature
	r.nonces[2], sig, err = musig2.SignDeterministic(r.privs[2], others, r.keys, r.msg, nil)
	check(t, err)
	again, _, err := musig2.SignDeterministic(r.privs[2], others, r.keys, r.msg, new([32]byte))
	check(t, err)
	if bytes.Equal(again.Bytes(), r.nonces[2].Bytes()) {
		t.Error("aux has no effect")
	}
	r.session = r.newSession(t, r.keys, r.msg)
	var sigs []musig2.PartialSignature
	for i := range 2 {
		s, err := r.session.Sign(r.secrets[i], r.privs[i])
		check(t, err)
		sigs = append(sigs, s)
	}
	got, err := r.session.Combine(append(sigs, sig), r.nonces)
	if err != nil || !schnorr.Verify(r.keys.PublicKey().XOnly(), r.msg, got[:]) {
		t.Error(err)
	}
	_, foreign := newSigners(t, 2)
	keys, err := musig2.Aggregate(foreign)
	check(t, err)
	if _, _, err := musig2.SignDeterministic(r.privs[2], others, keys, r.msg, nil); !errors.Is(err, musig2.ErrNotSigner) {
		t.Error(err)
	}
	if _, _, err := musig2.SignDeterministic(r.privs[2], others, nil, r.msg, nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Error(err)
	}
	if _, _, err := musig2.SignDeterministic(r.privs[2], musig2.AggregateNonce{}, r.keys, r.msg, nil); !errors.Is(err, p256k1.ErrInfinity) {
		t.Error(err)
	}
	r.privs[2].Zero()
	if _, _, err := musig2.SignDeterministic(r.privs[2], others, r.keys, r.msg, nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Error(err)
	}
}

// TestOverwritten makes a session, and then stores another key set and other keys in the variables that were passed to
// it.
func TestOverwritten(t *testing.T) {
	for _, bound := range []bool{false, true} {
		r := newRun(t, 2, bound)
		key := r.keys.PublicKey().XOnly()
		tweaked, err := r.keys.Tweak(bytes.Repeat([]byte{1}, 32))
		check(t, err)
		*r.keys = *tweaked
		r.pubs[0], r.pubs[1] = r.pubs[1], r.pubs[0]
		*r.pubs[0] = *key.PublicKey()
		var sigs []musig2.PartialSignature
		for i, priv := range r.privs {
			sig, err := r.session.Sign(r.secrets[i], priv)
			check(t, err)
			sigs = append(sigs, sig)
		}
		sig, err := r.session.Combine(sigs, r.nonces)
		if err != nil || !schnorr.Verify(key, r.msg, sig[:]) {
			t.Errorf("bound nonces %v: no signature of the key set as it was: %v", bound, err)
		}
	}
}

// TestNoncesDiffer checks that nonces differ even if all arguments are the same.
func TestNoncesDiffer(t *testing.T) {
	r := newRun(t, 2, true)
	seen := make(map[string]bool)
	for range 100 {
		_, nonce, err := musig2.NewNonce(r.privs[0], r.keys, r.msg)
		check(t, err)
		for _, half := range []string{string(nonce.Bytes()[:33]), string(nonce.Bytes()[33:])} {
			if seen[half] {
				t.Fatal("a nonce comes twice")
			}
			seen[half] = true
		}
	}
}

func TestSecretNonceShowsNothing(t *testing.T) {
	r := newRun(t, 1, true)
	nonce := r.secrets[0]
	var logged bytes.Buffer
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "nonce", nonce, "value", *nonce, "nil", (*musig2.SecretNonce)(nil))
	for _, text := range []string{fmt.Sprint(nonce), fmt.Sprintf("%v %+v %#v %s %x", *nonce, *nonce, *nonce, *nonce, nonce), logged.String()} {
		if !strings.Contains(text, "secret") || strings.Contains(text, "0x") {
			t.Error(text)
		}
	}
	for _, v := range []any{nonce, *nonce} {
		if _, err := json.Marshal(v); !errors.Is(err, p256k1.ErrMarshal) {
			t.Error(err)
		}
		if err := gob.NewEncoder(new(bytes.Buffer)).Encode(v); !errors.Is(err, p256k1.ErrMarshal) {
			t.Error(err)
		}
	}
	if err := json.Unmarshal([]byte(`"00"`), nonce); !errors.Is(err, p256k1.ErrMarshal) {
		t.Error(err)
	}
	if err := nonce.UnmarshalBinary(nil); !errors.Is(err, p256k1.ErrMarshal) {
		t.Error(err)
	}
	if _, err := r.session.Sign(nonce, r.privs[0]); err != nil {
		t.Error(err)
	}
}

func TestAllocs(t *testing.T) {
	r := newRun(t, 2, true)
	sigs := r.sign(t)
	for name, f := range map[string]func(){
		"VerifyPartial": func() { r.session.VerifyPartial(sigs[0], r.nonces[0], r.pubs[0]) },
		"Combine":       func() { r.session.Combine(sigs, r.nonces) },
	} {
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	// Each run uses up one nonce per signer.
	runs := make([]*run, 22)
	for i := range runs {
		runs[i] = newRun(t, 2, true)
	}
	i := 0
	if n := testing.AllocsPerRun(20, func() {
		runs[i].session.Sign(runs[i].secrets[0], runs[i].privs[0])
		i++
	}); n != 0 {
		t.Errorf("Sign: %v allocations", n)
	}
}

func FuzzPublicNonce(f *testing.F) {
	f.Add(bytes.Repeat([]byte{2}, 66))
	f.Add(make([]byte, 66))
	f.Add(append(bytes.Repeat([]byte{2}, 66), 2))
	f.Add(append(bytes.Repeat([]byte{2}, 33), make([]byte, 33)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		valid := len(b) == 66
		for i := 0; i < 66 && valid; i += 33 {
			_, err := p256k1.ParsePublicKey(b[i : i+33])
			valid = err == nil
		}
		if n, err := musig2.ParsePublicNonce(b); (err == nil) != valid {
			t.Errorf("%x: %v", b, err)
		} else if err == nil {
			if !bytes.Equal(n.Bytes(), b) {
				t.Errorf("%x became %x", b, n.Bytes())
			}
			if _, err := musig2.ParseAggregateNonce(b); err != nil {
				t.Error(err)
			}
		} else if b := n.Bytes(); b != nil {
			t.Errorf("an error, and %x", b)
		}
		if n, err := musig2.ParseAggregateNonce(b); err == nil && !bytes.Equal(n.Bytes(), b) {
			t.Errorf("%x became %x", b, n.Bytes())
		}
	})
}

func FuzzPartialSignature(f *testing.F) {
	f.Add(make([]byte, 32))
	f.Add(bytes.Repeat([]byte{255}, 32))
	f.Fuzz(func(t *testing.T, b []byte) {
		sig, err := musig2.ParsePartialSignature(b)
		if err == nil && !bytes.Equal(sig.Bytes(), b) {
			t.Errorf("%x became %x", b, sig.Bytes())
		}
		if (err == nil) != (len(b) == 32 && bytes.Compare(b, order) < 0) {
			t.Errorf("%x: %v", b, err)
		}
	})
}

var order = []byte{
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 254,
	0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
}
