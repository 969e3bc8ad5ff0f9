// Package aliases makes exported functions work on copies of the caller's slices, and spoils what a function must have
// no more to do with. Its test compiles it into the library: each exported function begins with
//
//	defer aliases.Enter("frost.NewRepair", &group, &helpers, &lost).Leave(&repair, &err)
//
// Enter gives the function copies of all slices in its arguments, which have spare capacity behind them. Leave panics
// if the function has written to one of them. It overwrites the copies, and gives the caller copies of all slices in
// the results before it overwrites the slices themselves. So a function that keeps a slice, or hands out a slice that
// it keeps, computes something else from then on.
package aliases

import (
	"bytes"
	"reflect"
	"unsafe"
)

// spare is the capacity behind a slice, in elements.
const spare = 80

// A Call is a call of an exported function.
type Call struct {
	name   string
	slices []moved

	before, appended reflect.Value // the slice to which the function appends, and the variable with its result
}

// moved is a slice that was copied, with what it and the spare capacity held then.
type moved struct {
	original, whole reflect.Value
	held            []byte
}

// Enter replaces all slices in the arguments, to which it has pointers, by copies.
func Enter(name string, arguments ...any) *Call {
	c := &Call{name: name}
	for _, p := range arguments {
		c.move(reflect.ValueOf(p).Elem(), true)
	}
	return c
}

// filled is the number of elements that Append puts in front, in an order that sorting would change.
const filled = 3

// Append puts elements with large numbers in front of dst, the pointer to a slice to which the function appends. Leave
// panics if the result does not begin with them and with the slice, and removes them.
func (c *Call) Append(dst, result any) *Call {
	v := reflect.ValueOf(dst).Elem()
	whole := reflect.MakeSlice(v.Type(), filled+v.Len(), filled+v.Len()+spare)
	for i := range filled {
		fill(whole.Index(i), i)
	}
	reflect.Copy(whole.Slice(filled, whole.Len()), v)
	c.before, c.appended = reflect.AppendSlice(reflect.Zero(v.Type()), whole), reflect.ValueOf(result).Elem()
	v.Set(whole)
	return c
}

// fill sets the numbers in v to the number i of some large numbers, in descending order.
func fill(v reflect.Value, i int) {
	switch {
	case v.CanInt():
		v.SetInt(1<<30 - int64(i))
	case v.CanUint():
		v.SetUint(200 - uint64(i))
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			fill(field, i)
		}
	}
}

// finish checks and removes what Append put in front. A function that returns an error may return nil.
func (c *Call) finish(results []any) {
	for _, p := range results {
		if err, ok := p.(*error); ok && *err != nil && c.appended.IsNil() {
			return
		}
	}
	n := c.before.Len()
	if c.appended.Len() < n || !reflect.DeepEqual(c.appended.Slice(0, n).Interface(), c.before.Interface()) {
		panic(c.name + " returns a slice that does not begin with the slice to which it appends")
	}
	if c.appended.Len() == filled {
		c.appended.SetZero()
	} else {
		c.appended.Set(c.appended.Slice(filled, c.appended.Len()))
	}
}

// Leave checks and overwrites the copies of the arguments. It replaces all slices in the results, to which it has
// pointers, by copies, and overwrites the originals.
func (c *Call) Leave(results ...any) {
	if c.appended.IsValid() {
		c.finish(results)
	}
	var out Call
	for _, p := range results {
		out.move(reflect.ValueOf(p).Elem(), false)
	}
	for _, s := range c.slices {
		if !bytes.Equal(memory(s.whole), s.held) {
			panic(c.name + " writes to an argument, or to the capacity behind it")
		}
		spoil(s.whole.Slice(0, s.original.Len()))
	}
	for _, s := range out.slices {
		spoil(s.original.Slice(0, s.original.Cap())) // a caller may append to a result
	}
}

// move replaces all slices in v, and arrays behind pointers in an argument, by copies. It follows a pointer to a
// structure with slices and without hidden fields, such as options: to a copy of the structure in an argument, and to
// the structure itself in a result.
func (c *Call) move(v reflect.Value, argument bool) {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		original, n := reflect.ValueOf(v.Interface()), v.Len()
		whole := reflect.MakeSlice(v.Type(), n+spare, n+spare)
		reflect.Copy(whole, original)
		for i := range n {
			c.move(whole.Index(i), argument)
		}
		c.slices = append(c.slices, moved{original, whole, bytes.Clone(memory(whole))})
		v.Set(whole.Slice(0, n))
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				c.move(field, argument)
			}
		}
	case reflect.Pointer:
		if argument && !v.IsNil() && v.Type().Elem().Kind() == reflect.Array {
			copied := reflect.New(v.Type().Elem())
			copied.Elem().Set(v.Elem())
			v.Set(copied)
			whole := copied.Elem().Slice(0, copied.Elem().Len())
			c.slices = append(c.slices, moved{whole, whole, bytes.Clone(memory(whole))})
			return
		}
		if v.IsNil() || v.Type().Elem().Kind() != reflect.Struct || !holds(v.Type().Elem()) {
			return
		}
		if argument {
			copied := reflect.New(v.Type().Elem())
			copied.Elem().Set(v.Elem())
			v.Set(copied)
		}
		c.move(v.Elem(), argument)
	}
}

// holds reports whether a structure has slices in it, and no fields that are not exported.
func holds(t reflect.Type) (slices bool) {
	for field := range t.Fields() {
		if !field.IsExported() {
			return false
		}
		slices = slices || field.Type.Kind() == reflect.Slice
	}
	return slices
}

// memory returns the bytes of a slice's elements.
func memory(s reflect.Value) []byte {
	return unsafe.Slice((*byte)(s.UnsafePointer()), s.Len()*int(s.Type().Elem().Size()))
}

// spoil overwrites a slice: numbers by others, and everything that contains a pointer by zero values.
func spoil(s reflect.Value) {
	if !numeric(s.Type().Elem()) {
		s.Clear()
		return
	}
	for i, b := range memory(s) {
		memory(s)[i] = b ^ 0xa5
	}
}

// numeric reports whether values of a type have no pointers in them, and may have any bytes.
func numeric(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return numeric(t.Elem())
	case reflect.Struct:
		for field := range t.Fields() {
			if !numeric(field.Type) {
				return false
			}
		}
		return true
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Complex128 && t.Kind() != reflect.Uintptr
}
