package main

import (
	"math/big"
	_ "unsafe" // for linkname

	"p256k1.mleku.dev/v2/internal/modinv"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// A divstate is what batches of divsteps work on: ζ, then f, g, d and e in digits of 62 bits.
type divstate [21]int64

// batch runs 60 divsteps. Only the assembly and its twin know it.
//
//go:linkname batch p256k1.mleku.dev/v2/internal/modinv.batch
func batch(s *divstate, m *modinv.Modulus)

func inversions() []*operation {
	return []*operation{
		divsteps("modinv batch mod p", &modinv.P, oracle.P),
		divsteps("modinv batch mod n", &modinv.N, oracle.N),
	}
}

// divsteps is a batch from states that need not come up in any inversion, with f and g of up to 257 bits and d and e up to the
// ends of (−2m, m).
func divsteps(name string, modulus *modinv.Modulus, m *big.Int) *operation {
	var s divstate
	return &operation{
		name: name, often: slow, exact: limbs, every: 8,
		draw: func(t *trial) {
			// f, g, d and e, each as a number below m and how it lies in (−2m, m); and ζ.
			zeta := int64(t.below(1400)) - 700
			if t.bits()&3 == 0 {
				zeta = int64(t.below(5)) - 2
			}
			t.takes(t.value(), t.value(), t.value(), t.value(), word{t.bits(), uint64(zeta)})
		},
		do: func(t *trial) {
			s[0] = int64(t.in[4][1])
			for i, v := range extremes(t, m) {
				copy(s[1+5*i:], digits(v))
			}
			batch(&s, modulus)
			for i := 0; i < len(s); i += 4 {
				var w word
				for j, digit := range s[i:min(i+4, len(s))] {
					w[j] = uint64(digit)
				}
				t.gives(w)
			}
		},
		check: func(t *trial, b *bigs) verdict {
			v := extremes(t, m)
			zeta := int64(t.in[4][1])
			f, g, d, e := v[0], v[1], v[2], v[3]
			half := func(x *big.Int) {
				if x.Bit(0) == 1 {
					x.Add(x, m)
				}
				x.Rsh(x, 1)
			}
			for range 60 {
				switch odd := g.Bit(0) == 1; {
				case odd && zeta < 0:
					zeta = -zeta - 2
					f, g = g, new(big.Int).Sub(g, f)
					d, e = e, new(big.Int).Sub(e, d)
				case odd:
					zeta--
					g.Add(g, f)
					e.Add(e, d)
				default:
					zeta--
				}
				g.Rsh(g, 1)
				half(e)
			}
			var got divstate
			for i := range got {
				got[i] = int64(t.out[i/4][i%4])
			}
			ok := got[0] == zeta && undigits(got[1:6]).Cmp(f) == 0 && undigits(got[6:11]).Cmp(g) == 0
			for i, want := range []*big.Int{d, e} {
				v := undigits(got[11+5*i : 16+5*i])
				low := new(big.Int).Lsh(m, 1)
				ok = ok && v.Cmp(m) < 0 && v.Cmp(low.Neg(low)) > 0
				ok = ok && v.Sub(v, want).Mod(v, m).Sign() == 0
			}
			return verdictOf(ok)
		},
	}
}

// extremes returns f, g, d and e of a trial.
func extremes(t *trial, m *big.Int) (v [4]*big.Int) {
	for i := range v {
		x := oracle.FromLimbs(t.in[i])
		x.Mod(x, m)
		switch t.in[4][0] >> (2 * i) & 3 {
		case 1:
			x.Neg(x)
		case 2: // from −2m + 1 on
			x.Add(x, one)
			x.Sub(x, m).Sub(x, m)
		case 3: // from m − 1 down
			x.Sub(m, x.Add(x, one))
		}
		v[i] = x
	}
	v[0].SetBit(v[0], 0, 1) // f is odd
	return v
}

// digits returns the five digits of 62 bits of a number, of which the last has the sign.
func digits(v *big.Int) []int64 {
	all := make([]int64, 5)
	x := new(big.Int).Set(v)
	for i := range 4 {
		all[i] = new(big.Int).And(x, low62).Int64()
		x.Rsh(x, 62)
	}
	all[4] = x.Int64()
	return all
}

func undigits(digits []int64) *big.Int {
	v := new(big.Int)
	for i := 4; i >= 0; i-- {
		v.Lsh(v, 62).Add(v, big.NewInt(digits[i]))
	}
	return v
}

var low62 = big.NewInt(1<<62 - 1)
