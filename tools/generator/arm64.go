package main

import (
	"bytes"
	"fmt"
	"go/types"
	"strings"

	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"

	"p256k1.mleku.dev/v2/tools/internal/must"
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

// arm64 emits the routines of one package in Go's assembly language for ARM64, which avo does not support. All ARM64
// processors can run them. Pointers, counters and the constant c = 2³² + 977 stay in registers.
type arm64 struct {
	declarations
	pool[xreg]
	pointers map[string]xreg
	c        xreg         // the register that holds c, or "" if none does
	text     bytes.Buffer // the finished routines

	// The current routine: its instructions, its parameters, and the size of the stack.
	body      bytes.Buffer
	signature *gotypes.Signature
	frame     int
}

func (e *arm64) routine(name, signature, doc string) {
	e.declaration(name, signature, doc)
	e.free, e.pointers, e.c, e.frame = allX(), map[string]xreg{}, "", 0
	e.signature = signatureIn(types.NewPackage(module, name), signature)
	e.body.Reset()
}

func (e *arm64) end() {
	e.op("RET")
	r := e.routines[len(e.routines)-1]
	fmt.Fprintf(&e.text, "\n// func %[1]s%[2]s\nTEXT ·%[1]s(SB), NOSPLIT, $%[3]d-%[4]d\n%s",
		r.name, strings.TrimPrefix(r.signature, "func"), e.frame, e.signature.Bytes(), &e.body)
}

func (e *arm64) assembly() []byte {
	return fmt.Appendf(nil, "%s//go:build !purego\n\n#include \"textflag.h\"\n%s", header, &e.text)
}

// op emits an instruction with its operands in Go's order, the destination last.
func (e *arm64) op(name string, operands ...any) {
	list := make([]string, len(operands))
	for i, o := range operands {
		list[i] = fmt.Sprint(o)
	}
	line := fmt.Sprintf("\t%-5s %s", name, strings.Join(list, ", "))
	fmt.Fprintln(&e.body, strings.TrimRight(line, " "))
}

func (e *arm64) comment(format string, args ...any) {
	fmt.Fprintf(&e.body, "\n\t// %s\n", text(format, args))
}

// set loads the parameter with the given name into a register.
func (e *arm64) set(r Op, name string) { e.setTo(r, e.signature.Params().Lookup(name)) }

// setTo loads a parameter, or a part of it, into a register.
func (e *arm64) setTo(r Op, parameter gotypes.Component) {
	e.op("MOVD", must.Get(parameter.Resolve()).Addr.Asm(), r)
}

func (e *arm64) held(name, what string) Op {
	r := e.get()
	e.note("%s holds %s.", r, what)
	e.set(r, name)
	return r
}

func (e *arm64) arg(name string, offset int) place {
	r, ok := e.pointers[name]
	if !ok {
		r = e.get()
		e.set(r, name)
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

func (e *arm64) label(name string) { fmt.Fprintf(&e.body, "\n%s:\n", name) }

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
