package curve

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

func (s *Scalar) integer() *big.Int { return oracle.Int(s.Bytes()) }

func TestScalar(t *testing.T) {
	first := func(a, _ *big.Int) *big.Int { return a }
	negative := func(a, _ *big.Int) *big.Int { return fn.Neg(a) }
	inverse := func(a, _ *big.Int) *big.Int { return fn.Inv(a) }
	r := oracle.New(t)
	for range oracle.Cases(3000) {
		x, y := r.Scalar(), r.Scalar()
		if r.IntN(4) == 0 {
			y = x
		}
		a, b := scalarOf(x), scalarOf(y)
		for _, op := range []struct {
			name string
			got  *Scalar
			want func(a, b *big.Int) *big.Int
		}{
			{"Set", new(Scalar).Set(a), first},
			{"Add", new(Scalar).Add(a, b), fn.Add},
			{"Sub", new(Scalar).Sub(a, b), fn.Sub},
			{"Mul", new(Scalar).Mul(a, b), fn.Mul},
			{"Negate", new(Scalar).Negate(a), negative},
			{"CondNegate 1", new(Scalar).CondNegate(a, 1), negative},
			{"CondNegate 0", new(Scalar).CondNegate(a, 0), first},
			{"Invert", new(Scalar).Invert(a), inverse},
			{"InvertVartime", new(Scalar).InvertVartime(a), inverse},
			{"Select 1", new(Scalar).Select(a, b, 1), first},
			{"Select 0", new(Scalar).Select(b, a, 0), first},
		} {
			if op.got.integer().Cmp(op.want(x, y)) != 0 {
				t.Fatalf("%s(%x, %x) = %x", op.name, x, y, op.got.Bytes())
			}
		}
		if a.Equal(b) != truth(x.Cmp(y) == 0) || a.IsZero() != truth(x.Sign() == 0) || a.IsHigh() != truth(x.Cmp(oracle.HalfN) > 0) {
			t.Fatalf("Equal(%x, %x) = %d, IsZero = %d, IsHigh = %d", x, y, a.Equal(b), a.IsZero(), a.IsHigh())
		}
		a.Zero()
		if a.IsZero() != 1 {
			t.Fatalf("Zero leaves %x", a.Bytes())
		}
	}
	if got := new(Scalar).SetUint64(1<<64 - 1).integer(); got.Cmp(new(big.Int).SetUint64(1<<64-1)) != 0 {
		t.Errorf("SetUint64: %x", got)
	}
}

// TestScalarSetUniformBytes uses all lengths up to 70 bytes, with random bytes and with the largest integer.
func TestScalarSetUniformBytes(t *testing.T) {
	r := oracle.New(t)
	for n := range 71 {
		for _, b := range [][]byte{r.Bytes(n), bytes.Repeat([]byte{0xff}, n), make([]byte, n)} {
			s := scalarOf(one)
			got, err := s.SetUniformBytes(b)
			if n < 48 || n > 64 {
				if !errors.Is(err, ErrLength) || got != nil || s.integer().Cmp(one) != 0 {
					t.Errorf("%d bytes: %x, %v", n, s.Bytes(), err)
				}
			} else if err != nil || got != s || s.integer().Cmp(fn.Reduce(oracle.Int(b))) != 0 {
				t.Errorf("SetUniformBytes(%x) = %x, %v", b, s.Bytes(), err)
			}
		}
	}
}

func TestScalarSetBytes(t *testing.T) {
	r := oracle.New(t)
	check := func(b [32]byte) {
		t.Helper()
		x := oracle.Int(b[:])
		s := scalarOf(one)
		got, err := s.SetBytes(b[:])
		if x.Cmp(oracle.N) < 0 {
			if err != nil || got != s || s.integer().Cmp(x) != 0 {
				t.Fatalf("SetBytes(%x) = %x, %v", b, s.Bytes(), err)
			}
		} else if !errors.Is(err, ErrRange) || got != nil || s.integer().Cmp(one) != 0 {
			t.Fatalf("SetBytes(%x) = %x, %v", b, s.Bytes(), err)
		}
		s.SetBytesReduced(&b)
		if s.integer().Cmp(fn.Reduce(x)) != 0 {
			t.Fatalf("SetBytesReduced(%x) = %x", b, s.Bytes())
		}
	}
	for _, edges := range [][][32]byte{oracle.RangeEdges(), oracle.ScalarEdges(), oracle.FieldEdges()} {
		for _, b := range edges {
			check(b)
		}
	}
	for range oracle.Cases(2000) {
		check(r.ScalarBytes())
	}
	for n := range 101 {
		s := scalarOf(one)
		got, err := s.SetBytes(make([]byte, n))
		if n == 32 {
			if err != nil || s.IsZero() != 1 {
				t.Errorf("0 is refused: %v", err)
			}
		} else if !errors.Is(err, ErrLength) || got != nil || s.integer().Cmp(one) != 0 {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
