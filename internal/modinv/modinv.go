// Package modinv inverts modulo the 256-bit primes of secp256k1 with the safegcd
// algorithm: D. J. Bernstein and B.-Y. Yang, "Fast constant-time gcd computation
// and modular inversion", 2019 (https://gcd.cr.yp.to/papers.html#safegcd), in
// the half-delta form with batches of divsteps on the low 62 bits that P. Wuille
// describes in libsecp256k1's doc/safegcd_implementation.md.
//
// Variables are named as there: f and g are the integers of the gcd, d and e
// the Bézout coefficients, and (u, v; q, r) the transition matrix of one batch.
package modinv

import "math/bits"

const mask62 = 1<<62 - 1

// signed62 is the integer Σ v[i]·2⁶²ⁱ. Between steps v[0] … v[3] are in
// [0, 2⁶²) and v[4] carries the sign.
type signed62 [5]int64

// Modulus is an odd prime of 256 bits prepared for inversion.
type Modulus struct {
	m       signed62 // digits in any signed form; zeros save multiplications
	inverse uint64   // m⁻¹ mod 2⁶²
}

// P is the order of secp256k1's coordinate field and N that of its group.
var (
	P = Modulus{signed62{-(1<<32 + 977), 0, 0, 0, 256}, 0x27c7f6e22ddacacf}
	N = Modulus{signed62{0x3fd25e8cd0364141, 0x2abb739abd2280ee, -0x15, 0, 256}, 0x34f20099aa774ec1}
)

// matrix is 2⁶² (or a divisor of it, see the callers) times a transition matrix.
type matrix struct{ u, v, q, r int64 }

// Invert returns x⁻¹ mod m, below m, and 0 for x ≡ 0. x is four 64-bit limbs,
// least significant first, below m. It is constant-time.
func Invert(x *[4]uint64, m *Modulus) [4]uint64 {
	var d, e signed62
	e[0] = 1
	f, g := m.m, fromLimbs(x)
	f.carry()
	zeta := int64(-1) // −(δ + ½)
	var t matrix
	// 590 divsteps suffice for 256-bit inputs.
	for range 10 {
		zeta = divsteps59(zeta, uint64(f[0])|uint64(f[1])<<62, uint64(g[0])|uint64(g[1])<<62, &t)
		updateDE(&d, &e, &t, m)
		updateFG(&f, &g, &t, 5)
	}
	d.normalize(f[4]>>63, m)
	return d.limbs()
}

// InvertVartime is Invert in time that depends on x.
func InvertVartime(x *[4]uint64, m *Modulus) [4]uint64 {
	var d, e signed62
	e[0] = 1
	f, g := m.m, fromLimbs(x)
	f.carry()
	eta := int64(-1) // −δ
	n := 5
	var t matrix
	for {
		eta = divsteps62Vartime(eta, uint64(f[0])|uint64(f[1])<<62, uint64(g[0])|uint64(g[1])<<62, &t)
		updateDE(&d, &e, &t, m)
		updateFG(&f, &g, &t, n)
		if g[0] == 0 {
			rest := int64(0)
			for _, w := range g[1:n] {
				rest |= w
			}
			if rest == 0 {
				break
			}
		}
		// Drop the top digits of f and g while both are only sign.
		fn, gn := f[n-1], g[n-1]
		if n > 1 && fn == fn>>63 && gn == gn>>63 {
			f[n-2] |= fn << 62
			g[n-2] |= gn << 62
			n--
		}
	}
	d.normalize(f[n-1]>>63, m)
	return d.limbs()
}

// divsteps59 runs 59 divsteps on the low 64 bits of f and g and stores 2⁶²
// times their transition matrix, of which the divsteps themselves give 2⁵⁹.
func divsteps59(zeta int64, f, g uint64, t *matrix) int64 {
	var t1, t2 matrix
	zeta, f, g = divsteps(zeta, f, g, 30, &t1)
	zeta, _, _ = divsteps(zeta, f, g, 29, &t2)
	t.u = (t2.u*t1.u + t2.v*t1.q) << 3
	t.v = (t2.u*t1.v + t2.v*t1.r) << 3
	t.q = (t2.q*t1.u + t2.r*t1.q) << 3
	t.r = (t2.q*t1.v + t2.r*t1.r) << 3
	return zeta
}

// divsteps runs n ≤ 30 divsteps and stores 2ⁿ times their transition matrix. It
// returns f and g, of which only the low 64 − n bits are then right.
func divsteps(zeta int64, f, g uint64, n int, t *matrix) (int64, uint64, uint64) {
	// The rows of the matrix, at most 2³⁰ in absolute value, share a word
	// each: u + v·2³² and q + r·2³² (T. Pornin, "Optimized Binary GCD for
	// Modular Inversion", 2020, section 3).
	uv, qr := uint64(1), uint64(1)<<32
	for range n {
		// c1: ζ < 0; c2: g is odd.
		c1 := uint64(zeta >> 63)
		c2 := -(g & 1)
		// If g is odd, add ±(f, u, v) to (g, q, r); if ζ < 0 as well, the old
		// (g, q, r) replaces (f, u, v) and ζ becomes −ζ − 2, else ζ − 1.
		x := (f ^ c1) - c1
		y := (uv ^ c1) - c1
		c1 &= c2
		f ^= (f ^ g) & c1
		uv ^= (uv ^ qr) & c1
		g += x & c2
		qr += y & c2
		zeta = (zeta ^ int64(c1)) - 1
		g >>= 1
		uv <<= 1
	}
	t.u, t.q = int64(int32(uv)), int64(int32(qr))
	t.v, t.r = (int64(uv)-t.u)>>32, (int64(qr)-t.q)>>32
	return zeta, f, g
}

// divsteps62Vartime runs 62 divsteps on the low 64 bits of f and g, several at a
// time, and stores 2⁶² times their transition matrix.
func divsteps62Vartime(eta int64, f, g uint64, t *matrix) int64 {
	u, v, q, r := uint64(1), uint64(0), uint64(0), uint64(1)
	i := 62
	for {
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
			// Cancel up to 6 bits of g at once: w ≡ −g/f.
			w = f * g * (f*f - 2) & 63
		} else {
			// Cancel up to 4.
			w = -(f + (f+1)&4<<1) * g & 15
		}
		w &= ^uint64(0) >> (-min(int(eta)+1, i) & 63)
		g += f * w
		q += u * w
		r += v * w
	}
	t.u, t.v, t.q, t.r = int64(u), int64(v), int64(q), int64(r)
	return eta
}

// updateFG sets (f, g) to (u·f + v·g, q·f + r·g)/2⁶² over their n lowest digits.
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

// updateDE sets (d, e) to (u·d + v·e, q·d + r·e)/2⁶² mod m, both kept in
// (−2m, m).
func updateDE(d, e *signed62, t *matrix, m *Modulus) {
	u, v, q, r := uint64(t.u), uint64(t.v), uint64(t.q), uint64(t.r)
	// Multiples of m to add: first so that negative inputs do not take the
	// result below −2m, then so that the low 62 bits vanish.
	sd, se := uint64(d[4]>>63), uint64(e[4]>>63)
	md := u&sd + v&se
	me := q&sd + r&se
	var dh, dl, eh, el uint64
	d0, e0 := uint64(d[0]), uint64(e[0])
	dh, dl = mulAdd(dh, dl, u, d0)
	dh, dl = mulAdd(dh, dl, v, e0)
	eh, el = mulAdd(eh, el, q, d0)
	eh, el = mulAdd(eh, el, r, e0)
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

// mulAdd returns (hi, lo) + a·b for signed a and b in [0, 2⁶³).
func mulAdd(hi, lo, a, b uint64) (uint64, uint64) {
	h, l := bits.Mul64(a, b)
	h -= uint64(int64(a)>>63) & b
	lo, k := bits.Add64(lo, l, 0)
	hi, _ = bits.Add64(hi, h, k)
	return hi, lo
}

// mulAddSigned returns (hi, lo) + a·b for signed a and b.
func mulAddSigned(hi, lo, a, b uint64) (uint64, uint64) {
	h, l := bits.Mul64(a, b)
	h -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
	lo, k := bits.Add64(lo, l, 0)
	hi, _ = bits.Add64(hi, h, k)
	return hi, lo
}

// shift62 returns (hi, lo) shifted right by 62 bits, with sign.
func shift62(hi, lo uint64) (uint64, uint64) {
	return uint64(int64(hi) >> 62), hi<<2 | lo>>62
}

// carry brings the digits 0 … 3 of a into [0, 2⁶²).
func (a *signed62) carry() {
	for i := range 4 {
		a[i+1] += a[i] >> 62
		a[i] &= mask62
	}
}

// normalize brings a from (−2m, m) into [0, m), negated first if sign is −1
// rather than 0.
func (a *signed62) normalize(sign int64, m *Modulus) {
	add := a[4] >> 63
	for i := range a {
		a[i] += m.m[i] & add
		a[i] = (a[i] ^ sign) - sign
	}
	a.carry()
	add = a[4] >> 63
	for i := range a {
		a[i] += m.m[i] & add
	}
	a.carry()
}

func fromLimbs(x *[4]uint64) signed62 {
	return signed62{
		int64(x[0] & mask62),
		int64((x[0]>>62 | x[1]<<2) & mask62),
		int64((x[1]>>60 | x[2]<<4) & mask62),
		int64((x[2]>>58 | x[3]<<6) & mask62),
		int64(x[3] >> 56),
	}
}

func (a *signed62) limbs() [4]uint64 {
	v0, v1, v2, v3, v4 := uint64(a[0]), uint64(a[1]), uint64(a[2]), uint64(a[3]), uint64(a[4])
	return [4]uint64{v0 | v1<<62, v1>>2 | v2<<60, v2>>4 | v3<<58, v3>>6 | v4<<56}
}
