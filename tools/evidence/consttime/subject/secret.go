//go:build amd64

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"unsafe"
)

// Requests of valgrind and of memcheck (valgrind.h, memcheck.h).
const (
	runningOnValgrind = 0x1001
	makeUndefined     = 'M'<<24 | 'C'<<16 | 1
	makeDefined       = 'M'<<24 | 'C'<<16 | 2
	getBits           = 'M'<<24 | 'C'<<16 | 8
)

//go:noescape
func request(r *[6]uintptr) (result uintptr)

var underValgrind = request(&[6]uintptr{runningOnValgrind}) != 0

// hide makes b secret: memcheck reports branches and addresses that depend on
// undefined memory.
func hide(b []byte) {
	request(&[6]uintptr{makeUndefined, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))})
}

// drawn counts the secrets.
var drawn byte

// secret returns 32 secret bytes, the same in every run and below both moduli.
func secret() []byte {
	drawn++
	b := sha256.Sum256([]byte{drawn})
	hide(b[:])
	return b[:]
}

// secretBit returns 0 or 1.
func secretBit() int {
	return int(secret()[0] & 1)
}

// publicReader is randomness that everybody knows.
type publicReader struct{}

func (publicReader) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(i + 1)
	}
	return len(b), nil
}

// secretReader stands for the randomness of the system.
type secretReader struct{}

func (secretReader) Read(b []byte) (int, error) {
	return copy(b, secret()), nil
}

var (
	results  = sha256.New() // of all that was revealed
	revealed int            // how many
	lost     bool           // whether one was not secret any more
)

// reveal makes a result public. Every byte of it must have been secret until
// then: memcheck did not lose sight of the secret on the way.
func reveal(b []byte) {
	revealPart(b, len(b))
}

// revealPart is reveal for a result with a known number of secret bytes at least.
func revealPart(b []byte, want int) {
	revealNew(b, want)
	results.Write(b)
}

// revealNew is revealPart for a result that is another in every run, since it depends on the time.
func revealNew(b []byte, want int) {
	marks := make([]byte, len(b))
	request(&[6]uintptr{getBits, uintptr(unsafe.Pointer(&b[0])), uintptr(unsafe.Pointer(&marks[0])), uintptr(len(b))})
	request(&[6]uintptr{makeDefined, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))})
	revealed++
	got := 0
	for _, m := range marks {
		if m != 0 {
			got++
		}
	}
	if underValgrind && got < want {
		lost = true
		fmt.Fprintf(os.Stderr, "subject: of result %d only %d bytes of %d came out secret\n", revealed, got, len(b))
	}
}
