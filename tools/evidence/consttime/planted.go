package consttime

import (
	_ "embed"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

//go:embed planted.txt
var planted string

// plants lists leaks that do not change results.
var plants = patch.Changes(planted)

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
