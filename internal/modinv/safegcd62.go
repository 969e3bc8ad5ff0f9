package modinv

import "math/bits"

const (
	pieces = 3 // of a batch in constant time
	mask20 = 1<<20 - 1
	mask62 = 1<<62 - 1
)

// signed62 is the integer Σ v[i]·2⁶²ⁱ. Between batches v[0] … v[3] are in [0, 2⁶²) and v[4] carries the sign.
type signed62 [5]int64

// modulus62 is an odd prime of 256 bits prepared for inversion.
type modulus62 struct {
	m       signed62 // digits of either sign; a digit that is 0 saves multiplications
	inverse uint64   // m⁻¹ mod 2⁶²
}

var (
	p62 = modulus62{signed62{-(1<<32 + 977), 0, 0, 0, 256}, pInverse}
	n62 = modulus62{signed62{nLow & mask62, nLow >> 62 & mask62, nLow >> 124, 0, nTop}, nInverse}
)

// matrix is 2⁶² times the transition matrix of a batch: it takes (f, g) to (u·f + v·g, q·f + r·g)/2⁶².
// |u| + |v| and |q| + |r| are at most 2⁶² (I3).
type matrix struct{ u, v, q, r int64 }

// state holds the numbers that a batch changes. The assembly depends on its layout.
type state struct {
	zeta       int64 // ζ = −(δ + ½) in the half-delta form; η = −δ in batch62Vartime
	f, g, d, e signed62
}

// start sets s, which must be zero, to the first state for x: f = m, g = x, d = 0 and e = 1, and δ = ½ in the
// half-delta form or δ = 1 otherwise.
func (s *state) start(x *[4]uint64, m *modulus62) {
	s.zeta = Start
	s.f[0], s.f[1], s.f[2], s.f[3], s.f[4] = carry(m.m[0], m.m[1], m.m[2], m.m[3], m.m[4])
	s.g = fromLimbs(x)
	s.e[0] = 1
}

// invert62 returns x⁻¹ mod m, or 0 if x is 0, in constant time and in digits of 62 bits.
func invert62(x *[4]uint64, m *modulus62) [4]uint64 {
	var s state
	s.start(x, m)
	// After 590 divsteps g = 0, and further divsteps change neither f nor d modulo m. Ten batches of 60 are 600
	// divsteps (I4, I5).
	for range Batches {
		batch(&s, m)
	}
	s.d.normalize(s.f[4]>>63, m) // f = ±1, so the inverse is d times the sign of f
	return s.d.limbs()
}

// invert62Vartime returns x⁻¹ mod m, or 0 if x is 0, in time that depends on x and in digits of 62 bits. The variable n
// is the number of digits that f and g still have.
func invert62Vartime(x *[4]uint64, m *modulus62) [4]uint64 {
	var s state
	s.start(x, m)
	for n := 5; ; {
		if useBroadwell { // the constant-time batch in assembly is faster than the batch in variable time
			batch(&s, m)
		} else {
			n = batch62Vartime(&s, n, m)
		}
		rest := int64(0)
		for _, w := range s.g[:n] {
			rest |= w
		}
		if rest == 0 {
			s.d.normalize(s.f[n-1]>>63, m)
			return s.d.limbs()
		}
	}
}

// batchGeneric runs 60 divsteps in the half-delta form on the state, in constant time.
func batchGeneric(s *state, m *modulus62) {
	var t matrix
	s.zeta = divsteps60(s.zeta, uint64(s.f[0]), uint64(s.g[0]), &t)
	updateFG(&s.f, &s.g, &t, 5)
	updateDE(&s.d, &s.e, &t, m)
}

// batch62Vartime runs 62 divsteps on the state, with η in place of ζ, in time that depends on f and g. f and g have n
// digits, and the last digit has the sign. It returns the number of digits that f and g have afterwards.
func batch62Vartime(s *state, n int, m *modulus62) int {
	var t matrix
	s.zeta = divsteps62Vartime(s.zeta, uint64(s.f[0]), uint64(s.g[0]), &t)
	updateFG(&s.f, &s.g, &t, n)
	updateDE(&s.d, &s.e, &t, m)
	// Drop the top digits of f and g if each is 0 or −1 and so holds only the sign. The digit below then holds the sign
	// in its upper bits (I11).
	fn, gn := s.f[n-1], s.g[n-1]
	if n > 1 && fn == fn>>63 && gn == gn>>63 {
		s.f[n-2] |= fn << 62
		s.g[n-2] |= gn << 62
		n--
	}
	return n
}

// divsteps60 runs 60 divsteps, which depend only on the low 60 bits of f and g (I2). It sets t to 2⁶² times their
// transition matrix, and returns the new ζ.
func divsteps60(zeta int64, f, g uint64, t *matrix) int64 {
	// The divsteps run in three pieces of 20. Each piece applies its matrix to f and g, and multiplies t by the matrix.
	// The low 60 bits of f and g are correct before the first piece, 40 bits before the second, and 20 bits before the
	// third. The factor 4 = 2⁶²⁻⁶⁰ turns 2⁶⁰ into 2⁶².
	*t = matrix{1 << (62 - Divsteps), 0, 0, 1 << (62 - Divsteps)}
	for range pieces {
		var w matrix
		zeta, w = divsteps20(zeta, f, g)
		f, g = (uint64(w.u)*f+uint64(w.v)*g)>>20, (uint64(w.q)*f+uint64(w.r)*g)>>20
		*t = matrix{
			w.u*t.u + w.v*t.q, w.u*t.v + w.v*t.r,
			w.q*t.u + w.r*t.q, w.q*t.v + w.r*t.r,
		}
	}
	return zeta
}

// divsteps20 runs 20 divsteps on the low 20 bits of f and g. It returns the new ζ and 2²⁰ times their transition
// matrix.
func divsteps20(zeta int64, f, g uint64) (int64, matrix) {
	// One word holds f and its row of the matrix, and another holds g and its row. The words begin as f + 2⁴¹ and g +
	// 2⁶². After i divsteps they are f + u·2⁴¹⁻ⁱ + v·2⁶²⁻ⁱ and g + q·2⁴¹⁻ⁱ + r·2⁶²⁻ⁱ, because adding, subtracting or
	// halving words does the same to all three parts. In the end, unpack separates the parts (I6). The word of f is
	// odd, and h is (word − 1)/2. The word of g is y.
	h, y := int64(f&mask20>>1|1<<40), int64(g&mask20|1<<62)
	for range Divsteps / pieces {
		// c1 is all ones if ζ < 0, and c2 is all ones if g is odd.
		c1 := zeta >> 63
		c2 := -(y & 1)
		y >>= 1
		// An even g becomes g/2, which is y now. An odd g becomes (g + f)/2 = y + h + 1 if ζ ≥ 0, or (g − f)/2 = y − h
		// if ζ <
		// 0. In the last case g replaces f, so that h becomes y, and ζ becomes −ζ − 2. Otherwise ζ becomes ζ − 1.
		x := ((h ^ c1) + 1) & c2
		c1 &= c2
		h ^= (h ^ y) & c1
		y += x
		zeta = (zeta ^ c1) - 1
	}
	u, v := unpack(2*h + 1)
	q, r := unpack(y)
	return zeta, matrix{u, v, q, r}
}

// unpack returns u and v of w = f + u·2²¹ + v·2⁴² for |f| < 2²⁰ and −2²⁰ < u ≤ 2²⁰.
func unpack(w int64) (u, v int64) {
	u = (w-1<<20)<<22>>43 + 1 // u − 1 has 21 bits
	v = (w + 1<<41 - 1<<20) >> 42
	return u, v
}

// divsteps62Vartime runs 62 divsteps on the low 62 bits of f and g, and sets t to 2⁶² times their transition matrix. It
// returns the new η.
//
// It performs several divsteps in one step. Each zero bit at the end of g is a divstep that only halves g. For η ≥ 0
// and an odd g, f stays the same for the next η + 1 divsteps. So L ≤ η + 1 divsteps together add a multiple w·f to g,
// with w ≡ −g/f modulo 2ᴸ, and then halve g L times (I10).
func divsteps62Vartime(eta int64, f, g uint64, t *matrix) int64 {
	u, v, q, r := uint64(1), uint64(0), uint64(0), uint64(1)
	i := DivstepsVartime // the number of divsteps that remain
	for {
		// Setting all bits from i on limits zeros to i.
		zeros := bits.TrailingZeros64(g|^uint64(0)<<(i&63)) & 63
		g >>= zeros
		u <<= zeros
		v <<= zeros
		eta -= int64(zeros)
		i -= zeros
		if i == 0 {
			break
		}
		var w uint64
		if eta < 0 {
			eta = -eta
			f, g = g, -f
			u, q = q, -u
			v, r = r, -v
			// As in a divstep with δ > 0, (f, g) has become (g, −f), and η its negative. Cancel up to 6 bits of g, with
			// f·(f² − 2) ≡ −1/f modulo 64.
			w = f * g * (f*f - 2) & 63
		} else {
			// Cancel up to 4 bits of g, with −(f + 2·((f + 1) & 4)) ≡ −1/f modulo 16.
			w = -(f + (f+1)&4<<1) * g & 15
		}
		// Cancel no more than η + 1 bits and no more than i bits.
		w &= ^uint64(0) >> (-min(int(eta)+1, i) & 63)
		g += f * w
		q += u * w
		r += v * w
	}
	t.u, t.v, t.q, t.r = int64(u), int64(v), int64(q), int64(r)
	return eta
}

// updateFG sets (f, g) to (u·f + v·g, q·f + r·g)/2⁶², for f and g of n digits. The division is exact, because the
// lowest digit of the sums is 0. Each digit of a sum comes from two products and the carry, added up in (fh, fl) or
// (gh, gl), which is signed and below 2¹²⁶ in absolute value (I7).
func updateFG(f, g *signed62, t *matrix, n int) {
	u, v, q, r := uint64(t.u), uint64(t.v), uint64(t.q), uint64(t.r)
	var fh, fl, gh, gl uint64
	for i := 0; i < 4 && i < n-1; i++ {
		fi, gi := uint64(f[i]), uint64(g[i])
		fh, fl = mulAdd(fh, fl, u, fi)
		fh, fl = mulAdd(fh, fl, v, gi)
		gh, gl = mulAdd(gh, gl, q, fi)
		gh, gl = mulAdd(gh, gl, r, gi)
		if i > 0 {
			f[i-1] = int64(fl & mask62)
			g[i-1] = int64(gl & mask62)
		}
		fh, fl = shift62(fh, fl)
		gh, gl = shift62(gh, gl)
	}
	fi, gi := uint64(f[n-1]), uint64(g[n-1])
	fh, fl = mulAddSigned(fh, fl, u, fi)
	fh, fl = mulAddSigned(fh, fl, v, gi)
	gh, gl = mulAddSigned(gh, gl, q, fi)
	gh, gl = mulAddSigned(gh, gl, r, gi)
	if n > 1 {
		f[n-2] = int64(fl & mask62)
		g[n-2] = int64(gl & mask62)
		_, fl = shift62(fh, fl)
		_, gl = shift62(gh, gl)
		f[n-1] = int64(fl)
		g[n-1] = int64(gl)
		return
	}
	_, fl = shift62(fh, fl)
	_, gl = shift62(gh, gl)
	f[0], g[0] = int64(fl), int64(gl)
}

// updateDE sets (d, e) to (u·d + v·e, q·d + r·e)/2⁶² mod m. Both d and e stay in (−2m, m) (I8).
func updateDE(d, e *signed62, t *matrix, m *modulus62) {
	u, v, q, r := uint64(t.u), uint64(t.v), uint64(t.q), uint64(t.r)
	// md·m and me·m are added to the two sums. At first md and me compensate for negative d and e, as if m had been
	// added to a negative d or e beforehand, so that the sums are in (−2⁶²·m, 2⁶²·m).
	sd, se := uint64(d[4]>>63), uint64(e[4]>>63)
	md := u&sd + v&se
	me := q&sd + r&se
	d0, e0 := uint64(d[0]), uint64(e[0])
	dh, dl := mulAdd(0, 0, u, d0)
	dh, dl = mulAdd(dh, dl, v, e0)
	eh, el := mulAdd(0, 0, q, d0)
	eh, el = mulAdd(eh, el, r, e0)
	// Then md and me are reduced by up to 2⁶² − 1, so that the lowest digits of the sums become 0: modulo 2⁶², dl +
	// m·(md − (dl/m + md)) = 0. The quotients by 2⁶² are in (−2m, m).
	md -= (m.inverse*dl + md) & mask62
	me -= (m.inverse*el + me) & mask62
	m0 := uint64(m.m[0])
	dh, dl = mulAddSigned(dh, dl, m0, md)
	eh, el = mulAddSigned(eh, el, m0, me)
	dh, dl = shift62(dh, dl)
	eh, el = shift62(eh, el)
	for i := 1; i < 4; i++ {
		di, ei := uint64(d[i]), uint64(e[i])
		dh, dl = mulAdd(dh, dl, u, di)
		dh, dl = mulAdd(dh, dl, v, ei)
		eh, el = mulAdd(eh, el, q, di)
		eh, el = mulAdd(eh, el, r, ei)
		if mi := uint64(m.m[i]); mi != 0 {
			dh, dl = mulAddSigned(dh, dl, mi, md)
			eh, el = mulAddSigned(eh, el, mi, me)
		}
		d[i-1] = int64(dl & mask62)
		e[i-1] = int64(el & mask62)
		dh, dl = shift62(dh, dl)
		eh, el = shift62(eh, el)
	}
	d4, e4, m4 := uint64(d[4]), uint64(e[4]), uint64(m.m[4])
	dh, dl = mulAddSigned(dh, dl, u, d4)
	dh, dl = mulAddSigned(dh, dl, v, e4)
	dh, dl = mulAddSigned(dh, dl, m4, md)
	eh, el = mulAddSigned(eh, el, q, d4)
	eh, el = mulAddSigned(eh, el, r, e4)
	eh, el = mulAddSigned(eh, el, m4, me)
	d[3] = int64(dl & mask62)
	e[3] = int64(el & mask62)
	_, dl = shift62(dh, dl)
	_, el = shift62(eh, el)
	d[4], e[4] = int64(dl), int64(el)
}

// mulAdd returns (hi, lo) + a·b for a signed a, and b in [0, 2⁶³).
func mulAdd(hi, lo, a, b uint64) (uint64, uint64) {
	h, l := bits.Mul64(a, b)
	h -= uint64(int64(a)>>63) & b
	lo, cy := bits.Add64(lo, l, 0)
	hi, _ = bits.Add64(hi, h, cy)
	return hi, lo
}

// mulAddSigned returns (hi, lo) + a·b for signed a and b.
func mulAddSigned(hi, lo, a, b uint64) (uint64, uint64) {
	h, l := bits.Mul64(a, b)
	h -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
	lo, cy := bits.Add64(lo, l, 0)
	hi, _ = bits.Add64(hi, h, cy)
	return hi, lo
}

// shift62 returns (hi, lo) shifted right by 62 bits, as a signed integer.
func shift62(hi, lo uint64) (uint64, uint64) {
	return uint64(int64(hi) >> 62), hi<<2 | lo>>62
}

// carry returns digits with the same value, where all digits except the last are in [0, 2⁶²).
func carry(a0, a1, a2, a3, a4 int64) (b0, b1, b2, b3, b4 int64) {
	a1 += a0 >> 62
	a2 += a1 >> 62
	a3 += a2 >> 62
	a4 += a3 >> 62
	return a0 & mask62, a1 & mask62, a2 & mask62, a3 & mask62, a4
}

// normalize sets a, which is in (−2m, m), to a mod m if sign is 0, and to −a mod m if it is −1. Adding m to a negative
// a brings it into (−m, m), a range that negation preserves. Adding m to a negative number in this range brings it into
// [0, m) (I9).
func (a *signed62) normalize(sign int64, m *modulus62) {
	a0, a1, a2, a3, a4 := a[0], a[1], a[2], a[3], a[4]
	add := a4 >> 63
	a0 = (a0 + m.m[0]&add ^ sign) - sign
	a1 = (a1 + m.m[1]&add ^ sign) - sign
	a2 = (a2 + m.m[2]&add ^ sign) - sign
	a3 = (a3 + m.m[3]&add ^ sign) - sign
	a4 = (a4 + m.m[4]&add ^ sign) - sign
	a0, a1, a2, a3, a4 = carry(a0, a1, a2, a3, a4)
	add = a4 >> 63
	a[0], a[1], a[2], a[3], a[4] = carry(a0+m.m[0]&add, a1+m.m[1]&add, a2+m.m[2]&add, a3+m.m[3]&add, a4+m.m[4]&add)
}

// fromLimbs returns the integer in four limbs of 64 bits as five digits of 62 bits.
func fromLimbs(x *[4]uint64) signed62 {
	return signed62{
		int64(x[0] & mask62),
		int64((x[0]>>62 | x[1]<<2) & mask62),
		int64((x[1]>>60 | x[2]<<4) & mask62),
		int64((x[2]>>58 | x[3]<<6) & mask62),
		int64(x[3] >> 56),
	}
}

// limbs returns a, which must be in [0, 2²⁵⁶), as four limbs of 64 bits.
func (a *signed62) limbs() [4]uint64 {
	v0, v1, v2, v3, v4 := uint64(a[0]), uint64(a[1]), uint64(a[2]), uint64(a[3]), uint64(a[4])
	return [4]uint64{v0 | v1<<62, v1>>2 | v2<<60, v2>>4 | v3<<58, v3>>6 | v4<<56}
}
