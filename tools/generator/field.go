package main

import (
	"fmt"
	"slices"
)

// field emits the routines of package field.
func field[R register](m machine[R]) {
	mul(m)
	e := arithmetic[R]{m}
	e.routine("square", "func(v, a *Element)", "square sets v = a².")
	e.comment("v = a²")
	v, x := e.arg("v", 0), e.reduce(e.square(e.arg("a", 0)))
	e.keep(v, x[:]...)
	e.end()
	squareN(m)
}

func mul[R register](m machine[R]) {
	e := arithmetic[R]{m}
	e.routine("mul", "func(v, a, b *Element)", "mul sets v = a · b.")
	e.comment("v = a·b")
	v, x := e.arg("v", 0), e.reduce(e.mul(e.arg("a", 0), e.arg("b", 0)))
	e.keep(v, x[:]...)
	e.end()
}

func squareN[R register](m machine[R]) {
	e := arithmetic[R]{m}
	e.routine("squareN", "func(v, a *Element, n int)", "squareN sets v = a^(2ⁿ) for n > 0.")
	n := e.held("n", "the count")
	x := e.load(e.arg("a", 0))
	e.comment("repeat n times x = x²: at first x = a, and at the end v = x")
	e.loop("loop")
	y := e.reduce(e.squareLimbs(x))
	e.put(y[:]...)
	for i, r := range x { // each register is free or already holds its word
		if j := slices.Index(y[:], r); j >= 0 && j != i {
			panic(fmt.Sprintf("register %s holds another word", r.Asm()))
		}
		e.take(r)
		if y[i] != r {
			e.move(y[i], r)
		}
	}
	e.repeat(n, "loop")
	e.keep(e.arg("v", 0), x[:]...)
	e.end()
}
