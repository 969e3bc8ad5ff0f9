package recode

import "p256k1.mleku.dev/v2/internal/scalar"

// PrecomputedForm is the form of digits for public scalars of a point with tables made
// beforehand: Windows, one at every place, so that nothing is doubled.
type PrecomputedForm struct {
	Width  int
	Places int // of all scalars (S20)
	Table  int // the number of multiples for all places
}

// The forms for keys, and for G, of which there is one table.
var (
	PrecomputedKey       = PrecomputedForm{4, 33, PrecomputedKeyTable}
	PrecomputedGenerator = PrecomputedForm{5, 26, 26 * MaxPrecomputedEntries}
)

// PrecomputedKeyTable is the Table of PrecomputedKey: the last place has ±λ to a power, or
// nothing.
const PrecomputedKeyTable = 32*43 + 1

// The larger number of Places and of Entries.
const (
	MaxPrecomputedPlaces  = 33
	MaxPrecomputedEntries = 171
)

// Entries returns the number of multiples for a place: the pairs of Windows (S19).
func (f *PrecomputedForm) Entries() int { return (1<<(2*f.Width-1) + 1) / 3 }

// PrecomputedDigits is a scalar as a sum of entries in the table of all places, by the
// unit that stands before them: λ to the power of half the index, or minus that for odd
// ones.
type PrecomputedDigits struct {
	Entry [6][MaxPrecomputedPlaces]uint16
	N     [6]int
}

// SetVartime sets d to k in the form.
func (d *PrecomputedDigits) SetVartime(k *scalar.Scalar, form *PrecomputedForm) {
	windows := WindowsOf(form.Width)
	width, entries := windows.Width&63, uint16(form.Entries())
	d.N = [6]int{}
	k1, k2 := k.Split()
	a, b := pieces(k1), pieces(k2)
	// As in Windows.DigitsVartime.
	var x, y int64
	next, ahead := 0, 0
	for at := range uint16(form.Places) {
		if ahead < width {
			x += a[next] << (ahead & 63)
			y += b[next] << (ahead & 63)
			ahead += 32
			next++
		}
		c := windows.class(int(x), int(y))
		if c.digit != 0 {
			unit := c.digit & 7
			n := &d.N[unit]
			d.Entry[unit][*n] = at*entries + uint16(c.digit.Pair())
			*n++
		}
		x, y = (x-int64(c.a))>>width, (y-int64(c.b))>>width
		ahead -= width
	}
}
