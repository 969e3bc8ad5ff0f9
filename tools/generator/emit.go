package main

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// gp is a general-purpose register of 64 bits.
type gp = reg.GPPhysical

// dx is the register from which MULX takes one factor. It is never allocated.
var dx = reg.RDX

// allGP lists every other register that a Go function may change. BP, the frame pointer, keeps its value.
var allGP = []gp{
	reg.RAX, reg.RBX, reg.RCX, reg.RSI, reg.RDI, reg.R8, reg.R9,
	reg.R10, reg.R11, reg.R12, reg.R13, reg.R14, reg.R15,
}

// emitter emits the routines of one package for x86-64.
type emitter struct {
	*build.Context
	pkg *types.Package
	declarations
	pool[gp]
	pointers map[string]gp  // the registers that hold pointer parameters of the current routine
	holdsC   bool           // whether DX holds c
	data     map[uint64]Mem // constants in memory

	// For routines in doubles: the constants, each for four lanes, and the number of vectors of four lanes that
	// subroutines keep on the stack.
	four     [][4]uint64
	spilled  int
	reserved int // of these, how many vectors of eight lanes the current routine reserves
}

// newEmitter returns an emitter for the package with the given name.
func newEmitter(name string) *emitter {
	return &emitter{
		Context: build.NewContext(), pkg: types.NewPackage(module+name, name), data: map[uint64]Mem{},
		declarations: declarations{subroutines: map[string]subroutine{}},
	}
}

// function begins a function with all registers free.
func (e *emitter) function(name, signature string) {
	e.Function(name)
	e.Attributes(attr.NOSPLIT)
	e.Signature(e.signature(signature))
	e.free, e.pointers = slices.Clone(allGP), map[string]gp{}
	e.holdsC = false
}

// comment emits a comment about the instructions that follow.
func (e *emitter) comment(format string, args ...any) { e.Comment(text(format, args)) }

// end ends a routine.
func (e *emitter) end() { e.RET() }

// routine begins the version of a routine with the suffix Broadwell. The routine itself jumps to this version if the
// processor has the instructions for it, and otherwise to the Go twin, which has the suffix Generic.
func (e *emitter) routine(name, signature, doc string) {
	e.declaration(name, signature, doc)
	e.way("Broadwell")
}

// way begins a further version of the routine that was declared last. The routine then jumps to the first version whose
// instructions the processor has, according to the variable of package platform that the suffix names.
func (e *emitter) way(suffix string) {
	d := &e.routines[len(e.routines)-1]
	d.ways, e.current = append(d.ways, suffix), d.name+suffix
	e.function(e.current, d.signature)
}

// appendAssembly appends the dispatching functions to the assembly. They consist of jumps that avo cannot express.
func (e *emitter) appendAssembly(text []byte, table []platform.Routine) []byte {
	for name := range e.subroutines {
		text = bytes.Replace(text, fmt.Appendf(nil, "TEXT ·%s(SB)", name), fmt.Appendf(nil, "TEXT %s<>(SB)", name), 1)
	}
	for _, r := range e.routines {
		if r.ways == nil {
			continue
		}
		s, row := e.signature(r.signature), r.row(table, e.pkg.Name())
		text = fmt.Appendf(text, "\n// func %s%s\nTEXT ·%[1]s(SB), NOSPLIT, $0-%[3]d\n", r.name, s, s.Bytes())
		for i, next := range append(r.ways[1:], "Generic") {
			const test = "\tCMPB ·use%[2]s(SB), $0\n\tJEQ  %[3]s\n\tJMP  ·%[1]s(SB)\n\n%[3]s:\n"
			text = fmt.Appendf(text, test, row.Version(r.ways[i]), r.ways[i], strings.ToLower(next))
		}
		text = fmt.Appendf(text, "\tJMP ·%s(SB)\n", row.Version("Generic"))
	}
	return text
}

// pointedTo finds the types that follow *, [] or [n] in a signature.
var pointedTo = regexp.MustCompile(`[*\]](\w+)`)

func (e *emitter) signature(expr string) *gotypes.Signature { return signatureIn(e.pkg, expr) }

// signatureIn parses a signature, whose types are in a package or declared there with any contents.
func signatureIn(pkg *types.Package, expr string) *gotypes.Signature {
	for _, m := range pointedTo.FindAllStringSubmatch(expr, -1) {
		if types.Universe.Lookup(m[1]) == nil {
			t := types.NewTypeName(token.NoPos, pkg, m[1], nil)
			types.NewNamed(t, types.NewStruct(nil, nil), nil)
			pkg.Scope().Insert(t)
		}
	}
	s, err := gotypes.ParseSignatureInPackage(pkg, expr)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", expr, err))
	}
	return s
}

// local reserves n words on the stack.
func (e *emitter) local(n int) place {
	return place{offset: e.AllocLocal(8 * n).Disp}
}

// held copies a parameter to the stack, and describes it in the banner by the given text.
func (e *emitter) held(name, what string) Op {
	p := e.AllocLocal(8)
	e.note("%s holds %s.", p, what)
	e.set(p, name)
	return p
}

func (e *emitter) set(held Op, name string) {
	r := e.param(name)
	e.MOVQ(r, held)
	e.put(r)
}

// arg returns the place at an offset from the pointer parameter with the given name.
func (e *emitter) arg(name string, offset int) place {
	return place{must.Get(e.Param(name).Resolve()).Addr, offset}
}

// word returns word i of p. If p has a pointer, r must hold it.
func (p place) word(i int, r gp) Mem {
	if p.pointer == nil {
		return Mem{Base: reg.StackPointer, Disp: p.offset + 8*i}
	}
	return Mem{Base: r, Disp: p.offset + 8*i}
}

// words returns the words at p as operands. If p has a pointer, a register holds this pointer until done is called.
func (e *emitter) words(p place) (words [8]Op, done func()) {
	var base gp
	done = func() {}
	if p.pointer != nil {
		base = e.get()
		e.MOVQ(p.pointer, base)
		done = func() { e.put(base) }
	}
	for i := range words {
		words[i] = p.word(i, base)
	}
	return words, done
}

// loadWord loads word i of p into r and uses no other register.
func (e *emitter) loadWord(p place, i int, r gp) {
	if p.pointer != nil {
		e.MOVQ(p.pointer, r)
	}
	e.MOVQ(p.word(i, r), r)
}

func (e *emitter) keep(p place, registers ...gp) {
	words, done := e.words(p)
	for i, r := range registers {
		e.MOVQ(r, words[i])
	}
	done()
}

// addWords adds words to the registers of an integer. A register without a word gets only the carry.
func (e *emitter) addWords(sum []gp, words ...Op) { chain(e.ADDQ, e.ADCQ, sum, words) }

// subWords subtracts words from the registers of an integer.
func (e *emitter) subWords(difference []gp, words ...Op) { chain(e.SUBQ, e.SBBQ, difference, words) }

func chain(first, next func(a, b Op), registers []gp, words []Op) {
	for i, r := range registers {
		word := Op(Imm(0))
		if i < len(words) {
			word = words[i]
		}
		if i == 0 {
			first(word, r)
		} else {
			next(word, r)
		}
	}
}

// zero sets a register to 0 without waiting for the register's old value, and clears CF and OF.
func (e *emitter) zero(r gp) {
	e.XORL(r.As32(), r.As32())
}

// param loads the one-word parameter with the given name.
func (e *emitter) param(name string) gp {
	r := e.get()
	e.Load(e.Param(name), r)
	return r
}

// pointer returns the register that holds a pointer parameter.
func (e *emitter) pointer(name string) gp {
	if e.pointers[name] == nil {
		e.pointers[name] = e.param(name)
		e.note("%s points to %s.", e.pointers[name], name)
	}
	return e.pointers[name]
}

func (e *emitter) loop(label string) {
	e.Label(label)
	e.holdsC = false // DX may hold a factor of the previous round
}

func (e *emitter) repeat(n Op, label string) {
	e.SUBQ(Imm(1), n)
	e.JNE(LabelRef(label))
}
