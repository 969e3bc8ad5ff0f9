package musig2

import (
	"errors"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
)

// TestChecked signs with a private key that does not belong to the signer's public key, as could happen after a
// hardware error, and combines a wrong partial signature. Such signatures must be withheld, except by WithFastSign.
func TestChecked(t *testing.T) {
	privs, pubs := newKeys(t, 2)
	nonces, err := GenNonces(WithPublicKey(pubs[0]))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSignOptions(nil).aggregate(pubs)
	if err != nil {
		t.Fatal(err)
	}
	var msg [32]byte
	for i, priv := range privs {
		for _, fast := range []bool{false, true} {
			secret := nonces.SecNonce
			sig, err := s.sign(&secret, priv, &nonces.PubNonce, &msg, fast)
			if withheld := i == 1 && !fast; (sig == nil) != withheld || (err != nil) != withheld {
				t.Errorf("private key %d, fast: %t: %v, %v", i, fast, sig, err)
			}
			if sig != nil && sig.Verify(nonces.PubNonce, nonces.PubNonce, pubs, pubs[0], msg) != (i == 0) {
				t.Errorf("private key %d, fast: %t: a wrong verdict", i, fast)
			}
		}
	}

	for _, wrong := range []bool{false, true} {
		_, sessions := newSessions(t, 2, none)
		var sigs [2]*PartialSignature
		for i := range sessions {
			if sigs[i], err = sessions[i].Sign(msg); err != nil {
				t.Fatal(err)
			}
		}
		if wrong {
			sigs[1].S.Add(new(btcec.ModNScalar).SetInt(1))
		}
		done, err := sessions[0].CombineSig(sigs[1])
		if done == wrong || errors.Is(err, ErrFinalSigInvalid) != wrong || (sessions[0].FinalSig() == nil) != wrong {
			t.Errorf("a wrong partial signature: %t: %t, %v, %v", wrong, done, err, sessions[0].FinalSig())
		}
	}
}
