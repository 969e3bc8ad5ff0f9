package keyformat_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	k1ecdsa "p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/keyformat"
)

func TestES256K(t *testing.T) {
	r := oracle.New(t)
	for _, d := range secrets() {
		k := libtest.Private(t, d)
		input := r.Message(200)
		sig, err := keyformat.SignES256K(k1ecdsa.NewSigner(k, nil), input)
		if err != nil || len(sig) != 64 {
			t.Fatalf("%x, %v", sig, err)
		}
		digest := sha256.Sum256(input)
		s := oracle.ParseCompact([64]byte(sig))
		if !s.IsLowS() || !oracle.VerifyECDSA(oracle.G.Mul(d), digest[:], s) {
			t.Errorf("%x is no low-S signature of %x", sig, digest)
		}
		high := s.Negate().Compact()
		if !keyformat.VerifyES256K(k.PublicKey(), input, sig) || !keyformat.VerifyES256K(k.PublicKey(), input, high[:]) {
			t.Error("refused")
		}
		parsed, err := k1ecdsa.ParseCompact(sig)
		if err != nil {
			t.Fatal(err)
		}
		wrong := map[string][]byte{"none": nil, "DER": parsed.DER(), "63 bytes": sig[:63], "65 bytes": append(bytes.Clone(sig), 0), "zeros": make([]byte, 64)}
		for i := range sig {
			m := bytes.Clone(sig)
			m[i] ^= 1 << (i % 8)
			wrong["a bit"+string(rune(i))] = m
		}
		for what, sig := range wrong {
			if keyformat.VerifyES256K(k.PublicKey(), input, sig) {
				t.Errorf("%s is accepted", what)
			}
		}
		if keyformat.VerifyES256K(k.PublicKey().Negate(), input, sig) || keyformat.VerifyES256K(k.PublicKey(), append(input, 0), sig) ||
			keyformat.VerifyES256K(k.PublicKey(), digest[:], sig) || keyformat.VerifyES256K(new(p256k1.PublicKey), input, sig) {
			t.Error("accepted with another key or input")
		}
	}
}

// TestOthersTokens verifies tokens that jwcrypto 1.6.1 made with the key of the examples, and a signature by Node 20.
// Some of the signatures have a high s, and others a low s.
func TestOthersTokens(t *testing.T) {
	lows := 0
	for _, token := range []string{
		"eyJhbGciOiJFUzI1NksifQ.eyJzdWIiOiJzb21lYm9keSJ9.2CZAb_eo3QDS1mZJmysish3y533CCHdrWHvvg0O20aEbARAvBkVjrhl1mLn-zFpOyPlhT5OgNHNa4QrxlK5LgQ",
		"eyJhbGciOiJFUzI1NksifQ.eyJzdWIiOiJzb21lYm9keSJ9.CY-4Eh37IzrS14SGGTIRH8gS29oRstafl8HYDW7bT9LZrTGRNmz8AXsz43LjHqP_4ll8NAn6aQ2Z3LWB8lQ5gw",
		"eyJhbGciOiJFUzI1NksifQ.eyJzdWIiOiJzb21lYm9keSJ9.qIBZe5Vcc0fTQCWG1gkDzVrdcGUqwaRrUjAaKtLdgIvJ8MiTM-0JMqHoDhC1YdX7l8OwhMsXvDXtftDmvXHfhQ",
		"eyJhbGciOiJFUzI1NksifQ.eyJzdWIiOiJzb21lYm9keSJ9.SthU24h2Mse8D1klBLttFeRSqWJ8fBSCqWlaD82klqsFH0eY-ujKdcLFF3VsEcZWVVihz6oFHpti2goKsmUJ7w",
	} {
		i := strings.LastIndexByte(token, '.')
		sig, err := base64.RawURLEncoding.DecodeString(token[i+1:])
		if err != nil || !keyformat.VerifyES256K(key().PublicKey(), []byte(token[:i]), sig) {
			t.Errorf("%s is refused (%v)", token, err)
		}
		if oracle.ParseCompact([64]byte(sig)).IsLowS() {
			lows++
		}
	}
	if lows == 0 || lows == 4 {
		t.Errorf("%d signatures of low s", lows)
	}
}

// signer is a crypto.Signer as other programs implement it.
type signer struct {
	public crypto.PublicKey
	sign   func(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error)
}

func (s signer) Public() crypto.PublicKey { return s.public }
func (s signer) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	return s.sign(rand, digest, opts)
}

// messageSigner is a crypto.MessageSigner, which hashes messages itself.
type messageSigner struct{ signer }

func (s messageSigner) SignMessage(rand io.Reader, msg []byte, opts crypto.SignerOpts) ([]byte, error) {
	digest := sha256.Sum256(msg)
	return s.sign(rand, digest[:], opts)
}

// TestLongInput verifies input of more than 65,536 bytes, as a token with a picture can have.
func TestLongInput(t *testing.T) {
	d := secrets()[4]
	input := bytes.Repeat([]byte("input"), 20_000)
	digest := sha256.Sum256(input)
	sig, _ := oracle.SignRFC6979(d, digest[:], nil)
	compact, pub := sig.Compact(), libtest.Private(t, d).PublicKey()
	if !keyformat.VerifyES256K(pub, input, compact[:]) || keyformat.VerifyES256K(pub, input[:len(input)-1], compact[:]) {
		t.Error("the signature is not valid for the input, or is valid for less")
	}
}

func TestSigners(t *testing.T) {
	d := secrets()[4]
	k := libtest.Private(t, d)
	pub := k.PublicKey()
	input := []byte("header.payload")
	highS := func(_ io.Reader, digest []byte, _ crypto.SignerOpts) ([]byte, error) {
		sig, ok := oracle.SignRFC6979(d, digest, nil)
		if !ok {
			t.Fatal("no signature")
		}
		high := sig.Negate().Compact()
		parsed, err := k1ecdsa.ParseCompact(high[:])
		if err != nil || parsed.IsLowS() {
			t.Fatal(parsed, err)
		}
		return parsed.DER(), nil
	}
	given := func(r io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
		want := sha256.Sum256(input)
		if r != rand.Reader || opts != crypto.SHA256 || !bytes.Equal(digest, want[:]) {
			t.Errorf("the signer is given %v, %x, %v", r, digest, opts)
		}
		return highS(r, digest, opts)
	}
	for what, s := range map[string]crypto.Signer{
		"high s": signer{pub, given}, "of messages": messageSigner{signer{pub, given}}, "checked": k1ecdsa.NewSigner(k, &k1ecdsa.Options{Checked: true}),
	} {
		sig, err := keyformat.SignES256K(s, input)
		if err != nil || !keyformat.VerifyES256K(pub, input, sig) || !oracle.ParseCompact([64]byte(sig)).IsLowS() {
			t.Errorf("%s: %x, %v", what, sig, err)
		}
	}

	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	mine := errors.New("the module is locked")
	wiped := libtest.Private(t, big.NewInt(5))
	wiped.Zero()
	says := func(der []byte, err error) signer {
		return signer{pub, func(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) { return der, err }}
	}
	for what, c := range map[string]struct {
		crypto.Signer
		kind error
	}{
		"P-256": {p256, keyformat.ErrSigner}, "Ed25519": {ed, keyformat.ErrSigner}, "no public key": {signer{nil, highS}, keyformat.ErrSigner},
		"nil": {signer{(*p256k1.PublicKey)(nil), highS}, keyformat.ErrSigner}, "a value": {signer{*pub, highS}, keyformat.ErrSigner},
		"never set": {signer{new(p256k1.PublicKey), highS}, p256k1.ErrFault}, "another key": {signer{pub.Negate(), highS}, p256k1.ErrFault},
		"wiped": {k1ecdsa.NewSigner(wiped, nil), p256k1.ErrNoKey}, "an error": {says(nil, mine), mine},
		"r‖s": {says(make([]byte, 64), nil), k1ecdsa.ErrDER}, "r = 0": {says([]byte{0x30, 6, 2, 1, 0, 2, 1, 1}, nil), p256k1.ErrRange},
		"another signature": {says([]byte{0x30, 6, 2, 1, 1, 2, 1, 1}, nil), p256k1.ErrFault},
	} {
		sig, err := keyformat.SignES256K(c.Signer, input)
		libtest.CheckErrorText(t, err)
		if sig != nil || !errors.Is(err, c.kind) || !strings.HasPrefix(err.Error(), "keyformat: ES256K: ") {
			t.Errorf("%s: %x, %v, want %v", what, sig, err, c.kind)
		}
	}
}
