package main

import (
	"fmt"

	safegcd "p256k1.mleku.dev/v2/internal/modinv"
)

// batchARM64 emits the routine batch of package modinv. Unlike on x86-64, the transition matrix stays in registers.
func batchARM64(e *arm64) {
	e.routine("batch", "func(s *state, m *modulus62)",
		"batch runs 60 divsteps on f and g, and applies their transition matrix to d and e modulo m.")
	s := e.arg("s", 0)
	t := e.divsteps(s)
	e.updateFG(s, t)
	e.updateDE(s, e.arg("m", 0), t)
	e.end()
}

// loadWord loads word i of p.
func (e *arm64) loadWord(p place, i int) xreg {
	r := e.get()
	e.op("MOVD", p.operand(i), r)
	return r
}

// plus returns the place offset bytes after p.
func (p place) plus(offset int) place { return place{p.pointer, p.offset + offset} }

// divsteps runs 60 divsteps, in three runs of 20, and returns 2⁶² times their transition matrix. Its Go twins are
// divsteps60 and divsteps20.
func (e *arm64) divsteps(s place) (t matrix[xreg]) {
	e.note("In memory, f, g, d, e and m consist of digits of 62 bits. Branches depend on the digits of m, which is public.")
	zeta, f, g := e.loadWord(s, stateZeta/8), e.loadWord(s, stateF/8), e.loadWord(s, stateG/8)
	e.comment("the flags have the sign of ζ before each divstep")
	e.op("TST", zeta, zeta)
	for i := range 3 {
		e.comment("divsteps %d to %d: %s = ζ, %s = f, %s = g", run*i+1, run*i+run, zeta, f, g)
		f20, g20 := e.run20(fmt.Sprintf("run%d", i), zeta, f, g)
		u, v := e.unpack(f20)
		q, r := e.unpack(g20)
		if i < 2 {
			e.comment("(f, g) = (u·f + v·g, q·f + r·g)/2²⁰")
			x, y := e.dot(u, f, v, g), e.dot(q, f, r, g)
			e.op("LSR", "$20", x, f)
			e.op("LSR", "$20", y, g)
			e.put(x, y)
		}
		if i == 0 {
			t = matrix[xreg]{u, v, q, r}
			e.comment("times 4, so that the product of three matrices, each scaled by 2²⁰, is scaled by 2⁶²")
			for _, w := range t {
				e.op("LSL", fmt.Sprint("$", 62-safegcd.Divsteps), w, w)
			}
			continue
		}
		e.comment("multiply by the matrix of the earlier divsteps, which is the right factor")
		product := matrix[xreg]{e.dot(u, t[0], v, t[2]), e.dot(u, t[1], v, t[3]), e.dot(q, t[0], r, t[2]), e.dot(q, t[1], r, t[3])}
		e.put(t[:]...)
		e.put(u, v, q, r)
		t = product
	}
	e.op("MOVD", zeta, s.operand(stateZeta/8))
	e.put(zeta, f, g)
	return t
}

// dot returns the low word of a·b + c·d.
func (e *arm64) dot(a, b, c, d xreg) xreg {
	r := e.get()
	e.op("MUL", a, b, r)
	e.op("MADD", c, r, d, r)
	return r
}

// run20 runs 20 divsteps from ζ, f₀ and g₀. It returns f − 1 and g, each in a word that also holds a row of 2²⁰ times
// the transition matrix.
func (e *arm64) run20(label string, zeta, f0, g0 xreg) (f, g xreg) {
	h, y := e.get(), e.get()
	e.comment("%s: h = (f − 1)/2 mod 2¹⁹, and 1 at bit 40 for row (1, 0); %s: g mod 2²⁰, and 1 at bit 62 for row (0, 1)", h, y)
	e.op("UBFX", "$1", f0, "$19", h)
	e.op("ORR", "$(1<<40)", h, h)
	e.op("AND", "$(1<<20-1)", g0, y)
	e.op("ORR", "$(1<<62)", y, y)

	n, x, odd, up, half, swap := e.get(), e.get(), e.get(), e.get(), e.get(), e.get()
	e.op("MOVD", fmt.Sprint("$", run/4), n)
	e.comment("five times four divsteps: (ζ, f, g) → (−ζ − 2, g, (g − f)/2) if g is odd and ζ < 0, else (ζ − 1, f, (g + (g mod 2)·f)/2)")
	e.label(label)
	for i := range 4 {
		// An even g becomes g/2. An odd g becomes (g + 1)/2 + h if ζ ≥ 0. If ζ < 0, an odd g becomes (g + 1)/2 − h − 1,
		// (g − 1)/2 replaces h, and −ζ − 2 replaces ζ − 1.
		e.comment("divstep %d of 4", i+1)
		e.op("CSINV", "PL", h, h, x)
		e.op("SBFX", "$0", y, "$1", odd)
		e.op("ASR", "$1", y, half)
		e.op("CSEL", "MI", odd, zr, swap)
		e.op("AND", odd, x, x)
		e.op("SUB", odd, half, up)
		e.op("EOR", swap, zeta, zeta)
		e.op("ADD", x, up, y)
		e.op("TST", swap, swap)
		e.op("CSEL", "NE", half, h, h)
		e.op("SUBS", "$1", zeta, zeta)
	}
	e.repeat(n, label)
	e.put(n, x, odd, up, half, swap)
	e.comment("2h = f − 1, with the row (u, v) of f")
	e.op("ADD", h, h, h)
	return h, y
}

// unpack returns u and v of the word w = f + u·2²¹ + v·2⁴² for −2²⁰ ≤ f < 2²⁰ and −2²⁰ < u ≤ 2²⁰. It puts v into w.
func (e *arm64) unpack(w xreg) (u, v xreg) {
	u = e.get()
	e.comment("unpack row (u, v) of %s = f + u·2²¹ + v·2⁴², or row (q, r) of the word of g: %s = u, %[1]s = v", w, u)
	e.op("SUB", "$(1<<20)", w, u)
	e.op("SBFX", "$21", u, "$21", u)
	e.op("ADD", "$1", u, u)
	half := e.get()
	e.op("MOVD", "$(1<<41-1<<20)", half)
	e.op("ADD", half, w, w)
	e.op("ASR", "$42", w, w)
	e.put(half)
	return u, w
}

// sum is a signed integer of two words.
type sum struct {
	low, high xreg
	zero      bool // the sum is 0, and its registers may hold anything
}

// addProduct adds the signed product a·b to w.
func (e *arm64) addProduct(w *sum, a, b xreg) {
	if w.zero {
		e.op("MUL", a, b, w.low)
		e.op("SMULH", a, b, w.high)
		w.zero = false
		return
	}
	low, high := e.get(), e.get()
	e.op("MUL", a, b, low)
	e.op("SMULH", a, b, high)
	e.op("ADDS", low, w.low, w.low)
	e.op("ADC", high, w.high, w.high)
	e.put(low, high)
}

// digit divides w by 2⁶², rounding down. It stores the remainder as word i of p if i ≥ 0. Of the quotient after word 3,
// it computes only the low word.
func (e *arm64) digit(p place, i int, w *sum) {
	if i >= 0 {
		r := e.get()
		e.op("AND", "$(1<<62-1)", w.low, r)
		e.op("MOVD", r, p.operand(i))
		e.put(r)
	}
	e.op("EXTR", "$62", w.low, w.high, w.low)
	if i < 3 {
		e.op("ASR", "$62", w.high, w.high)
	}
}

// updateFG sets (f, g) to (u·f + v·g, q·f + r·g)/2⁶².
func (e *arm64) updateFG(s place, t matrix[xreg]) {
	pf, pg := s.plus(stateF), s.plus(stateG)
	f, g := sum{e.get(), e.get(), true}, sum{e.get(), e.get(), true}
	for i := range 5 {
		e.comment("add the products of digit %d: %s %s = u·f + v·g, %s %s = q·f + r·g; then divide by 2⁶²: the remainder, which is 0 for digit 0, is the previous digit of the result", i, f.low, f.high, g.low, g.high)
		fi, gi := e.loadWord(pf, i), e.loadWord(pg, i)
		addDigits(e.addProduct, [2]*sum{&f, &g}, [2]xreg{fi, gi}, t)
		e.put(fi, gi)
		e.digit(pf, i-1, &f)
		e.digit(pg, i-1, &g)
	}
	e.op("MOVD", f.low, pf.operand(4))
	e.op("MOVD", g.low, pg.operand(4))
	e.put(f.low, f.high, g.low, g.high)
}

// updateDE sets (d, e) to (u·d + v·e, q·d + r·e)/2⁶² mod m. Both d and e stay in (−2m, m).
func (e *arm64) updateDE(s, m place, t matrix[xreg]) {
	pd, pe := s.plus(stateD), s.plus(stateE)
	d, ee := sum{e.get(), e.get(), true}, sum{e.get(), e.get(), true}

	d4, e4, negative := e.loadWord(pd, 4), e.loadWord(pe, 4), e.get()
	multiple := [2]xreg{e.get(), e.get()}
	e.comment("to keep the results above −2m: %s = md = (u if d < 0) + (v if e < 0), %s = me = (q if d < 0) + (r if e < 0)", multiple[0], multiple[1])
	for i, r := range multiple {
		e.op("AND", string(d4)+"->63", t[2*i], r)
		e.op("AND", string(e4)+"->63", t[2*i+1], negative)
		e.op("ADD", negative, r, r)
	}
	e.put(d4, e4, negative)
	for i := range 5 {
		e.comment("add the products of digit %d: %s %s = u·d + v·e, %s %s = q·d + r·e", i, d.low, d.high, ee.low, ee.high)
		di, ei := e.loadWord(pd, i), e.loadWord(pe, i)
		addDigits(e.addProduct, [2]*sum{&d, &ee}, [2]xreg{di, ei}, t)
		e.put(di, ei)
		if i == 0 {
			e.comment("md −= (m⁻¹·sum + md) mod 2⁶², so that digit 0 of sum + md·m is 0, and me in the same way")
			inverse, r := e.loadWord(m, 5), e.get()
			for j, low := range []xreg{d.low, ee.low} {
				e.op("MADD", inverse, multiple[j], low, r)
				e.op("AND", "$(1<<62-1)", r, r)
				e.op("SUB", r, multiple[j], multiple[j])
			}
			e.put(inverse, r)
		}
		e.comment("add digit %d of m times md and me; then divide by 2⁶²: the remainder, which is 0 for digit 0, is the previous digit of the result", i)
		mi := e.loadWord(m, i)
		reduced := fmt.Sprintf("reduced%d", i)
		if 0 < i && i < 4 { // digits of m that may be 0; m is not secret
			e.op("CBZ", mi, reduced)
		}
		e.addProduct(&d, mi, multiple[0])
		e.addProduct(&ee, mi, multiple[1])
		e.put(mi)
		if 0 < i && i < 4 {
			e.label(reduced)
		}
		e.digit(pd, i-1, &d)
		e.digit(pe, i-1, &ee)
	}
	e.op("MOVD", d.low, pd.operand(4))
	e.op("MOVD", ee.low, pe.operand(4))
	e.put(d.low, d.high, ee.low, ee.high)
	e.put(multiple[:]...)
	e.put(t[:]...)
}
