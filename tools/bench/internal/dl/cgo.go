//go:build cgo && (darwin || freebsd || linux || netbsd) && (amd64 || arm64)

package dl

/*
#include <stdint.h>

typedef uintptr_t (*function)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
	uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

// The calling conventions of these platforms let a function have fewer parameters than it is given arguments.
static uintptr_t call(uintptr_t f, uintptr_t *a) {
	return ((function)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
}
*/
import "C"

import "unsafe"

// ViaCgo is a Caller that goes through cgo. It is nil in a build without cgo.
var ViaCgo Caller = viaCgo

func viaCgo(fn uintptr, args []uintptr) uintptr {
	var all *[10]uintptr
	if cap(args) >= len(all) { // args that belong to a Frame need no copy
		all = (*[10]uintptr)(args[:len(all)])
	} else {
		all = new([10]uintptr)
		copy(all[:], args)
	}
	return uintptr(C.call(C.uintptr_t(fn), (*C.uintptr_t)(unsafe.Pointer(all))))
}
