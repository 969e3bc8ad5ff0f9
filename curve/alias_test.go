package curve

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/opaque"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// aliasTypes lists the types, in this and other packages, whose methods allow receiver and arguments to be the same
// object. Reflection finds every exported method. The list names those methods that read the receiver or set their last
// argument, because reflection cannot find this out.
var aliasTypes = []struct {
	pointer reflect.Type
	// Methods that read the receiver. All other methods set the receiver without reading it.
	reads string
	// Methods that set their last argument.
	fills string
}{
	{reflect.TypeFor[*field.Element](), "Limbs FillBytes IsZero IsZeroVartime IsSquareVartime Equal IsOdd", "FillBytes"},
	{reflect.TypeFor[*scalar.Scalar](), "Limbs FillBytes IsZero Equal IsHigh Split", "FillBytes"},
	{reflect.TypeFor[*group.Affine](), "IsOnCurve", ""},
	{reflect.TypeFor[*group.Jacobian](), "IsInfinity Equal", ""},
	{reflect.TypeFor[*group.XYZZ](), "", ""},
	{reflect.TypeFor[*Scalar](), "Bytes IsZero Equal IsHigh", ""},
	{reflect.TypeFor[*Point](), "Bytes BytesUncompressed BytesX IsYOdd IsInfinity Equal IsPrecomputed Normalize NormalizeVartime PrecomputeVartime", ""},
}

// TestAlias calls every method with every way in which receiver and arguments can be the same object, and with garbage
// in the objects that the method only sets. The limbs of the results must be the same as with separate objects, and
// arguments that are not the receiver must be unchanged.
func TestAlias(t *testing.T) {
	for _, typ := range aliasTypes {
		for i := range typ.pointer.NumMethod() {
			m := typ.pointer.Method(i)
			switch m.Name {
			case "MultiScalarMultVartime": // takes slices: TestMultiScalarMultVartimeAlias tests it
				continue
			case "Format", "LogValue", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary": // do not read the value
				continue
			case "AddCoZ", "AddAffine", "ElligatorSwiftVartime", "SetElligatorSwiftIsomorphicVartime": // change arguments, and have tests in package group
				continue
			}
			n := oracle.Cases(300)
			if m.Name == "PrecomputeVartime" { // slow
				n = 3
			}
			t.Run(typ.pointer.Elem().String()+"."+m.Name, func(t *testing.T) {
				c := call{
					method: m,
					reads:  slices.Contains(strings.Fields(typ.reads), m.Name),
					fills:  slices.Contains(strings.Fields(typ.fills), m.Name),
					d:      drawer{r: oracle.New(t)},
				}
				for range n {
					c.partitions(t, nil)
				}
			})
		}
	}
}

// call is a method under test. Slot 0 is the receiver, and the other slots are the arguments.
type call struct {
	method       reflect.Method
	reads, fills bool
	d            drawer
}

// sets reports whether the method sets the slot without reading it.
func (c *call) sets(slot int) bool {
	return (slot == 0 && !c.reads) || (slot > 0 && slot == c.method.Type.NumIn()-1 && c.fills)
}

// partitions runs the method for all ways in which slots of the same type can share an object. share[i] is the first
// slot with the object of slot i.
func (c *call) partitions(t *testing.T, share []int) {
	i := len(share)
	if i == c.method.Type.NumIn() {
		c.run(t, share)
		return
	}
	c.partitions(t, append(share[:i:i], i))
	for j := range i {
		if in := c.method.Type.In(i); share[j] == j && in == c.method.Type.In(j) && in.Kind() == reflect.Pointer {
			c.partitions(t, append(share[:i:i], j))
		}
	}
}

func (c *call) run(t *testing.T, share []int) {
	n := len(share)
	values := make([]reflect.Value, n) // each object is at its first slot
	alone := make([]bool, n)
	for i := range n {
		alone[i] = share[i] == i && !slices.Contains(share[i+1:], i)
		if share[i] == i {
			values[i] = c.d.draw(t, c.method, i)
		}
	}
	fresh, aliased := make([]reflect.Value, n), make([]reflect.Value, n)
	for i := range n {
		fresh[i] = clone(values[share[i]])
		if aliased[i] = fresh[i]; share[i] != i {
			aliased[i] = aliased[share[i]]
		} else {
			aliased[i] = clone(values[i])
		}
		if c.sets(i) {
			fresh[i] = reflect.New(fresh[i].Type().Elem())
			if alone[i] {
				aliased[i].Elem().Set(c.d.garbage(aliased[i].Type()).Elem())
			}
		}
	}
	want, got := c.method.Func.Call(fresh), c.method.Func.Call(aliased)
	fail := func(what string, i int, got, want reflect.Value) {
		t.Helper()
		t.Fatalf("slots %v: %s %d is %x, want %x", share, what, i, limbs(got), limbs(want))
	}
	for i := range want {
		if want[i].Kind() == reflect.Pointer { // v.Op(…) returns v
			if want[i].Pointer() != fresh[0].Pointer() || got[i].Pointer() != aliased[0].Pointer() {
				t.Fatalf("slots %v: result %d is not the receiver", share, i)
			}
		} else if !slices.Equal(limbs(got[i]), limbs(want[i])) {
			fail("result", i, got[i], want[i])
		}
	}
	for i := range n {
		switch {
		case i == 0 && c.reads && !strings.HasPrefix(c.method.Name, "Normalize") && c.method.Name != "PrecomputeVartime" && !slices.Equal(limbs(fresh[0]), limbs(values[0])):
			fail("the receiver", 0, fresh[0], values[0])
		case (i == 0 || c.sets(i)) && !slices.Equal(limbs(aliased[i]), limbs(fresh[i])):
			fail("slot", i, aliased[i], fresh[i])
		case i > 0 && !c.sets(i) && !slices.Equal(limbs(fresh[i]), limbs(values[share[i]])):
			fail("argument", i, fresh[i], values[share[i]])
		case i > 0 && !c.sets(i) && share[i] != 0 && !slices.Equal(limbs(aliased[i]), limbs(values[share[i]])):
			fail("aliased argument", i, aliased[i], values[share[i]])
		}
	}
}

// clone returns a copy of v or, if v is a pointer, a pointer to a copy of its value.
func clone(v reflect.Value) reflect.Value {
	c := v
	switch v.Kind() {
	case reflect.Pointer:
		c = reflect.New(v.Type().Elem())
		c.Elem().Set(v.Elem())
	case reflect.Slice:
		c = reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v)
	}
	return c
}

// limbs returns the numbers in v: limbs, bytes and booleans.
func limbs(v reflect.Value) (all []uint64) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return limbs(v.Elem())
	case reflect.Interface: // an error
		return []uint64{uint64(truth(!v.IsNil()))}
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, limbs(v.Field(i))...)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			all = append(all, limbs(v.Index(i))...)
		}
	case reflect.Bool:
		all = []uint64{uint64(truth(v.Bool()))}
	case reflect.Int:
		all = []uint64{uint64(v.Int())}
	case reflect.Uint8, reflect.Uint64:
		all = []uint64{v.Uint()}
	default:
		panic("limbs of a " + v.Kind().String())
	}
	return all
}

// drawer draws random arguments. Points come from a small pool of related points, so that some sums have equal or
// opposite terms.
type drawer struct {
	r    *oracle.Rand
	pool []oracle.Point
}

func (d *drawer) draw(t *testing.T, m reflect.Method, slot int) reflect.Value {
	if d.pool == nil {
		p := d.r.Point()
		d.pool = []oracle.Point{p, p, p.Neg(), p.Endo(), {}, d.r.Point()}
	}
	p := d.pool[d.r.IntN(len(d.pool))]
	finite := d.pool[d.r.IntN(4)]
	var v any
	switch typ := m.Type.In(slot); typ {
	case reflect.TypeFor[*group.Affine]():
		v = &group.Affine{X: elem(finite.X), Y: elem(finite.Y)}
	case reflect.TypeFor[*group.Jacobian]():
		j := jacobian(d.r, p)
		v = &j
	case reflect.TypeFor[*group.XYZZ]():
		s := new(group.XYZZ)
		s.SetAffine(&group.Affine{X: elem(finite.X), Y: elem(finite.Y)})
		if z := elem(d.r.Field()); z.IsZero() == 0 {
			s.ZZ.Square(&z)
			s.ZZZ.Mul(&s.ZZ, &z)
			s.X.Mul(&s.X, &s.ZZ)
			s.Y.Mul(&s.Y, &s.ZZZ)
		}
		v = s
	case reflect.TypeFor[*Point]():
		v = newPoint(d.r, p)
	case reflect.TypeFor[[]byte]():
		b := oracle.Bytes(d.r.Scalar()) // the bytes of a scalar
		v = b[:]
		switch m.Name {
		case "SetBytes":
			if m.Type.In(0) == reflect.TypeFor[*Point]() {
				v = [][]byte{finite.Compressed(), finite.Uncompressed()}[d.r.IntN(2)]
			}
		case "SetUniformBytes":
			v = d.r.Bytes(48 + d.r.IntN(17))
		case "LiftX":
			v = finite.Compressed()[1:]
		}
	case reflect.TypeFor[uint64](): // a mask or a number
		v = -uint64(d.r.IntN(2))
	case reflect.TypeFor[int](): // a condition or a number
		v = d.r.IntN(2)
		if strings.HasSuffix(m.Name, "N") { // SquareN, DoubleN
			v = 1 + d.r.IntN(3)
		}
	default:
		return d.garbage(typ)
	}
	return reflect.ValueOf(v)
}

// garbage returns an object with random contents, valid or not.
func (d *drawer) garbage(typ reflect.Type) reflect.Value {
	e := func() field.Element {
		l := d.r.Limbs()
		return field.FromLimbs(l[0], l[1], l[2], l[3])
	}
	var v any
	switch typ {
	case reflect.TypeFor[*field.Element]():
		v = ptr(e())
	case reflect.TypeFor[*scalar.Scalar]():
		v = ptr(*scalarOf(d.r.Scalar()).s())
	case reflect.TypeFor[*group.Affine]():
		v = &group.Affine{X: e(), Y: e()}
	case reflect.TypeFor[*group.Jacobian]():
		v = &group.Jacobian{X: e(), Y: e(), Z: e()}
	case reflect.TypeFor[*group.XYZZ]():
		v = &group.XYZZ{X: e(), Y: e(), ZZ: e(), ZZZ: e()}
	case reflect.TypeFor[*Scalar]():
		v = scalarOf(d.r.Scalar())
	case reflect.TypeFor[*Point]():
		p := new(Point)
		*p.in() = opaque.Value{P: group.Jacobian{X: e(), Y: e(), Z: e()}, Known: opaque.Known{Normalized: d.r.IntN(2) == 0}}
		v = p
	case reflect.TypeFor[*[32]byte]():
		v = ptr(d.r.ScalarBytes())
	case reflect.TypeFor[*[64]byte]():
		v = (*[64]byte)(d.r.Bytes(64))
	case reflect.TypeFor[*[4]uint64]():
		v = ptr(d.r.Limbs())
	case reflect.TypeFor[*[16]byte]():
		v = (*[16]byte)(d.r.Bytes(16))
	default:
		panic("no arguments of type " + typ.String() + " known: add them to drawer")
	}
	return reflect.ValueOf(v)
}

func ptr[T any](v T) *T { return &v }
