package main

import (
	"fmt"
	"math/big"
	"strings"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/modinv"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// constants returns the constants of the code, its tables of digits, and the polygons of divsteps, for Rocq. At index
// x·2ʷ + y, a table has the digit of the class x + y·λ modulo 2ʷ, which is the product of the multiple and the unit
// that the code selects, or (0, 0) for a class without a digit.
func constants() []byte {
	const limb = params.Limb
	var b strings.Builder
	b.WriteString("(* Made by \"go run ./tools/evidence/grouplaw\" from internal/params and internal/recode. *)\n" +
		"Require Import ZArith List.\nImport ListNotations.\nOpen Scope Z_scope.\n")
	number := func(name string, value any) { fmt.Fprintf(&b, "Definition %s := %v.\n", name, value) }
	var minusOne field.Element
	minusOne.SetUint64(1).Negate(&minusOne)
	var minusOneBytes [32]byte
	minusOne.FillBytes(&minusOneBytes)
	number("p", new(big.Int).Add(oracle.Int(minusOneBytes[:]), big.NewInt(1)))
	number("n", oracle.FromLimbs([4]uint64{params.N & limb, params.N >> 64 & limb, params.N >> 128 & limb, params.N >> 192}))
	number("lambda", oracle.FromLimbs([4]uint64{params.Lambda & limb, params.Lambda >> 64 & limb, params.Lambda >> 128 & limb, params.Lambda >> 192}))
	number("A1", oracle.FromLimbs([4]uint64{params.A1 & limb, params.A1 >> 64}))
	number("B1", new(big.Int).Neg(oracle.FromLimbs([4]uint64{-params.B1 & limb, -params.B1 >> 64})))
	number("isogenous_A", oracle.FromLimbs([4]uint64{params.IsogenousA & limb, params.IsogenousA >> 64 & limb, params.IsogenousA >> 128 & limb, params.IsogenousA >> 192}))
	number("isogenous_B", params.IsogenousB)
	number("kernel_t", oracle.FromLimbs([4]uint64{params.KernelT & limb, params.KernelT >> 64 & limb, params.KernelT >> 128 & limb, params.KernelT >> 192}))
	number("kernel_x", oracle.FromLimbs([4]uint64{params.KernelX & limb, params.KernelX >> 64 & limb, params.KernelX >> 128 & limb, params.KernelX >> 192}))
	number("curve_b", params.B)
	number("generator_x", oracle.FromLimbs([4]uint64{params.Gx & limb, params.Gx >> 64 & limb, params.Gx >> 128 & limb, params.Gx >> 192}))
	number("generator_y", oracle.FromLimbs([4]uint64{params.Gy & limb, params.Gy >> 64 & limb, params.Gy >> 128 & limb, params.Gy >> 192}))
	number("beta", oracle.FromLimbs([4]uint64{params.Beta & limb, params.Beta >> 64 & limb, params.Beta >> 128 & limb, params.Beta >> 192}))
	number("swu_z", params.SWUZ)
	number("swu_root", oracle.FromLimbs([4]uint64{params.SWURoot & limb, params.SWURoot >> 64 & limb, params.SWURoot >> 128 & limb, params.SWURoot >> 192}))
	number("base_width", recode.BaseWidth)
	number("base_places", fmt.Sprint(recode.BaseDigits, "%nat"))
	number("lanes_width", recode.LanesWidth)
	number("lanes_places", fmt.Sprint(recode.LanesDigits, "%nat"))
	number("variable_width", recode.VariableWidth)
	number("variable_places", fmt.Sprint(recode.VariableDigits, "%nat"))
	number("max_place", recode.MaxPlace)
	number("regular_point_digits", fmt.Sprint(recode.RegularPointDigits, "%nat"))
	number("regular_generator_digits", fmt.Sprint(recode.RegularGeneratorDigits, "%nat"))
	number("key_places", fmt.Sprint(recode.PrecomputedKey.Places, "%nat"))
	number("generator_places", fmt.Sprint(recode.PrecomputedGenerator.Places, "%nat"))
	number("g1", oracle.FromLimbs([4]uint64{scalar.B2Quotient & limb, scalar.B2Quotient >> 64 & limb, scalar.B2Quotient >> 128 & limb, scalar.B2Quotient >> 192}))
	number("g2", oracle.FromLimbs([4]uint64{scalar.M1Quotient & limb, scalar.M1Quotient >> 64 & limb, scalar.M1Quotient >> 128 & limb, scalar.M1Quotient >> 192}))

	// A proof that uses one of these names contains the number itself, because Rocq replaces the name when it reads it.
	literal := func(name, kind string, value int) {
		fmt.Fprintf(&b, "Notation %s := (%d)%%%s (only parsing).\n", name, value, kind)
	}
	literal("first_counter", "Z", modinv.Start)
	literal("divsteps_62", "nat", modinv.Divsteps)
	literal("batches_62", "nat", modinv.Batches)
	literal("divsteps_30", "nat", modinv.Divsteps30)
	literal("batches_30", "nat", modinv.Batches30)
	literal("divsteps_vartime", "nat", modinv.DivstepsVartime)
	literal("point_width", "Z", recode.PointWidth)
	literal("generator_width", "Z", recode.GeneratorWidth)
	literal("max_point_digits", "nat", recode.MaxPointDigits)
	literal("max_generator_digits", "nat", recode.MaxGeneratorDigits)
	literal("max_windows", "nat", recode.MaxWindows)
	literal("regular_top", "Z", recode.RegularTop)
	literal("regular_generator_entries", "Z", recode.RegularGeneratorEntries)
	literal("variable_entries", "Z", recode.VariableEntries)
	literal("shared_pieces", "Z", ecmult.Pieces)
	literal("lane_count", "nat", platform.Lanes)
	literal("least_terms", "nat", platform.LeastTerms)
	literal("bucketed", "Z", parts.Bucketed)

	walk := func(name string, entries int, multiple func(int) (a, b int)) {
		var all []string
		for i := range entries {
			a, b := multiple(i)
			all = append(all, fmt.Sprintf("(%d,%d)", a, b))
		}
		number(name, "["+strings.Join(all, "; ")+"]")
	}
	table := func(name string, width int, digit func(x, y uint64) (u, v int)) {
		walk(name, 1<<(2*width), func(i int) (u, v int) { return digit(uint64(i>>width), uint64(i&(1<<width-1))) })
	}
	table("point_digits", recode.PointWidth, func(x, y uint64) (u, v int) {
		var k, l scalar.Scalar
		l.Mul(l.SetUint64(y), &scalar.Lambda)
		var d recode.Digits
		d.SetPointVartime(k.Add(k.SetUint64(x), &l))
		if d.N == 0 || d.Digit[0].At != 0 {
			return 0, 0
		}
		first := d.Digit[0]
		u, v = recode.PointMultiple(int(first.Entry))
		return turned(u, v, int(first.Power), first.Sign != 0)
	})
	walk("point_walk", recode.PointEntries, recode.PointMultiple)
	walk("regular_walk", recode.RegularPointEntries, recode.RegularPointMultiple)
	table("regular_digits", recode.PointWidth, func(x, y uint64) (u, v int) {
		d := recode.RegularPointClass(x, y)
		if d.IsZero() {
			return 0, 0
		}
		u, v = recode.RegularPointMultiple(int(d.Entry))
		return turned(u, v, int(d.Power), d.Minus)
	})
	table("regular_entries", recode.PointWidth, func(x, y uint64) (entry, unit int) { // unit is 2·power, plus 1 for −1
		d := recode.RegularPointClass(x, y)
		unit = 2 * int(d.Power)
		if d.Minus {
			unit++
		}
		return int(d.Entry), unit
	})
	for width := recode.MinWindow; width <= recode.MaxWindow; width++ {
		w := recode.WindowsOf(width)
		digit := func(x, y uint64) recode.WindowDigit {
			var digits [recode.MaxWindows]recode.WindowDigit
			w.DigitsVartime(digits[:], 1, scalar.Signed128{Lo: x}, scalar.Signed128{Lo: y})
			return digits[0]
		}
		walk(fmt.Sprint("window_pairs_", width), len(w.U), func(i int) (u, v int) { return int(w.U[i]), int(w.V[i]) })
		number(fmt.Sprint("window_max_", width), fmt.Sprint(w.Max, "%nat"))
		// The bits of a WindowDigit: 1 + the number of the pair, and 2·power + sign.
		table(fmt.Sprint("window_entries_", width), width, func(x, y uint64) (pair, unit int) {
			d := digit(x, y)
			return int(d >> 3), int(d & 7)
		})
		table(fmt.Sprint("window_digits_", width), width, func(x, y uint64) (u, v int) {
			d := digit(x, y)
			if d == 0 {
				return 0, 0
			}
			u, v = int(w.U[d.Pair()]), int(w.V[d.Pair()])
			return turned(u+v, v, d.Power(), d.Sign() != 0) // u + v·ω
		})
	}
	hulls(&b, 2, 590.4)
	hulls(&b, 1, 724.4)
	return []byte(b.String())
}

// turned returns u + v·λ times a unit: a power of λ, or its negation.
func turned(u, v, power int, minus bool) (int, int) {
	for range power {
		u, v = -v, u-v
	}
	if minus {
		return -u, -v
	}
	return u, v
}
