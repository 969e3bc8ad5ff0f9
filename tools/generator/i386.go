package main

import "fmt"

// i386 emits the routines of one package in Go's assembly language for 386 with SSE2. The processor has so few
// registers that each routine assigns them itself.
type i386 struct{ source }

func (e *i386) routine(name, sig, doc string) { e.begin(name, "", sig, doc, 4) }

func (e *i386) end() {
	e.op("RET")
	e.finish()
}

// word32 returns the address of the 32-bit word i of the integer to which the register base points.
func word32(i int, base string) string { return fmt.Sprintf("%d(%s)", 4*i, base) }

// vector is a register of 128 bits.
func vector(i int) string { return fmt.Sprintf("X%d", i) }

// clear sets a vector register to 0.
func (e *i386) clear(v string) { e.op("PXOR", v, v) }

// zero sets a general-purpose register to 0.
func (e *i386) zero(r string) { e.op("XORL", r, r) }
