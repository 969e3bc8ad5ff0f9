package ellswift

import (
	"crypto/rand"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
)

// These tests cover habits of btcec's ellswift, and TestExchange compares this package with this library's own package
// ellswift. tools/evidence/dropin runs btcec's own tests, which contain the vectors of BIP-324.

// TestArguments checks how functions change their arguments.
func TestArguments(t *testing.T) {
	// u³ + t² + 7 = 0 for u = 5 and this t, the root of −132.
	special := new(btcec.FieldVal)
	if !special.SquareRootVal(new(btcec.FieldVal).SetInt(132).Negate(1).Normalize()) {
		t.Fatal("−132 has no root")
	}
	value := func(v uint16) *btcec.FieldVal { return new(btcec.FieldVal).SetInt(v) }
	for _, c := range []struct{ u, t, uAfter, tAfter *btcec.FieldVal }{
		{value(0), value(0), value(1), value(1)},
		{value(0), value(5), value(1), value(5)},
		{value(5), value(0), value(5), value(1)},
		{value(1), value(2), value(1), value(2)},
		{value(5), special, value(5), new(btcec.FieldVal).Add2(special, special)},
	} {
		u, v := *c.u, *c.t
		x, err := XSwiftEC(&u, &v)
		if err != nil || !hasY(x) || !u.Equals(c.uAfter) || !v.Equals(c.tAfter) {
			t.Errorf("%v, %v becomes %v, %v, is %v, %v", c.u, c.t, u, v, x, err)
		}
		kept := *x
		for way := range 8 {
			XSwiftECInv(&u, x, way)
		}
		if again, _ := XSwiftEC(&u, &v); !again.Equals(x) || *x != kept || !u.Equals(c.uAfter) {
			t.Errorf("%v, %v: u or x is changed", c.u, c.t)
		}
	}
}

// TestNoPoint passes an x that is not the x coordinate of a point. As in btcec, the result encodes another x.
func TestNoPoint(t *testing.T) {
	x := new(btcec.FieldVal).SetInt(5)
	u, v, err := XElligatorSwift(x)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := XSwiftEC(u, v); err != nil || got.Equals(x) || !hasY(got) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestKnownRandomness replaces rand.Reader, as a test of a program may do. The encoding is btcec's.
func TestKnownRandomness(t *testing.T) {
	defer func(reader io.Reader) { rand.Reader = reader }(rand.Reader)
	rand.Reader = counter(new(byte))
	priv, encoding, err := EllswiftCreate()
	const want = "c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4" +
		"9061777c5f65ab18a713e2a822cd328ead7d818b5e4aaa47c03f7c70c86d5338"
	if err != nil || fmt.Sprintf("%x", priv.Serialize()[:4]) != "00010203" || fmt.Sprintf("%x", encoding) != want {
		t.Errorf("%x, %x, %v", priv.Serialize(), encoding, err)
	}
}

// counter returns a reader of the bytes 0, 1, 2 and so on.
func counter(next *byte) io.Reader {
	return readerFunc(func(b []byte) (int, error) {
		for i := range b {
			b[i] = *next
			*next++
		}
		return len(b), nil
	})
}

type readerFunc func(b []byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestEncodings(t *testing.T) {
	// Each way is taken in 1 of 8 encodings. Of 400, it is rarely fewer than 20 or more than 90: not with this seed.
	defer func(reader io.Reader) { rand.Reader = reader }(rand.Reader)
	rand.Reader = mathrand.NewChaCha8([32]byte{})
	parities, ways := [2]int{}, [8]int{}
	for range 400 {
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
				ways[way]++
			}
		}
		if found != 1 {
			t.Errorf("%v, %v is %d of the eight ways", u, v, found)
		}
		parities[v.Bytes()[31]&1]++
	}
	if slices.Min(ways[:]) < 20 || slices.Max(ways[:]) > 90 {
		t.Errorf("encodings of the eight ways: %v", ways)
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
			key, err := p256k1.ParsePrivateKey(priv.Serialize())
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
