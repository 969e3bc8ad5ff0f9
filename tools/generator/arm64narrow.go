package main

import "fmt"

// This file implements the arithmetic of the interface machine for ARM64 processors with narrow multipliers. In these
// processors, one pipe computes all 64-bit products. UMULH occupies this pipe for three or four cycles, but a product
// of 32-bit factors, with or without an addition, occupies it for one cycle. Therefore the file uses two methods:
//
//   - Karatsuba's method saves products of words. For the halves of x = x₀ + x₁·B and y = y₀ + y₁·B, it computes
//     x·y = l + h·B² + (l + h ± |Δx|·|Δy|)·B, where l = x₀·y₀, h = x₁·y₁, Δx = x₀ − x₁ and Δy = y₀ − y₁.
//   - Products with c = 2³² + 977 are computed from 32-bit products.

// narrow emits the same routines as arm64, for processors with narrow multipliers.
type narrow struct{ *arm64 }

// apart sets d to |a − b|, and returns −1 if a < b and 0 otherwise.
func (e narrow) apart(a, b, d [2]xreg) (sign xreg) {
	sign = e.get()
	e.op("SUBS", b[0], a[0], d[0])
	e.op("SBCS", b[1], a[1], d[1])
	e.op("CSETM", "LO", sign)
	e.op("EOR", sign, d[0], d[0])
	e.op("EOR", sign, d[1], d[1])
	e.op("SUBS", sign, d[0], d[0])
	e.op("SBC", sign, d[1], d[1])
	return sign
}

// mulPair returns a·b, computed from three products of words, and frees a and b.
func (e narrow) mulPair(a, b [2]xreg) [4]xreg {
	l0, l1, h0, h1 := e.get(), e.get(), e.get(), e.get()
	e.op("MUL", a[0], b[0], l0)
	e.op("MUL", a[1], b[1], h0)
	e.op("UMULH", a[0], b[0], l1)
	e.op("UMULH", a[1], b[1], h1)
	sign := a[1]
	e.op("SUBS", a[1], a[0], a[0])
	e.op("CNEG", "LO", a[0], a[0])
	e.op("CSETM", "LO", sign)
	e.op("SUBS", b[0], b[1], b[1])
	e.op("CNEG", "LO", b[1], b[1])
	e.op("CINV", "LO", sign, sign)
	m0, m1 := b[0], a[0]
	e.op("MUL", a[0], b[1], m0)
	e.op("UMULH", a[0], b[1], m1)
	// Add l + h·B² and (l + h)·B. The sum of the two middle words of l + h·B² occurs twice, so it is computed once.
	e.op("ADDS", h0, l1, l1)
	e.op("ADC", zr, h1, h1)
	e.op("ADDS", l1, l0, h0)
	e.op("ADCS", h1, l1, l1)
	e.op("ADC", zr, h1, h1)
	e.addSigned(sign, []xreg{m0, m1}, []xreg{h0, l1, h1})
	e.put(a[0], a[1], b[0], b[1])
	return [4]xreg{l0, h0, l1, h1}
}

// addSigned adds m to the words of r or, if sign is −1, subtracts m from them. It changes m.
func (e narrow) addSigned(sign xreg, m, r []xreg) {
	for _, w := range m {
		e.op("EOR", sign, w, w)
	}
	e.op("CMN", "$1", sign)
	for i, w := range r {
		add := "ADCS"
		if i == len(r)-1 {
			add = "ADC"
		}
		if i < len(m) {
			e.op(add, m[i], w, w)
		} else {
			e.op(add, sign, w, w)
		}
	}
}

func (e narrow) mul(x, y place) productOf[xreg] {
	a, b := e.load(x), e.load(y)
	aLow, aHigh := [2]xreg(a[:2]), [2]xreg(a[2:])
	bLow, bHigh := [2]xreg(b[:2]), [2]xreg(b[2:])
	e.comment("|Δx| and |Δy|: the absolute differences of the halves of x and y")
	d, f := [2]xreg{e.get(), e.get()}, [2]xreg{e.get(), e.get()}
	sign, other := e.apart(aLow, aHigh, d), e.apart(bHigh, bLow, f)
	e.op("EOR", other, sign, sign)
	e.put(other)
	e.comment("low: the product of the lower halves of x and y")
	l := e.mulPair(aLow, bLow)
	e.comment("high: the product of the upper halves of x and y")
	h := e.mulPair(aHigh, bHigh)
	e.comment("m = |Δx|·|Δy|")
	m := e.mulPair(d, f)
	e.comment("low + high·2²⁵⁶ + (low + high)·2¹²⁸")
	e.op("ADDS", h[0], l[2], h[0])
	e.op("ADCS", h[1], l[3], h[1])
	e.op("ADCS", zr, h[2], h[2])
	e.op("ADC", zr, h[3], h[3])
	r := [8]xreg{l[0], l[1], e.get(), e.get(), l[2], l[3], h[2], h[3]}
	e.op("ADDS", l[0], h[0], r[2])
	e.op("ADCS", l[1], h[1], r[3])
	e.op("ADCS", h[0], h[2], r[4])
	e.op("ADCS", h[1], h[3], r[5])
	e.op("ADCS", zr, h[2], h[2])
	e.op("ADC", zr, h[3], h[3])
	e.put(h[0], h[1])
	e.comment("add m·2¹²⁸, or subtract it if %s is −1", sign)
	e.addSigned(sign, m[:], r[2:])
	e.put(sign)
	e.put(m[:]...)
	return productOf[xreg]{words: r}
}

func (e narrow) square(x place) productOf[xreg] { return e.squareLimbs(e.load(x)) }

func (e narrow) squareLimbs(x elementOf[xreg]) productOf[xreg] {
	r := e.twiceMixed(x)
	e.comment("add the squares of the words, computed from 32-bit products")
	var squares [8]xreg
	for i, w := range x {
		squares[2*i], squares[2*i+1] = e.squareWord(w)
	}
	r[0] = squares[0]
	for i := 1; i < 8; i++ {
		e.add(i == 1, squares[i], r[i], r[i])
	}
	e.put(squares[1:]...)
	return productOf[xreg]{words: r}
}

// squareWord returns w², and frees w.
func (e narrow) squareWord(w xreg) (low, high xreg) {
	low, high = e.get(), e.get()
	middle := e.get()
	e.op("LSR", "$32", w, high)
	e.op("UMULL", w, w, low)
	e.op("UMULL", w, high, middle)
	e.op("UMULL", high, high, high)
	e.op("LSL", "$33", middle, w)
	e.op("LSR", "$31", middle, middle)
	e.op("ADDS", w, low, low)
	e.op("ADC", middle, high, high)
	e.put(w, middle)
	return low, high
}

func (e narrow) fold(w productOf[xreg]) foldedOf[xreg] {
	e.comment("fold %s: add the upper four words, times 2³² + 977, to the lower four; in 32-bit halves, half i of the product is 977 times half i of the upper words, plus their half i − 1", names(w.words[:]))
	e.loadC()
	r := w.words
	var even, odd [4]xreg // the words of two sums, whose total is even + odd·2³²
	var before xreg
	for i, h := range r[4:] {
		upper := e.get()
		e.op("LSR", "$32", h, upper)
		e.op("MOVWU", h, h)
		even[i], odd[i] = e.get(), h
		if i == 0 {
			e.op("UMULL", e.c, h, even[0])
		} else {
			e.op("UMADDL", e.c, before, h, even[i])
			e.put(before)
		}
		e.op("UMADDL", e.c, h, upper, odd[i])
		before = upper
	}
	t := before
	high := e.get()
	for i := range odd {
		e.op("LSR", "$32", odd[i], high)
		to := [...]xreg{even[1], even[2], even[3], t}[i]
		e.op("ADD", high, to, to)
	}
	e.put(high)
	for i := range even {
		e.add(i == 0, even[i], r[i], r[i])
	}
	e.op("ADC", zr, t, t)
	e.put(even[:]...)
	for i := range odd {
		e.op("LSL", "$32", odd[i], odd[i])
	}
	for i := range odd {
		e.add(i == 0, odd[i], r[i], r[i])
	}
	e.op("ADC", zr, t, t)
	e.put(odd[:]...)
	if w.borrow != "" {
		e.op("SUB", w.borrow, t, t) // 2⁵¹² ≡ c·2²⁵⁶
		e.put(w.borrow)
	}
	return foldedOf[xreg]{elementOf[xreg](r[:4]), t, foldedProduct(false, w.borrow != "")}
}

// timesC returns t·c = 977·l + 2³²·(t + 977·h), where l and h are the halves of t, and frees t. The sum t + 977·h must
// fit in a word.
func (e narrow) timesC(f foldedOf[xreg]) (low, high xreg) {
	if f.bounds.least < -1<<62 || f.bounds.most > 1<<62 {
		panic(fmt.Sprintf("t is from %d to %d, but timesC needs a smaller range", f.bounds.least, f.bounds.most))
	}
	t := f.t
	low, high = e.get(), e.get()
	e.op("ASR", "$32", t, high)
	e.op("UMULL", e.c, t, low)
	e.op("SMADDL", e.c, t, high, t)
	e.op("ASR", "$32", t, high)
	e.op("LSL", "$32", t, t)
	e.op("ADDS", t, low, low)
	e.op("ADC", zr, high, high)
	e.put(t)
	return low, high
}

func (e narrow) foldUnsigned(f foldedOf[xreg]) elementOf[xreg] {
	v := f.v
	low, high := e.timesC(f)
	e.op("ADDS", low, v[0], v[0])
	e.op("ADCS", high, v[1], v[1])
	e.op("ADCS", zr, v[2], v[2])
	e.op("ADCS", zr, v[3], v[3])
	e.op("CSEL", "HS", e.c, zr, low)
	e.op("ADDS", low, v[0], v[0])
	e.op("ADC", zr, v[1], v[1])
	e.put(low, high)
	return v
}

func (e narrow) foldSigned(f foldedOf[xreg]) elementOf[xreg] {
	v, sign := f.v, e.get()
	e.op("ASR", "$63", f.t, sign)
	low, high := e.timesC(f)
	e.op("ADDS", low, v[0], v[0])
	e.op("ADCS", high, v[1], v[1])
	e.op("ADCS", sign, v[2], v[2])
	e.op("ADCS", sign, v[3], v[3])
	e.op("ADC", zr, sign, sign) // 1 after a carry, −1 after a borrow, otherwise 0
	e.op("LSL", "$32", sign, low)
	e.op("SMADDL", e.c, low, sign, low)
	e.op("ASR", "$63", sign, sign)
	e.op("ADDS", low, v[0], v[0])
	e.op("ADC", sign, v[1], v[1])
	e.put(low, high, sign)
	return v
}
