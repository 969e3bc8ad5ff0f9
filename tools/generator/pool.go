package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
)

// pool holds the free registers of a machine, which have the type R. The emitting code takes and returns registers
// explicitly, because an allocator would spill values that need not be spilled.
type pool[R interface {
	comparable
	Op
}] struct{ free []R }

// get takes any register from the pool.
func (p *pool[R]) get() R {
	if len(p.free) == 0 {
		panic("out of registers")
	}
	r := p.free[0]
	p.free = p.free[1:]
	return r
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

// rename moves v to the registers x, each of which is free or already holds its word.
func (p *pool[R]) rename(x, v elementOf[R], move func(from, to R)) {
	p.put(v[:]...)
	for i, r := range x {
		if j := slices.Index(v[:], r); j >= 0 && j != i {
			panic(fmt.Sprintf("register %s holds another word", r.Asm()))
		}
		p.take(r)
		if v[i] != r {
			move(v[i], r)
		}
	}
}
