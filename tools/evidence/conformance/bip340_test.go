package conformance

import (
	"bytes"
	"encoding/csv"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

func TestBIP340(t *testing.T) {
	rows, err := csv.NewReader(vectors.Open(t, "bip340/test-vectors.csv")).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	count := newTally(t)
	for _, row := range rows[1:] {
		index, secret, aux, comment := row[0], row[1], row[3], row[7]
		pub, msg, sig, want := unhex(t, row[2]), unhex(t, row[4]), unhex(t, row[5]), row[6] == "TRUE"
		count.addResult(want)
		checkSchnorr(t, index+" "+comment, pub, msg, sig, want)
		if secret == "" {
			continue
		}
		count.add("signed")
		priv := privateKey(t, unhex(t, secret))
		checkSignSchnorr(t, index, priv, pub, msg, unhex32(t, aux), sig)
	}
	count.want("9 valid, 10 invalid, 8 signed")
}

// checkSchnorr makes sure that all ways to verify a signature have the wanted result.
func checkSchnorr(t testing.TB, name string, pub, msg, sig []byte, want bool) {
	t.Helper()
	if got := schnorr.VerifyBytes(pub, msg, sig); got != want {
		t.Errorf("%s: VerifyBytes is %v, want %v", name, got, want)
	}
	key, err := p256k1.NewXOnlyPublicKey(pub)
	if err != nil {
		if want || !isOneOf(err, xOnlyErrors...) {
			t.Errorf("%s: public key: %v", name, err)
		}
		return
	}
	if got := schnorr.Verify(key, msg, sig); got != want {
		t.Errorf("%s: Verify is %v, want %v", name, got, want)
	}
	if got := schnorr.Verify(key.Precomputed(), msg, sig); got != want {
		t.Errorf("%s: Verify is %v with a precomputed key, want %v", name, got, want)
	}
	var s signer.P256K1Signer
	if err := s.InitPub(pub); err != nil {
		t.Errorf("%s: signer: %v", name, err)
	}
	if got, err := s.Verify(msg, sig); got != want || err != nil && (want || !errors.Is(err, p256k1.ErrLength)) {
		t.Errorf("%s: signer: %v (%v), want %v", name, got, err, want)
	}
}

// checkSignSchnorr makes sure that signing gives the signature, and that the key has the public key.
func checkSignSchnorr(t testing.TB, name string, priv *p256k1.PrivateKey, pub, msg []byte, aux *[32]byte, want []byte) {
	t.Helper()
	if got := priv.PublicKey().XOnly().Bytes(); !bytes.Equal(got, pub) {
		t.Errorf("%s: public key %x, want %x", name, got, pub)
	}
	if got, err := schnorr.Sign(priv, msg, aux); err != nil || !bytes.Equal(got[:], want) {
		t.Errorf("%s: signature %x (%v), want %x", name, got, err, want)
	}
	// The same through the crypto.MessageSigner, whose entropy is the auxiliary randomness.
	got, err := schnorr.NewSigner(priv).SignMessage(bytes.NewReader(aux[:]), msg, nil)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: signature of the Signer %x (%v), want %x", name, got, err, want)
	}
	// n − d has the same x-only public key and gives the same signature.
	if got, err := schnorr.Sign(priv.Negate(), msg, aux); err != nil || !bytes.Equal(got[:], want) {
		t.Errorf("%s: signature with the negated key %x (%v), want %x", name, got, err, want)
	}
}
