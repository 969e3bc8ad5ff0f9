//go:build amd64 && !purego

package main

import (
	_ "unsafe" // for linkname

	"p256k1.mleku.dev/v2/internal/platform"
)

// The variables that select the assembly. The library exports no switch for them, and should not have one only for this
// program.
var (
	//go:linkname fieldBroadwell p256k1.mleku.dev/v2/internal/field.useBroadwell
	fieldBroadwell bool
	//go:linkname scalarBroadwell p256k1.mleku.dev/v2/internal/scalar.useBroadwell
	scalarBroadwell bool
	//go:linkname modinvBroadwell p256k1.mleku.dev/v2/internal/modinv.useBroadwell
	modinvBroadwell bool
	//go:linkname groupBroadwell p256k1.mleku.dev/v2/internal/group.useBroadwell
	groupBroadwell bool
	//go:linkname ecmultBroadwell p256k1.mleku.dev/v2/internal/ecmult.useBroadwell
	ecmultBroadwell bool
)

func useBroadwell() {
	platform.Broadwell = true
	for _, flag := range []*bool{&fieldBroadwell, &scalarBroadwell, &modinvBroadwell, &groupBroadwell, &ecmultBroadwell} {
		*flag = true
	}
}
