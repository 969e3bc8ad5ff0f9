package conformance

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// This file has checks that tests of several sources share.

// checkEncodings checks that a key has the given uncompressed encoding, that the compressed encoding belongs to the
// same key, and that parsing it, or the x coordinate, returns this key.
func checkEncodings(t testing.TB, pub *p256k1.PublicKey, uncompressed []byte) {
	t.Helper()
	compressed := append([]byte{2 + uncompressed[64]&1}, uncompressed[1:33]...)
	if got := pub.BytesUncompressed(); !bytes.Equal(got, uncompressed) {
		t.Errorf("key %x encodes as %x", uncompressed, got)
	}
	if got := pub.Bytes(); !bytes.Equal(got, compressed) {
		t.Errorf("key %x encodes compressed as %x", uncompressed, got)
	}
	if k, err := p256k1.ParsePublicKey(compressed); err != nil || !k.Equal(pub) {
		t.Errorf("key %x does not come back from its compressed encoding: %v", uncompressed, err)
	}
	x, err := p256k1.ParseXOnlyPublicKey(uncompressed[1:33])
	if err != nil || !x.Equal(pub.XOnly()) || x.PublicKey().Equal(pub) == pub.IsYOdd() {
		t.Errorf("key %x does not come back from its x coordinate: %v", uncompressed, err)
	}
}

// checkECDH checks, for functions that compute a shared point or its x coordinate, that the coordinate is as given.
func checkECDH(t testing.TB, id int, priv *p256k1.PrivateKey, pub *p256k1.PublicKey, shared []byte) {
	t.Helper()
	for _, p := range []*p256k1.PublicKey{pub, pub.Negate()} {
		if x, err := ecdh.X(priv, p); err != nil || !bytes.Equal(x[:], shared) {
			t.Errorf("#%d: shared secret %x (%v), want %x", id, x, err, shared)
		}
	}
	if x, err := ecdh.XFromXOnly(priv, pub.XOnly()); err != nil || !bytes.Equal(x[:], shared) {
		t.Errorf("#%d: shared secret from the x coordinate %x (%v), want %x", id, x, err, shared)
	}
	if p, err := pub.TweakMul(priv.Bytes()); err != nil || !bytes.Equal(p.XOnly().Bytes(), shared) {
		t.Errorf("#%d: the shared point is not the product of the keys: %v", id, err)
	}
}

// recoveryIDs returns the recovery ids with which the signature recovers the key. It also compares Recover with
// RecoverBatch, for all ids.
func recoveryIDs(t testing.TB, digest []byte, sig ecdsa.Signature, pub *p256k1.PublicKey) (ids []int) {
	t.Helper()
	var together [4]p256k1.PublicKey // the result of RecoverBatch
	var all [4]ecdsa.RecoverableSignature
	for v := range all {
		var err error
		if all[v], err = ecdsa.ParseRecoverable(append(sig.Bytes(), byte(v))); err != nil {
			t.Errorf("recoverable signature %x, %d: %v", sig.Bytes(), v, err)
			return nil
		}
	}
	ecdsa.RecoverBatch(together[:], [][]byte{digest, digest, digest, digest}, all[:])
	for v, recoverable := range all {
		k, err := ecdsa.Recover(digest, recoverable)
		if (err == nil) != (together[v].Bytes() != nil) || (err == nil && !together[v].Equal(k)) {
			t.Errorf("recovery from %x, %d: %v, RecoverBatch finds %v (%v)", sig.Bytes(), v, k, together[v], err)
		}
		switch {
		case err == nil && k.Equal(pub):
			ids = append(ids, v)
		case err != nil && !errors.Is(err, ecdsa.ErrRecover):
			t.Errorf("recovery from %x, %d: error %q is not documented", sig.Bytes(), v, err)
		}
	}
	return ids
}

// checkValidECDSA checks that a signature is valid as it is and with low s, that only its low form is valid with
// VerifyLowS, and that exactly one recovery id recovers the key. It returns this id.
func checkValidECDSA(t testing.TB, pub *p256k1.PublicKey, digest []byte, sig ecdsa.Signature) (id int) {
	t.Helper()
	low := sig.NormalizeS()
	if !low.IsLowS() || (low == sig) != sig.IsLowS() {
		t.Errorf("%x: NormalizeS gives %x", sig.Bytes(), low.Bytes())
	}
	if !ecdsa.VerifyLowS(pub, digest, low) || ecdsa.VerifyLowS(pub, digest, sig) != sig.IsLowS() {
		t.Errorf("%x is valid, but VerifyLowS refuses %x or accepts a high s", sig.Bytes(), low.Bytes())
	}
	for _, sig := range []ecdsa.Signature{sig, low} {
		if !ecdsa.Verify(pub, digest, sig) {
			t.Errorf("%x is not valid", sig.Bytes())
		}
		if !ecdsa.VerifyDER(pub.Bytes(), digest, sig.DER()) || !ecdsa.VerifyCompact(pub.BytesUncompressed(), digest, sig.Bytes()) ||
			ecdsa.VerifyDER(pub.Bytes(), digest, sig.Bytes()) || ecdsa.VerifyCompact(pub.Bytes(), digest, sig.DER()) {
			t.Errorf("%x is valid, but VerifyDER or VerifyCompact has the wrong verdict on an encoding", sig.Bytes())
		}
	}
	ids := recoveryIDs(t, digest, sig, pub)
	if len(ids) != 1 {
		t.Errorf("%x is valid, but the recovery ids that lead to its key are %v", sig.Bytes(), ids)
		return -1
	}
	return ids[0]
}

// checkSignECDSA checks that Sign and SignBatch return the wanted signature.
func checkSignECDSA(t testing.TB, priv *p256k1.PrivateKey, digest []byte, want ecdsa.Signature) {
	t.Helper()
	if sig, err := ecdsa.Sign(priv, digest, nil); err != nil || sig != want {
		t.Errorf("Sign gives %x, %v, want %x", sig.Bytes(), err, want.Bytes())
	}
	var sigs [3]ecdsa.Signature
	other := make([]byte, 32)
	if err := ecdsa.SignBatch(sigs[:], []*p256k1.PrivateKey{priv, priv, priv}, [][]byte{digest, other, digest}, nil); err != nil || sigs[0] != want || sigs[2] != want {
		t.Errorf("SignBatch gives %x, %v, want %x", sigs, err, want)
	}
}

// checkSchnorr checks that all functions that verify a single signature return the wanted result.
func checkSchnorr(t testing.TB, name string, pub, msg, sig []byte, want bool) {
	t.Helper()
	if got := schnorr.VerifyBytes(pub, msg, sig); got != want {
		t.Errorf("%s: VerifyBytes is %v, want %v", name, got, want)
	}
	key, err := p256k1.ParseXOnlyPublicKey(pub)
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
	if got, err := s.Verify(msg, sig); got != want || (err != nil && (want || !errors.Is(err, p256k1.ErrLength))) {
		t.Errorf("%s: signer: %v (%v), want %v", name, got, err, want)
	}
}

// checkSignSchnorr checks that Sign and the Signer return the wanted signature, and that the private key has the given
// public key.
func checkSignSchnorr(t testing.TB, name string, priv *p256k1.PrivateKey, pub, msg []byte, aux *[32]byte, want []byte) {
	t.Helper()
	if got := priv.PublicKey().XOnly().Bytes(); !bytes.Equal(got, pub) {
		t.Errorf("%s: public key %x, want %x", name, got, pub)
	}
	if got, err := schnorr.Sign(priv, msg, &schnorr.Options{AuxRand: aux}); err != nil || !bytes.Equal(got[:], want) {
		t.Errorf("%s: signature %x (%v), want %x", name, got, err, want)
	}
	// The crypto.MessageSigner takes the auxiliary randomness as its entropy.
	got, err := schnorr.NewSigner(priv, nil).SignMessage(bytes.NewReader(aux[:]), msg, nil)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: signature of the Signer %x (%v), want %x", name, got, err, want)
	}
	// n − d has the same x-only public key and gives the same signature.
	if got, err := schnorr.Sign(priv.Negate(), msg, &schnorr.Options{AuxRand: aux}); err != nil || !bytes.Equal(got[:], want) {
		t.Errorf("%s: signature with the negated key %x (%v), want %x", name, got, err, want)
	}
}

// batches collects the signatures that a test verifies one by one, to verify them again in a batch.
type batches struct {
	ecdsa                        ecdsa.Batch
	schnorr                      schnorr.Batch
	invalidECDSA, invalidSchnorr []int // indexes of invalid signatures
}

// addECDSA adds a signature with a known verdict. A signature that does not parse is added as the zero value.
func (b *batches) addECDSA(pub, digest []byte, sig ecdsa.Signature, valid bool) {
	if !valid {
		b.invalidECDSA = append(b.invalidECDSA, b.ecdsa.Len())
	}
	b.ecdsa.Add(pub, digest, sig)
}

func (b *batches) addSchnorr(pub, msg, sig []byte, valid bool) {
	if !valid {
		b.invalidSchnorr = append(b.invalidSchnorr, b.schnorr.Len())
	}
	b.schnorr.Add(pub, msg, sig)
}

// check verifies the batches and compares the verdicts. At least one signature must have been added.
func (b *batches) check(t testing.TB) {
	t.Helper()
	if got := b.ecdsa.Invalid(nil); !slices.Equal(got, b.invalidECDSA) || b.ecdsa.Verify() != (len(got) == 0) {
		t.Errorf("ECDSA: of a batch of %d these are not valid: %v, want %v", b.ecdsa.Len(), got, b.invalidECDSA)
	}
	if got := b.schnorr.Invalid(nil); !slices.Equal(got, b.invalidSchnorr) || b.schnorr.Verify() != (len(got) == 0) {
		t.Errorf("BIP-340: of a batch of %d these are not valid: %v, want %v", b.schnorr.Len(), got, b.invalidSchnorr)
	}
	if b.ecdsa.Len()+b.schnorr.Len() == 0 {
		t.Error("nothing was verified together")
	}
}
