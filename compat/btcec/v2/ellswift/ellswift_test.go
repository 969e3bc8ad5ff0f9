package ellswift

import (
	"errors"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
)

// These tests cover the differences from btcec's ellswift, and TestExchange compares this package with this library's
// own package ellswift. tools/evidence/dropin runs btcec's own tests, which contain
// the vectors of BIP-324.

func TestArgumentsKept(t *testing.T) {
	for _, c := range [][2]uint16{{0, 0}, {0, 5}, {5, 0}, {1, 2}} {
		u, v := new(btcec.FieldVal).SetInt(c[0]), new(btcec.FieldVal).SetInt(c[1])
		x, err := XSwiftEC(u, v)
		if err != nil || !hasY(x) {
			t.Errorf("%v is %v, %v", c, x, err)
		}
		if !u.Equals(new(btcec.FieldVal).SetInt(c[0])) || !v.Equals(new(btcec.FieldVal).SetInt(c[1])) {
			t.Errorf("%v becomes %v, %v", c, u, v)
		}
		for way := range 8 {
			XSwiftECInv(u, x, way)
		}
		if again, _ := XSwiftEC(u, v); !again.Equals(x) || !u.Equals(new(btcec.FieldVal).SetInt(c[0])) {
			t.Errorf("%v: u or x is changed", c)
		}
	}
}

// TestNoPoint passes an x that is not the x coordinate of a point. For such an x, btcec's XElligatorSwift returns an
// encoding of another point, or never returns.
func TestNoPoint(t *testing.T) {
	x := new(btcec.FieldVal).SetInt(5)
	if u, v, err := XElligatorSwift(x); u != nil || v != nil || !errors.Is(err, ErrPointNotOnCurve) {
		t.Errorf("%v, %v, %v", u, v, err)
	}
}

func TestEncodings(t *testing.T) {
	parities := [2]int{}
	for range 40 {
		x := btcec.Generator().X()
		var field btcec.FieldVal
		field.SetByteSlice(x.FillBytes(make([]byte, 32)))
		u, v, err := XElligatorSwift(&field)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := XSwiftEC(u, v); err != nil || !got.Equals(&field) {
			t.Errorf("%v, %v is %v, %v", u, v, got, err)
		}
		found := 0
		for way := range 8 {
			if w := XSwiftECInv(u, &field, way); w != nil && w.Equals(v) {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%v, %v is %d of the eight ways", u, v, found)
		}
		parities[v.Bytes()[31]&1]++
	}
	if parities[0] == 0 || parities[1] == 0 {
		t.Errorf("parities of t: %v", parities)
	}
}

func TestExchange(t *testing.T) {
	for range 10 {
		priv, ours, err := EllswiftCreate()
		if err != nil {
			t.Fatal(err)
		}
		for _, initiating := range []bool{true, false} {
			peer, theirs, err := ellswift.GenerateKey()
			if err != nil {
				t.Fatal(err)
			}
			want, err := peer.ECDH(&ours, !initiating)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := V2Ecdh(priv, theirs, ours, initiating); err != nil || [32]byte(*got) != want {
				t.Errorf("%v, %v, want %x", got, err, want)
			}
			key, err := p256k1.NewPrivateKey(priv.Serialize())
			if err != nil {
				t.Fatal(err)
			}
			own, err := ellswift.NewPrivateKey(key, &ours)
			if err != nil {
				t.Fatal(err)
			}
			x, err := own.X(&theirs)
			if got, err2 := EllswiftECDHXOnly(theirs, priv); err != nil || err2 != nil || got != x {
				t.Errorf("%x, %v, want %x, %v", got, err2, x, err)
			}
		}
	}
}
