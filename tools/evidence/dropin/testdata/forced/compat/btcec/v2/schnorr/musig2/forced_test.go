package musig2

import (
	"bytes"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"p256k1.mleku.dev/v2/curve"
)

// TestForcedHashes computes with hashes that are n + 3 for the coefficient, n + 5 and n + 7 for the nonces, n + 11 for
// b and n + 13 for e. All of them must be reduced.
func TestForcedHashes(t *testing.T) {
	small := func(i uint64) *curve.Scalar { return new(curve.Scalar).SetUint64(i) }
	key, pub := btcec.PrivKeyFromBytes([]byte{9})
	nonces, err := GenNonces(WithPublicKey(pub))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(nonces.SecNonce[:64], append(small(5).Bytes(), small(7).Bytes()...)) {
		t.Errorf("the nonces are %x", nonces.SecNonce[:64])
	}
	keys := []*btcec.PublicKey{pub}
	a, _, _, err := AggregateKeys(keys, false)
	if err != nil {
		t.Fatal(err)
	}
	sum := new(curve.Point).ScalarBaseMult(small(27)) // 3·9·G
	if !a.FinalKey.IsEqual(toPublic(sum)) {
		t.Errorf("the aggregate key is %x", a.FinalKey.SerializeCompressed())
	}
	sig, err := Sign(nonces.SecNonce, key, nonces.PubNonce, keys, [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	R := new(curve.Point).ScalarBaseMult(small(82)) // 5 + 11·7
	k, d := small(82), small(13*27)
	k.CondNegate(k, R.IsYOdd())
	d.CondNegate(d, sum.IsYOdd())
	if want := toScalar(k.Add(k, d)); !sig.S.Equals(want) || !sig.R.IsEqual(toPublic(R)) {
		t.Errorf("the partial signature is %v, want %v", sig.S, want)
	}
	if !sig.Verify(nonces.PubNonce, nonces.PubNonce, keys, pub, [32]byte{}) {
		t.Error("the partial signature is invalid")
	}
	final := CombineSigs(sig.R, []*PartialSignature{sig}, WithTweakedCombine([32]byte{}, keys, []KeyTweakDesc{{Tweak: [32]byte{31: 1}}}, false))
	one := new(curve.Point).ScalarBaseMult(small(28)) // the key after the tweak 1
	want := small(13)
	want.CondNegate(want, one.IsYOdd())
	if s := final.Serialize()[32:]; !bytes.Equal(s, want.Add(want, k).Bytes()) {
		t.Errorf("the sum is %x, want %x", s, want.Bytes())
	}
}

// TestForcedFault signs a message for which the partial signature is wrong.
func TestForcedFault(t *testing.T) {
	key, pub := btcec.PrivKeyFromBytes([]byte{9})
	nonces, err := GenNonces(WithPublicKey(pub))
	if err != nil {
		t.Fatal(err)
	}
	msg := [32]byte(bytes.Repeat([]byte{0xee}, 32))
	for i, options := range [][]SignOption{{}, {WithFastSign()}} {
		_, sessions := newSessions(t, 2, none)
		alone, err1 := Sign(nonces.SecNonce, key, nonces.PubNonce, []*btcec.PublicKey{pub}, msg, options...)
		together, err2 := sessions[0].Sign(msg, options...)
		if withheld := i == 0; (alone == nil) != withheld || (err1 != nil) != withheld || (together == nil) != withheld || (err2 != nil) != withheld {
			t.Errorf("fast: %t: %v, %v, %v, %v", !withheld, alone, err1, together, err2)
		}
	}
}
