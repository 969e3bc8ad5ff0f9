//go:build !(darwin || freebsd || linux || netbsd) || !(amd64 || arm64)

package dl

import (
	"fmt"
	"runtime"
)

func unsupported() error {
	return fmt.Errorf("no C library can be loaded on %s/%s", runtime.GOOS, runtime.GOARCH)
}

// The functions below exist only so that the package compiles on other platforms.
func Open(string) (uintptr, error)            { return 0, unsupported() }
func Symbol(uintptr, string) (uintptr, error) { return 0, unsupported() }
func Call(uintptr, []uintptr) uintptr         { panic(unsupported()) }
func Callback(any) uintptr                    { panic(unsupported()) }
func String(uintptr) string                   { panic(unsupported()) }
