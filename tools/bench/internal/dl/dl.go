// Package dl loads shared libraries and calls what is in them, without cgo, or
// through cgo where that is to be measured.
package dl

import (
	"reflect"
	"runtime"
	"unsafe"
)

// Bind sets each field of *functions, which are of type uintptr, to the address
// of the function of a library that prefix and the field's tag "c" name. It
// returns the names that the library lacks; their fields are 0.
func Bind(handle uintptr, prefix string, functions any) (missing []string) {
	fields := reflect.ValueOf(functions).Elem()
	for i := range fields.NumField() {
		name := prefix + fields.Type().Field(i).Tag.Get("c")
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

// A Frame holds the arguments of calls. It has to be on the heap, where Go never
// moves it, and must not be used by two goroutines at a time.
type Frame struct {
	Caller Caller
	args   [10]uintptr
	calls  uint
}

// Call calls a C function that returns an integer or a pointer. Memory whose
// address is among the arguments has to be on the heap, and kept alive by the
// caller.
func (f *Frame) Call(fn uintptr, args ...uintptr) uintptr {
	n := copy(f.args[:], args)
	r := f.Caller(fn, f.args[:n])
	// A goroutine that spends 10 ms in C without going through the scheduler is
	// taken for stuck: the runtime's monitor wakes every 20 µs to take its
	// processor away, and a loop of such calls runs up to 20 % slower than the
	// same loop in C. A yield from time to time costs less than 0.1 µs a call.
	if f.calls++; f.calls%yieldEvery == 0 {
		runtime.Gosched()
	}
	return r
}

// OK calls a C function that returns an int, and reports whether it was 1. C
// leaves the upper half of the register undefined.
func (f *Frame) OK(fn uintptr, args ...uintptr) bool { return int32(f.Call(fn, args...)) == 1 }

// Addr returns the address to hand to C of something on the heap.
func Addr[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }
