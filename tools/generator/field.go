package main

// field emits the routines of package field.
func field[R any](m machine[R]) {
	mul(m)
	square(m)
	squareN(m)
}

// fieldARM64 emits the routines of package field that platform.Routines lists for ARM64.
func fieldARM64(e *arm64) {
	mul(e)
	squareN(e)
}

func mul[R any](m machine[R]) {
	e := arithmetic[R]{m}
	e.routine("mul", "func(v, a, b *Element)", "mul sets v = a · b.")
	e.comment("v = a·b")
	e.store(e.arg("v", 0), e.reduce(e.mul(e.arg("a", 0), e.arg("b", 0))))
	e.end()
}

func square[R any](m machine[R]) {
	e := arithmetic[R]{m}
	e.routine("square", "func(v, a *Element)", "square sets v = a².")
	e.comment("v = a²")
	e.store(e.arg("v", 0), e.reduce(e.square(e.arg("a", 0))))
	e.end()
}

func squareN[R any](m machine[R]) {
	e := arithmetic[R]{m}
	e.routine("squareN", "func(v, a *Element, n int)", "squareN sets v = a^(2ⁿ) for n > 0.")
	n := e.counter("n")
	x := e.load(e.arg("a", 0))
	e.comment("repeat n times x = x²: at first x = a, and at the end v = x")
	e.loop("loop")
	y := e.reduce(e.squareLimbs(x))
	e.rename(x, y)
	e.repeat(n, "loop")
	e.store(e.arg("v", 0), x)
	e.end()
}
