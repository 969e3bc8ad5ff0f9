package btcec_test

import (
	"bytes"
	"crypto/rand"
	"io"
	mathrand "math/rand/v2"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ellswift"
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
)

// TestDraws runs the functions that draw randomness with known bytes. It checks how many bytes they draw, that each bit
// in a range changes the result, and that a second call has another result. With equal bytes, each option of GenNonces
// must change its result, and a context and a session must have the nonces that GenNonces makes with the keys they
// have.
func TestDraws(t *testing.T) {
	key, pub := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	peer, _ := btcec.NewPrivateKey()
	others := musig2.WithKnownSigners([]*btcec.PublicKey{pub, peer.PubKey()})
	context, err := musig2.NewContext(key, true, others)
	if err != nil {
		t.Fatal(err)
	}
	combined, err := context.CombinedKey()
	if err != nil {
		t.Fatal(err)
	}
	generate := func(options ...musig2.NonceGenOption) func() ([]byte, error) {
		return func() ([]byte, error) {
			n, err := musig2.GenNonces(append(options, musig2.WithPublicKey(pub))...)
			return n.PubNonce[:], err
		}
	}
	secret := musig2.WithNonceSecretKeyAux
	var x btcec.FieldVal
	x.SetByteSlice(pub.SerializeCompressed()[1:])
	fresh := make([]byte, 1024)
	mathrand.NewChaCha8([32]byte{}).Read(fresh)
	defer func(system io.Reader) { rand.Reader = system }(rand.Reader)
	for name, d := range map[string]struct {
		drawn, from, to int
		result          func() ([]byte, error)
		same            func() ([]byte, error)   // has the same result
		others          []func() ([]byte, error) // all have other results
	}{
		"github.com/btcsuite/btcd/btcec/v2.NewPrivateKey": {32, 0, 32, func() ([]byte, error) {
			k, err := btcec.NewPrivateKey()
			return k.Serialize(), err
		}, nil, nil},
		"github.com/btcsuite/btcd/btcec/v2/ellswift.EllswiftCreate": {32 + 4*33, 0, 32, func() ([]byte, error) {
			k, _, err := ellswift.EllswiftCreate()
			return k.Serialize(), err
		}, nil, nil},
		"github.com/btcsuite/btcd/btcec/v2/ellswift.XElligatorSwift": {7 * 33, 6 * 33, 6*33 + 32, func() ([]byte, error) {
			u, _, err := ellswift.XElligatorSwift(&x)
			return u.Bytes()[:], err
		}, nil, nil},
		"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2.GenNonces": {32, 0, 32, generate(), nil, []func() ([]byte, error){
			generate(secret(key)), generate(secret(peer)),
			generate(musig2.WithNonceCombinedKeyAux(pub)), generate(musig2.WithNonceCombinedKeyAux(combined)),
			generate(musig2.WithNonceMessageAux([32]byte{})), generate(musig2.WithNonceMessageAux([32]byte{1})),
			generate(musig2.WithNonceAuxInput([]byte{0})),
			generate(musig2.WithNonceAuxInput([]byte{0, 0})),
		}},
		"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2.NewContext": {32, 0, 32, func() ([]byte, error) {
			c, err := musig2.NewContext(key, true, others, musig2.WithEarlyNonceGen())
			if err != nil {
				return nil, err
			}
			n, err := c.EarlySessionNonce()
			return n.PubNonce[:], err
		}, generate(secret(key)), nil},
		"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2.Context.NewSession": {32, 0, 32, func() ([]byte, error) {
			s, err := context.NewSession()
			n := s.PublicNonce()
			return n[:], err
		}, generate(secret(key), musig2.WithNonceCombinedKeyAux(combined)), nil},
	} {
		run := func(b []byte) ([]byte, int) {
			r := bytes.NewReader(b)
			rand.Reader = r
			result, err := d.result()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return result, len(b) - r.Len()
		}
		first, drawn := run(fresh)
		if second, _ := run(fresh[drawn:]); drawn != d.drawn || bytes.Equal(first, second) {
			t.Errorf("%s: %x after %d bytes, then %x", name, first, drawn, second)
		}
		seen := map[string]int{string(first): -1}
		for i, call := range d.others {
			rand.Reader = bytes.NewReader(fresh)
			other, err := call()
			if before, repeated := seen[string(other)]; repeated || err != nil {
				t.Errorf("%s: with other arguments, call %d has the result of call %d, and the error is %v", name, i, before, err)
			}
			seen[string(other)] = i
		}
		if d.same != nil {
			rand.Reader = bytes.NewReader(fresh)
			if want, err := d.same(); err != nil || !bytes.Equal(first, want) {
				t.Errorf("%s: %x, want %x, %v", name, first, want, err)
			}
		}
		for bit := 8 * d.from; bit < 8*d.to; bit++ {
			b := bytes.Clone(fresh)
			b[bit/8] ^= 1 << (bit % 8)
			if other, _ := run(b); bytes.Equal(first, other) {
				t.Errorf("%s: bit %d changes nothing", name, bit)
			}
		}
	}
}
