//go:build amd64 && !purego

package main

import (
	_ "unsafe" // for linkname

	"p256k1.mleku.dev/v2/internal/platform"
)

// The flags which the assembly reads. The library has no switch for them, and
// shall not have one for the sake of this program.
var (
	//go:linkname fieldADX p256k1.mleku.dev/v2/internal/field.useADX
	fieldADX bool
	//go:linkname scalarADX p256k1.mleku.dev/v2/internal/scalar.useADX
	scalarADX bool
	//go:linkname modinvADX p256k1.mleku.dev/v2/internal/modinv.useADX
	modinvADX bool
	//go:linkname groupADX p256k1.mleku.dev/v2/internal/group.useADX
	groupADX bool
	//go:linkname ecmultADX p256k1.mleku.dev/v2/internal/ecmult.useADX
	ecmultADX bool
)

func useADX() {
	platform.ADX = true
	for _, flag := range []*bool{&fieldADX, &scalarADX, &modinvADX, &groupADX, &ecmultADX} {
		*flag = true
	}
}
