package main

import (
	"bytes"
	"fmt"
	"strings"
)

// source collects the routines of one package in Go's assembly language, for processors that avo does not support.
type source struct {
	declarations
	text      bytes.Buffer // the finished routines
	body      bytes.Buffer // the instructions of the current routine
	signature signature
	frame     int
}

type signature struct {
	name, parameters string
	offsets          map[string]int // the offset of each word of the parameters, in bytes
	size             int
}

// parseSignature parses a signature whose parameters are integers, pointers or slices.
func parseSignature(name, s string) signature {
	inside, ok := strings.CutPrefix(s, "func(")
	inside, closed := strings.CutSuffix(inside, ")")
	if !ok || !closed {
		panic(name + ": " + s)
	}
	sig := signature{name: name, parameters: "(" + inside + ")", offsets: map[string]int{}}
	for p := range strings.SplitSeq(inside, ", ") {
		parameter, kind, typed := strings.Cut(p, " ")
		ends := []string{""}
		switch {
		case strings.HasPrefix(kind, "[]"):
			ends = []string{"_base", "_len", "_cap"}
		case typed && !strings.HasPrefix(kind, "*") && kind != "int" && kind != "uint64":
			panic(name + ": parameter of type " + kind)
		}
		for _, end := range ends {
			sig.offsets[parameter+end] = sig.size
			sig.size += 8
		}
	}
	return sig
}

// begin begins a routine.
func (e *source) begin(name, signature, doc string) {
	e.declaration(name, signature, doc)
	e.signature, e.frame = parseSignature(name, signature), 0
	e.body.Reset()
}

// finish ends a routine.
func (e *source) finish() {
	fmt.Fprintf(&e.text, "\n// func %[1]s%[2]s\nTEXT ·%[1]s(SB), NOSPLIT, $%[3]d-%[4]d\n%s",
		e.signature.name, e.signature.parameters, e.frame, e.signature.size, &e.body)
}

// op emits an instruction with its operands in Go's order, the destination last.
func (e *source) op(name string, operands ...any) {
	list := make([]string, len(operands))
	for i, o := range operands {
		list[i] = fmt.Sprint(o)
	}
	line := fmt.Sprintf("\t%-5s %s", name, strings.Join(list, ", "))
	fmt.Fprintln(&e.body, strings.TrimRight(line, " "))
}

func (e *source) label(name string) { fmt.Fprintf(&e.body, "\n%s:\n", name) }

// comment emits a comment about the instructions that follow.
func (e *source) comment(format string, args ...any) {
	fmt.Fprintf(&e.body, "\n\t// %s\n", text(format, args))
}

// operand returns the parameter with the given name.
func (e *source) operand(name string) string {
	offset, ok := e.signature.offsets[name]
	if !ok {
		panic(e.signature.name + ": no parameter " + name)
	}
	return fmt.Sprintf("%s+%d(FP)", name, offset)
}

func (e *source) assembly() []byte {
	return fmt.Appendf(nil, "%s//go:build !purego\n\n#include \"textflag.h\"\n%s", header, &e.text)
}
