package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file has the vector instructions of AVX-512 IFMA: the target of the generator of vector routines, and what
// routines that are written instruction by instruction share.

const vectorBytes = 64 // a vector: one word of each of eight lanes

// avx512 has 32 vector registers, and registers for masks.
type avx512 struct {
	*emitter
	masks map[string]reg.OpmaskPhysical
}

func (t *avx512) registers() []reg.VecPhysical { return zmm }

func (t *avx512) move(from, to Op) { t.VMOVDQA64(from, to) }

func (t *avx512) load(m Op, each bool, to Op) {
	if each {
		t.VPBROADCASTQ(m, to)
	} else {
		t.VMOVDQU64(m, to)
	}
}

func (t *avx512) store(from, m Op) { t.VMOVDQU64(from, m) }

func (t *avx512) loadMask(mask string) {
	if t.masks[mask] != nil {
		return
	}
	k := []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4}[len(t.masks)]
	t.Load(t.Param(strings.TrimPrefix(mask, "^")), k)
	if mask[0] == '^' {
		t.KNOTB(k, k)
	}
	t.masks[mask] = k
	t.note("%s holds the mask %s.", k, strings.Replace(mask, "^", "of the lanes that are not in ", 1))
}

func (t *avx512) instruction(a *allocator, v *vec) {
	// The second form of an instruction has an operand in memory that holds one word for all lanes.
	forms := map[instruction][2]func(...Op){
		productLo: {t.VPMADD52LUQ, t.VPMADD52LUQ_BCST},
		productHi: {t.VPMADD52HUQ, t.VPMADD52HUQ_BCST},
		add:       {t.VPADDQ, t.VPADDQ_BCST},
		subtract:  {t.VPSUBQ, t.VPSUBQ_BCST},
		and:       {t.VPANDQ, t.VPANDQ_BCST},
		or:        {t.VPORQ, t.VPORQ_BCST},
	}[v.what]
	form := func(each bool) func(...Op) {
		if each {
			return forms[1]
		}
		return forms[0]
	}
	switch v.what {
	case zero:
		r := a.place(v, a.room())
		t.VPXORQ(r, r, r)
	case productLo, productHi:
		o, each, r := a.commuted(v.operands[1], v.operands[2])
		form(each)(o, r, a.over(v, v.operands[0]))
	case add, and, or:
		o, each, r := a.commuted(v.operands[0], v.operands[1])
		form(each)(o, r, a.result(v))
	case subtract:
		r := a.register(v.operands[0])
		o, each := a.operand(v.operands[1])
		form(each)(o, r, a.result(v))
	case subtractMasked:
		r, o := a.register(v.operands[1]), a.register(v.operands[2])
		t.VPSUBQ(o, r, t.masks[v.mask], a.over(v, v.operands[0]))
	case blend:
		r := a.register(v.operands[1])
		o, each := a.operand(v.operands[0])
		if each {
			o = a.register(v.operands[0])
		}
		t.VPBLENDMQ(o, r, t.masks[v.mask], a.result(v))
	case shiftRight:
		t.VPSRLQ(U8(v.n), a.register(v.operands[0]), a.result(v))
	case shiftLeft:
		t.VPSLLQ(U8(v.n), a.register(v.operands[0]), a.result(v))
	}
}

// constantData returns the memory that holds a constant.
func (e *emitter) constantData(n uint64) Mem {
	m, ok := e.data[n]
	if !ok {
		m = e.ConstData(fmt.Sprintf("constant%x", n), U64(n))
		e.data[n] = m
	}
	return m
}
