//go:build !(darwin || freebsd || linux || netbsd) || !(amd64 || arm64)

package dl

import (
	"errors"
	"fmt"
	"runtime"
)

var errPlatform = fmt.Errorf("loading a C library on %s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)

func Open(string) (uintptr, error)            { return 0, errPlatform }
func Symbol(uintptr, string) (uintptr, error) { return 0, errPlatform }
func Global(string) (uintptr, error)          { return 0, errPlatform }
func Call(uintptr, []uintptr) uintptr         { panic("dl: " + errPlatform.Error()) }
func Callback(any) uintptr                    { panic("dl: " + errPlatform.Error()) }
