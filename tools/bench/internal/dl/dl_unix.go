//go:build (darwin || freebsd || linux || netbsd) && (amd64 || arm64)

package dl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// Open loads a library, by path or by the name that the system's loader knows.
func Open(path string) (handle uintptr, err error) {
	defer lockThread()()
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// lockThread keeps the goroutine on its thread until the function it returns is
// called: the loader keeps its error messages by thread, and purego asks for them
// in a second call, which on another thread gets none.
func lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// Symbol returns the address of a function of a library.
func Symbol(handle uintptr, name string) (address uintptr, err error) {
	defer lockThread()()
	return purego.Dlsym(handle, name)
}

// Global returns the address of a function of any library that is loaded, the C
// library's among them.
func Global(name string) (address uintptr, err error) {
	defer lockThread()()
	return purego.Dlsym(purego.RTLD_DEFAULT, name)
}

// Call calls a C function. args must be on the heap, or purego moves them there.
func Call(fn uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}

// Callback returns a C function that calls fn, which is never freed.
func Callback(fn any) uintptr { return purego.NewCallback(fn) }
