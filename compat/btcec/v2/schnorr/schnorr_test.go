package schnorr

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	dcr "github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
	"p256k1.mleku.dev/v2"
	own "p256k1.mleku.dev/v2/schnorr"
)

// TestChecked signs with a private key that does not belong to the public key in the challenge, as could happen after a
// hardware error. Such a signature must be withheld, except with FastSign.
func TestChecked(t *testing.T) {
	hash := bytes.Repeat([]byte{8}, 32)
	for _, fast := range []bool{false, true} {
		var d, k btcec.ModNScalar
		_, pub := btcec.PrivKeyFromBytes([]byte{9})
		x := xOf(pub)
		sig, err := sign(d.SetInt(7), k.SetInt(3), &x, hash, fast)
		switch {
		case fast && (err != nil || sig.Verify(hash, pub)):
			t.Errorf("%v, %v", sig, err)
		case !fast && (!errors.Is(err, dcr.ErrUnequalRValues) || sig != nil):
			t.Errorf("a wrong signature is not withheld: %v, %v", sig, err)
		}
	}
}

// TestSignKnown compares signatures with the signatures of btcec 2.5.0.
func TestSignKnown(t *testing.T) {
	for n, want := range map[byte]string{
		9:   "ba99ac13b2dba614343782e7b298a55db43c2a76a7e7404a86f5a92922b0f3b6d7c2ea007f612f58d252169db80c5b630cd3c9304911da60144f52ae7800b535",
		200: "2a0dcde1415c0b09585f3cfe9b4393c1ea0cff616fd8c8a75dcd2f2a525d1981fbda802f0b73ff89b0f219b4fb7249875e4d65967220e4162468d70401637ea9",
	} {
		key, _ := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{n}, 32))
		if sig, err := Sign(key, bytes.Repeat([]byte{8}, 32)); err != nil || hex.EncodeToString(sig.Serialize()) != want {
			t.Errorf("key %d: %x, %v, want %s", n, sig.Serialize(), err, want)
		}
	}
}

// TestOptions checks the fields that the options set, because the only other effect of FastSign is that signing takes
// less time.
func TestOptions(t *testing.T) {
	var o signOptions
	CustomNonce([32]byte{1})(&o)
	if o.fast || o.aux == nil || *o.aux != [32]byte{1} {
		t.Errorf("%+v", o)
	}
	FastSign()(&o)
	if !o.fast {
		t.Errorf("%+v", o)
	}
}

// TestNilSignature checks that verifying a nil signature panics, but returns false for a key off the curve, as in
// btcec.
func TestNilSignature(t *testing.T) {
	var x, y btcec.FieldVal
	_, pub := btcec.PrivKeyFromBytes([]byte{9})
	for i, key := range []*btcec.PublicKey{pub, btcec.NewPublicKey(x.SetInt(5), y.SetInt(1))} {
		func() {
			defer func() {
				if panicked := recover() != nil; panicked != (i == 0) {
					t.Errorf("key %d: panics %v", i, panicked)
				}
			}()
			if (*Signature)(nil).Verify(make([]byte, 32), key) {
				t.Error("a nil signature is valid")
			}
		}()
	}
}

// TestCustomNonce compares the signatures with the results of this library's package schnorr.
func TestCustomNonce(t *testing.T) {
	for i := range byte(50) {
		d, hash, aux := bytes.Repeat([]byte{i + 1}, 32), bytes.Repeat([]byte{^i}, 32), [32]byte{i}
		key, _ := btcec.PrivKeyFromBytes(d)
		ownKey, err := p256k1.ParsePrivateKey(d)
		if err != nil {
			t.Fatal(err)
		}
		want, err := own.Sign(ownKey, hash, &own.Options{AuxRand: &aux})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Sign(key, hash, CustomNonce(aux))
		if err != nil || !bytes.Equal(got.Serialize(), want[:]) {
			t.Errorf("%x, %v, want %x", got.Serialize(), err, want)
		}
	}
}

// TestAllocs checks that functions allocate no more often than the table says. TestAllocations of package dropin
// compares the functions with btcec's.
func TestAllocs(t *testing.T) {
	key, pub := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	hash := bytes.Repeat([]byte{8}, 32)
	sig, err := Sign(key, hash)
	if err != nil {
		t.Fatal(err)
	}
	encoded, x := sig.Serialize(), SerializePubKey(pub)
	for name, c := range map[string]struct {
		most float64
		do   func()
	}{
		"IsEqual":             {0, func() { sig.IsEqual(sig) }},
		"ParsePubKey":         {1, func() { ParsePubKey(x) }},
		"ParseSignature":      {1, func() { ParseSignature(encoded) }},
		"SerializePubKey":     {1, func() { SerializePubKey(pub) }},
		"Sign":                {3, func() { Sign(key, hash) }},
		"Sign, FastSign":      {3, func() { Sign(key, hash, FastSign()) }},
		"Sign, CustomNonce":   {5, func() { Sign(key, hash, CustomNonce([32]byte{})) }},
		"Signature.Serialize": {1, func() { encoded = sig.Serialize() }},
		"Signature.Verify":    {0, func() { sig.Verify(hash, pub) }},
	} {
		if got := testing.AllocsPerRun(10, c.do); got > c.most {
			t.Errorf("%s allocates %v times, want at most %v", name, got, c.most)
		}
	}
}

// BenchmarkOwn compares the functions of this package with this library's own functions. A private key of btcec does
// not store its public key, which signing needs, so compat computes it for each signature; the rows sign/own and
// fast/own call NewPrivateKey each time to do the same.
func BenchmarkOwn(b *testing.B) {
	d, hash := bytes.Repeat([]byte{7}, 32), bytes.Repeat([]byte{8}, 32)
	var aux [32]byte
	key, pub := btcec.PrivKeyFromBytes(d)
	sig, err := Sign(key, hash)
	if err != nil {
		b.Fatal(err)
	}
	encoded, x := sig.Serialize(), SerializePubKey(pub)
	ownSign := func() (*p256k1.PrivateKey, [64]byte) {
		key, _ := p256k1.ParsePrivateKey(d)
		sig, _ := own.Sign(key, hash, &own.Options{AuxRand: &aux})
		return key, sig
	}
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"verify/compat", func() { sig.Verify(hash, pub) }},
		{"verify/own", func() { own.VerifyBytes(x, hash, encoded) }},
		{"sign/compat", func() { Sign(key, hash, CustomNonce(aux)) }},
		{"sign/own", func() {
			key, sig := ownSign()
			own.VerifyBytes(key.PublicKey().XOnly().Bytes(), hash, sig[:])
		}},
		{"fast/compat", func() { Sign(key, hash, CustomNonce(aux), FastSign()) }},
		{"fast/own", func() { ownSign() }},
		{"rfc6979/compat", func() { Sign(key, hash) }},
		{"rfc6979 fast/compat", func() { Sign(key, hash, FastSign()) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.do()
			}
		})
	}
}
