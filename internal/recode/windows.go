package recode

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/scalar"
)

// Windows is the set of digits of ℤ[λ] in base 2ʷ, with a digit at every place that w divides. Two algorithms use such
// digits: sums of so many products that sorting the points by their digits pays off, and products of points that have
// tables.
//
// The digit of a class modulo 2ʷ is the number of the class that lies in a hexagon around 0, so no number of the class
// has a smaller absolute value. Each digit other than 0 is one of six units times u + v·ω with u > 0 and v ≥ 0, where ω
// = 1 + λ = −λ². The numbers u + v·ω fill the sector of the hexagon between the directions of 1 and of ω. The pairs (u,
// v) have the numbers 0, 1, 2, … (S19).
type Windows struct {
	Width int
	U, V  []uint8 // the pairs
	Max   int     // the largest u or v

	classes []windowClass // indexed by the bits of x and, above them, the bits of y
}

// MinWindow and MaxWindow are the smallest and the largest width.
const (
	MinWindow = 3
	MaxWindow = 6
)

// MaxWindows is the largest number of digits that a scalar can have, which it has at the smallest width (S22).
const MaxWindows = 44

// WindowDigit is 0 or ±λᵖᵒʷᵉʳ·(u + v·ω). Bits 3 and up hold 1 plus the number of the pair (u, v), bits 1 and 2 hold the
// power, and bit 0 holds the sign.
type WindowDigit uint16

// Pair returns the number of the pair (u, v), for a digit that is not 0.
func (d WindowDigit) Pair() int { return int(d>>3) - 1 }

// Power returns the power of λ.
func (d WindowDigit) Power() int { return int(d >> 1 & 3) }

// Sign returns all ones if the sign is minus, and zero otherwise.
func (d WindowDigit) Sign() uint64 { return -uint64(d & 1) }

// windowClass is the digit of a class modulo 2ʷ, and its value.
type windowClass struct {
	digit WindowDigit
	a, b  int8 // the value is a + b·λ
}

var (
	windows     [MaxWindow + 1]Windows
	windowsOnce [MaxWindow + 1]sync.Once
)

// WindowsOf returns the set of digits for a width from MinWindow to MaxWindow. The first call for a width builds the
// set.
func WindowsOf(width int) *Windows {
	w := &windows[width]
	windowsOnce[width].Do(func() { w.build(width) })
	return w
}

// build fills the table of classes. It goes through the pairs (u, v) of the sector that are inside the hexagon or on
// its edge, where 2u + v ≤ 2ʷ and u + 2v ≤ 2ʷ, and enters the six products of u + v·ω and a unit into the table. On the
// edge a class has more than one number, and its digit is the first number that is found (S19).
func (w *Windows) build(width int) {
	w.Width = width
	size := 1 << width
	w.classes = make([]windowClass, size*size)
	for u := 1; 2*u <= size; u++ {
		for v := 0; 2*u+v <= size && u+2*v <= size; v++ {
			a, b := u+v, v // u + v·ω
			if w.class(a, b).digit != 0 {
				continue // an earlier pair already has a number in this class, and so in all six classes
			}
			w.U, w.V = append(w.U, uint8(u)), append(w.V, uint8(v))
			w.Max = max(w.Max, u, v)
			for power := range WindowDigit(3) {
				for sign := range WindowDigit(2) {
					c := w.class(a, b)
					*c = windowClass{WindowDigit(len(w.U))<<3 | power<<1 | sign, int8(a), int8(b)}
					a, b = -a, -b
				}
				a, b = -b, a-b // times λ
			}
		}
	}
}

// class returns the entry of the table for the class of x + y·λ.
func (w *Windows) class(x, y int) *windowClass {
	mask := 1<<w.Width - 1
	return &w.classes[x&mask|y&mask<<w.Width]
}

// DigitsVartime sets digits[0], digits[stride], digits[2·stride], … to the digits of k1 + k2·λ, the lowest place first.
// It returns the number n of digits, where digit n−1 is not 0. It may set further elements to 0 after digit n−1, but it
// sets no more than MaxWindows elements in all.
func (w *Windows) DigitsVartime(digits []WindowDigit, stride int, k1, k2 scalar.Signed128) (n int) {
	a, b := pieces(k1), pieces(k2)
	end := len(a)
	for end > 0 && a[end-1]|b[end-1] == 0 {
		end--
	}
	// After subtracting the digits so far, k1 + k2·λ is
	//
	//	2^(at·w)·(x + y·λ + 2ᵃʰᵉᵃᵈ·(the pieces from next on)).
	//
	// A piece is added whenever fewer than w bits of x and y are final, so that the class is always known. The pieces
	// above the last nonzero piece are left out, so that short numbers have fewer digits.
	var x, y int64
	next, ahead := 0, 0
	for place := 0; ; place++ {
		if ahead < w.Width && next < end {
			x += a[next] << (ahead & 63)
			y += b[next] << (ahead & 63)
			ahead += 32
			next++
		}
		if x|y == 0 && next == end {
			return n
		}
		c := w.class(int(x), int(y))
		digits[place*stride] = c.digit
		if c.digit != 0 {
			n = place + 1
		}
		x = (x - int64(c.a)) >> (w.Width & 63)
		y = (y - int64(c.b)) >> (w.Width & 63)
		ahead -= w.Width
	}
}
