package conformance

import (
	"testing"

	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ethereum"
)

// TestEthereumKeys leaves out sig_of_emptystring, because no digest is known for which this signature is valid.
func TestEthereumKeys(t *testing.T) {
	each(t, "ethereum/keyaddrtest.json", "2 keys", func(r *report, c struct{ Seed, Key, Addr string }) {
		r.add("keys")
		priv := privateKey(unhex(c.Key))
		r.same("key", priv, ethereum.Keccak256([]byte(c.Seed)))
		r.same("address", result(ethereum.AddressOf(priv.PublicKey())), unhex(c.Addr))
	})
}

// TestEthereumMessage tests the signed message in the documentation of web3.js, web3.eth.accounts.sign.
func TestEthereumMessage(t *testing.T) {
	r, digest := newReport(t), ethereum.PersonalHash([]byte("Some data"))
	r.same("digest", digest, "1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655")
	sent := unhex("b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd" +
		"6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c")
	priv := privateKey(unhex("4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"))
	sig := must(ecdsa.SignRecoverable(priv, digest[:], nil))
	r.same("signature", sig.BytesEthereum(), sent)
	for _, v := range []byte{sent[64], sent[64] - 27} { // some wallets send 0 and 1
		received := append(sent[:64:64], v)
		r.same("signature, parsed", must(ecdsa.ParseRecoverableEthereum(received)), sig)
		r.same("address", must(ethereum.Sender(digest, [65]byte(received))), unhex("2c7536e3605d9c16a7a3d7b1898e529396a65c23"))
	}
}
