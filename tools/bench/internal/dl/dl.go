// Package dl loads shared libraries and calls their functions without cgo. Calls through cgo are possible, too, so that
// they can be measured.
package dl

import (
	"cmp"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"unsafe"
)

var upper = regexp.MustCompile(`[A-Z]`)

// Bind sets each field of *functions, all of which are of type uintptr, to the address of a library function. The
// function's name is prefix followed by the field's tag "c", or by the field's name in snake case if it has no tag.
// Bind returns the names of the functions that the library lacks, and leaves their fields unchanged.
func Bind(handle uintptr, prefix string, functions any) (missing []string) {
	fields := reflect.ValueOf(functions).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		name := prefix + cmp.Or(field.Tag.Get("c"), strings.ToLower(upper.ReplaceAllString(field.Name, "_$0")))
		address, err := Symbol(handle, name)
		if err != nil || address == 0 {
			missing = append(missing, name)
			continue
		}
		*(*uintptr)(fields.Field(i).Addr().UnsafePointer()) = address
	}
	return missing
}

// A Caller calls C functions by address, as Call and ViaCgo do.
type Caller func(fn uintptr, args []uintptr) uintptr

// yieldEvery is the number of calls that Frame.Call makes between two yields.
const yieldEvery = 128

// A Frame holds the arguments of calls. It must be on the heap, where Go never moves it, and two goroutines must not
// use it at the same time.
type Frame struct {
	Caller Caller
	args   [10]uintptr
	calls  uint
}

// Call calls a C function that returns an integer or a pointer. If an argument is the address of memory, the memory
// must be on the heap, and the caller must keep it alive.
func (f *Frame) Call(fn uintptr, args ...uintptr) uintptr {
	n := copy(f.args[:], args)
	r := f.Caller(fn, f.args[:n])
	// If a goroutine spends 10 ms in C without entering the scheduler, the monitor of the runtime wakes every 20 µs to
	// take the processor away from the goroutine. A loop of such calls is then up to 20 % slower than the same loop in
	// C. Yielding from time to time costs less than 0.1 µs per call.
	if f.calls++; f.calls%yieldEvery == 0 {
		runtime.Gosched()
	}
	return r
}

// OK calls a C function that returns an int, and reports whether the result was 1. C leaves the upper half of the
// register undefined.
func (f *Frame) OK(fn uintptr, args ...uintptr) bool { return int32(f.Call(fn, args...)) == 1 }

// Addr returns the address of an object on the heap, for C.
func Addr[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }
