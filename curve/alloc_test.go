package curve

import (
	"reflect"
	"testing"

	"p256k1.mleku.dev/internal/oracle"
)

// TestAllocations holds every method to working on the stack, except MultiScalarMultVartime. Those that return bytes can inline
// into the caller, so that the bytes are the caller's as well. A method that is missing here fails the test.
func TestAllocations(t *testing.T) {
	r := oracle.New(t)
	k, g := scalarOf(r.ValidScalar()), scalarOf(r.ValidScalar())
	p, q := &Point{p: jacobian(r, r.Point())}, newPoint(r, r.Point())
	encoded := [][]byte{r.Point().Compressed(), r.Point().Uncompressed()}
	x, s := r.Point().Compressed()[1:], oracle.Bytes(r.Scalar())
	var v Point
	var u Scalar
	var sink byte
	methods := map[string]func(){
		"Point.Set":                         func() { v.Set(p) },
		"Point.Zero":                        func() { v.Zero() },
		"Point.SetGenerator":                func() { v.SetGenerator() },
		"Point.SetBytes":                    func() { v.SetBytes(encoded[0]); v.SetBytes(encoded[1]) },
		"Point.LiftX":                       func() { v.LiftX(x) },
		"Point.Bytes":                       func() { sink ^= p.Bytes()[1] },
		"Point.BytesUncompressed":           func() { sink ^= p.BytesUncompressed()[1] },
		"Point.BytesX":                      func() { b, _ := p.BytesX(); sink ^= b[1] },
		"Point.IsYOdd":                      func() { p.IsYOdd() },
		"Point.Normalize":                   func() { v.Set(p).Normalize() },
		"Point.NormalizeVartime":            func() { v.Set(p).NormalizeVartime() },
		"Point.Add":                         func() { v.Add(p, q) },
		"Point.Subtract":                    func() { v.Subtract(p, q) },
		"Point.Double":                      func() { v.Double(p) },
		"Point.Negate":                      func() { v.Negate(p) },
		"Point.CondNegate":                  func() { v.CondNegate(p, 1) },
		"Point.Select":                      func() { v.Select(p, q, 1) },
		"Point.Equal":                       func() { p.Equal(q) },
		"Point.IsInfinity":                  func() { p.IsInfinity() },
		"Point.ScalarBaseMult":              func() { v.ScalarBaseMult(k) },
		"Point.ScalarMult":                  func() { v.ScalarMult(k, p) },
		"Point.DoubleScalarBaseMultVartime": func() { v.DoubleScalarBaseMultVartime(k, p, g) },
		"Point.EqualXModNVartime":           func() { p.EqualXModNVartime(k) },

		"Scalar.Set":             func() { u.Set(k) },
		"Scalar.Zero":            func() { u.Zero() },
		"Scalar.SetUint64":       func() { u.SetUint64(7) },
		"Scalar.SetBytes":        func() { u.SetBytes(s[:]) },
		"Scalar.SetBytesReduced": func() { u.SetBytesReduced(&s) },
		"Scalar.Bytes":           func() { sink ^= k.Bytes()[1] },
		"Scalar.Add":             func() { u.Add(k, g) },
		"Scalar.Subtract":        func() { u.Subtract(k, g) },
		"Scalar.Multiply":        func() { u.Multiply(k, g) },
		"Scalar.Negate":          func() { u.Negate(k) },
		"Scalar.CondNegate":      func() { u.CondNegate(k, 1) },
		"Scalar.Invert":          func() { u.Invert(k) },
		"Scalar.InvertVartime":   func() { u.InvertVartime(k) },
		"Scalar.Select":          func() { u.Select(k, g, 1) },
		"Scalar.Equal":           func() { k.Equal(g) },
		"Scalar.IsZero":          func() { k.IsZero() },
		"Scalar.IsHigh":          func() { k.IsHigh() },
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
			case "MultiScalarMultVartime", "Format", "LogValue", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary":
				// are not on a hot path
			default:
				t.Errorf("%s is not tested", name)
			}
		}
	}
	_ = sink
}
