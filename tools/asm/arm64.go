package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
)

// xreg is a general-purpose register of 64 bits.
type xreg string

func (r xreg) Asm() string { return string(r) }

// zr is 0.
const zr xreg = "ZR"

// xpool is the registers that a function of Go may change, but for R27, which is
// the assembler's.
func xpool() (pool []xreg) {
	for i := range 27 {
		if i != 18 { // the platform's
			pool = append(pool, xreg(fmt.Sprintf("R%d", i)))
		}
	}
	return pool
}

// arm64 emits the routines of one package in Go's assembler for ARM64, which all
// its processors run. Pointers, counters and c stay in registers.
type arm64 struct {
	pkg     string
	imports []imported

	stubs, text bytes.Buffer // of the package
	body        bytes.Buffer // of the routine
	signature   signature
	free        []xreg
	pointers    map[string]xreg
	c           xreg // holds c, if not empty
	frame       int
}

type signature struct {
	name, parameters string
	offsets          map[string]int // of the words of parameters
	size             int
}

// parseSignature takes a signature whose parameters are words and slices.
func parseSignature(name, s string) signature {
	inside, ok := strings.CutPrefix(s, "func(")
	inside, closed := strings.CutSuffix(inside, ")")
	if !ok || !closed {
		panic(name + ": " + s)
	}
	sig := signature{name: name, parameters: "(" + inside + ")", offsets: map[string]int{}}
	add := func(word string) {
		sig.offsets[word] = sig.size
		sig.size += 8
	}
	for _, p := range strings.Split(inside, ", ") {
		parameter, kind, typed := strings.Cut(p, " ")
		switch {
		case strings.HasPrefix(kind, "[]"):
			add(parameter + "_base")
			add(parameter + "_len")
			add(parameter + "_cap")
		case !typed, strings.HasPrefix(kind, "*"), kind == "int", kind == "uint64":
			add(parameter)
		default:
			panic(name + ": parameter of type " + kind)
		}
	}
	return sig
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

func (e *arm64) declare(...string) {}

func (e *arm64) importType(pkg, name string) { e.imports = append(e.imports, imported{pkg, name}) }

// qualify names imported types in full.
func (e *arm64) qualify(parameters string) string {
	for _, i := range e.imports {
		parameters = strings.ReplaceAll(parameters, "*"+i.name, "*"+i.pkg+"."+i.name)
	}
	return parameters
}

func (e *arm64) routine(name, sig, doc string) {
	e.signature = parseSignature(name, sig)
	e.free, e.pointers, e.c, e.frame = xpool(), map[string]xreg{}, "", 0
	e.body.Reset()
	fmt.Fprintf(&e.stubs, "\n// %s\n//\n//go:noescape\nfunc %s%s\n", doc, name, e.qualify(e.signature.parameters))
}

func (e *arm64) end() {
	e.op("RET")
	fmt.Fprintf(&e.text, "\n// func %[1]s%[2]s\nTEXT ·%[1]s(SB), NOSPLIT, $%[3]d-%[4]d\n%s",
		e.signature.name, e.signature.parameters, e.frame, e.signature.size, &e.body)
}

// get takes a register from the pool.
func (e *arm64) get() xreg {
	if len(e.free) == 0 {
		panic("out of registers")
	}
	r := e.free[0]
	e.free = e.free[1:]
	return r
}

// put gives registers back.
func (e *arm64) put(registers ...xreg) {
	for _, r := range registers {
		if slices.Contains(e.free, r) {
			panic(fmt.Sprintf("register %s given back twice", r))
		}
		e.free = slices.Insert(e.free, 0, r)
	}
}

// take takes a register out of the pool.
func (e *arm64) take(r xreg) {
	i := slices.Index(e.free, r)
	if i < 0 {
		panic(fmt.Sprintf("register %s is not free", r))
	}
	e.free = slices.Delete(e.free, i, i+1)
}

// parameter loads the parameter of that name into r.
func (e *arm64) parameter(name string, r xreg) {
	offset, ok := e.signature.offsets[name]
	if !ok {
		panic(e.signature.name + ": no parameter " + name)
	}
	e.op("MOVD", fmt.Sprintf("%s+%d(FP)", name, offset), r)
}

func (e *arm64) arg(name string, offset int) place {
	r, ok := e.pointers[name]
	if !ok {
		r = e.get()
		e.parameter(name, r)
		e.pointers[name] = r
	}
	return place{r, offset}
}

func (e *arm64) local(n int) place {
	p := place{nil, 8 + e.frame} // above the link register
	e.frame += 8 * n
	return p
}

func (e *arm64) pointer(name string) Op {
	r := e.get()
	e.parameter(name, r)
	return r
}

func (e *arm64) point(p Op, name string) { e.parameter(name, p.(xreg)) }

func (e *arm64) counter(name string) Op { return e.pointer(name) }

func (e *arm64) loop(label string) {
	e.loadC()
	e.label(label)
}

func (e *arm64) label(name string) { fmt.Fprintf(&e.body, "\n%s:\n", name) }

func (e *arm64) repeat(n Op, label string) {
	e.op("SUB", "$1", n, n)
	e.op("CBNZ", n, label)
}

// operand is word i of p, for LDP and STP with the one after it.
func (p place) operand(i int) string {
	var base Op = xreg("RSP")
	if p.pointer != nil {
		base = p.pointer
	}
	return fmt.Sprintf("%d(%s)", p.offset+8*i, base.Asm())
}

// loadPair loads words i and i + 1 of p.
func (e *arm64) loadPair(p place, i int, a, b xreg) {
	e.op("LDP", p.operand(i), fmt.Sprintf("(%s, %s)", a, b))
}

func (e *arm64) keep(p place, registers ...xreg) {
	for i := 0; i < len(registers); i += 2 {
		e.op("STP", fmt.Sprintf("(%s, %s)", registers[i], registers[i+1]), p.operand(i))
	}
}

// files returns the assembly and the declarations.
func (e *arm64) files() (text, stubs []byte) {
	const header = "// Code generated by command: go run ./tools/asm. DO NOT EDIT.\n\n//go:build !purego\n\n"
	text = fmt.Appendf(nil, "%s#include \"textflag.h\"\n%s", header, &e.text)
	stubs = fmt.Appendf(nil, "%spackage %s\n", header, e.pkg)
	for _, i := range e.imports {
		stubs = fmt.Appendf(stubs, "\nimport %q\n", module+i.pkg)
	}
	return text, append(stubs, e.stubs.Bytes()...)
}
