package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file has the vector instructions of AVX-512 IFMA: the target of the generator of vector routines, and what
// routines that are written instruction by instruction share.

const (
	vectorBytes     = 64 // a vector: one word of each of eight lanes
	elementBytes    = 5 * vectorBytes
	halfBytes       = 3 * vectorBytes // k1 or k2 of the type halves
	coordinateBytes = 4 * 8           // a coordinate in a slice or a table, in words
)

// avx512 has 32 vector registers, and registers for masks.
type avx512 struct {
	*emitter
	masks map[string]reg.OpmaskPhysical
}

// ifmaSchedule describes a processor that begins one product and one other instruction in every cycle.
var ifmaSchedule = schedule{ahead: 30, pressure: 20, product: 4, other: 1, width: 1}

func (t *avx512) registers() []reg.VecPhysical           { return zmm }
func (t *avx512) move(source, result Op)                 { t.VMOVDQA64(source, result) }
func (t *avx512) store(source, m Op)                     { t.VMOVDQU64(source, m) }
func (t *avx512) constant(n uint64) (home Op, each bool) { return t.constantData(n), true }
func (t *avx512) reload() int                            { return 1 }

func (t *avx512) load(m Op, each bool, result Op) {
	if each {
		t.VPBROADCASTQ(m, result)
	} else {
		t.VMOVDQU64(m, result)
	}
}

// loadMask loads a mask parameter, whose prefix "^" stands for the complement.
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

func (t *avx512) forms() map[instruction][]func(...Op) {
	return map[instruction][]func(...Op){
		productLo:  {t.VPMADD52LUQ, t.VPMADD52LUQ_BCST},
		productHi:  {t.VPMADD52HUQ, t.VPMADD52HUQ_BCST},
		add:        {t.VPADDQ, t.VPADDQ_BCST},
		subtract:   {t.VPSUBQ, t.VPSUBQ_BCST},
		and:        {t.VPANDQ, t.VPANDQ_BCST},
		or:         {t.VPORQ, t.VPORQ_BCST},
		shiftRight: {t.VPSRLQ},
		shiftLeft:  {t.VPSLLQ},
		blend:      {t.VPBLENDMQ, t.VPBLENDMQ_BCST},
	}
}

func (t *avx512) instruction(a *allocator, v *vec) {
	switch v.what {
	case zero:
		r := a.place(v, a.room())
		t.VPXORQ(r, r, r)
	case productLo, productHi:
		o, each, r := a.commuted(v.operands[1], v.operands[2])
		a.form(v, each)(o, r, a.over(v, v.operands[0]))
	case subtractMasked:
		r, o := a.register(v.operands[1]), a.register(v.operands[2])
		t.VPSUBQ(o, r, t.masks[v.mask], a.over(v, v.operands[0]))
	case blend:
		r := a.register(v.operands[1])
		o, each := a.operand(v.operands[0])
		a.form(v, each)(o, r, t.masks[v.mask], a.result(v))
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

// ifma begins a routine for processors with AVX-512 IFMA.
func (e *emitter) ifma(name, signature, doc string) {
	e.declaration(name, signature, doc)
	e.way("IFMA")
}

// endVectors ends a routine that used vectors.
func (e *emitter) endVectors() {
	e.VZEROUPPER()
	e.end()
}

// zmm lists the vector registers of 512 bits.
var zmm = []reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
}

func z(i int) reg.VecPhysical { return zmm[i] }

// pair is two operands, such as the registers that hold x and y of x + y·λ.
type pair [2]Op

// both emits an instruction for both operands of each pair. Other operands are the same for both.
func (e *emitter) both(instruction func(...Op), operands ...any) {
	for i := range 2 {
		var list []Op
		for _, o := range operands {
			p, is := o.(pair)
			if is {
				o = p[i]
			}
			list = append(list, o.(Op))
		}
		instruction(list...)
	}
}

// all sets every lane of v to n.
func (e *emitter) all(n uint64, v reg.VecPhysical) {
	r := e.get()
	e.MOVQ(U64(n), r)
	e.VPBROADCASTQ(r, v)
	e.put(r)
}

// keepVectors stores vectors at consecutive addresses, from the address in a register on.
func (e *emitter) keepVectors(list []reg.VecPhysical, address gp) {
	for i, v := range list {
		e.VMOVDQU64(v, Mem{Base: address, Disp: i * vectorBytes})
	}
}

// registers returns n consecutive vector registers.
func registers(first, n int) []reg.VecPhysical { return zmm[first : first+n] }

// transpose loads four words of each lane. It returns four vectors: the first words of all lanes, the second words, and
// so on. It uses registers Z20 to Z31.
func (e *emitter) transpose(row func(lane int) Mem) []reg.VecPhysical {
	e.comment("Z20 to Z23: the words of two lanes each, in halves of 256 bits: lanes 0 and 2, 1 and 3, 4 and 6, 5 and 7")
	y := []reg.VecPhysical{reg.Y20, reg.Y21, reg.Y22, reg.Y23}
	for i, lanes := range [4][2]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}} {
		e.VMOVDQU64(row(lanes[0]), y[i])
		e.VINSERTI64X4(Imm(1), row(lanes[1]), z(20+i), z(20+i))
	}
	e.comment("Z24 and Z26: words 0 and 2 of lanes 0 to 3 and of lanes 4 to 7, in pairs of lanes; Z25 and Z27: words 1 and 3 of the same lanes")
	e.VPUNPCKLQDQ(z(21), z(20), z(24))
	e.VPUNPCKHQDQ(z(21), z(20), z(25))
	e.VPUNPCKLQDQ(z(23), z(22), z(26))
	e.VPUNPCKHQDQ(z(23), z(22), z(27))
	e.comment("Z28 to Z31: words 0 to 3 of all lanes")
	words := registers(28, 4)
	e.VSHUFI64X2(Imm(evenQuarters), z(26), z(24), words[0])
	e.VSHUFI64X2(Imm(evenQuarters), z(27), z(25), words[1])
	e.VSHUFI64X2(Imm(oddQuarters), z(26), z(24), words[2])
	e.VSHUFI64X2(Imm(oddQuarters), z(27), z(25), words[3])
	return words
}

// The quarters that VSHUFI64X2 takes from each of two vectors.
const (
	evenQuarters = 0x88
	oddQuarters  = 0xdd
)

// join sets v to the 64 bits from bit n of word a on, where b is the word above a. It changes t.
func (e *emitter) join(a, b Op, n uint64, t, v Op) {
	e.VPSRLQ(Imm(n), a, v)
	e.VPSLLQ(Imm(64-n), b, t)
	e.VPORQ(t, v, v)
}

// loadIntegers sets five registers to the limbs of integers of four words, which are in memory by lanes. Bits of limbs
// from 52 on do not count.
func (e *emitter) loadIntegers(first int, row func(lane int) Mem) (limbs []reg.VecPhysical) {
	words := e.transpose(row)
	limbs = registers(first, 5)
	e.comment("limbs in %s", names(limbs))
	e.VMOVDQA64(words[0], limbs[0])
	for i := 1; i < 4; i++ {
		e.join(words[i-1], words[i], uint64(limb*i%64), z(20), limbs[i])
	}
	e.VPSRLQ(Imm(16), words[3], limbs[4])
	return limbs
}
