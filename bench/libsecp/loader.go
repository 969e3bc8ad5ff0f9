//go:build darwin || freebsd || linux || netbsd

package libsecp

import "github.com/ebitengine/purego"

func dlopen(path string) (handle uintptr, err error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func dlsym(handle uintptr, symbol string) (address uintptr, err error) {
	return purego.Dlsym(handle, symbol)
}

// invoke calls a C function. purego moves args to the heap unless they are there
// already.
func invoke(fn uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}
