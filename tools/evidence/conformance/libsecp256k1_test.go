package conformance

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/modinv"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// The constants of libsecp256k1's tests.c.
func TestLibsecp256k1Constants(t *testing.T) {
	var file struct {
		Modinv []struct{ X, Modulus, Inv string }
		Field  [][2]string                     `json:"field_inverse_pairs"`
		Scalar [][2]string                     `json:"scalar_inverse_pairs"`
		Mul    []struct{ X, Y, XY, XX string } `json:"scalar_mul"`
	}
	vectors.JSON(t, "libsecp256k1/tests_constants.json", &file)
	count := newTally(t)

	// Inverses at which the safegcd algorithm does something rare. The library only has those modulo p and n.
	for i, test := range file.Modinv {
		var m *modinv.Modulus
		switch modulus := oracle.Int(unhex(t, test.Modulus)); {
		case modulus.Cmp(oracle.P) == 0:
			count.add("inverses mod p")
			m = &modinv.P
		case modulus.Cmp(oracle.N) == 0:
			count.add("inverses mod n")
			m = &modinv.N
		default:
			count.add("unused inverses for other moduli")
			continue
		}
		x := oracle.Limbs(oracle.Int(unhex(t, test.X)))
		want := oracle.Limbs(oracle.Int(unhex(t, test.Inv)))
		if got := modinv.Invert(&x, m); got != want {
			t.Errorf("%d: Invert(%s) is %x, want %x", i, test.X, got, want)
		}
		if got := modinv.InvertVartime(&x, m); got != want {
			t.Errorf("%d: InvertVartime(%s) is %x, want %x", i, test.X, got, want)
		}
		if got := modinv.Invert(&want, m); got != x {
			t.Errorf("%d: Invert(%s) is %x, want %x", i, test.Inv, got, x)
		}
		if got := modinv.InvertVartime(&want, m); got != x {
			t.Errorf("%d: InvertVartime(%s) is %x, want %x", i, test.Inv, got, x)
		}
	}

	for i, pair := range file.Field {
		count.add("pairs of field elements")
		for j := range 2 { // each is the inverse of the other
			var x, want, got field.Element
			if x.SetBytes(unhex32(t, pair[j])) == 0 || want.SetBytes(unhex32(t, pair[1-j])) == 0 {
				t.Errorf("field pair %d is not below p", i)
			}
			if got.Invert(&x).Equal(&want) == 0 || got.InvertVartime(&x).Equal(&want) == 0 {
				t.Errorf("1/%s mod p is not %s", pair[j], pair[1-j])
			}
			// 1/−x = −1/x
			x.Negate(&x)
			want.Negate(&want)
			if got.Invert(&x).Equal(&want) == 0 || got.InvertVartime(&x).Equal(&want) == 0 {
				t.Errorf("−1/%s mod p is not −%s", pair[j], pair[1-j])
			}
		}
	}

	for i, pair := range file.Scalar {
		count.add("pairs of scalars")
		for j := range 2 {
			var x, want, got scalar.Scalar
			if x.SetBytes(unhex32(t, pair[j])) == 0 || want.SetBytes(unhex32(t, pair[1-j])) == 0 {
				t.Errorf("scalar pair %d is not below n", i)
			}
			if got.Invert(&x).Limbs() != want.Limbs() || got.InvertVartime(&x).Limbs() != want.Limbs() {
				t.Errorf("1/%s mod n is not %s", pair[j], pair[1-j])
			}
			x.Negate(&x)
			want.Negate(&want)
			if got.Invert(&x).Limbs() != want.Limbs() || got.InvertVartime(&x).Limbs() != want.Limbs() {
				t.Errorf("−1/%s mod n is not −%s", pair[j], pair[1-j])
			}
			// The same through package curve.
			c := scalarOf(t, unhex(t, pair[j]))
			if inv := new(curve.Scalar).Invert(c).Bytes(); !bytes.Equal(inv, unhex(t, pair[1-j])) {
				t.Errorf("curve: 1/%s mod n is not %s", pair[j], pair[1-j])
			}
		}
	}

	for _, test := range file.Mul {
		count.add("products of scalars")
		var x, y, xy, xx, got scalar.Scalar
		for _, v := range []struct {
			s    *scalar.Scalar
			text string
		}{{&x, test.X}, {&y, test.Y}, {&xy, test.XY}, {&xx, test.XX}} {
			// They are 256-bit integers, some of which have to be reduced.
			v.s.SetBytes(unhex32(t, v.text))
		}
		if got.Mul(&x, &y).Limbs() != xy.Limbs() || got.Mul(&y, &x).Limbs() != xy.Limbs() {
			t.Errorf("%s · %s is not %s", test.X, test.Y, test.XY)
		}
		if got.Mul(&x, &x).Limbs() != xx.Limbs() {
			t.Errorf("%s² is not %s", test.X, test.XX)
		}
	}
	count.want("8 inverses mod p, 8 inverses mod n, 70 unused inverses for other moduli, " +
		"46 pairs of field elements, 37 pairs of scalars, 33 products of scalars")
}
