package recode

import "p256k1.mleku.dev/v2/internal/scalar"

// PrecomputedForm describes the digits of public scalars for points with precomputed tables. The digits are numbers of
// ℤ[λ] from the set that Windows describes. There is one digit at every place that the width divides. The table holds
// multiples of the point for every place, so that multiplication needs no doublings.
type PrecomputedForm struct {
	Width  int
	Places int // the number of digits that suffices for all scalars (S20)
	Table  int // the number of multiples, for all places together
}

// PrecomputedKey is the form for tables of keys, and PrecomputedGenerator is the form for the table of G.
var (
	PrecomputedKey       = PrecomputedForm{4, 33, PrecomputedKeyTable}
	PrecomputedGenerator = PrecomputedForm{5, 26, 26 * MaxPrecomputedEntries}
)

// PrecomputedKeyTable is PrecomputedKey.Table: 43 multiples for each of 32 places, and a single multiple for the last
// place, whose digit is a unit or 0 (S20).
const PrecomputedKeyTable = 32*43 + 1

// These are the larger numbers of places and of entries of the two forms.
const (
	MaxPrecomputedPlaces  = 33
	MaxPrecomputedEntries = 171
)

// Entries returns the number of multiples for a place. There is one for each pair (u, v) of Windows: (4ʷ − 4)/6 + 1 =
// (2²ʷ⁻¹ + 1)/3 (S19).
func (f *PrecomputedForm) Entries() int { return (1<<(2*f.Width-1) + 1) / 3 }

// PrecomputedDigits is a scalar as a sum of units times entries of the table. Entry[i][:N[i]] are the indexes of the
// entries with the unit i, which is λ^(i/2) for even i, and −λ^((i−1)/2) for odd i.
type PrecomputedDigits struct {
	Entry [6][MaxPrecomputedPlaces]uint16
	N     [6]int
}

// SetVartime sets d to the digits of k that form describes.
func (d *PrecomputedDigits) SetVartime(k *scalar.Scalar, form *PrecomputedForm) {
	windows := WindowsOf(form.Width)
	width, entries := windows.Width&63, uint16(form.Entries())
	d.N = [6]int{}
	k1, k2 := k.Split()
	a, b := pieces(k1), pieces(k2)
	// x, y, next and ahead are as in Windows.DigitsVartime, except that the number of places is fixed: 33 places of 4
	// bits or 26 places of 5 bits, which read no more than five pieces.
	var x, y int64
	next, ahead := 0, 0
	for place := range uint16(form.Places) {
		if ahead < width {
			x += a[next] << (ahead & 63)
			y += b[next] << (ahead & 63)
			ahead += 32
			next++
		}
		c := windows.class(int(x), int(y))
		if c.digit != 0 {
			unit := c.digit & 7 // the power and the sign
			n := &d.N[unit]
			d.Entry[unit][*n] = place*entries + uint16(c.digit.Pair())
			*n++
		}
		x, y = (x-int64(c.a))>>width, (y-int64(c.b))>>width
		ahead -= width
	}
}
