package main

// group emits the routines of package group: whole formulas, so that the
// processor overlaps multiplications that do not wait for each other. They are
// ordered so that such ones follow each other where possible.
func group[R any](m machine[R]) {
	e := formulas[R]{m}
	e.declare("Jacobian", "Affine", "XYZZ")
	e.importType("field", "Element")
	e.doubleN()
	e.addMixed()
	e.doubleAdd()
	e.addDistinct()
	e.addXYZZ()
	e.addCoZ()
	e.rescale()
}

// The coordinates of a point at a pointer parameter.
func (e formulas[R]) coordinates(name string) (c [4]place) {
	for i := range c {
		c[i] = e.arg(name, 32*i)
	}
	return c
}

func (e formulas[R]) doubleN() {
	e.routine("doubleN", "func(p, a *Jacobian, n int)", "doubleN sets p = 2ⁿ·a, for every a and n > 0.")
	n := e.counter("n")
	from := e.pointer("a") // a, then p
	x1, y1, z1 := place{from, 0}, place{from, 32}, place{from, 64}
	p := e.coordinates("p")
	d := e.newDoubling()

	e.loop("loop")
	d.begin(e, x1, y1, z1, p[2])
	d.x(e, p[0])
	d.squareU(e)
	d.y(e, p[1])

	e.point(from, "p")
	e.repeat(n, "loop")
	e.end()
}

// doubling is what the steps of a doubling keep on the stack. It is 3M + 4S as in
// doubleGeneric, with X₃, Y₃ and Z₃ multiplied by 4², 4³ and 4: nothing is
// halved, and powers of 2 come with the reduction.
type doubling[R any] struct{ m, u, t, u2 place }

func (e formulas[R]) newDoubling() *doubling[R] {
	return &doubling[R]{e.local(4), e.local(4), e.local(4), e.local(8)}
}

func (d *doubling[R]) begin(e formulas[R], x1, y1, z1, z3 place) {
	e.store(d.m, e.reduceFolded(e.shift(e.triple(e.fold(e.square(x1))), 1))) // M = 6·X₁²
	e.store(d.u, e.reduceFolded(e.shift(e.fold(e.square(y1)), 3)))           // U = 8·Y₁²
	e.store(z3, e.reduceFolded(e.shift(e.fold(e.mul(y1, z1)), 2)))           // Z₃ = 4·Y₁·Z₁
	e.store(d.t, e.reduceFolded(e.shift(e.fold(e.mul(x1, d.u)), 1)))         // T = 2·X₁·U
}

// x stores X₃ = M² − 2T, and T − X₃ in place of T.
func (d *doubling[R]) x(e formulas[R], x3 place) {
	e.storeLess(x3, e.reduceFolded(e.less(e.fold(e.square(d.m)), d.t, d.t)), d.t, d.t)
}

func (d *doubling[R]) squareU(e formulas[R]) { e.storeWide(d.u2, e.square(d.u)) }

// y stores Y₃ = M·(T − X₃) − U².
func (d *doubling[R]) y(e formulas[R], y3 place) {
	e.store(y3, e.reduce(e.minus(e.mul(d.t, d.m), d.u2)))
}

// storeLess stores x to p, and the element at v less x to difference.
func (e formulas[R]) storeLess(p place, x elementOf[R], v, difference place) {
	e.keep(p, x[:]...)
	e.store(difference, e.subLimbs(e.load(v), x))
}

func (e formulas[R]) addMixed() {
	e.routine("addMixed", "func(p, a *Jacobian, x, y, h *Element)",
		"addMixed sets p = a + (x, y) and h = H, for different points and a ≠ infinity.")
	a, p := e.coordinates("a"), e.coordinates("p")
	x, y, h := e.arg("x", 0), e.arg("y", 0), e.arg("h", 0)
	r, t, h2, v, h3, s := e.local(4), e.local(4), e.local(4), e.local(4), e.local(4), e.local(8)
	e.store(t, e.reduce(e.square(a[2])))
	e.store(h, e.mulLess(x, t, a[0])) // H = x·Z₁² − X₁
	e.store(t, e.reduce(e.mul(a[2], t)))
	e.store(h2, e.reduce(e.square(h)))
	e.store(r, e.mulLess(y, t, a[1])) // R = y·Z₁³ − Y₁
	e.finishAdd(p, a[0], a[1], a[2], h, r, h2, v, h3, s)
	e.end()
}

func (e formulas[R]) doubleAdd() {
	e.routine("doubleAdd", "func(p, a *Jacobian, x, y, h *Element)",
		"doubleAdd sets p = 2a + (x, y) and h = H, for different points 2a and (x, y) and a ≠ infinity.")
	a, p := e.coordinates("a"), e.coordinates("p")
	x, y, h := e.arg("x", 0), e.arg("y", 0), e.arg("h", 0)
	d := e.newDoubling()
	x1, y1, z1 := e.local(4), e.local(4), e.local(4) // 2a
	zz, x2, y2 := e.local(4), e.local(4), e.local(4)
	r, h2, v, h3 := d.m, d.u, d.t, zz

	// The doubling of doubleN and the addition of addMixed, of which the
	// beginning does not wait for the end of the doubling.
	d.begin(e, a[0], a[1], a[2], z1)
	e.store(zz, e.reduce(e.square(z1)))
	d.x(e, x1)
	e.store(x2, e.reduce(e.mul(x, zz)))
	d.squareU(e)
	e.store(h, e.sub(e.load(x2), x1)) // H = x·Z₁² − X₁
	d.y(e, y1)
	e.store(zz, e.reduce(e.mul(z1, zz)))
	e.store(h2, e.reduce(e.square(h)))
	e.store(y2, e.reduce(e.mul(y, zz)))
	e.store(r, e.sub(e.load(y2), y1)) // R = y·Z₁³ − Y₁
	e.finishAdd(p, x1, y1, z1, h, r, h2, v, h3, d.u2)
	e.end()
}

// finishAdd emits the common end of additions: from U₁, S₁, H, R and H² it makes
// X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − S₁·H³ and Z₃ = z·H, with V = U₁·H².
func (e formulas[R]) finishAdd(p [4]place, u1, s1, z, h, r, h2, v, h3, s place) {
	e.store(v, e.reduce(e.mul(u1, h2)))
	e.store(h3, e.reduce(e.mul(h, h2)))
	e.store(p[2], e.reduce(e.mul(z, h)))
	e.storeLess(p[0], e.reduceFolded(e.less(e.fold(e.square(r)), h3, v, v)), v, v)
	e.storeWide(s, e.mul(s1, h3))
	e.store(p[1], e.reduce(e.minus(e.mul(v, r), s)))
}

func (e formulas[R]) addDistinct() {
	e.routine("addDistinct", "func(p, a, b *Jacobian, h *Element)",
		"addDistinct sets p = a + b and h = H, for a ≠ b, neither infinity.")
	a, b, p := e.coordinates("a"), e.coordinates("b"), e.coordinates("p")
	h, r := e.arg("h", 0), e.local(4)
	t, u, u1, s1, h2, v, h3, s := e.local(4), e.local(4), e.local(4), e.local(4), e.local(4), e.local(4), e.local(4), e.local(8)
	zz := e.local(4)
	e.store(t, e.reduce(e.square(b[2])))
	e.store(u, e.reduce(e.square(a[2])))
	e.store(u1, e.reduce(e.mul(a[0], t)))
	e.store(h, e.mulLess(b[0], u, u1)) // H = X₂·Z₁² − X₁·Z₂²
	e.store(t, e.reduce(e.mul(b[2], t)))
	e.store(u, e.reduce(e.mul(a[2], u)))
	e.store(s1, e.reduce(e.mul(a[1], t)))
	e.store(h2, e.reduce(e.square(h)))
	e.store(r, e.mulLess(b[1], u, s1)) // R = Y₂·Z₁³ − Y₁·Z₂³
	e.store(zz, e.reduce(e.mul(a[2], b[2])))
	e.finishAdd(p, u1, s1, zz, h, r, h2, v, h3, s)
	e.end()
}

func (e formulas[R]) addXYZZ() {
	e.routine("addMixedXYZZ", "func(p, a *XYZZ, b *Affine, h *Element)",
		"addMixedXYZZ sets p = a + b and h = H, for a ≠ b and a ≠ infinity.")
	a, b, p := e.coordinates("a"), e.coordinates("b"), e.coordinates("p")
	h, r := e.arg("h", 0), e.local(4)
	h2, v, h3, s := e.local(4), e.local(4), e.local(4), e.local(8)
	e.store(h, e.mulLess(b[0], a[2], a[0])) // H = X₂·ZZ₁ − X₁
	e.store(r, e.mulLess(b[1], a[3], a[1])) // R = Y₂·ZZZ₁ − Y₁
	e.store(h2, e.reduce(e.square(h)))
	e.store(v, e.reduce(e.mul(a[0], h2)))
	e.store(h3, e.reduce(e.mul(h, h2)))
	e.store(p[2], e.reduce(e.mul(a[2], h2)))                                       // ZZ₃ = ZZ₁·H²
	e.storeLess(p[0], e.reduceFolded(e.less(e.fold(e.square(r)), h3, v, v)), v, v) // X₃ = R² − H³ − 2V
	e.storeWide(s, e.mul(a[1], h3))
	e.store(p[3], e.reduce(e.mul(a[3], h3)))         // ZZZ₃ = ZZZ₁·H³
	e.store(p[1], e.reduce(e.minus(e.mul(v, r), s))) // Y₃ = R·(V − X₃) − Y₁·H³
	e.end()
}

func (e formulas[R]) addCoZ() {
	e.routine("addCoZ", "func(p, a, b *Affine, h *Element)",
		"addCoZ sets p = a + b and h = H, and a to the same point with the denominator of p, for finite a ≠ ±b of one denominator.")
	a, b, p, h := e.coordinates("a"), e.coordinates("b"), e.coordinates("p"), e.arg("h", 0)
	r, h2, w, v := e.local(4), e.local(4), e.local(4), e.local(4)
	e.store(h, e.sub(e.load(a[0]), b[0])) // H = X₁ − X₂
	e.store(h2, e.reduce(e.square(h)))
	e.store(r, e.sub(e.load(a[1]), b[1])) // R = Y₁ − Y₂
	e.store(v, e.reduce(e.mul(b[0], h2)))
	e.store(w, e.reduce(e.mul(h, h2)))
	e.store(a[0], e.reduce(e.mul(a[0], h2)))                                         // V = X₁·H²
	e.store(a[1], e.reduce(e.mul(a[1], w)))                                          // Y₁·H³
	e.storeLess(p[0], e.reduceFolded(e.less(e.fold(e.square(r)), a[0], v)), a[0], v) // X₃ = R² − V − X₂·H²
	e.store(p[1], e.mulLess(v, r, a[1]))                                             // Y₃ = R·(V − X₃) − Y₁·H³
	e.end()
}

func (e formulas[R]) rescale() {
	e.routine("rescale", "func(p, a *Affine, c *Element)", "rescale sets p = (a.X·c², a.Y·c³).")
	a, p, c := e.coordinates("a"), e.coordinates("p"), e.arg("c", 0)
	t := e.local(4)
	e.store(t, e.reduce(e.square(c)))
	e.store(p[0], e.reduce(e.mul(a[0], t)))
	e.store(t, e.reduce(e.mul(c, t)))
	e.store(p[1], e.reduce(e.mul(a[1], t)))
	e.end()
}
