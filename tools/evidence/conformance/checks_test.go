package conformance

import (
	"bytes"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// This file has checks that tests of several sources share.

// checkEncodings checks that a key has the given uncompressed encoding, that the compressed encoding belongs to the
// same key, and that parsing it, or the x coordinate, returns this key.
func checkEncodings(r *report, pub *p256k1.PublicKey, uncompressed []byte) {
	compressed := append([]byte{2 + uncompressed[64]&1}, uncompressed[1:33]...)
	r.same("uncompressed encoding", pub.BytesUncompressed(), uncompressed)
	r.same("compressed encoding", pub, compressed)
	k, err := p256k1.ParsePublicKey(compressed)
	r.is(err == nil && k.Equal(pub), "the key %x comes back from its compressed encoding: %v", uncompressed, err)
	x, err := p256k1.ParseXOnlyPublicKey(uncompressed[1:33])
	r.is(err == nil && x.Equal(pub.XOnly()) && x.PublicKey().Equal(pub) != pub.IsYOdd(),
		"the key %x comes back from its x coordinate: %v", uncompressed, err)
}

// checkECDH checks, for functions that compute a shared point or its x coordinate, that the coordinate is as given.
func checkECDH(r *report, priv *p256k1.PrivateKey, pub *p256k1.PublicKey, shared []byte) {
	r.same("shared secret", result(ecdh.X(priv, pub)), shared)
	r.same("shared secret with −pub", result(ecdh.X(priv, pub.Negate())), shared)
	r.same("shared secret from the x coordinate", result(ecdh.XFromXOnly(priv, pub.XOnly())), shared)
	p, err := pub.TweakMul(priv.Bytes())
	r.is(err == nil && bytes.Equal(p.XOnly().Bytes(), shared), "the shared point is the product of the keys: %v", err)
}

// recoveryIDs returns the recovery ids with which the signature recovers the key. It also compares Recover with
// RecoverBatch, for all ids.
func recoveryIDs(r *report, digest []byte, sig ecdsa.Signature, pub *p256k1.PublicKey) (ids []int) {
	var inBatch [4]p256k1.PublicKey
	var sigs [4]ecdsa.RecoverableSignature
	for id := range sigs {
		sigs[id] = must(ecdsa.ParseRecoverable(append(sig.Bytes(), byte(id))))
	}
	ecdsa.RecoverBatch(inBatch[:], [][]byte{digest, digest, digest, digest}, sigs[:])
	for id, recoverable := range sigs {
		k, err := ecdsa.Recover(digest, recoverable)
		found := inBatch[id].Bytes() != nil
		r.is(found == (err == nil) && (err != nil || inBatch[id].Equal(k)),
			"%x recovers the same in a batch: %v, %v (%v)", recoverable.Bytes(), inBatch[id], k, err)
		if err != nil {
			r.fails("recovery", err, ecdsa.ErrRecover)
		} else if k.Equal(pub) {
			ids = append(ids, id)
		}
	}
	return ids
}

// checkValidECDSA checks that a signature is valid as it is and with low s, that only its low form is valid with
// VerifyLowS, and that exactly one recovery id recovers the key. It returns this id.
func checkValidECDSA(r *report, pub *p256k1.PublicKey, digest []byte, sig ecdsa.Signature) (id int) {
	low := sig.NormalizeS()
	r.is(low.IsLowS() && (low == sig) == sig.IsLowS(), "%x is %x with low s", sig.Bytes(), low.Bytes())
	r.is(ecdsa.VerifyLowS(pub, digest, low), "VerifyLowS accepts %x", low.Bytes())
	r.same("VerifyLowS", ecdsa.VerifyLowS(pub, digest, sig), sig.IsLowS())
	for _, sig := range []ecdsa.Signature{sig, low} {
		r.is(ecdsa.Verify(pub, digest, sig), "%x is valid", sig.Bytes())
		r.is(ecdsa.VerifyDER(pub.Bytes(), digest, sig.DER()), "%x is valid in DER", sig.Bytes())
		r.is(ecdsa.VerifyCompact(pub.BytesUncompressed(), digest, sig.Bytes()), "%x is valid from bytes", sig.Bytes())
		r.is(!ecdsa.VerifyDER(pub.Bytes(), digest, sig.Bytes()), "%x is invalid as DER", sig.Bytes())
		r.is(!ecdsa.VerifyCompact(pub.Bytes(), digest, sig.DER()), "the DER of %x is no compact encoding", sig.Bytes())
	}
	ids := recoveryIDs(r, digest, sig, pub)
	if len(ids) != 1 {
		r.errorf("%x is valid, but the recovery ids that lead to its key are %v", sig.Bytes(), ids)
		return -1
	}
	return ids[0]
}

// checkSignECDSA checks that Sign and SignBatch return the wanted signature.
func checkSignECDSA(r *report, priv *p256k1.PrivateKey, digest []byte, want ecdsa.Signature) {
	r.same("Sign", result(ecdsa.Sign(priv, digest, nil)), want)
	var sigs [3]ecdsa.Signature
	keys, other := []*p256k1.PrivateKey{priv, priv, priv}, make([]byte, 32)
	r.same("SignBatch", ecdsa.SignBatch(sigs[:], keys, [][]byte{digest, other, digest}, nil), nil)
	r.same("the first signature of SignBatch", sigs[0], want)
	r.same("the last signature of SignBatch", sigs[2], want)
}

// checkSchnorr checks that all functions that verify a single signature return the wanted result.
func checkSchnorr(r *report, pub, msg, sig []byte, want bool) {
	r.same("VerifyBytes", schnorr.VerifyBytes(pub, msg, sig), want)
	key, err := p256k1.ParseXOnlyPublicKey(pub)
	if err != nil {
		r.is(!want, "the key is valid: %v", err)
		r.fails("parsing the key", err, xOnlyErrors...)
		return
	}
	r.same("Verify", schnorr.Verify(key, msg, sig), want)
	r.same("Verify with a precomputed key", schnorr.Verify(key.Precomputed(), msg, sig), want)
	var s signer.P256K1Signer
	r.same("the signer's InitPub", s.InitPub(pub), nil)
	got, err := s.Verify(msg, sig)
	r.same("the signer's Verify", got, want)
	if err != nil {
		r.is(!want, "the signer verifies: %v", err)
		r.fails("the signer's Verify", err, p256k1.ErrLength)
	}
}

// checkSignSchnorr checks that Sign and the Signer return the wanted signature, and that the private key has the given
// public key.
func checkSignSchnorr(r *report, priv *p256k1.PrivateKey, pub, msg []byte, aux *[32]byte, want []byte) {
	options := &schnorr.Options{AuxRand: aux}
	r.same("public key", priv.PublicKey().XOnly(), pub)
	r.same("Sign", result(schnorr.Sign(priv, msg, options)), want)
	// n − d has the same x-only public key and gives the same signature.
	r.same("Sign with the negated key", result(schnorr.Sign(priv.Negate(), msg, options)), want)
	// The crypto.MessageSigner takes the auxiliary randomness as its entropy.
	r.same("SignMessage", result(schnorr.NewSigner(priv, nil).SignMessage(bytes.NewReader(aux[:]), msg, nil)), want)
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
func (b *batches) check(r *report) {
	r.sameBatch("ECDSA", &b.ecdsa, b.invalidECDSA)
	r.sameBatch("BIP-340", &b.schnorr, b.invalidSchnorr)
	r.is(b.ecdsa.Len()+b.schnorr.Len() > 0, "something was verified together")
}

// sameBatch checks the verdict on a batch, of which the signatures with the given indexes are invalid.
func (r *report) sameBatch(what string, batch interface {
	Verify() bool
	Invalid(indexes []int) []int
	Len() int
}, invalid []int) {
	got := batch.Invalid(nil)
	r.same(fmt.Sprintf("%s: the invalid signatures in a batch of %d", what, batch.Len()), fmt.Sprint(got), fmt.Sprint(invalid))
	r.same(what+": the verdict on a batch", batch.Verify(), len(invalid) == 0)
}
