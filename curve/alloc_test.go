package curve

import (
	"reflect"
	"runtime/debug"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestAllocations checks that no method and no function that takes slices allocates. Methods that return bytes are
// inlined, so that the bytes stay on the caller's stack. The test fails if its list lacks a method.
func TestAllocations(t *testing.T) {
	// A garbage collection allocates, and it empties the pools.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	r := oracle.New(t)
	k, g := scalarOf(r.ValidScalar()), scalarOf(r.ValidScalar())
	p, q := withZ(jacobian(r, r.Point())), withZ(jacobian(r, r.Point()))
	precomputed := new(Point).Set(q).PrecomputeVartime()
	encoded := [][]byte{r.Point().Compressed(), r.Point().Uncompressed()}
	x, s, wide := r.Point().Compressed()[1:], oracle.Bytes(r.Scalar()), r.Bytes(64)
	terms, points := []*Scalar{k, g}, []*Point{p, q}
	scalars, many, xs := make([]Scalar, 100), make([]Point, 100), make([][32]byte, 100)
	var v Point
	var u Scalar
	var sink byte
	methods := map[string]func(){
		"Point.Set":                         func() { v.Set(p) },
		"Point.Zero":                        func() { v.Zero() },
		"Point.SetGenerator":                func() { v.SetGenerator() },
		"Point.SetBytes":                    func() { v.SetBytes(encoded[0]); v.SetBytes(encoded[1]) },
		"Point.LiftX":                       func() { v.LiftX(x) },
		"Point.HashToCurve":                 func() { v.HashToCurve(x, x) },
		"Point.EncodeToCurve":               func() { v.EncodeToCurve(x, x) },
		"Point.Bytes":                       func() { sink ^= p.Bytes()[1] },
		"Point.BytesUncompressed":           func() { sink ^= p.BytesUncompressed()[1] },
		"Point.BytesX":                      func() { b, _ := p.BytesX(); sink ^= b[1] },
		"Point.IsYOdd":                      func() { p.IsYOdd() },
		"Point.Normalize":                   func() { v.Set(p).Normalize() },
		"Point.NormalizeVartime":            func() { v.Set(p).NormalizeVartime() },
		"Point.IsPrecomputed":               func() { p.IsPrecomputed() },
		"Point.PrecomputeVartime":           func() { precomputed.PrecomputeVartime() },
		"Point.Add":                         func() { v.Add(p, q) },
		"Point.Sub":                         func() { v.Sub(p, q) },
		"Point.Double":                      func() { v.Double(p) },
		"Point.Negate":                      func() { v.Negate(p) },
		"Point.CondNegate":                  func() { v.CondNegate(p, 1) },
		"Point.Select":                      func() { v.Select(p, q, 1) },
		"Point.Equal":                       func() { p.Equal(q) },
		"Point.IsInfinity":                  func() { p.IsInfinity() },
		"Point.ScalarBaseMult":              func() { v.ScalarBaseMult(k) },
		"Point.ScalarMult":                  func() { v.ScalarMult(k, p) },
		"Point.DoubleScalarBaseMultVartime": func() { v.DoubleScalarBaseMultVartime(k, p, g) },
		"Point.MultiScalarMultVartime":      func() { v.MultiScalarMultVartime(terms, points) },

		"Scalar.Set":             func() { u.Set(k) },
		"Scalar.Zero":            func() { u.Zero() },
		"Scalar.SetUint64":       func() { u.SetUint64(7) },
		"Scalar.SetBytes":        func() { u.SetBytes(s[:]) },
		"Scalar.SetBytesReduced": func() { u.SetBytesReduced(&s) },
		"Scalar.SetUniformBytes": func() { u.SetUniformBytes(wide) },
		"Scalar.SetWeight":       func() { u.SetWeight((*[16]byte)(s[:16])) },
		"Scalar.Bytes":           func() { sink ^= k.Bytes()[1] },
		"Scalar.Add":             func() { u.Add(k, g) },
		"Scalar.Sub":             func() { u.Sub(k, g) },
		"Scalar.Mul":             func() { u.Mul(k, g) },
		"Scalar.Negate":          func() { u.Negate(k) },
		"Scalar.CondNegate":      func() { u.CondNegate(k, 1) },
		"Scalar.Invert":          func() { u.Invert(k) },
		"Scalar.InvertVartime":   func() { u.InvertVartime(k) },
		"Scalar.Select":          func() { u.Select(k, g, 1) },
		"Scalar.Equal":           func() { k.Equal(g) },
		"Scalar.IsZero":          func() { k.IsZero() },
		"Scalar.IsHigh":          func() { k.IsHigh() },
	}
	manyScalars, manyPoints := make([][]*Scalar, len(many)), make([][]*Point, len(many))
	for i := range many {
		manyScalars[i], manyPoints[i] = []*Scalar{k, g}, []*Point{new(Point).SetGenerator(), p}
	}
	for name, f := range map[string]func(){
		"NormalizeBatch":                   func() { NormalizeBatch(many) },
		"InvertBatch":                      func() { InvertBatch(scalars, scalars) },
		"LiftXBatch":                       func() { LiftXBatch(many, xs) },
		"LiftXBatchVartime":                func() { LiftXBatchVartime(many, xs) },
		"ScalarBaseMultBatch":              func() { ScalarBaseMultBatch(many, scalars) },
		"ScalarMultBatch":                  func() { ScalarMultBatch(many, k, many) },
		"DoubleScalarBaseMultBatchVartime": func() { DoubleScalarBaseMultBatchVartime(many, scalars, many, scalars) },
		"MultiScalarMultBatchVartime":      func() { MultiScalarMultBatchVartime(many, manyScalars, manyPoints) },
		"DoubleScalarMultBatchVartime":     func() { DoubleScalarMultBatchVartime(many, scalars, many, scalars, many) },
	} {
		if n := testing.AllocsPerRun(2, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[*Point](), reflect.TypeFor[*Scalar]()} {
		for i := range typ.NumMethod() {
			name := typ.Elem().Name() + "." + typ.Method(i).Name
			if f := methods[name]; f != nil {
				if n := testing.AllocsPerRun(10, f); n != 0 {
					t.Errorf("%s allocates %v times", name, n)
				}
				continue
			}
			switch typ.Method(i).Name {
			case "Format", "LogValue", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary":
				// these methods are not on a hot path
			default:
				t.Errorf("%s is not tested", name)
			}
		}
	}
	if n := testing.AllocsPerRun(10, func() { v.DoubleScalarBaseMultVartime(k, precomputed, g) }); n != 0 {
		t.Errorf("Point.DoubleScalarBaseMultVartime with a table allocates %v times", n)
	}
	if n := testing.AllocsPerRun(10, func() { v.Set(q).PrecomputeVartime() }); n != 1 {
		t.Errorf("Point.PrecomputeVartime allocates %v times, want the table", n)
	}
	_ = sink
}
