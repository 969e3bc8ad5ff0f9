package platform

import (
	"slices"
	"strings"
)

// This file says which code runs on which processor. From its tables the generator makes the assembly, its declarations
// and the fallbacks in Go, and tests compare the library with them. Programs do not use the tables, so the linker
// leaves them out.

// A Processor is an architecture for which there is assembly.
type Processor struct {
	Name string // the name in documents
	Arch string // GOARCH
}

// Processors lists the architectures for which there is assembly.
var Processors = []Processor{
	{"x86-64", "amd64"},
	{"ARM64", "arm64"},
}

// Code says whether a routine is in Go or in assembly on an architecture, and which instructions its assembly needs.
type Code string

const (
	InGo          Code = "Go"
	Assembly      Code = "assembly"                      // on all processors of the architecture
	WithBroadwell Code = "assembly (Broadwell)"          // or in Go, as nameGeneric, on older processors
	WithAVX512    Code = "assembly (AVX-512, Broadwell)" // the first that the processor can run, or nameGeneric in Go
	WithIFMA      Code = "assembly (AVX-512 IFMA)"       // or in Go, as nameGeneric, on other processors
	WithLanes     Code = "assembly (AVX-512 IFMA, FMA)"  // for public data; or in Go, as Routine.Go, on other processors
)

// Ways returns the suffixes of the names of those assembly functions that not every processor runs, in the order of
// preference. The variables useBroadwell, useAVX512 and useIFMA say which of these functions this processor runs. A
// processor that runs none of them runs Routine.Version("Generic").
func (c Code) Ways() []string {
	switch c {
	case WithBroadwell:
		return []string{"Broadwell"}
	case WithAVX512:
		return []string{"AVX512", "Broadwell"}
	case WithIFMA:
		return []string{"IFMA"}
	case WithLanes:
		return []string{"IFMA", "FMA"}
	}
	return nil
}

// A Routine is a function that exists in assembly.
type Routine struct {
	Package, Name string
	AMD64, ARM64  Code
	Go            string // the function for processors without assembly, or "" if there is none
}

// On returns the code of the routine on the architecture arch, which is a value of GOARCH.
func (r Routine) On(arch string) Code {
	switch arch {
	case "amd64":
		return r.AMD64
	case "arm64":
		return r.ARM64
	}
	return InGo
}

// Version returns the name of the version of r with the given suffix, which is one of Ways or "Generic". A routine
// xVartime of package lanes shares its versions with the routine x, if there is one, except a version for public data
// alone.
func (r Routine) Version(way string) string {
	x, public := strings.CutSuffix(r.Name, "Vartime")
	switch {
	case public && way == "Generic":
		return r.Go
	case public && way == "IFMA" && slices.ContainsFunc(Routines, func(o Routine) bool { return o.Package == r.Package && o.Name == x }):
		return x + way
	}
	return r.Name + way
}

// Doubles returns the name of the function in Go that computes r with doubles, or "" if there is none. It takes the
// place of r.Go if DoublesInGo is true. gatherPointVartime moves words, whatever they mean, so r.Go suits doubles too.
func (r Routine) Doubles() string {
	if r.AMD64 != WithLanes || r.Name == "gatherPointVartime" {
		return ""
	}
	return strings.TrimSuffix(r.Name, "Vartime") + "Doubles"
}

// Routines lists all functions that exist in assembly, except the functions of package secret that wipe memory. With
// the build tag purego none of them is in assembly.
//
// On ARM64 a single squaring is in Go, because Go needs 76 instructions for it, and assembly would need 75.
var Routines = []Routine{
	{"field", "mul", WithBroadwell, Assembly, "mulGo"},
	{"field", "squareN", WithBroadwell, Assembly, "squareNGeneric"},
	{"field", "square", WithBroadwell, InGo, "squareGo"},
	{"scalar", "mul", WithBroadwell, InGo, "mulGeneric"},
	{"modinv", "batch", WithBroadwell, Assembly, "batchGeneric"},
	{"group", "doubleN", WithBroadwell, Assembly, "doubleNGeneric"},
	{"group", "addMixed", WithBroadwell, Assembly, "addMixedGeneric"},
	{"group", "doubleAdd", WithBroadwell, Assembly, "doubleAddGeneric"},
	{"group", "addDistinct", WithBroadwell, Assembly, "addDistinctGeneric"},
	{"group", "addMixedXYZZ", WithBroadwell, Assembly, "addMixedXYZZGeneric"},
	{"group", "addCoZ", WithBroadwell, Assembly, "addCoZGeneric"},
	{"group", "addAffine", WithBroadwell, Assembly, "addAffineGeneric"},
	{"group", "rescale", WithBroadwell, Assembly, "rescaleGeneric"},
	{"lanes", "mul", WithIFMA, InGo, "mulGeneric"},
	{"lanes", "squareN", WithIFMA, InGo, "squareNGeneric"},
	{"lanes", "squarePairN", WithIFMA, InGo, "squarePairNGeneric"},
	{"lanes", "squareTripleN", WithIFMA, InGo, "squareTripleNGeneric"},
	{"lanes", "add", WithIFMA, InGo, "addGeneric"},
	{"lanes", "sub", WithIFMA, InGo, "subGeneric"},
	{"lanes", "negate", WithIFMA, InGo, "negateGeneric"},
	{"lanes", "blend", WithIFMA, InGo, "blendGeneric"},
	{"lanes", "normalize", WithIFMA, InGo, "normalizeGeneric"},
	{"lanes", "unpack", WithIFMA, InGo, "unpackGeneric"},
	{"lanes", "pack", WithIFMA, InGo, "packGeneric"},
	{"lanes", "baseLookup", WithIFMA, InGo, "baseLookupGeneric"},
	{"lanes", "baseLookupOne", WithIFMA, InGo, "baseLookupOneGeneric"},
	{"lanes", "variableLookup", WithIFMA, InGo, "variableLookupGeneric"},
	{"lanes", "turn", WithIFMA, InGo, "turnGeneric"},
	{"lanes", "doubleNegateN", WithIFMA, InGo, "doubleNegateNGeneric"},
	{"lanes", "addMixed", WithIFMA, InGo, "addMixedGeneric"},
	{"lanes", "addCoZ", WithIFMA, InGo, "addCoZGeneric"},
	{"lanes", "addMixedXYZZ", WithIFMA, InGo, "addMixedXYZZGeneric"},
	{"lanes", "addXYZZ", WithIFMA, InGo, "addXYZZGeneric"},
	{"lanes", "recodePointVartime", WithIFMA, InGo, "recodePointVartimeGeneric"},
	{"lanes", "recodeGeneratorVartime", WithIFMA, InGo, "recodeGeneratorVartimeGeneric"},
	{"lanes", "prefetchVartime", WithIFMA, InGo, "prefetchVartimeGeneric"},
	{"lanes", "loadScalars", WithIFMA, InGo, "loadScalarsGeneric"},
	{"lanes", "loadElements", WithIFMA, InGo, "loadElementsGeneric"},
	{"lanes", "storePoints", WithIFMA, InGo, "storePointsGeneric"},
	{"lanes", "mulN", WithIFMA, InGo, "mulNGeneric"},
	{"lanes", "split", WithIFMA, InGo, "splitGeneric"},
	{"lanes", "mulVartime", WithLanes, InGo, "mulGeneric"},
	{"lanes", "squareNVartime", WithLanes, InGo, "squareNGeneric"},
	{"lanes", "squarePairNVartime", WithLanes, InGo, "squarePairNGeneric"},
	{"lanes", "doubleNegatePairNVartime", WithLanes, InGo, "doubleNegatePairNGeneric"},
	{"lanes", "squareTripleNVartime", WithLanes, InGo, "squareTripleNGeneric"},
	{"lanes", "addVartime", WithLanes, InGo, "addGeneric"},
	{"lanes", "subVartime", WithLanes, InGo, "subGeneric"},
	{"lanes", "negateVartime", WithLanes, InGo, "negateGeneric"},
	{"lanes", "blendVartime", WithLanes, InGo, "blendGeneric"},
	{"lanes", "packVartime", WithLanes, InGo, "packGeneric"},
	{"lanes", "doubleNegateNVartime", WithLanes, InGo, "doubleNegateNGeneric"},
	{"lanes", "addMixedVartime", WithLanes, InGo, "addMixedGeneric"},
	{"lanes", "addCoZVartime", WithLanes, InGo, "addCoZGeneric"},
	{"lanes", "addAffinePairVartime", WithLanes, InGo, "addAffinePairGeneric"},
	{"lanes", "addMixedXYZZVartime", WithLanes, InGo, "addMixedXYZZGeneric"},
	{"lanes", "addXYZZVartime", WithLanes, InGo, "addXYZZGeneric"},
	{"lanes", "completeVartime", WithLanes, InGo, "completeGeneric"},
	{"lanes", "completeRescaledVartime", WithLanes, InGo, "completeRescaledGeneric"},
	{"lanes", "gatherPointVartime", WithLanes, InGo, "gatherPointVartimeGeneric"},
	{"lanes", "gatherGeneratorVartime", WithLanes, InGo, "gatherGeneratorVartimeGeneric"},
	{"lanes", "gatherVartime", WithLanes, InGo, "gatherVartimeGeneric"},
	{"lanes", "loadElementsVartime", WithLanes, InGo, "loadElementsGeneric"},
	{"lanes", "loadPointsVartime", WithLanes, InGo, "loadPointsGeneric"},
	{"ecmult", "lookup", WithAVX512, Assembly, "lookupGeneric"},
	{"ecmult", "prefetch", Assembly, InGo, ""},
}

// A Shape is a variant of the Go code. Word, Product and Divstep are the values of the constants with these names in
// this package.
type Shape struct {
	Word, Product, Divstep int
	Archs                  []string // values of GOARCH, or nil for all architectures that no other shape lists
	Tag                    string   // the build tag that, together with purego, selects the shape on other architectures
}

// Shapes lists the shapes of shape_64.go, shape_32.go and shape_29.go.
var Shapes = []Shape{
	{32, 32, 30, []string{"386", "arm", "mips", "mipsle"}, "limbs32"},
	{64, 29, 30, []string{"wasm"}, "limbs29"},
	{64, 64, 62, nil, ""},
}
