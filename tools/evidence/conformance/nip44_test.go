package conformance

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/signer"
)

func TestNIP44ConversationKeys(t *testing.T) {
	var file struct {
		V2 struct {
			Valid struct {
				Get []struct {
					Sec1, Pub2 string
					Key        string `json:"conversation_key"`
				} `json:"get_conversation_key"`
			}
			Invalid struct {
				Get []struct{ Sec1, Pub2, Note string } `json:"get_conversation_key"`
			}
		}
	}
	var messages struct {
		V2 struct {
			Valid struct {
				Encrypt []struct {
					Sec1, Sec2 string
					Key        string `json:"conversation_key"`
				} `json:"encrypt_decrypt"`
			}
		}
	}
	vectors.JSON(t, "nip44/nip44.vectors.json", &messages)
	vectors.JSON(t, "nip44/nip44.vectors.json", &file)
	count := newTally(t)
	check := func(priv *p256k1.PrivateKey, pub *p256k1.XOnlyPublicKey, want string) {
		t.Helper()
		// Both private keys with this x-only public key lead to the same.
		for _, k := range []*p256k1.PrivateKey{priv, priv.Negate()} {
			if key, err := ecdh.NIP44ConversationKey(k, pub); err != nil || !bytes.Equal(key[:], unhex(t, want)) {
				t.Errorf("conversation key %x (%v), want %s", key, err, want)
			}
		}
		x, err := ecdh.XFromXOnly(priv, pub)
		var s signer.P256K1Signer
		if err := s.InitSec(priv.Bytes()); err != nil {
			t.Fatal(err)
		}
		if raw, rawErr := s.ECDHRaw(pub.Bytes()); err != nil || rawErr != nil || !bytes.Equal(raw, x[:]) {
			t.Errorf("signer: shared x %x (%v), want %x (%v)", raw, rawErr, x, err)
		}
	}
	for _, test := range file.V2.Valid.Get {
		count.add("valid")
		pub, err := p256k1.NewXOnlyPublicKey(unhex(t, test.Pub2))
		if err != nil {
			t.Fatal(err)
		}
		check(privateKey(t, unhex(t, test.Sec1)), pub, test.Key)
	}
	for _, test := range messages.V2.Valid.Encrypt {
		count.add("of messages")
		a, b := privateKey(t, unhex(t, test.Sec1)), privateKey(t, unhex(t, test.Sec2))
		check(a, b.PublicKey().XOnly(), test.Key)
		check(b, a.PublicKey().XOnly(), test.Key)
	}
	for _, test := range file.V2.Invalid.Get {
		_, privErr := p256k1.NewPrivateKey(unhex(t, test.Sec1))
		_, pubErr := p256k1.NewXOnlyPublicKey(unhex(t, test.Pub2))
		switch {
		case isOneOf(privErr, scalarErrors...):
			count.add("invalid secret keys")
		case isOneOf(pubErr, xOnlyErrors...):
			count.add("invalid public keys")
		default:
			t.Errorf("%s: accepted (%v, %v)", test.Note, privErr, pubErr)
		}
		var s signer.P256K1Signer
		err := s.InitSec(unhex(t, test.Sec1))
		if err == nil {
			_, err = s.ECDHRaw(unhex(t, test.Pub2))
		}
		if err == nil {
			t.Errorf("%s: accepted by the signer", test.Note)
		}
	}
	count.want("35 valid, 10 of messages, 3 invalid secret keys, 5 invalid public keys")
}
