package recode

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/scalar"
)

// Windows are digits of ℤ[λ] in base 2ʷ, one for every place, for sums of so many products
// that the points are sorted by their digits, and for points with tables (S19).
//
// Each nonzero digit is a unit times u + v·ω with u > 0 and v ≥ 0, where ω = 1 + λ = −λ². The
// pairs (u, v) are numbered from 0 on.
type Windows struct {
	Width int
	U, V  []uint8 // of each pair
	Max   int     // the largest u or v

	classes []windowClass // by the bits of x and, above them, of y
}

// The widths of windows.
const (
	MinWindow = 3
	MaxWindow = 6
)

// MaxWindows is how many digits of the smallest width a scalar has at most (S22).
const MaxWindows = 44

// WindowDigit is zero, or a unit times a pair: ±λ to a power times number pair.
type WindowDigit uint16

// Pair returns the number of the pair, for a digit that is not zero.
func (d WindowDigit) Pair() int { return int(d>>3) - 1 }

// Power returns the power of λ.
func (d WindowDigit) Power() int { return int(d >> 1 & 3) }

// Sign returns all ones for minus, else zero.
func (d WindowDigit) Sign() uint64 { return -uint64(d & 1) }

type windowClass struct {
	digit WindowDigit
	a, b  int8 // it is a + b·λ
}

var (
	windows     [MaxWindow + 1]Windows
	windowsOnce [MaxWindow + 1]sync.Once
)

// WindowsOf returns the digits of that width.
func WindowsOf(width int) *Windows {
	w := &windows[width]
	windowsOnce[width].Do(func() { w.build(width) })
	return w
}

// build makes the table of digits: of each class modulo 2ʷ a number of the hexagon around 0
// (S19).
func (w *Windows) build(width int) {
	w.Width = width
	size := 1 << width
	w.classes = make([]windowClass, size*size)
	for u := 1; 2*u <= size; u++ {
		for v := 0; 2*u+v <= size && u+2*v <= size; v++ {
			a, b := u+v, v // u + v·ω
			if w.class(a, b).digit != 0 {
				continue // a pair has the same classes
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

// class returns where the digit for x + y·λ stands.
func (w *Windows) class(x, y int) *windowClass {
	mask := 1<<w.Width - 1
	return &w.classes[x&mask|y&mask<<w.Width]
}

// DigitsVartime sets digits[0], digits[stride], digits[2·stride], … to the digits of the scalar
// whose halves are k1 and k2, from below, and returns how many there are, the last one not being zero. It may set some to
// zero after that, but no more than MaxWindows in all.
func (w *Windows) DigitsVartime(digits []WindowDigit, stride int, k1, k2 scalar.Signed128) (n int) {
	a, b := pieces(k1), pieces(k2)
	end := len(a)
	for end > 0 && a[end-1]|b[end-1] == 0 {
		end--
	}
	// What is left is x + y·λ + 2ⁿ·(the pieces from next on), for n = ahead.
	var x, y int64
	next, ahead := 0, 0
	for at := 0; ; at++ {
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
		if digits[at*stride] = c.digit; c.digit != 0 {
			n = at + 1
		}
		x = (x - int64(c.a)) >> (w.Width & 63)
		y = (y - int64(c.b)) >> (w.Width & 63)
		ahead -= w.Width
	}
}
