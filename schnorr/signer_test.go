package schnorr

import (
	"bytes"
	"crypto"
	_ "crypto/sha512"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
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
	x, ok := s.Public().(*p256k1.XOnlyPublicKey)
	if !ok || !x.Equal(k.PublicKey().XOnly()) {
		t.Fatalf("Public is %v", s.Public())
	}
	rand := oracle.New(t)
	aux := [32]byte(rand.Bytes(32))
	for _, n := range []int{0, 1, 32, 100} {
		msg := rand.Bytes(n)
		want, err := Sign(k, msg, &Options{AuxRand: &aux})
		if err != nil {
			t.Fatal(err)
		}
		reader := bytes.NewReader(append(aux[:], 1, 2, 3))
		for i, call := range []func() ([]byte, error){
			func() ([]byte, error) { return s.SignMessage(reader, msg, nil) },
			func() ([]byte, error) { return s.SignMessage(bytes.NewReader(aux[:]), msg, crypto.Hash(0)) },
			func() ([]byte, error) { return s.Sign(bytes.NewReader(aux[:]), msg, nil) },
			func() ([]byte, error) { return s.Sign(bytes.NewReader(aux[:]), msg, crypto.Hash(0)) },
			func() ([]byte, error) { return crypto.SignMessage(s, bytes.NewReader(aux[:]), msg, crypto.Hash(0)) },
		} {
			if got, err := call(); err != nil || !bytes.Equal(got, want[:]) {
				t.Errorf("%d bytes, call %d: %x, %v, want %x", n, i, got, err, want)
			}
		}
		if reader.Len() != 3 {
			t.Errorf("%d bytes of 35 are left", reader.Len())
		}
		for way, r := range libtest.Readers(slices.Concat(aux[:], aux[:])) {
			for _, sign := range []func(io.Reader, []byte, crypto.SignerOpts) ([]byte, error){s.SignMessage, s.Sign} {
				if got, err := sign(r, msg, nil); err != nil || !bytes.Equal(got, want[:]) {
					t.Errorf("%d bytes, randomness %s: %x, %v, want %x", n, way, got, err, want)
				}
			}
		}
		fresh1, err1 := s.SignMessage(nil, msg, nil)
		fresh2, err2 := s.Sign(nil, msg, nil)
		if err1 != nil || err2 != nil || bytes.Equal(fresh1, fresh2) || !Verify(x, msg, fresh1) || !Verify(x, msg, fresh2) {
			t.Errorf("%d bytes, fresh randomness: %x (%v), %x (%v)", n, fresh1, err1, fresh2, err2)
		}
	}
	sig, err := s.Sign(nil, make([]byte, 32), crypto.SHA256)
	if err != nil || !Verify(x, make([]byte, 32), sig) {
		t.Errorf("digest: %x, %v", sig, err)
	}
}

func TestSignerErrors(t *testing.T) {
	k := libtest.Private(t, big.NewInt(5))
	s := NewSigner(k, nil)
	check := func(sig []byte, err, want error, words ...string) {
		t.Helper()
		if sig != nil || err == nil || (want != nil && !errors.Is(err, want)) {
			t.Errorf("%x, error %q, want %q", sig, err, want)
			return
		}
		for _, w := range words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("error %q does not say %q", err, w)
			}
		}
	}
	broken := errors.New("broken")
	for r, want := range map[io.Reader]error{
		iotest.ErrReader(broken): broken, bytes.NewReader(make([]byte, 31)): io.ErrUnexpectedEOF, bytes.NewReader(nil): io.EOF,
	} {
		sig, err := s.SignMessage(r, nil, nil)
		check(sig, err, want, "schnorr: ")
	}
	for _, h := range []crypto.Hash{crypto.SHA256, crypto.SHA512} {
		// By the contract of crypto.MessageSigner, SignMessage with a hash function signs the digest of the message.
		msg := []byte("message")
		digest := h.New()
		digest.Write(msg)
		sig, err := s.SignMessage(bytes.NewReader(make([]byte, 32)), msg, h)
		same, err2 := s.Sign(bytes.NewReader(make([]byte, 32)), digest.Sum(nil), h)
		if err != nil || err2 != nil || !bytes.Equal(sig, same) {
			t.Errorf("%v: %x, %v and %x, %v", h, sig, err, same, err2)
		}
		for n := range 70 {
			sig, err := s.Sign(nil, make([]byte, n), h)
			if n == h.Size() {
				if err != nil {
					t.Error(err)
				}
				continue
			}
			check(sig, err, p256k1.ErrLength, "schnorr: ", "digest", h.String(), fmt.Sprintf("%d bytes, want the %d of ", n, h.Size()))
		}
	}
	sig, err := s.SignMessage(nil, nil, crypto.MD4) // a hash function that is not linked into the test
	check(sig, err, nil, "schnorr: ", "MD4")
	k.Zero()
	sig, err = s.SignMessage(nil, nil, nil)
	check(sig, err, p256k1.ErrNoKey, "p256k1: private key")
	sig, err = s.Sign(nil, nil, nil)
	check(sig, err, p256k1.ErrNoKey, "p256k1: private key")
}
