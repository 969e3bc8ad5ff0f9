package nostr_test

import (
	"encoding/base64"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/nip44"
	"p256k1.mleku.dev/v2/signer"
)

func TestDraws(t *testing.T) {
	key, s := libtest.SecretKey(t), signer.NewP256K1Signer()
	libtest.Check(t, s.InitKey(key))
	talk := libtest.Must(nip44.New(key, key.PublicKey().XOnly()))
	signed := func(sign func(*nostr.Event) error) func() [][]byte {
		return func() [][]byte {
			e := nostr.Event{Kind: 1, Content: "content"}
			libtest.Check(t, sign(&e))
			return libtest.Halved(e.Sig[:])
		}
	}
	libtest.CheckDraws(t,
		libtest.Draw{Function: "nostr.Event.Sign", Bytes: 32, Results: signed(func(e *nostr.Event) error { return e.Sign(key) })},
		libtest.Draw{Function: "nostr.Event.SignWith", Bytes: 32, Results: signed(func(e *nostr.Event) error { return e.SignWith(s) })},
		libtest.Draw{Function: "nostr/nip44.Conversation.Encrypt", Bytes: 32, Results: func() [][]byte {
			payload := libtest.Must(talk.Encrypt(nil, []byte("message")))
			b := libtest.Must(base64.StdEncoding.DecodeString(string(payload)))
			return [][]byte{b[1:33], b[33:65], b[len(b)-32:]} // the nonce, encrypted bytes and the code
		}},
	)
}
