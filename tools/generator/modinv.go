package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	safegcd "p256k1.mleku.dev/v2/internal/modinv"
)

// modinv emits the routine of package modinv. Divsteps are written separately for each machine, in this file,
// arm64modinv.go and safegcd62.go, because their speed depends on how the machine handles flags. The rest of the
// routine consists of sums of products of signed digits. Generating this rest from formulas would need a second kind of
// formula for only two functions.
func modinv(e *emitter) {
	e.routine("batch", "func(s *state, m *modulus62)",
		"batch runs 60 divsteps on f and g, and applies their transition matrix to d and e modulo m.")
	e.take(reg.RAX) // products use AX and DX
	t := e.local(4)
	e.updateFG(e.divsteps(t)) // computed first, because the next batch waits for it
	e.updateDE(t)
	e.end()
}

// The offsets, in bytes, of ζ and of the digits of f, g, d and e in the state.
const (
	stateZeta = 0
	stateF    = 8
	stateG    = stateF + 40
	stateD    = stateG + 40
	stateE    = stateD + 40
)

// run is the number of divsteps in a run, a third of a batch.
const run = safegcd.Divsteps / 3

// matrix holds the entries u, v, q and r of the matrix (u, v; q, r).
type matrix[R any] [4]R

// word returns word i of the memory that p points to.
func word(p gp, i int) Mem { return Mem{Base: p, Disp: 8 * i} }

// load64 loads the word at p.
func (e *emitter) load64(p place) gp {
	r := e.get()
	e.loadWord(p, 0, r)
	return r
}

// divsteps runs 60 divsteps, in three runs of 20, stores 2⁶² times their transition matrix at t and returns it. Its Go
// twins are divsteps60 and divsteps20.
func (e *emitter) divsteps(t place) (m matrix[gp]) {
	e.note("The stack holds, from byte %d on, 2⁶² times the matrix (u, v; q, r) of 60 divsteps. f, g, d, e and m consist of digits of 62 bits. Branches depend on the digits of m, which is public.", t.offset)
	zeta, f, g := e.load64(e.arg("s", stateZeta)), e.load64(e.arg("s", stateF)), e.load64(e.arg("s", stateG))
	for i := range 3 {
		e.comment("divsteps %d to %d: %s = ζ, %s = f, %s = g", run*i+1, run*i+run, zeta, f, g)
		f20, g20 := e.run20(fmt.Sprintf("run%d", i), zeta, f, g)
		e.comment("%s = 2⁴¹ − 2²⁰, with which unpacking rounds", dx)
		e.MOVQ(U64(1<<41-1<<20), dx)
		m[0], m[1] = e.unpack(f20)
		m[2], m[3] = e.unpack(g20)
		if i < 2 {
			e.advance(f, g, m)
		} else {
			e.put(f, g)
			e.keep(e.arg("s", stateZeta), zeta)
			e.put(zeta)
		}
		e.finishUnpack(m[0], m[1])
		e.finishUnpack(m[2], m[3])
		if i > 0 {
			m = e.multiplyMatrix(m, t)
		} else {
			e.comment("times 4, so that the product of three matrices, each scaled by 2²⁰, is scaled by 2⁶²")
			for _, r := range m {
				e.SHLQ(U8(62-safegcd.Divsteps), r)
			}
		}
		e.keep(t, m[:]...)
		if i < 2 {
			e.put(m[:]...)
		}
	}
	return m
}

// run20 runs 20 divsteps from ζ, f₀ and g₀. It returns f and g, each in a word that also holds a row of 2²⁰ times the
// transition matrix.
func (e *emitter) run20(label string, zeta, f0, g0 gp) (f, g gp) {
	h, g, term, other := e.get(), e.get(), e.get(), e.get()
	e.comment("%s: h = (f − 1)/2 mod 2¹⁹, and 1 at bit 40 for row (1, 0); %s: g mod 2²⁰, and 1 at bit 62 for row (0, 1);", h, g)
	e.comment("%s: the term that a divstep adds to (g − 1)/2 if g is odd: h + 1, or −h if ζ < 0", term)
	e.RORXQ(U8(1), f0, h)
	e.ANDL(U32(1<<19-1), h.As32())
	e.BTSQ(U8(40), h)
	e.MOVL(g0.As32(), g.As32())
	e.ANDL(U32(1<<20-1), g.As32())
	e.BTSQ(U8(62), g)
	prepare := func(flags func()) {
		e.LEAQ(Mem{Base: h, Disp: 1}, term)
		e.MOVQ(h, other)
		e.NEGQ(other)
		flags()
		e.CMOVQMI(other, term)
	}
	prepare(func() { e.CMPQ(zeta, Imm(0)) })

	sum, swap, turned, n := e.get(), e.get(), e.get(), e.get()
	e.MOVL(U32(run/4), n.As32())
	e.comment("five times four divsteps: (ζ, f, g) → (−ζ − 2, g, (g − f)/2) if g is odd and ζ < 0, else (ζ − 1, f, (g + (g mod 2)·f)/2)")
	e.Label(label)
	for i := range 4 { // an even number, so that g and sum are in their own registers at the end
		e.comment("divstep %d of 4: g in %s, next in %s", i+1, g, sum)
		e.MOVQ(g, swap)
		e.SHLQ(U8(63), swap)
		e.MOVQ(zeta, turned)
		e.NOTQ(turned)
		// g becomes g/2 or, if the bit shifted out is 1, (g − 1)/2 + term.
		e.SARQ(U8(1), g)
		e.LEAQ(Mem{Base: g, Index: term, Scale: 1}, sum)
		e.CMOVQCC(g, sum)
		// The addition carries if g was odd and ζ < 0. In this case the old g replaces f, and −ζ − 2 replaces ζ − 1.
		e.ADDQ(zeta, swap)
		e.CMOVQCS(turned, zeta)
		e.CMOVQCS(g, h)
		prepare(func() { e.SUBQ(U8(1), zeta) })
		g, sum = sum, g
	}
	e.DECL(n.As32())
	e.JNE(LabelRef(label))
	e.put(term, other, sum, swap, turned, n)

	f = h
	e.comment("f = 2h + 1, with its row (u, v)")
	e.LEAQ(Mem{Base: h, Index: h, Scale: 1, Disp: 1}, f)
	return f, g
}

// unpack returns u + v·2²¹ and v of the word w = f + u·2²¹ + v·2⁴² for |f| < 2²⁰ and −2²⁰ < u ≤ 2²⁰. It puts v into w.
// DX must hold 2⁴¹ − 2²⁰.
func (e *emitter) unpack(w gp) (uv, v gp) {
	uv, v = e.get(), w
	e.comment("unpack row (u, v) of %s = f + u·2²¹ + v·2⁴², or row (q, r) of the word of g: %s = u + v·2²¹, %[1]s = v", w, uv)
	e.LEAQ(Mem{Base: w, Disp: 1 << 20}, uv)
	e.SARQ(U8(21), uv)
	e.ADDQ(dx, v)
	e.SARQ(U8(42), v)
	return uv, v
}

// finishUnpack replaces u + v·2²¹ by u.
func (e *emitter) finishUnpack(uv, v gp) {
	e.comment("%s = u, or q", uv)
	e.MOVQ(v, dx)
	e.SHLQ(U8(21), dx)
	e.SUBQ(dx, uv)
}

// advance sets (f, g) to (u·f + v·g, q·f + r·g)/2²⁰, with rows as unpack returns them.
func (e *emitter) advance(f, g gp, m matrix[gp]) {
	x, y := e.get(), e.get()
	e.comment("(f, g) = (u·f + v·g, q·f + r·g)/2²⁰, where u·f + v·g = (u + v·2²¹)·f + v·(g − 2²¹·f)")
	e.MOVQ(f, x)
	e.SHLQ(U8(21), x)
	e.SUBQ(x, g)
	e.MOVQ(f, x)
	e.MOVQ(g, y)
	for i, r := range []gp{f, y, x, g} {
		e.IMULQ(m[i], r)
	}
	e.ADDQ(y, f)
	e.ADDQ(x, g)
	e.SHRQ(U8(20), f)
	e.SHRQ(U8(20), g)
	e.put(x, y)
}

// multiplyMatrix returns the product of m and the matrix stored at t.
func (e *emitter) multiplyMatrix(m matrix[gp], t place) (product matrix[gp]) {
	e.comment("multiply by the matrix of the earlier divsteps, which is the right factor")
	for column := range 2 {
		for row := 0; row < 4; row += 2 {
			sum := e.get()
			e.MOVQ(m[row], sum)
			e.IMULQ(t.word(column, nil), sum)
			e.MOVQ(m[row+1], dx)
			e.IMULQ(t.word(2+column, nil), dx)
			e.ADDQ(dx, sum)
			product[row+column] = sum
		}
	}
	e.put(m[:]...)
	return product
}

// wide is a signed integer of two words.
type wide struct{ low, high gp }

// wide returns a wide integer that is 0. Products use AX and DX, so the caller must have reserved both registers.
func (e *emitter) wide() wide {
	w := wide{e.get(), e.get()}
	e.zero(w.low)
	e.zero(w.high)
	return w
}

// addProduct adds the signed product a·b to w.
func (e *emitter) addProduct(w wide, a, b Op) {
	e.MOVQ(a, reg.RAX)
	e.IMULQ(b)
	e.ADDQ(reg.RAX, w.low)
	e.ADCQ(reg.RDX, w.high)
}

// addDigits adds the products of a matrix and two digits to two sums, each with the function add.
func addDigits[S, R any](add func(S, R, R), sums [2]S, digits [2]R, m matrix[R]) {
	for column, digit := range digits {
		for row, sum := range sums {
			add(sum, digit, m[2*row+column])
		}
	}
}

// digit divides w by 2⁶², rounding down, and stores the remainder as digit i of the integer at an offset if i ≥ 0. Of
// the quotient after digit 3, it computes only the low word.
func (e *emitter) digit(s gp, offset, i int, w wide, mask gp) {
	if i >= 0 {
		e.MOVQ(w.low, reg.RAX)
		e.ANDQ(mask, reg.RAX)
		e.MOVQ(reg.RAX, word(s, offset/8+i))
	}
	e.SHRQ(U8(62), w.low)
	e.LEAQ(Mem{Base: w.low, Index: w.high, Scale: 4}, w.low)
	if i < 3 {
		e.SARQ(U8(62), w.high)
	}
}

// updateFG sets (f, g) to (u·f + v·g, q·f + r·g)/2⁶².
func (e *emitter) updateFG(m matrix[gp]) {
	s := e.param("s")
	mask := e.get()
	e.MOVQ(U64(1<<62-1), mask)
	f, g := e.wide(), e.wide()
	for i := range 5 {
		e.comment("add the products of digit %d: %s %s = u·f + v·g, %s %s = q·f + r·g; then divide by 2⁶²: the remainder, which is 0 for digit 0, is the previous digit of the result", i, f.low, f.high, g.low, g.high)
		addDigits(e.addProduct, [2]wide{f, g}, [2]Op{word(s, stateF/8+i), word(s, stateG/8+i)}, matrix[Op](operands(m[:])))
		e.digit(s, stateF, i-1, f, mask)
		e.digit(s, stateG, i-1, g, mask)
	}
	e.comment("the sums that remain are digit 4 of f and of g")
	e.MOVQ(f.low, word(s, stateF/8+4))
	e.MOVQ(g.low, word(s, stateG/8+4))
	e.put(s, mask, f.low, f.high, g.low, g.high)
	e.put(m[:]...)
}

// updateDE sets (d, e) to (u·d + v·e, q·d + r·e)/2⁶² mod m. Both d and e stay in (−2m, m).
func (e *emitter) updateDE(t place) {
	words, _ := e.words(t)
	s, m := e.param("s"), e.param("m")
	mask := e.get()
	e.MOVQ(U64(1<<62-1), mask)

	md, me, signD, signE := e.get(), e.get(), e.get(), e.get()
	e.comment("to keep the results above −2m: %s = md = (u if d < 0) + (v if e < 0), %s = me = (q if d < 0) + (r if e < 0)", md, me)
	e.MOVQ(word(s, stateD/8+4), signD)
	e.MOVQ(word(s, stateE/8+4), signE)
	e.SARQ(U8(63), signD)
	e.SARQ(U8(63), signE)
	for row, multiple := range []gp{md, me} {
		e.MOVQ(signD, multiple)
		e.ANDQ(words[2*row], multiple)
		e.MOVQ(signE, reg.RAX)
		e.ANDQ(words[2*row+1], reg.RAX)
		e.ADDQ(reg.RAX, multiple)
	}
	e.put(signD, signE)

	d, ee := e.wide(), e.wide()
	for i := range 5 {
		e.comment("add the products of digit %d: %s %s = u·d + v·e, %s %s = q·d + r·e", i, d.low, d.high, ee.low, ee.high)
		addDigits(e.addProduct, [2]wide{d, ee}, [2]Op{word(s, stateD/8+i), word(s, stateE/8+i)}, matrix[Op](words[:4]))
		if i == 0 {
			e.comment("md −= (m⁻¹·sum + md) mod 2⁶², so that digit 0 of sum + md·m is 0, and me in the same way")
			for row, multiple := range []gp{md, me} {
				e.MOVQ(word(m, 5), reg.RAX)
				e.IMULQ([]gp{d.low, ee.low}[row], reg.RAX)
				e.ADDQ(multiple, reg.RAX)
				e.ANDQ(mask, reg.RAX)
				e.SUBQ(reg.RAX, multiple)
			}
		}
		reduced := fmt.Sprintf("reduced%d", i)
		if 0 < i && i < 4 { // digits of m that may be 0; m is not secret
			e.CMPQ(word(m, i), Imm(0))
			e.JEQ(LabelRef(reduced))
		}
		e.comment("add digit %d of m times md and me; then divide by 2⁶²: the remainder, which is 0 for digit 0, is the previous digit of the result", i)
		e.addProduct(d, word(m, i), md)
		e.addProduct(ee, word(m, i), me)
		e.Label(reduced)
		e.digit(s, stateD, i-1, d, mask)
		e.digit(s, stateE, i-1, ee, mask)
	}
	e.MOVQ(d.low, word(s, stateD/8+4))
	e.MOVQ(ee.low, word(s, stateE/8+4))
}
