package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// instruction is a line of objdump in AT&T's syntax, in which the destination is the last operand.
type instruction struct {
	pc       uint64
	mnemonic string
	operands string
	target   uint64 // target of a jump or a call, or an address that is loaded
	symbol   string // the function at this address
}

func (i *instruction) String() string { return i.mnemonic + " " + i.operands }

// function has the instructions of a symbol.
type function struct {
	name  string
	code  []instruction
	index map[uint64]int // in code, by the address
}

var (
	header   = regexp.MustCompile(`^([0-9a-f]+) <(.*)>:$`)
	line     = regexp.MustCompile(`^ *([0-9a-f]+):\t(.*)$`)
	prefixes = regexp.MustCompile(`^((?:lock|rep[nz]*|bnd|notrack|data16|cs|[ders]s|rex\S*|xacquire|xrelease) +)+`)
	target   = regexp.MustCompile(`\b([0-9a-f]+) <(.*?)(?:\+0x[0-9a-f]+)?>$`)
)

// disassemble returns the functions of a binary by name.
func disassemble(ctx context.Context, path string) map[string]*function {
	cmd := exec.CommandContext(ctx, "objdump", "--disassemble", "--no-show-raw-insn", "--wide", "--section=.text", path)
	out, err := cmd.Output()
	if err != nil {
		panic(fmt.Errorf("%w: objdump of GNU binutils is needed", err))
	}
	functions := make(map[string]*function)
	var current *function
	for text := range strings.Lines(string(out)) {
		text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "%2e", ".")
		if m := header.FindStringSubmatch(text); m != nil {
			current = &function{name: m[2], index: make(map[uint64]int)}
			functions[m[2]] = current
			continue
		}
		m := line.FindStringSubmatch(text)
		if m == nil || current == nil {
			continue
		}
		i := instruction{}
		i.pc, _ = strconv.ParseUint(m[1], 16, 64)
		text = m[2]
		if m := target.FindStringSubmatch(text); m != nil {
			i.target, _ = strconv.ParseUint(m[1], 16, 64)
			i.symbol = m[2]
		}
		text, _, _ = strings.Cut(text, "#")
		prefix := prefixes.FindString(text)
		i.mnemonic, i.operands, _ = strings.Cut(strings.TrimPrefix(text, prefix), " ")
		if strings.HasPrefix(prefix, "rep") {
			i.mnemonic = strings.Fields(prefix)[0] + " " + i.mnemonic
		}
		i.operands = strings.TrimSpace(i.operands)
		if i.mnemonic == "int3" {
			continue // between functions
		}
		current.index[i.pc] = len(current.code)
		current.code = append(current.code, i)
	}
	return functions
}
