// Package fault disturbs a computation at named places. The tests of tools/evidence/faults write calls of At into a
// copy of the library; the library itself has no such calls.
package fault

import (
	"os"
	"reflect"
	"unsafe"
)

// Plan specifies a fault: bit number Bit of the value in memory is inverted, or, for the two numbers after the last
// bit, all bits are set to 0 or to 1. The fault happens the Call-th time that Place is passed, counted from 1, or each
// time if Call is 0.
type Plan struct {
	Place     string
	Call, Bit int
}

// Passed has the number of times that a place was passed, and the number of bits of its value.
type Passed struct{ Calls, Bits int }

var (
	plan   *Plan
	passed map[string]Passed
)

// Run calls f under plan p, or without a fault if p is nil, and returns the places that were passed. Only one goroutine
// may call Run at a time.
func Run(p *Plan, f func()) map[string]Passed {
	plan, passed = p, make(map[string]Passed)
	defer func() { plan, passed = nil, nil }()
	f()
	return passed
}

// At marks a place where a fault may change *v, and returns v. Addresses in *v are left unchanged, because a program
// with a wrong address crashes.
func At[T any](place string, v *T) *T {
	if passed != nil {
		var b []*byte
		for i := range unsafe.Sizeof(*v) {
			if !isAddress(reflect.TypeFor[T](), i) {
				b = append(b, (*byte)(unsafe.Add(unsafe.Pointer(v), i)))
			}
		}
		at(place, b)
	}
	return v
}

// isAddress reports whether byte i of a value of the type belongs to an address.
func isAddress(t reflect.Type, i uintptr) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return true
	case reflect.Array:
		return t.Len() > 0 && isAddress(t.Elem(), i%max(1, t.Elem().Size()))
	case reflect.Struct:
		for j := range t.NumField() {
			f := t.Field(j)
			if f.Offset <= i && i < f.Offset+f.Type.Size() {
				return isAddress(f.Type, i-f.Offset)
			}
		}
	}
	return false
}

func at(place string, b []*byte) {
	p := passed[place]
	p.Calls++
	p.Bits = 8 * len(b)
	passed[place] = p
	if plan == nil || plan.Place != place || (plan.Call != 0 && plan.Call != p.Calls) {
		return
	}
	if plan.Bit < p.Bits {
		*b[plan.Bit/8] ^= 1 << (plan.Bit % 8)
		return
	}
	for _, target := range b {
		*target = -byte(plan.Bit - p.Bits) // all bits 0, then all bits 1
	}
}

// Env names the environment variable with the planted error.
const Env = "P256K1_PLANTED"

var planted = os.Getenv(Env)

// Without calls f with the error of this name planted, which leaves out the check of a scheme that always checks.
func Without(check string, f func()) {
	defer func(name string) { planted = name }(planted)
	planted = check
	f()
}

// Planted reports whether the error with this name is planted.
func Planted(name string) bool { return planted == name }
