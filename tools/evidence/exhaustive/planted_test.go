//go:build !exhaustive

package exhaustive

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/evidence/internal/small"
)

// planted are bugs, each with the orders whose tests must fail with it: with old replaced by new, once, in a file of the library.
// Those without orders must be found by all of every run.
var planted = []struct {
	name, file string
	old, new   string
	orders     []int
}{
	{"the second half of the split has the other sign", "internal/scalar/split.go",
		"return k1, signed(r0, r1, r2)", "h := signed(r0, r1, r2)\n\th.Neg = ^h.Neg\n\treturn k1, h", nil},
	{"(n−1)/2 is high", "internal/scalar/scalar.go",
		"bits.Sub64(h0, v.l0, 0)", "bits.Sub64(h0-1, v.l0, 0)", nil},
	{"half of an odd scalar", "internal/scalar/scalar.go",
		"m := -(a.l0 & 1)", "m := -(a.l0 >> 1 & 1)", nil},
	{"inverses in variable time have any sign", "internal/modinv/safegcd62.go",
		"s.d.normalize(s.f[n-1]>>63, m)", "s.d.normalize(0, m)", nil},
	{"AddVartime does not double", "internal/group/add.go",
		"if h.IsZeroVartime() && sum.X.IsZeroVartime() {", "if false {", nil},
	{"mixed additions do not double", "internal/group/add.go",
		"if h.IsZeroVartime() && p.X.IsZeroVartime() {", "if false {", nil},
	{"Add does not double", "internal/group/add.go",
		"sum.Select(&twice, &sum, h.IsZero()&sum.X.IsZero())", "", nil},
	{"Add takes opposite points for equal ones", "internal/group/add.go",
		"h.IsZero()&sum.X.IsZero())\n\tsum", "h.IsZero())\n\tsum", nil},
	{"AddMixedComplete does not double", "internal/group/xyzz.go",
		"equal := h.IsZero() & p.X.IsZero()", "equal := uint64(0)", nil},
	{"Base leaves the last window but one out", "internal/ecmult/base.go",
		"i < recode.BaseDigits-1", "i < recode.BaseDigits-2", nil},
	{"a row of the table of Base begins too low", "internal/tables/secret.go",
		"base.AddVartime(&odd[entries-1], &base)", "base.Set(&odd[entries-1])", nil},
	{"Variable takes the multiples of λ·a for both halves", "internal/ecmult/variable.go",
		"variableLookup(&t, &t1, &k1, i)", "variableLookup(&t, &t2, &k1, i)", nil},
	{"Variable leaves the second window out", "internal/ecmult/variable.go",
		"i > 0; i--", "i > 1; i--", nil},
	{"the offset of Variable is one more", "internal/recode/odd.go",
		"(1<<130 - 1<<129 - 1)", "(1<<130 - 1<<129)", nil},
	{"digits of points are not negated", "internal/ecmult/strauss.go",
		"t.negated[j].Negate(&t.table[j].Y)", "t.negated[j].Set(&t.table[j].Y)", nil},
	{"digits of the generator are not negated", "internal/ecmult/strauss.go",
		"m.Y.CondNegate(&m.Y, d.Sign)", "", nil},
	{"the powers of λ of generator digits are swapped", "internal/recode/eisenstein.go",
		"{Power: uint8(power), Entry", "{Power: uint8(power<<1&3 | power>>1), Entry", nil},
	{"the last entry of the table of a point is wrong", "internal/ecmult/strauss.go",
		"power != recode.PointSteps[i]; power", "power != recode.PointSteps[min(i, 6)]; power", nil},
	{"a row of a precomputed table begins too low", "internal/tables/public.go",
		"row = i\n", "row = 0\n", nil},
	{"precomputed digits of λ² are taken for those of λ", "internal/ecmult/precomputed.go",
		"if power == 0 {", "if power < 2 {", nil},
	{"a sum of equal points, from bytes, has any x coordinate", "internal/ecmult/rootless.go",
		"if u.h.IsZeroVartime() || u.d.IsZeroVartime() {", "if u.d.IsZeroVartime() {", nil},
	{"BIP-340 verifies R with odd y from bytes", "internal/ecmult/rootless.go",
		"return verdict(y.IsOdd() == 0)", "return Yes", nil},
	{"a sum from x takes the other y", "internal/ecmult/rootless.go",
		"y.CondNegate(&y, y.IsOdd()^odd)", "y.CondNegate(&y, ^y.IsOdd()^odd)", nil},
	{"the first of several tables keeps its denominator", "internal/ecmult/odd.go",
		"table[last].Rescale(&table[last], after)", "", nil},
	{"a sum counts as normalized", "curve/point.go",
		"p.p.Add(&a.p, &b.p)\n\tp.known = known{}", "p.p.Add(&a.p, &b.p)\n\tp.known = a.known", nil},
	{"tweaks of x-only keys do not look at y", "private.go",
		"k.tweakAdd(t, k.get().pub.point.IsYOdd())", "k.tweakAdd(t, 0)", nil},
	{"ECDSA verifies r = 0", "ecdsa/signature.go",
		"return sig.scalar(r, 0) && sig.scalar(s, 32)", "sig.scalar(r, 0)\n\treturn sig.scalar(s, 32)", []int{13, 199}}, // no x ≡ 0 mod 7
	{"ECDSA signs r = 0", "ecdsa/ecdsa.go",
		"if r.IsZero()|s.IsZero() == 1 {", "if s.IsZero() == 1 {", []int{13, 199}},
	{"ECDSA signs s = 0", "ecdsa/ecdsa.go",
		"if r.IsZero()|s.IsZero() == 1 {", "if r.IsZero() == 1 {", nil},
	{"the recovery id does not follow the negation of s", "ecdsa/ecdsa.go",
		"byte(id ^ high)", "byte(id)", nil},
	{"recovery adds z/r·G", "ecdsa/recover.go",
		"z.Mul(&z, &r).Negate(&z)", "z.Mul(&z, &r)", nil},
	{"recovery in a batch adds z/r·G", "ecdsa/recover.go",
		"(digests[i])).Negate(&w.z[n])", "(digests[i]))", nil},
	{"BIP-340 verifies R with odd y", "schnorr/schnorr.go",
		"r.IsYOdd() == 0 && ", "", nil},
	{"BIP-340 does not negate the nonce", "schnorr/schnorr.go",
		"k.CondNegate(k, r.IsYOdd())", "", nil},
}

// TestPlanted shows that the tests find bugs: two of them in every run, all of them in a long one.
func TestPlanted(t *testing.T) {
	long := isLong(t)
	failed := regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
	found := 0
	for i, bug := range planted {
		t.Run(bug.name, func(t *testing.T) {
			library, err := small.Patch(root)
			if err != nil {
				t.Fatal(err)
			}
			if err := library.Edit(bug.file, bug.old, bug.new); err != nil {
				t.Fatal(err)
			}
			if !long && (i > 1 || testing.Short()) {
				return
			}
			tried, must := orders, bug.orders
			if must == nil {
				must = orders
			}
			if !long {
				tried = orders[:1]
			}
			var by []string
			for _, order := range tried {
				output, err := goTest(t, order, library, "-failfast")
				test := failed.FindSubmatch(output)
				switch {
				case err != nil && test == nil:
					t.Fatalf("order %d does not run: %v\n%s", order, err, output)
				case err != nil:
					by = append(by, fmt.Sprintf("%d (%s)", order, test[1]))
				case slices.Contains(must, order):
					t.Errorf("order %d does not find it", order)
				}
			}
			if len(by) > 0 {
				found++
			}
			t.Logf("found by %s", strings.Join(by, ", "))
		})
	}
	if long {
		t.Logf("result: of %d planted bugs, %d are found by the orders %v", len(planted), found, orders)
	} else if !testing.Short() {
		t.Logf("result: of 2 planted bugs, %d are found by the order %d", found, orders[0])
	}
}
