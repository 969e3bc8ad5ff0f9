//go:build (darwin || freebsd || linux || netbsd) && (amd64 || arm64)

package dl

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// Open loads a library, by path or by the name that the system's loader knows.
func Open(path string) (handle uintptr, err error) {
	defer lockThread()()
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// lockThread keeps the goroutine on its thread until the returned function is called. The loader keeps error messages
// per thread, and purego asks for a message in a second call, which would find no message on another thread.
func lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// Symbol returns the address of a function of a library.
func Symbol(handle uintptr, name string) (address uintptr, err error) {
	defer lockThread()()
	return purego.Dlsym(handle, name)
}

// Call calls a C function. If args is not on the heap, purego moves it there.
func Call(fn uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}

// Callback returns a C function that calls fn. It is never freed.
func Callback(fn any) uintptr { return purego.NewCallback(fn) }

// String copies a string that C owns.
func String(address uintptr) string {
	// vet would report a direct conversion of address as a misuse of unsafe.Pointer.
	return unix.BytePtrToString(*(**byte)(unsafe.Pointer(&address)))
}
