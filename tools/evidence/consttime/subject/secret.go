//go:build amd64

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"
)

// Requests to valgrind and to memcheck (valgrind.h, memcheck.h).
const (
	runningOnValgrind = 0x1001
	makeUndefined     = 'M'<<24 | 'C'<<16 | 1
	makeDefined       = 'M'<<24 | 'C'<<16 | 2
	getBits           = 'M'<<24 | 'C'<<16 | 8
)

//go:noescape
func request(r *[6]uintptr) (result uintptr)

var underValgrind = request(&[6]uintptr{runningOnValgrind}) != 0

// hide makes b secret: it marks b as undefined, so that memcheck reports branches and addresses that depend on b.
func hide(b []byte) {
	request(&[6]uintptr{makeUndefined, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))})
}

// drawn counts the calls of draw.
var drawn uint16

// draw returns 32 bytes, the same in every run and below n and p.
func draw() []byte {
	drawn++
	b := sha256.Sum256([]byte{byte(drawn), byte(drawn >> 8)})
	b[0] >>= 1
	return b[:]
}

// secret returns 32 secret bytes.
func secret() []byte {
	b := draw()
	hide(b)
	return b
}

// publicReader is a source of public bytes, always the same.
type publicReader struct{}

func (publicReader) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(i + 1)
	}
	return len(b), nil
}

// secretReader replaces the randomness of the system.
type secretReader struct{}

func (secretReader) Read(b []byte) (int, error) {
	if public() {
		return copy(b, draw()), nil
	}
	return copy(b, secret()), nil
}

// public reports whether the caller of Read draws the public numbers with which shamir.OnPolynomial tests points.
func public() bool {
	var pc [16]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc[:])])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "/shamir.randomScalar") {
			return true
		}
		if !more {
			return false
		}
	}
}

var (
	results  = sha256.New() // hash of all revealed results that are the same in every run
	revealed int            // number of revealed results
	lost     bool           // whether a result was no longer secret when it was revealed
)

// reveal makes a result public. Before the call, at least want bytes of the result must be secret, which shows that
// memcheck did not lose track of the secret.
func reveal(name string, b []byte, want int) {
	revealed++
	if len(b) == 0 {
		return
	}
	marks := make([]byte, len(b))
	request(&[6]uintptr{getBits, uintptr(unsafe.Pointer(&b[0])), uintptr(unsafe.Pointer(&marks[0])), uintptr(len(b))})
	request(&[6]uintptr{makeDefined, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))})
	got := 0
	for _, m := range marks {
		if m != 0 {
			got++
		}
	}
	if underValgrind && got < want {
		lost = true
		fmt.Fprintf(os.Stderr, "subject: %s: only %d of the %d bytes of a result are secret, want %d\n", name, got, len(b), want)
	}
}
