//go:build !(darwin || freebsd || linux || netbsd)

package libsecp

import (
	"errors"
	"fmt"
	"runtime"
)

var errPlatform = fmt.Errorf("loading a C library on %s: %w", runtime.GOOS, errors.ErrUnsupported)

func dlopen(string) (uintptr, error)         { return 0, errPlatform }
func dlsym(uintptr, string) (uintptr, error) { return 0, errPlatform }
func invoke(uintptr, []uintptr) uintptr      { panic("libsecp: " + errPlatform.Error()) }
