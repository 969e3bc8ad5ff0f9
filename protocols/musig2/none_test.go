package musig2_test

import (
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/musig2"
)

// TestNone passes key sets and sessions that are nil or were never set to the functions for single sessions.
func TestNone(t *testing.T) {
	r := newRun(t, 2, false)
	refuse := func(name string, err error) {
		t.Helper()
		if !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%s: %v, want %v", name, err, p256k1.ErrNoKey)
		}
	}
	for name, keys := range map[string]*musig2.KeySet{"nil": nil, "zero": new(musig2.KeySet)} {
		if keys.PublicKey().Point().IsInfinity() != 1 {
			t.Errorf("%s: a public key", name)
		}
		one := make([]byte, 32)
		one[31] = 1
		_, err := keys.Tweak(one)
		refuse(name+", Tweak", err)
		_, err = keys.TweakXOnly(one)
		refuse(name+", TweakXOnly", err)
		_, err = keys.Derive()
		refuse(name+", Derive nothing", err)
		_, err = keys.Derive(1)
		refuse(name+", Derive", err)
		_, err = keys.ExtendedKey([4]byte{})
		refuse(name+", ExtendedKey", err)
		_, err = musig2.NewSession(keys, musig2.AggregateNonce{}, nil)
		refuse(name+", NewSession", err)
		others, err := musig2.AggregateNonces(r.nonces[:1])
		check(t, err)
		_, _, err = musig2.SignDeterministic(r.privs[1], others, keys, r.msg, nil)
		refuse(name+", SignDeterministic", err)
		if keys != nil { // NewNonce accepts nil for a key set that is not known yet
			_, _, err = musig2.NewNonce(r.privs[0], keys, nil)
			refuse(name+", NewNonce", err)
		}
	}
	if b := new(musig2.PublicNonce).Bytes(); b != nil {
		t.Errorf("a public nonce that was never set: %x", b)
	}
	sigs := make([]musig2.PartialSignature, 2)
	for i, session := range []*musig2.Session{nil, new(musig2.Session)} {
		_, err := session.Combine(sigs, r.nonces)
		refuse("Combine", err)
		_, err = session.Combine(nil, nil)
		refuse("Combine nothing", err)
		if session.VerifyPartial(sigs[0], r.nonces[0], r.pubs[0]) || session.VerifyPartial(sigs[0], r.nonces[0], nil) {
			t.Error("a partial signature is valid in no session")
		}
		_, err = session.Sign(r.secrets[i], r.privs[i])
		refuse("Sign", err)
		if _, err = r.session.Sign(r.secrets[i], r.privs[i]); !errors.Is(err, musig2.ErrNonceUsed) {
			t.Errorf("after Sign in no session the nonce is not used: %v", err)
		}
	}
}
