package modinv

import "math/bits"

// This file implements the algorithm of safegcd62.go in digits of 30 bits, for 32-bit processors and WebAssembly.

const mask30 = 1<<30 - 1

// signed30 is the integer Σ v[i]·2³⁰ⁱ. Between batches v[0] … v[7] are in [0, 2³⁰) and v[8] carries the sign.
type signed30 [9]int32

// modulus30 is an odd prime of 256 bits prepared for inversion.
type modulus30 struct {
	m       signed30 // digits of either sign; a digit that is 0 saves multiplications
	inverse uint32   // m⁻¹ mod 2³⁰
}

var (
	p30 = modulus30{signed30{-977, -4, 0, 0, 0, 0, 0, 0, 1 << 16}, pInverse & mask30}
	n30 = modulus30{signed30{
		nLow & mask30, nLow >> 30 & mask30, nLow >> 60 & mask30, nLow >> 90 & mask30, nLow >> 120, 0, 0, 0, nTop << 8,
	}, nInverse & mask30}
)

// matrix30 is 2³⁰ times the transition matrix of a batch: it takes (f, g) to (u·f + v·g, q·f + r·g)/2³⁰. |u| + |v| and
// |q| + |r| are at most 2³⁰ (I3).
type matrix30 struct{ u, v, q, r int32 }

// state30 holds the numbers that a batch changes.
type state30 struct {
	zeta       int32 // ζ = −(δ + ½) in the half-delta form; η = −δ in invert30Vartime
	f, g, d, e signed30
}

// start sets s, which must be zero, to the first state for x: f = m, g = x, d = 0 and e = 1, and δ = ½ in the
// half-delta form or δ = 1 otherwise.
func (s *state30) start(x *[4]uint64, m *modulus30) {
	s.zeta = Start
	s.f = m.m
	s.f.carry()
	s.g = fromLimbs30(x)
	s.e[0] = 1
}

// invert30 returns x⁻¹ mod m, or 0 if x is 0, in constant time and in digits of 30 bits.
func invert30(x *[4]uint64, m *modulus30) [4]uint64 {
	var s state30
	s.start(x, m)
	// After 590 divsteps g = 0, and further divsteps change neither f nor d modulo m. Twenty batches of 30 are 600
	// divsteps (I4, I5).
	for range Batches30 {
		batch30(&s, m)
	}
	s.d.normalize(s.f[8]>>31, m) // f = ±1, so the inverse is d times the sign of f
	return s.d.limbs()
}

// invert30Vartime returns x⁻¹ mod m, or 0 if x is 0, in time that depends on x and in digits of 30 bits.
func invert30Vartime(x *[4]uint64, m *modulus30) [4]uint64 {
	var s state30
	s.start(x, m)
	// Dropping top digits as in batch62Vartime gains nothing, since updateFG30 would need a loop.
	for s.g != (signed30{}) {
		var t matrix30
		s.zeta = divsteps30Vartime(s.zeta, uint32(s.f[0]), uint32(s.g[0]), &t)
		updateFG30(&s.f, &s.g, &t)
		updateDE30(&s.d, &s.e, &t, m)
	}
	s.d.normalize(s.f[8]>>31, m)
	return s.d.limbs()
}

// batch30 runs 30 divsteps in the half-delta form on the state, in constant time.
func batch30(s *state30, m *modulus30) {
	var t matrix30
	s.zeta = divsteps30(s.zeta, uint32(s.f[0]), uint32(s.g[0]), &t)
	updateFG30(&s.f, &s.g, &t)
	updateDE30(&s.d, &s.e, &t, m)
}

// divsteps30 runs 30 divsteps, in three pieces of 10. The divsteps depend only on the low 30 bits of f and g (I2). It
// sets t to 2³⁰ times their transition matrix, and returns the new ζ.
func divsteps30(zeta int32, f, g uint32, t *matrix30) int32 {
	zeta, w := divsteps10(zeta, f, g)
	*t = w
	for range pieces - 1 {
		f, g = (uint32(w.u)*f+uint32(w.v)*g)>>10, (uint32(w.q)*f+uint32(w.r)*g)>>10
		zeta, w = divsteps10(zeta, f, g)
		*t = matrix30{
			w.u*t.u + w.v*t.q, w.u*t.v + w.v*t.r,
			w.q*t.u + w.r*t.q, w.q*t.v + w.r*t.r,
		}
	}
	return zeta
}

// divsteps10 runs 10 divsteps on the low 10 bits of f and g. It returns the new ζ and 2¹⁰ times their transition
// matrix.
func divsteps10(zeta int32, f, g uint32) (int32, matrix30) {
	// As in divsteps20, one word holds f and its row of the matrix, and another holds g and its row. The words begin as
	// f + 2²⁰ and g + 2³¹, where f and g are the low 10 bits as numbers in [−2⁹, 2⁹), and f and g stay in this range.
	// After i divsteps the words are f + u·2²⁰⁻ⁱ + v·2³¹⁻ⁱ and g + q·2²⁰⁻ⁱ + r·2³¹⁻ⁱ (I6).
	//
	// A signed word of 32 bits cannot hold 2³¹, so both words are kept halved: h = (word − 1)/2 for the word of f,
	// which is odd, and y = word/2, rounded down, for the word of g, with its lowest bit in c2. After i divsteps the
	// coefficient of 2³¹ is |v|·2⁻ⁱ ≤ 1 in the word of f, which is kept halved. In the word of g, before it is halved,
	// the coefficient of 2³¹ is |r|·2⁻ⁱ ≤ 1 − 2⁻ⁱ. Since |u| + |v| ≤ 2ⁱ, the coefficient of 2²⁰ is at most 1 minus the
	// coefficient of 2³¹.
	h := int32(f<<22)>>23 + 1<<19
	y := int32(g<<22)>>23 + 1<<30
	c2 := -int32(g & 1)
	for range Divsteps30 / pieces {
		c1 := zeta >> 31 // all ones if ζ < 0
		// An even g becomes g/2. An odd g becomes (g + f)/2 = y + h + 1 if ζ ≥ 0, or (g − f)/2 = y − h if ζ < 0. In the
		// last case g replaces f, so that h becomes y, and ζ becomes −ζ − 2. Otherwise ζ becomes ζ − 1.
		x := ((h ^ c1) + 1) & c2
		c1 &= c2
		h ^= (h ^ y) & c1
		y += x
		zeta = (zeta ^ c1) - 1
		c2 = -(y & 1)
		y >>= 1
	}
	u, v := unpack30(h)
	q, r := unpack30(y)
	return zeta, matrix30{u, v, q, r}
}

// unpack30 returns u and v of w = f + u·2⁹ + v·2²⁰ for −2⁸ ≤ f < 2⁸ and −2¹⁰ < u ≤ 2¹⁰. The words of divsteps10 have
// this form after 10 divsteps, since they are halved.
func unpack30(w int32) (u, v int32) {
	w = (w + 1<<8) >> 9
	u = (w-1)<<21>>21 + 1 // u − 1 has 11 bits
	v = (w + 1<<10 - 1) >> 11
	return u, v
}

// divsteps30Vartime runs 30 divsteps on the low 30 bits of f and g, several in one step, by the method of
// divsteps62Vartime (I10). It sets t to 2³⁰ times their transition matrix, and returns the new η.
func divsteps30Vartime(eta int32, f, g uint32, t *matrix30) int32 {
	u, v, q, r := uint32(1), uint32(0), uint32(0), uint32(1)
	i := int32(Divsteps30)
	for {
		zeros := bits.TrailingZeros32(g|^uint32(0)<<(i&31)) & 31
		g >>= zeros
		u <<= zeros
		v <<= zeros
		eta -= int32(zeros)
		i -= int32(zeros)
		if i == 0 {
			break
		}
		var w uint32
		if eta < 0 {
			eta = -eta
			f, g = g, -f
			u, q = q, -u
			v, r = r, -v
			// Cancel up to 6 bits of g: w ≡ −g/f modulo 64.
			w = f * g * (f*f - 2) & 63
		} else {
			// Cancel up to 4 bits of g: w ≡ −g/f modulo 16.
			w = -(f + (f+1)&4<<1) * g & 15
		}
		w &= ^uint32(0) >> (-min(eta+1, i) & 31)
		g += f * w
		q += u * w
		r += v * w
	}
	t.u, t.v, t.q, t.r = int32(u), int32(v), int32(q), int32(r)
	return eta
}

// updateFG30 sets (f, g) to (u·f + v·g, q·f + r·g)/2³⁰. The division is exact, because the lowest digit of the sums x
// and y is 0 (I7).
func updateFG30(f, g *signed30, t *matrix30) {
	b := t.biased()
	x, y := b.add(0, 0, f[0], g[0])
	x, y = next(x, y, f[0], g[0])
	x, y = b.add(x, y, f[1], g[1])
	f[0], g[0] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, f[1], g[1])
	x, y = b.add(x, y, f[2], g[2])
	f[1], g[1] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, f[2], g[2])
	x, y = b.add(x, y, f[3], g[3])
	f[2], g[2] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, f[3], g[3])
	x, y = b.add(x, y, f[4], g[4])
	f[3], g[3] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, f[4], g[4])
	x, y = b.add(x, y, f[5], g[5])
	f[4], g[4] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, f[5], g[5])
	x, y = b.add(x, y, f[6], g[6])
	f[5], g[5] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, f[6], g[6])
	x, y = b.add(x, y, f[7], g[7])
	f[6], g[6] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, f[7], g[7])
	x, y = b.addSigned(x, y, f[8], g[8])
	f[7], g[7] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, f[8], g[8])
	f[8], g[8] = int32(x), int32(y)
}

// updateDE30 sets (d, e) to (u·d + v·e, q·d + r·e)/2³⁰ mod m. Both d and e stay in (−2m, m) (I8).
func updateDE30(d, e *signed30, t *matrix30, m *modulus30) {
	// md·m and me·m are added to the two sums. At first md and me compensate for negative d and e. Then md and me are
	// reduced by up to 2³⁰ − 1, so that the lowest digits of the sums become 0 (see updateDE).
	sd, se := d[8]>>31, e[8]>>31
	md := t.u&sd + t.v&se
	me := t.q&sd + t.r&se
	b := t.biased()
	x, y := b.add(0, 0, d[0], e[0])
	md -= (int32(m.inverse*uint32(x)) + md) & mask30
	me -= (int32(m.inverse*uint32(y)) + me) & mask30
	x, y = addMultiples(x, y, md, me, m.m[0])
	x, y = next(x, y, d[0], e[0])
	x, y = b.add(x, y, d[1], e[1])
	x, y = addMultiples(x, y, md, me, m.m[1])
	d[0], e[0] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, d[1], e[1])
	x, y = b.add(x, y, d[2], e[2])
	x, y = addMultiples(x, y, md, me, m.m[2])
	d[1], e[1] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, d[2], e[2])
	x, y = b.add(x, y, d[3], e[3])
	x, y = addMultiples(x, y, md, me, m.m[3])
	d[2], e[2] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, d[3], e[3])
	x, y = b.add(x, y, d[4], e[4])
	x, y = addMultiples(x, y, md, me, m.m[4])
	d[3], e[3] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, d[4], e[4])
	x, y = b.add(x, y, d[5], e[5])
	x, y = addMultiples(x, y, md, me, m.m[5])
	d[4], e[4] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, d[5], e[5])
	x, y = b.add(x, y, d[6], e[6])
	x, y = addMultiples(x, y, md, me, m.m[6])
	d[5], e[5] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, d[6], e[6])
	x, y = b.add(x, y, d[7], e[7])
	x, y = addMultiples(x, y, md, me, m.m[7])
	d[6], e[6] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, d[7], e[7])
	x, y = b.addSigned(x, y, d[8], e[8])
	x, y = addMultiples(x, y, md, me, m.m[8])
	d[7], e[7] = int32(x)&mask30, int32(y)&mask30
	x, y = next(x, y, d[8], e[8])
	d[8], e[8] = int32(x), int32(y)
}

// biased30 is a matrix with 2³⁰ added to its elements, so that no element is negative. For 32-bit processors Go
// compiles a product of unsigned words to one instruction, but a product of signed words to several. A sum of two
// products is then too large by (f + g)·2³⁰. The function next subtracts this excess, which is f + g in the next digit.
//
// The elements of a row sum to at most 3·2³⁰, so the products for a digit sum to less than 3·2⁶⁰. Together with a
// multiple of m, which is below 2⁶¹, and the carry, they fit in 63 bits.
type biased30 struct{ u, v, q, r uint32 }

func (t *matrix30) biased() biased30 {
	return biased30{uint32(t.u + 1<<30), uint32(t.v + 1<<30), uint32(t.q + 1<<30), uint32(t.r + 1<<30)}
}

// add returns x + u·f + v·g and y + q·f + r·g for f and g in [0, 2³⁰).
func (b biased30) add(x, y int64, f, g int32) (int64, int64) {
	return x + mulDigit(b.u, f) + mulDigit(b.v, g), y + mulDigit(b.q, f) + mulDigit(b.r, g)
}

// addSigned returns x + u·f + v·g and y + q·f + r·g for f and g of any sign.
func (b biased30) addSigned(x, y int64, f, g int32) (int64, int64) {
	return x + int64(b.u)*int64(f) + int64(b.v)*int64(g), y + int64(b.q)*int64(f) + int64(b.r)*int64(g)
}

// next shifts x and y to the digit above f and g, and subtracts the excess f + g that products with a biased30 have in
// this digit. If f and g are the last digits, which have a sign, only the low 32 bits of the results are correct, and
// callers use no other bits.
func next(x, y int64, f, g int32) (int64, int64) {
	bias := int64(uint32(f) + uint32(g))
	return x>>30 - bias, y>>30 - bias
}

// addMultiples returns x + md·m and y + me·m, for a digit m of the modulus.
func addMultiples(x, y int64, md, me, m int32) (int64, int64) {
	if m == 0 {
		return x, y
	}
	return x + int64(md)*int64(m), y + int64(me)*int64(m)
}

// mulDigit returns a·b for b in [0, 2³⁰).
func mulDigit(a uint32, b int32) int64 { return int64(uint64(a) * uint64(uint32(b))) }

// normalize sets a, which is in (−2m, m), to a mod m if sign is 0, and to −a mod m if it is −1 (I9).
func (a *signed30) normalize(sign int32, m *modulus30) {
	a.addNegative(sign, m)
	a.addNegative(0, m)
}

// addNegative adds m to a if a is negative, and then negates a if sign is −1. sign is 0 or −1.
func (a *signed30) addNegative(sign int32, m *modulus30) {
	add := a[8] >> 31
	for i := range a {
		a[i] = (a[i] + m.m[i]&add ^ sign) - sign
	}
	a.carry()
}

// carry brings all digits but the last into [0, 2³⁰), and keeps the value of a.
func (a *signed30) carry() {
	for i := range 8 {
		a[i+1] += a[i] >> 30
		a[i] &= mask30
	}
}

// fromLimbs30 returns the integer in four limbs of 64 bits as nine digits of 30 bits.
func fromLimbs30(x *[4]uint64) signed30 {
	return signed30{
		int32(x[0] & mask30),
		int32(x[0] >> 30 & mask30),
		int32((x[0]>>60 | x[1]<<4) & mask30),
		int32(x[1] >> 26 & mask30),
		int32((x[1]>>56 | x[2]<<8) & mask30),
		int32(x[2] >> 22 & mask30),
		int32((x[2]>>52 | x[3]<<12) & mask30),
		int32(x[3] >> 18 & mask30),
		int32(x[3] >> 48),
	}
}

// limbs returns a, which must be in [0, 2²⁵⁶), as four limbs of 64 bits.
func (a *signed30) limbs() [4]uint64 {
	v0, v1, v2, v3, v4 := uint64(a[0]), uint64(a[1]), uint64(a[2]), uint64(a[3]), uint64(a[4])
	v5, v6, v7, v8 := uint64(a[5]), uint64(a[6]), uint64(a[7]), uint64(a[8])
	return [4]uint64{
		v0 | v1<<30 | v2<<60,
		v2>>4 | v3<<26 | v4<<56,
		v4>>8 | v5<<22 | v6<<52,
		v6>>12 | v7<<18 | v8<<48,
	}
}
