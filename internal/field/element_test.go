package field

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

var (
	two256 = new(big.Int).Lsh(big.NewInt(1), 256)
	fold   = new(big.Int).Sub(two256, oracle.P)
)

// elem returns the element with the limbs of x, which may be p or more.
func elem(x *big.Int) Element {
	l := oracle.Limbs(x)
	return FromLimbs(l[0], l[1], l[2], l[3])
}

// value returns the limbs of e as an integer, which may be p or more.
func value(e *Element) *big.Int { return oracle.FromLimbs(e.Limbs()) }

// mask returns all ones for true and zero for false, as Equal and IsZero do.
func mask(cond bool) uint64 {
	if cond {
		return ^uint64(0)
	}
	return 0
}

func TestConstants(t *testing.T) {
	if fold.Cmp(big.NewInt(c)) != 0 {
		t.Errorf("c is not 2²⁵⁶ − p")
	}
	if oracle.Limbs(oracle.P) != [4]uint64{p0, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1} {
		t.Errorf("p0 is not the lowest limb of p")
	}
}

// TestCanonical checks the functions whose results depend on the residue and not on its representation.
func TestCanonical(t *testing.T) {
	check := func(raw *big.Int) {
		t.Helper()
		v, residue := elem(raw), oracle.Fp.Reduce(raw)
		if got := v.IsZero(); got != mask(residue.Sign() == 0) {
			t.Fatalf("IsZero(%x) = %x", raw, got)
		}
		if got := v.IsZeroVartime(); got != (residue.Sign() == 0) {
			t.Fatalf("IsZeroVartime(%x) = %v", raw, got)
		}
		if got := v.IsOdd(); got != mask(residue.Bit(0) == 1) {
			t.Fatalf("IsOdd(%x) = %x", raw, got)
		}
		var b [32]byte
		v.FillBytes(&b)
		if b != oracle.Bytes(residue) {
			t.Fatalf("FillBytes(%x) = %x", raw, b)
		}
		var n, back Element
		n.Normalize(&v)
		if value(&n).Cmp(residue) != 0 {
			t.Fatalf("Normalize(%x) = %x", raw, n.Limbs())
		}
		if v.Equal(&n) != mask(true) || n.Equal(&v) != mask(true) {
			t.Fatalf("%x is not equal to its residue", raw)
		}
		b = oracle.Bytes(raw)
		if got := back.SetBytes(&b); got != mask(raw.Cmp(oracle.P) < 0) || oracle.Fp.Reduce(value(&back)).Cmp(residue) != 0 {
			t.Fatalf("SetBytes(%x) = %x, mask %x", raw, back.Limbs(), got)
		}
		if value(&v).Cmp(raw) != 0 {
			t.Fatalf("%x became %x", raw, v.Limbs())
		}
	}
	for _, b := range oracle.FieldEdges() { // 0, p and 2²⁵⁶ with their neighbours
		check(oracle.Int(b[:]))
	}
	for i := range int64(200) { // the first and the last residues that have two representations
		for _, low := range []*big.Int{big.NewInt(i), big.NewInt(c - 1 - i)} {
			check(low)
			check(low.Add(low, oracle.P))
		}
	}
	r := oracle.New(t)
	for range oracle.Cases(20000) {
		check(oracle.FromLimbs(r.Limbs()))
	}
	t.Logf("result: %d cases of the field's encodings and predicates with math/big", oracle.Cases(20000))
}

// TestEqual compares random values, and values that differ in one bit.
func TestEqual(t *testing.T) {
	r := oracle.New(t)
	check := func(x, y *big.Int) {
		a, b := elem(x), elem(y)
		if got, want := a.Equal(&b), mask(oracle.Fp.Sub(x, y).Sign() == 0); got != want {
			t.Fatalf("Equal(%x, %x) = %x", x, y, got)
		}
	}
	for range oracle.Cases(200) {
		x := oracle.FromLimbs(r.Limbs())
		check(x, oracle.FromLimbs(r.Limbs()))
		for i := range 256 {
			check(x, new(big.Int).SetBit(x, i, x.Bit(i)^1))
		}
	}
}

// TestRepresentation checks that operations which only copy values keep the limbs.
func TestRepresentation(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(2000) {
		a, b := elem(oracle.FromLimbs(r.Limbs())), elem(oracle.FromLimbs(r.Limbs()))
		var set, yes, no, kept Element
		set.Set(&a)
		yes.Select(&a, &b, mask(true))
		no.Select(&b, &a, mask(false))
		kept.CondNegate(&a, mask(false))
		for i, v := range []*Element{&set, &yes, &no, &kept} {
			if v.Limbs() != a.Limbs() {
				t.Fatalf("operation %d turns %x into %x", i, a.Limbs(), v.Limbs())
			}
		}
	}
	var v Element
	if v.SetUint64(1<<64-1) != &v || v.Limbs() != [4]uint64{1<<64 - 1} {
		t.Errorf("SetUint64: %x", v.Limbs())
	}
}
