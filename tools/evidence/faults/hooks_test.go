package faults

import (
	_ "embed"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

// hooks lists the places where a bit of a value may flip, and writes a call of fault.At for each place into a copy of
// the library, in this order. planted lists errors in the check. The copy of the library contains all of them, and at
// most one is active. A %q in the new text stands for the name of the change.
var hooks, planted = patch.Changes(hooksText), patch.Changes(plantedText)

var (
	//go:embed testdata/hooks.txt
	hooksText string
	//go:embed testdata/planted.txt
	plantedText string
)
