package main

// group emits the routines of package group: whole formulas, so that the
// processor overlaps multiplications that do not wait for each other. They are
// ordered so that such ones follow each other where possible.
func group() *emitter {
	e := newEmitter("group", "Jacobian", "Affine", "XYZZ")
	e.importType("field", "Element")
	e.doubleN()
	e.addMixed()
	e.addDistinct()
	e.addXYZZ()
	return e
}

// The coordinates of a point at a pointer parameter.
func (e *emitter) coordinates(name string) (c [4]place) {
	for i := range c {
		c[i] = e.arg(name, 32*i)
	}
	return c
}

func (e *emitter) doubleN() {
	e.routine("doubleN", "func(p, a *Jacobian, n int)", "doubleN sets p = 2ⁿ·a, for every a and n > 0.")
	n := e.counter("n")
	from, r := e.pointer(), e.get()
	e.MOVQ(*e.arg("a", 0).pointer, r)
	e.MOVQ(r, *from) // a, then p
	e.put(r)
	x1, y1, z1 := place{from, 0}, place{from, 32}, place{from, 64}
	p := e.coordinates("p")
	l, s, t, s2 := e.local(4), e.local(4), e.local(4), e.local(8)

	e.Label("loop")
	v := e.reduce(e.square(x1))
	e.keep(l, v[:]...)
	e.store(l, e.add(e.half(v), l)) // L = 3/2·X₁²
	e.store(s, e.reduce(e.square(y1)))
	e.store(p[2], e.reduce(e.mul(y1, z1))) // Z₃ = Y₁·Z₁
	e.store(t, e.reduce(e.mul(x1, s)))     // T = X₁·S
	v = e.reduce(e.square(l), t, t)        // X₃ = L² − 2T
	e.keep(p[0], v[:]...)
	e.store(t, e.subLimbs(e.load(t), v))
	e.storeWide(s2, e.square(s))
	e.store(p[1], e.reduce(e.minus(e.mul(t, l), s2))) // Y₃ = L·(T − X₃) − S²

	r = e.get()
	e.MOVQ(*e.arg("p", 0).pointer, r)
	e.MOVQ(r, *from)
	e.put(r)
	e.repeat(n, "loop")
	e.RET()
}

func (e *emitter) addMixed() {
	e.routine("addMixed", "func(p, a *Jacobian, b *Affine, z, h *Element)",
		"addMixed sets p = a + b and h = H, for a ≠ b and a ≠ infinity, with z in place of a.Z where b is brought to the denominator of a.")
	a, b, p := e.coordinates("a"), e.coordinates("b"), e.coordinates("p")
	z, h := e.arg("z", 0), e.arg("h", 0)
	r, t, h2, v, h3, s := e.local(4), e.local(4), e.local(4), e.local(4), e.local(4), e.local(8)
	e.store(t, e.reduce(e.square(z)))
	e.store(h, e.reduce(e.mul(b[0], t), a[0])) // H = X₂·z² − X₁
	e.store(t, e.reduce(e.mul(z, t)))
	e.store(h2, e.reduce(e.square(h)))
	e.store(r, e.reduce(e.mul(b[1], t), a[1])) // R = Y₂·z³ − Y₁
	e.finishAdd(p, a[0], a[1], a[2], h, r, h2, v, h3, s)
	e.RET()
}

// finishAdd emits the common end of additions: from U₁, S₁, H, R and H² it makes
// X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − S₁·H³ and Z₃ = z·H, with V = U₁·H².
func (e *emitter) finishAdd(p [4]place, u1, s1, z, h, r, h2, v, h3, s place) {
	e.store(v, e.reduce(e.mul(u1, h2)))
	e.store(h3, e.reduce(e.mul(h, h2)))
	e.store(p[2], e.reduce(e.mul(z, h)))
	x := e.reduce(e.square(r), h3, v, v)
	e.keep(p[0], x[:]...)
	e.store(v, e.subLimbs(e.load(v), x))
	e.storeWide(s, e.mul(s1, h3))
	e.store(p[1], e.reduce(e.minus(e.mul(v, r), s)))
}

func (e *emitter) addDistinct() {
	e.routine("addDistinct", "func(p, a, b *Jacobian, h *Element)",
		"addDistinct sets p = a + b and h = H, for a ≠ b, neither infinity.")
	a, b, p := e.coordinates("a"), e.coordinates("b"), e.coordinates("p")
	h, r := e.arg("h", 0), e.local(4)
	t, u, u1, s1, h2, v, h3, s := e.local(4), e.local(4), e.local(4), e.local(4), e.local(4), e.local(4), e.local(4), e.local(8)
	zz := e.local(4)
	e.store(t, e.reduce(e.square(b[2])))
	e.store(u, e.reduce(e.square(a[2])))
	e.store(u1, e.reduce(e.mul(a[0], t)))
	e.store(h, e.reduce(e.mul(b[0], u), u1)) // H = X₂·Z₁² − X₁·Z₂²
	e.store(t, e.reduce(e.mul(b[2], t)))
	e.store(u, e.reduce(e.mul(a[2], u)))
	e.store(s1, e.reduce(e.mul(a[1], t)))
	e.store(h2, e.reduce(e.square(h)))
	e.store(r, e.reduce(e.mul(b[1], u), s1)) // R = Y₂·Z₁³ − Y₁·Z₂³
	e.store(zz, e.reduce(e.mul(a[2], b[2])))
	e.finishAdd(p, u1, s1, zz, h, r, h2, v, h3, s)
	e.RET()
}

func (e *emitter) addXYZZ() {
	e.routine("addMixedXYZZ", "func(p, a *XYZZ, b *Affine, h *Element)",
		"addMixedXYZZ sets p = a + b and h = H, for a ≠ b and a ≠ infinity.")
	a, b, p := e.coordinates("a"), e.coordinates("b"), e.coordinates("p")
	h, r := e.arg("h", 0), e.local(4)
	h2, v, h3, s := e.local(4), e.local(4), e.local(4), e.local(8)
	e.store(h, e.reduce(e.mul(b[0], a[2]), a[0])) // H = X₂·ZZ₁ − X₁
	e.store(r, e.reduce(e.mul(b[1], a[3]), a[1])) // R = Y₂·ZZZ₁ − Y₁
	e.store(h2, e.reduce(e.square(h)))
	e.store(v, e.reduce(e.mul(a[0], h2)))
	e.store(h3, e.reduce(e.mul(h, h2)))
	e.store(p[2], e.reduce(e.mul(a[2], h2))) // ZZ₃ = ZZ₁·H²
	x := e.reduce(e.square(r), h3, v, v)     // X₃ = R² − H³ − 2V
	e.keep(p[0], x[:]...)
	e.store(v, e.subLimbs(e.load(v), x))
	e.storeWide(s, e.mul(a[1], h3))
	e.store(p[3], e.reduce(e.mul(a[3], h3)))         // ZZZ₃ = ZZZ₁·H³
	e.store(p[1], e.reduce(e.minus(e.mul(v, r), s))) // Y₃ = R·(V − X₃) − Y₁·H³
	e.RET()
}
