package ecdsa

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	_ "crypto/sha512"
	"errors"
	"fmt"
	"io"
	"math/big"
	"testing"
	"testing/iotest"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

func TestSigner(t *testing.T) {
	for name, opts := range map[string]*Options{"plain": nil, "checked": {Checked: true}} {
		t.Run(name, func(t *testing.T) { testSigner(t, opts) })
	}
}

func testSigner(t *testing.T, opts *Options) {
	k := libtest.Private(t, big.NewInt(5))
	s := NewSigner(k, opts)
	if pub, ok := s.Public().(*p256k1.PublicKey); !ok || !pub.Equal(k.PublicKey()) {
		t.Errorf("Public is %v", s.Public())
	}
	rand := oracle.New(t)
	digest := rand.Bytes(32)

	want, err := Sign(k, digest, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range []crypto.SignerOpts{nil, crypto.Hash(0), crypto.SHA256} {
		for range 2 {
			got, err := s.Sign(nil, digest, opts)
			if err != nil || !bytes.Equal(got, want.DER()) {
				t.Errorf("without entropy, %v: %x, %v, want %x", opts, got, err, want.DER())
			}
		}
	}

	entropy := [32]byte(rand.Bytes(32))
	want, err = Sign(k, digest, &Options{Entropy: &entropy})
	if err != nil {
		t.Fatal(err)
	}
	reader := bytes.NewReader(append(entropy[:], 1, 2, 3))
	readers := libtest.Readers(entropy[:])
	readers["before more bytes"] = reader
	for way, r := range readers {
		got, err := s.Sign(r, digest, crypto.SHA256)
		if err != nil || !bytes.Equal(got, want.DER()) {
			t.Errorf("with entropy %s: %x, %v, want %x", way, got, err, want.DER())
		}
	}
	if reader.Len() != 3 {
		t.Errorf("%d bytes of 35 are left", reader.Len())
	}
	for _, message := range []string{"one", "two"} { // crypto.SignMessage hashes the message for the signer
		der, err := crypto.SignMessage(s, nil, []byte(message), crypto.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(message))
		if sig, err := ParseDER(der); err != nil || !VerifyLowS(k.PublicKey(), sum[:], sig) {
			t.Errorf("%s: %x, %v", message, der, err)
		}
	}
}

// TestSignerHashes signs hashes of several hash functions, with the hash function named in the options.
func TestSignerHashes(t *testing.T) {
	r := oracle.New(t)
	d := r.ValidScalar()
	for _, h := range []crypto.Hash{crypto.MD5, crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512, crypto.SHA3_512} {
		sum := r.Bytes(h.Size())
		want, _ := oracle.SignRFC6979(d, sum, nil)
		for _, s := range []*Signer{NewSigner(libtest.Private(t, d), nil), NewSigner(libtest.Private(t, d), &Options{Checked: true})} {
			if der, err := s.Sign(nil, sum, h); err != nil || !bytes.Equal(der, raw(want.R, want.S).DER()) {
				t.Errorf("%v of %d bytes: %x, %v, want %x", h, len(sum), der, err, want.Compact())
			}
		}
	}
}

func TestSignerErrors(t *testing.T) {
	k := libtest.Private(t, big.NewInt(5))
	s := NewSigner(k, nil)
	broken := errors.New("broken")
	check := func(r io.Reader, digest []byte, opts crypto.SignerOpts, want error, words ...string) {
		t.Helper()
		sig, err := s.Sign(r, digest, opts)
		libtest.CheckErrorIs(t, err, want, words...)
		if sig != nil {
			t.Errorf("%x beside the error", sig)
		}
	}
	digest := make([]byte, 32)
	check(iotest.ErrReader(broken), digest, nil, broken, "ecdsa: ")
	check(bytes.NewReader(make([]byte, 31)), digest, nil, io.ErrUnexpectedEOF, "ecdsa: ")
	check(bytes.NewReader(nil), digest, nil, io.EOF, "ecdsa: ")
	for n := range 66 {
		for _, h := range []crypto.Hash{crypto.SHA256, crypto.SHA512, crypto.SHA1} {
			if n != h.Size() {
				check(nil, make([]byte, n), h, p256k1.ErrLength, "digest", h.String(), fmt.Sprintf("%d bytes, want the %d of ", n, h.Size()))
			}
		}
		if n != 32 {
			check(nil, make([]byte, n), nil, p256k1.ErrLength, "digest", fmt.Sprintf("%d bytes, want 32", n))
			check(nil, make([]byte, n), crypto.Hash(0), p256k1.ErrLength, "digest", fmt.Sprintf("%d bytes, want 32", n))
		}
	}
	k.Zero()
	check(nil, digest, nil, p256k1.ErrNoKey, "p256k1: private key")
}
