package consttime

import "p256k1.mleku.dev/v2/tools/internal/must"

// plants lists leaks that do not change results: the text to plant, and the text of the library after which to plant
// it.
var plants = []struct{ file, function, after, text string }{
	{"internal/scalar/scalar.go", "Scalar.Add", "*Scalar {\n", `
		if a₂.l0 > 12345 {
			planted = planted*planted + 1
		}
`},
	{"internal/ecmult/lookup.go", "lookupGeneric", "uint64) {\n", `
		planted += table₂[window₃&3].X[1]
`},
	{"internal/field/arith.go", "Element.Negate", "*Element {\n", `
		planted = ^planted / (a₂.l1 | 1)
`},
	{"compat/btcec/v2/schnorr/sign.go", "negateIf", "uint32) {\n", `
		if odd₂ > 0 {
			planted = planted*planted + 1
		}
`},
	{"compat/btcec/v2/schnorr/musig2/sign.go", "keySet.sign", "k₁₀.Add(&k₁₀, k2₁₁.Mul(&k2₁₁, &v₈.b))\n", `
		if k₁₀.IsHigh() == 1 {
			planted = planted*planted + 1
		}
`},
	{"internal/lanes/variable.go", "secretWorkspace.multiply", "mul(&sum₂.Z, &sum₂.Z, &s₅.z)\n", `
		mulVartime(&sum₂.Z, &sum₂.Z, &w₁.one)
`},
	{"internal/scalar/scalar_amd64.s", "", "TEXT ·mulBroadwell(SB), NOSPLIT, $0-24\n", `
		MOVQ    a+8(FP), SI
		CMPQ    (SI), $12345
		JHI     planted
	planted:
		MOVBQZX (SI), BX
		LEAQ    (BX)(BX*1), CX
		ADDQ    SP, CX
		MOVQ    (CX), AX
		MOVQ    AX, -8(SP)
		XORL    DX, DX
		INCQ    BX
		DIVQ    BX
`},
}

// leaks lists the findings that the plants cause.
const leaks = `public: planted
	branch  scalar.(*Scalar).Add: if ….l0 > 12345 {
	index   ecmult.lookupGeneric: planted += ….X[1]
	slow    field.(*Element).Negate: planted = ^planted / (….l1 | 1)
	branch  schnorr.negateIf: if … > 0 {
	branch  musig2.(*keySet).sign: if ….IsHigh() == 1 {
	call    lanes.mulVartime
	branch  scalar.mulBroadwell: JHI planted
	index   scalar.mulBroadwell: MOVQ (CX), AX
	slow    scalar.mulBroadwell: DIVQ BX
`

// Leaks returns the list of findings that the plants cause, for tests of the commands.
func Leaks() []Review { return must.Get(readList(leaks)) }
