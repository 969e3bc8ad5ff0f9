package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
)

// xreg is a general-purpose register of 64 bits.
type xreg string

func (r xreg) Asm() string { return string(r) }

// zr is the zero register.
const zr xreg = "ZR"

// allX returns the registers that a Go function may change, except R27, which the assembler uses.
func allX() (list []xreg) {
	for i := range 27 {
		if i != 18 { // R18 is reserved for the operating system
			list = append(list, xreg(fmt.Sprintf("R%d", i)))
		}
	}
	return list
}

// arm64 emits the routines of one package in Go's assembly language for ARM64. All ARM64 processors can run them.
// Pointers, counters and the constant c = 2³² + 977 stay in registers.
type arm64 struct {
	source
	pool[xreg]
	pointers map[string]xreg
	c        xreg // the register that holds c, or "" if none does
}

func (e *arm64) routine(name, sig, doc string) {
	e.begin(name, sig, doc)
	e.free, e.pointers, e.c = allX(), map[string]xreg{}, ""
}

func (e *arm64) end() {
	e.op("RET")
	e.finish()
}

// parameter loads the parameter with the given name into r.
func (e *arm64) parameter(name string, r xreg) {
	e.op("MOVD", e.operand(name), r)
}

func (e *arm64) arg(name string, offset int) place {
	r, ok := e.pointers[name]
	if !ok {
		r = e.get()
		e.parameter(name, r)
		e.pointers[name] = r
		e.note("%s points to %s.", r, name)
	}
	return place{r, offset}
}

func (e *arm64) local(n int) place {
	p := place{nil, 8 + e.frame} // above the saved link register
	e.frame += 8 * n
	return p
}

func (e *arm64) pointer(name string) Op { return e.held(name, "the pointer "+name) }

// held loads the parameter with the given name into a register, and describes it in the banner by the given text.
func (e *arm64) held(name, what string) Op {
	r := e.get()
	e.note("%s holds %s.", r, what)
	e.parameter(name, r)
	return r
}

func (e *arm64) point(p Op, name string) { e.parameter(name, p.(xreg)) }

func (e *arm64) counter(name string) Op { return e.held(name, "the count") }

func (e *arm64) loop(label string) {
	e.loadC()
	e.label(label)
}

func (e *arm64) repeat(n Op, label string) {
	e.op("SUB", "$1", n, n)
	e.op("CBNZ", n, label)
}

// operand returns the address of word i of p, as the operand of a load or a store.
func (p place) operand(i int) string {
	var base Op = xreg("RSP")
	if p.pointer != nil {
		base = p.pointer
	}
	return fmt.Sprintf("%d(%s)", p.offset+8*i, base.Asm())
}

// loadPair loads words i and i + 1 of p into a and b.
func (e *arm64) loadPair(p place, i int, a, b xreg) {
	e.op("LDP", p.operand(i), fmt.Sprintf("(%s, %s)", a, b))
}

func (e *arm64) keep(p place, registers ...xreg) {
	for i := 0; i < len(registers); i += 2 {
		e.op("STP", fmt.Sprintf("(%s, %s)", registers[i], registers[i+1]), p.operand(i))
	}
}
