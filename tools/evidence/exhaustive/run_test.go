//go:build !exhaustive

package exhaustive

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/evidence/internal/small"

	// These imports run this test again after a change in the library: the test cache does not see what the go commands
	// below read.
	_ "p256k1.mleku.dev/v2/ecdh"
	_ "p256k1.mleku.dev/v2/ecdsa"
	_ "p256k1.mleku.dev/v2/schnorr"
)

// Every run tests the list orders; a run with -short tests only the first two. P256K1_LONG=1 adds longOrders.
var (
	orders     = []int{7, 13, 199}
	longOrders = []int{3319, 10903}
)

// root is the folder of the library.
const root = "../../.."

// isLong reports whether a long run was requested.
func isLong() bool { return os.Getenv("P256K1_LONG") == "1" }

// goTest runs the tests of one order with the patched library and returns their output.
func goTest(t testing.TB, order int, library *patch.Patch, arguments ...string) (output []byte, err error) {
	return library.Go(t, fmt.Sprintf("exhaustive,order%d", order), append([]string{"-v", "-count=1", "-timeout=4h"}, arguments...)...)
}

// TestOrders runs the tests of all orders.
func TestOrders(t *testing.T) {
	all := orders
	switch {
	case isLong():
		all = append(all, longOrders...)
	case testing.Short():
		all = all[:2]
	}
	for _, order := range all {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			library := libtest.Must(small.Patch(root))
			output, err := goTest(t, order, library)
			patch.Results(t, output, err, 30)
		})
	}
}

// planted lists bugs. Each bug replaces old by new, once, in a function of the library, and names the orders whose
// tests must fail. A bug that names no orders must be found by all of them.
var planted = []struct {
	name, file, function string
	old, new             string
	orders               []int
}{
	{"the second half of the split has the other sign", "internal/scalar/split.go", "Scalar.Split",
		"return k1₂, signed(r0₁₁, r1₁₃, r2₁₄)", "h := signed(r0₁₁, r1₁₃, r2₁₄)\n\th.Neg = ^h.Neg\n\treturn k1₂, h", nil},
	{"(n−1)/2 is high", "internal/scalar/scalar.go", "Scalar.IsHigh",
		"bits.Sub64(h0, v₁.l0, 0)", "bits.Sub64(h0-1, v₁.l0, 0)", nil},
	{"half of an odd scalar", "internal/scalar/scalar.go", "Scalar.Half",
		"m₃ := -(a₂.l0 & 1)", "m₃ := -(a₂.l0 >> 1 & 1)", nil},
	{"inverses in variable time have any sign", "internal/modinv/safegcd62.go", "invert62Vartime",
		"s₃.d.normalize(s₃.f[n₄-1]>>63, m₂)", "s₃.d.normalize(0, m₂)", nil},
	{"AddVartime does not double", "internal/group/add.go", "Jacobian.AddVartime",
		"if h₄.IsZeroVartime() && sum₅.X.IsZeroVartime() {", "if false {", nil},
	{"mixed additions do not double", "internal/group/add.go", "Jacobian.fixVartime",
		"if h₄.IsZeroVartime() && p₁.X.IsZeroVartime() {", "if false {", nil},
	{"Add does not double", "internal/group/add.go", "Jacobian.Add",
		"sum₅.Select(&twice₆, &sum₅, h₄.IsZero()&sum₅.X.IsZero())", "", nil},
	{"Add takes opposite points for equal ones", "internal/group/add.go", "Jacobian.Add",
		"h₄.IsZero()&sum₅.X.IsZero())\n\tsum₅", "h₄.IsZero())\n\tsum₅", nil},
	{"AddMixedComplete does not double", "internal/group/xyzz.go", "XYZZ.AddMixedComplete",
		"equal₆ := h₄.IsZero() & p₁.X.IsZero()", "equal₆ := uint64(0)", nil},
	{"Base leaves the last window but one out", "internal/ecmult/base.go", "base",
		"i₇ < recode.BaseDigits-1", "i₇ < recode.BaseDigits-2", nil},
	{"a row of the table of Base begins too low", "internal/tables/secret.go", "OddMultiplesVartime",
		"base₃.AddVartime(&odd₅[entries₂-1], &base₃)", "base₃.Set(&odd₅[entries₂-1])", nil},
	{"Variable takes the multiples of λ·a for both halves", "internal/ecmult/variable.go", "Variable",
		"variableLookup(&t₁₄, &t1₇, &k1₁₀, i₉)", "variableLookup(&t₁₄, &t2₈, &k1₁₀, i₉)", nil},
	{"Variable leaves the second window out", "internal/ecmult/variable.go", "Variable",
		"i₉ > 0; i₉--", "i₉ > 1; i₉--", nil},
	{"the offset of Variable is one more", "internal/recode/odd.go", "",
		"(1<<130 - 1<<129 - 1)", "(1<<130 - 1<<129)", nil},
	{"digits of points are not negated", "internal/ecmult/strauss.go", "buildTablesVartime",
		"t₇.negated[j₈].Negate(&t₇.table[j₈].Y)", "t₇.negated[j₈].Set(&t₇.table[j₈].Y)", nil},
	{"digits of the generator are not negated", "internal/ecmult/strauss.go", "generatorTerm.gatherVartime",
		"m₉.Y.CondNegate(&m₉.Y, d₇.Sign)", "", nil},
	{"the powers of λ of generator digits are swapped", "internal/recode/eisenstein.go", "Digit.setGenerator",
		"{Power: uint8(power₇), Entry", "{Power: uint8(power₇<<1&3 | power₇>>1), Entry", nil},
	{"the last entry of the table of a point is wrong", "internal/ecmult/strauss.go", "Term.fillTableVartime",
		"power₅ != recode.PointSteps[i₆]; power₅", "power₅ != recode.PointSteps[min(i₆, 6)]; power₅", nil},
	{"a row of a precomputed table begins too low", "internal/tables/public.go", "FillPrecomputedVartime",
		"row₁₀ = i₁₁\n", "row₁₀ = 0\n", nil},
	{"precomputed digits of λ² are taken for those of λ", "internal/ecmult/precomputed.go", "sumPrecomputedVartime",
		"if power₃ == 0 {", "if power₃ < 2 {", nil},
	{"a sum of equal points, from bytes, has any x coordinate", "internal/ecmult/rootless.go", "unlifted.setVartime",
		"if u₁.h.IsZeroVartime() || u₁.d.IsZeroVartime() {", "if u₁.d.IsZeroVartime() {", nil},
	{"BIP-340 verifies R with odd y from bytes", "internal/ecmult/rootless.go", "unlifted.isEvenVartime",
		"return verdict(y₅.IsOdd() == 0)", "return Yes", nil},
	{"a sum from x takes the other y", "internal/ecmult/rootless.go", "SumOfXVartime",
		"y₁₅.CondNegate(&y₁₅, y₁₅.IsOdd()^odd₄)", "y₁₅.CondNegate(&y₁₅, ^y₁₅.IsOdd()^odd₄)", nil},
	{"the first of several tables keeps its denominator", "internal/ecmult/odd.go", "commonDenominator",
		"table₁[last₅].Rescale(&table₁[last₅], after₃)", "", nil},
	{"a sum counts as normalized", "curve/point.go", "Point.Add",
		"*p₁.known() = opaque.Known{}", "*p₁.known() = *a₂.known()", nil},
	{"tweaks of x-only keys do not look at y", "private.go", "PrivateKey.TweakAddXOnly",
		"k₁.tweakAdd(t₂, k₁.get().pub.point.IsYOdd())", "k₁.tweakAdd(t₂, 0)", nil},
	{"ECDSA verifies r = 0", "ecdsa/signature.go", "Signature.scalars",
		"return sig₁.scalar(r₂, 0) && sig₁.scalar(s₃, 32)", "sig₁.scalar(r₂, 0)\n\treturn sig₁.scalar(s₃, 32)", []int{13, 199}}, // order 7 has no x ≡ 0
	{"ECDSA signs r = 0", "ecdsa/ecdsa.go", "RecoverableSignature.set",
		"if r₈.IsZero()|s₉.IsZero() == 1 {", "if s₉.IsZero() == 1 {", []int{13, 199}},
	{"ECDSA signs s = 0", "ecdsa/ecdsa.go", "RecoverableSignature.set",
		"if r₈.IsZero()|s₉.IsZero() == 1 {", "if r₈.IsZero() == 1 {", nil},
	{"the recovery id does not follow the negation of s", "ecdsa/ecdsa.go", "RecoverableSignature.set",
		"byte(id₁₀ ^ high₁₂)", "byte(id₁₀)", nil},
	{"recovery adds z/r·G", "ecdsa/recover.go", "recoverKey",
		"z₅.Mul(&z₅, &r₆).Negate(&z₅)", "z₅.Mul(&z₅, &r₆)", nil},
	{"recovery in a batch adds z/r·G", "ecdsa/recover.go", "RecoverBatch",
		".Negate(z₁₀)", "", nil},
	{"BIP-340 verifies R with odd y", "internal/schemes/verify/verify.go", "isEvenAt",
		" && p₁.Y.IsOdd() == 0", "", nil},
	{"BIP-340 does not negate the nonce", "schnorr/schnorr.go", "set",
		"k₅.CondNegate(k₅, r₆.IsYOdd())", "", nil},
}

// TestPlanted shows that the tests find bugs. By default it plants two bugs, in the group of the first order. With
// P256K1_LONG=1 it plants all bugs, in the groups of the three orders of every run, and with -short none. An edit that
// no longer fits the library fails in every run.
func TestPlanted(t *testing.T) {
	tried, run := orders[:1], planted[:2]
	switch {
	case isLong():
		tried, run = orders, planted
	case testing.Short():
		run = nil
	}
	failed := regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
	for i, bug := range planted {
		t.Run(bug.name, func(t *testing.T) {
			library := libtest.Must(small.Patch(root))
			libtest.Check(t, library.Edit(bug.file, bug.function, bug.old, bug.new))
			if i >= len(run) {
				return
			}
			for _, order := range tried {
				output, err := goTest(t, order, library, "-failfast")
				switch test := failed.FindSubmatch(output); {
				case err != nil && test == nil:
					t.Fatalf("order %d does not run: %v\n%s", order, err, output)
				case err != nil:
					t.Logf("found by the order %d (%s)", order, test[1])
				case bug.orders == nil || slices.Contains(bug.orders, order):
					t.Errorf("order %d does not find it", order)
				}
			}
		})
	}
	if !t.Failed() && run != nil {
		t.Logf("result: %d planted bugs are found by the orders %v", len(run), tried)
	}
}
