package main

// This file implements the arithmetic of the interface machine on ARM64. MUL and UMULH do not change the flags, so they
// may stand between additions with carry. After a subtraction, a set carry flag means that there was no borrow.

// loadC makes sure that a register holds c.
func (e *arm64) loadC() {
	if e.c == "" {
		e.c = e.get()
		e.op("MOVD", "$0x1000003d1", e.c)
	}
}

func (e *arm64) load(p place) elementOf[xreg] {
	v := e.take4()
	e.loadPair(p, 0, v[0], v[1])
	e.loadPair(p, 2, v[2], v[3])
	return v
}

func (e *arm64) move(source, result xreg) { e.op("MOVD", source, result) }

// wide sets high and low to the two words of a·b.
func (e *arm64) wide(a, b, low, high xreg) {
	e.op("MUL", a, b, low)
	e.op("UMULH", a, b, high)
}

func (e *arm64) addWord(first bool, a, b xreg) {
	if first {
		e.op("ADDS", a, b, b)
	} else {
		e.op("ADCS", a, b, b)
	}
}

func (e *arm64) carry(r xreg) { e.op("ADC", zr, r, r) }

// addWords adds words to the registers of an integer, and sets the carry flag. A register without a word gets only the
// carry of the register below.
func (e *arm64) addWords(sum []xreg, words ...xreg) { e.chain("ADDS", "ADCS", sum, words) }

// subWords subtracts words from the registers of an integer, and clears the carry flag if the difference is negative.
func (e *arm64) subWords(difference []xreg, words ...xreg) {
	e.chain("SUBS", "SBCS", difference, words)
}

func (e *arm64) chain(op, next string, registers, words []xreg) {
	for i, r := range registers {
		word := zr
		if i < len(words) {
			word = words[i]
		}
		e.op(op, word, r, r)
		op = next
	}
}

func (e *arm64) mul(x, y place) productOf[xreg] {
	a, b := e.load(x), e.load(y)
	times := func(i, j int, low, high xreg) { e.wide(a[i], b[j], low, high) }
	r := schoolbook(e, func(int) {}, times, func(i int) { e.put(a[i]) })
	e.put(b[:]...)
	return productOf[xreg]{words: r}
}

func (e *arm64) square(x place) productOf[xreg] { return e.squareLimbs(e.load(x)) }

func (e *arm64) squareLimbs(x elementOf[xreg]) productOf[xreg] {
	low4, high4, low := e.take4(), e.take4(), e.get()
	r := [8]xreg(append(low4[:], high4[:]...))
	crossProducts(e, &r, low, func(int) {}, func(i, j int, low, high xreg) { e.wide(x[i], x[j], low, high) })
	e.comment("double the sum")
	e.addWords(r[1:7], r[1:7]...)
	e.op("ADC", zr, zr, r[7])
	e.comment("add the squares of the words")
	for i, w := range x {
		if i == 0 {
			e.wide(w, w, r[0], low)
			e.op("ADDS", low, r[1], r[1])
			continue
		}
		e.op("MUL", w, w, low)
		e.op("ADCS", low, r[2*i], r[2*i])
		e.op("UMULH", w, w, w)
		e.op("ADCS", w, r[2*i+1], r[2*i+1])
	}
	e.put(low)
	e.put(x[:]...)
	return productOf[xreg]{words: r}
}

func (e *arm64) minus(w productOf[xreg], p place) productOf[xreg] {
	e.comment("subtract the product that was stored unreduced; a borrow at the end stands for −2⁵¹²")
	e.loadC()
	a, b := e.get(), e.get()
	op := "SUBS"
	for i := range 4 {
		e.loadPair(p, 2*i, a, b)
		e.chain(op, "SBCS", w.words[2*i:2*i+2], []xreg{a, b})
		op = "SBCS"
	}
	e.op("CSEL", "LO", e.c, zr, a)
	e.put(b)
	w.borrow = a
	return w
}

func (e *arm64) fold(w productOf[xreg]) foldedOf[xreg] {
	e.comment("fold %s: add the upper four words, times 2³² + 977, to the lower four", names(w.words[:]))
	e.loadC()
	r, low := w.words, e.get()
	for i := range 4 {
		e.wide(e.c, r[4+i], low, r[4+i])
		e.addWord(i == 0, low, r[i])
	}
	e.carry(r[7])
	e.addWords(r[1:4], r[4:7]...)
	e.carry(r[7])
	if w.borrow != "" {
		e.op("SUB", w.borrow, r[7], r[7]) // 2⁵¹² ≡ c·2²⁵⁶
		e.put(w.borrow)
	}
	e.put(low, r[4], r[5], r[6])
	return foldedOf[xreg]{elementOf[xreg](r[:4]), r[7], foldedProduct(false, w.borrow != "")}
}

func (e *arm64) triple(f foldedOf[xreg]) foldedOf[xreg] {
	v, t := e.take4(), e.get()
	e.comment("times 3: add the value to its double")
	e.op("EXTR", "$63", f.v[3], f.t, t)
	for i := 3; i > 0; i-- {
		e.op("EXTR", "$63", f.v[i-1], f.v[i], v[i])
	}
	e.op("LSL", "$1", f.v[0], v[0])
	e.addWords(f.v[:], v[:]...)
	e.op("ADC", t, f.t, f.t)
	e.put(v[:]...)
	e.put(t)
	f.bounds = f.bounds.times2(2)
	return f
}

func (e *arm64) half(f foldedOf[xreg]) foldedOf[xreg] {
	e.comment("halve: for an odd value f, f/2 ≡ (f − 1)/2 + (p + 1)/2, where (p + 1)/2 = 2²⁵⁵ − (c − 1)/2")
	odd := e.get()
	e.op("AND", "$1", f.v[0], odd)
	e.op("ADD", odd, f.t, f.t)
	for i, high := range append(f.v[1:], f.t) {
		e.op("EXTR", "$1", f.v[i], high, f.v[i])
	}
	e.op("LSR", "$1", f.t, f.t)
	e.op("NEG", odd, odd)
	e.op("AND", string(e.c)+">>1", odd, odd)
	e.subWords(f.v[:], odd)
	e.op("SBC", zr, f.t, f.t)
	e.put(odd)
	f.bounds = f.bounds.halved()
	return f
}

func (e *arm64) less(f foldedOf[xreg], places ...place) foldedOf[xreg] {
	for i, p := range places {
		if i > 0 && p == places[i-1] {
			continue
		}
		e.comment("subtract the next term of the equation")
		x := e.load(p)
		for j := i; j < len(places) && places[j] == p; j++ {
			e.subWords(f.v[:], x[:]...)
			e.op("SBC", zr, f.t, f.t)
			f.bounds = f.bounds.lessOne()
		}
		e.put(x[:]...)
	}
	return f
}

func (e *arm64) foldUnsigned(f foldedOf[xreg]) elementOf[xreg] {
	v, low, fix := f.v, e.get(), e.get()
	e.wide(f.t, e.c, low, f.t)
	e.addWords(v[:], low, f.t)
	e.op("CSEL", "HS", e.c, zr, fix)
	e.op("ADDS", fix, v[0], v[0])
	e.carry(v[1])
	e.put(low, fix, f.t)
	return v
}

func (e *arm64) foldSigned(f foldedOf[xreg]) elementOf[xreg] {
	v, t, low, high := f.v, f.t, e.get(), e.get()
	e.op("MUL", t, e.c, low)
	e.op("SMULH", t, e.c, high)
	e.op("ASR", "$63", t, t)
	e.addWords(v[:], low, high, t, t)
	e.carry(t) // 1 after a carry, −1 after a borrow, otherwise 0
	e.op("MUL", e.c, t, low)
	e.op("ASR", "$63", t, t)
	e.op("ADDS", low, v[0], v[0])
	e.op("ADC", t, v[1], v[1])
	e.put(low, high, t)
	return v
}

func (e *arm64) sub(v elementOf[xreg], p place) elementOf[xreg] { return e.subLimbs(v, e.load(p)) }

func (e *arm64) subLimbs(v, x elementOf[xreg]) elementOf[xreg] {
	// If subtracting c borrows again, the result is at least 2²⁵⁶ − c, so subtracting c once more changes only word 0.
	e.comment("subtract; after a borrow subtract c, and c again if that borrows too")
	e.loadC()
	fix := x[0]
	e.subWords(v[:], x[:]...)
	e.op("CSEL", "LO", e.c, zr, fix)
	e.subWords(v[:], fix)
	e.op("CSEL", "LO", e.c, zr, fix)
	e.op("SUB", fix, v[0], v[0])
	e.put(x[:]...)
	return v
}
