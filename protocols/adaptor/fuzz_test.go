package adaptor

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// seeds adds the pre-signature b as a seed, and also changed versions of b: with other lengths, with one flipped bit,
// and with n or 0 in place of 32 bytes, such as one of its scalars.
func seeds(f *testing.F, b []byte) {
	f.Add(b)
	f.Add(b[1:])
	f.Add(append(bytes.Clone(b), 0))
	for i := 0; i < len(b); i += 11 {
		changed := bytes.Clone(b)
		changed[i] ^= 1
		f.Add(changed)
	}
	for place := len(b) - 32; place > 0; place -= 32 {
		changed, n := bytes.Clone(b), oracle.Bytes(oracle.N)
		copy(changed[place:], n[:])
		f.Add(changed)
		clear(changed[place : place+32])
		f.Add(changed)
	}
}

// hashed returns a key that is a hash. Who knows the secret of T can make another pre-signature, see
// TestSchnorrOtherPoint, and if the secret is a power of two, as newKey's may be, a fuzzer finds it.
func hashed(f *testing.F, name string) *p256k1.PrivateKey {
	b := sha256.Sum256([]byte(name))
	key, err := p256k1.ParsePrivateKey(b[:])
	if err != nil {
		f.Fatal(err)
	}
	return key
}

// FuzzSchnorr parses and verifies arbitrary bytes. Only one encoding may be a valid pre-signature for the key, the
// point and the message.
func FuzzSchnorr(f *testing.F) {
	key, point, msg := hashed(f, "key"), hashed(f, "T").PublicKey(), make([]byte, 32)
	pre, err := signSchnorr(key, point, msg, new([32]byte))
	if err != nil {
		f.Fatal(err)
	}
	seeds(f, pre.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParseSchnorrPreSignature(b)
		valid := len(b) == SchnorrSize && oracle.Int(b[33:]).Cmp(oracle.N) < 0
		if valid {
			_, valid = oracle.DecodePoint(b[:33])
		}
		if (err == nil) != valid || (valid && !bytes.Equal(p.Bytes(), b)) {
			t.Errorf("%x became %x: %v", b, p.Bytes(), err)
		}
		if p.Verify(key.PublicKey().XOnly(), point, msg) != bytes.Equal(b, pre.Bytes()) {
			t.Errorf("%x: verified as if it were another", b)
		}
	})
}

// FuzzECDSA parses and verifies arbitrary bytes as ECDSA pre-signatures, as FuzzSchnorr does for Schnorr
// pre-signatures.
func FuzzECDSA(f *testing.F) {
	key, point, digest := hashed(f, "key"), hashed(f, "T").PublicKey(), make([]byte, 32)
	pre, err := signECDSA(key, point, digest, new([32]byte))
	if err != nil {
		f.Fatal(err)
	}
	seeds(f, pre.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParseECDSAPreSignature(b)
		valid := len(b) == ECDSASize && oracle.Int(b[66:98]).Sign() > 0 && oracle.Int(b[66:98]).Cmp(oracle.N) < 0 &&
			oracle.Int(b[130:]).Cmp(oracle.N) < 0 && oracle.Int(b[1:33]).Cmp(oracle.N) != 0
		for i := 0; valid && i < 66; i += 33 {
			_, valid = oracle.DecodePoint(b[i : i+33])
		}
		if (err == nil) != valid || (valid && !bytes.Equal(p.Bytes(), b)) {
			t.Errorf("%x became %x: %v", b, p.Bytes(), err)
		}
		if p.Verify(key.PublicKey(), point, digest) != bytes.Equal(b, pre.Bytes()) {
			t.Errorf("%x: verified as if it were another", b)
		}
	})
}
