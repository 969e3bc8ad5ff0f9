//go:build darwin || freebsd || linux || netbsd

package dl

import "github.com/ebitengine/purego"

// Open loads a library, by path or by the name that the system's loader knows.
func Open(path string) (handle uintptr, err error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL|deepBind)
}

// Symbol returns the address of a function of a library.
func Symbol(handle uintptr, name string) (address uintptr, err error) {
	return purego.Dlsym(handle, name)
}

// Global returns the address of a function of any library that is loaded, the C
// library's among them.
func Global(name string) (address uintptr, err error) {
	return purego.Dlsym(purego.RTLD_DEFAULT, name)
}

// Call calls a C function. args must be on the heap, or purego moves them there.
func Call(fn uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}

// Callback returns a C function that calls fn, which is never freed.
func Callback(fn any) uintptr { return purego.NewCallback(fn) }
