package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
)

// pool holds the free registers of a machine, which have the type R. The emitting code takes and returns registers
// explicitly, because an allocator would spill values that need not be spilled.
type pool[R register] struct{ free []R }

// register is the type of the registers of a machine.
type register interface {
	comparable
	Op
}

// operands returns registers as operands.
func operands[R register](registers []R) (list []Op) {
	for _, r := range registers {
		list = append(list, r)
	}
	return list
}

// get takes any register from the pool.
func (p *pool[R]) get() R {
	if len(p.free) == 0 {
		panic("out of registers")
	}
	r := p.free[0]
	p.free = p.free[1:]
	return r
}

// take4 takes any four registers.
func (p *pool[R]) take4() (v elementOf[R]) {
	for i := range v {
		v[i] = p.get()
	}
	return v
}

// take takes a particular register.
func (p *pool[R]) take(r R) {
	i := slices.Index(p.free, r)
	if i < 0 {
		panic(fmt.Sprintf("register %s is not free", r.Asm()))
	}
	p.free = slices.Delete(p.free, i, i+1)
}

// put returns registers to the pool.
func (p *pool[R]) put(registers ...R) {
	for _, r := range registers {
		if slices.Contains(p.free, r) {
			panic(fmt.Sprintf("register %s is returned twice", r.Asm()))
		}
		p.free = slices.Insert(p.free, 0, r)
	}
}
