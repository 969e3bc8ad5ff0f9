package conformance

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// batches verify again, together, what a test verifies one by one.
type batches struct {
	ecdsa   ecdsa.Batch
	schnorr schnorr.Batch
	invalid [2][]int // indexes in the one and in the other
	valid   [2]int
}

// addECDSA adds a signature of which the verdict is known. One that does not parse is the zero value.
func (b *batches) addECDSA(pub, digest []byte, sig ecdsa.Signature, valid bool) {
	b.count(0, b.ecdsa.Len(), valid)
	b.ecdsa.Add(pub, digest, sig)
}

func (b *batches) addSchnorr(pub, msg, sig []byte, valid bool) {
	b.count(1, b.schnorr.Len(), valid)
	b.schnorr.Add(pub, msg, sig)
}

func (b *batches) count(scheme, index int, valid bool) {
	if valid {
		b.valid[scheme]++
	} else {
		b.invalid[scheme] = append(b.invalid[scheme], index)
	}
}

// check compares the verdicts, of which there must be some.
func (b *batches) check(t testing.TB) {
	t.Helper()
	for i, got := range [2][]int{b.ecdsa.Invalid(nil), b.schnorr.Invalid(nil)} {
		if want := b.invalid[i]; !slices.Equal(got, want) {
			t.Errorf("%s: in a batch with %d valid signatures these are not valid: %v, want %v", [2]string{"ECDSA", "BIP-340"}[i], b.valid[i], got, want)
		}
	}
	if b.ecdsa.Verify() != (len(b.invalid[0]) == 0) || b.schnorr.Verify() != (len(b.invalid[1]) == 0) {
		t.Error("Verify of a batch does not agree with Invalid")
	}
	if b.ecdsa.Len()+b.schnorr.Len() == 0 {
		t.Error("nothing was verified together")
	}
}

// checkSignECDSA makes sure that Sign and SignBatch make the signature.
func checkSignECDSA(t testing.TB, priv *p256k1.PrivateKey, digest []byte, want ecdsa.Signature) {
	t.Helper()
	if sig, err := ecdsa.Sign(priv, digest); err != nil || sig != want {
		t.Errorf("Sign gives %x, %v, want %x", sig.Bytes(), err, want.Bytes())
	}
	var sigs [3]ecdsa.Signature
	other := make([]byte, 32)
	if err := ecdsa.SignBatch(sigs[:], []*p256k1.PrivateKey{priv, priv, priv}, [][]byte{digest, other, digest}); err != nil || sigs[0] != want || sigs[2] != want {
		t.Errorf("SignBatch gives %x, %v, want %x", sigs, err, want)
	}
}
