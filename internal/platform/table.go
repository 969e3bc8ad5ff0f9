package platform

// This file says which code runs where. The generator makes the assembly, its
// declarations and what stands in for it from these tables, and tests compare the
// library with them. Programs have no use for them, and the linker leaves them out.

// A Processor is one with assembly.
type Processor struct {
	Name string // in documents
	Arch string // GOARCH
	Tag  string // the build tag of the assembly, which GOARCH implies
}

// Processors are those with assembly. Go itself needs SSE2 on 386, unless
// GO386=softfloat.
var Processors = []Processor{
	{"x86-64", "amd64", "amd64"},
	{"ARM64", "arm64", "arm64"},
	{"386", "386", "386.sse2"},
}

// Code is what a routine consists of on a processor with assembly.
type Code string

const (
	InGo          Code = "Go"
	Assembly      Code = "assembly"                      // which all processors of this architecture run
	WithBroadwell Code = "assembly (Broadwell)"          // and nameGeneric in Go on those without
	WithAVX512    Code = "assembly (AVX-512, Broadwell)" // the first that the processor has, and nameGeneric
	WithIFMA      Code = "assembly (AVX-512 IFMA)"       // and nameGeneric in Go on those without
)

// Ways returns the ends of the names of the functions between which code chooses,
// in this order, by the variables useBroadwell, useAVX512 and useIFMA.
func (c Code) Ways() []string {
	switch c {
	case WithBroadwell:
		return []string{"Broadwell"}
	case WithAVX512:
		return []string{"AVX512", "Broadwell"}
	case WithIFMA:
		return []string{"IFMA"}
	}
	return nil
}

// A Routine is a function of which there is assembly.
type Routine struct {
	Package, Name      string
	AMD64, ARM64, I386 Code
	Go                 string // the function that stands in for it where there is none, or "" if nothing does
}

// On returns what the routine consists of on a processor with assembly, by its
// GOARCH.
func (r Routine) On(arch string) Code {
	switch arch {
	case "amd64":
		return r.AMD64
	case "arm64":
		return r.ARM64
	case "386":
		return r.I386
	}
	return InGo
}

// Routines are all functions of which there is assembly but those that wipe
// (package secret). The build tag purego makes them all Go.
//
// One squaring on ARM64 counts 75 instructions in assembly, and 76 in Go.
var Routines = []Routine{
	{"field", "mul", WithBroadwell, Assembly, Assembly, "mulGo"},
	{"field", "squareN", WithBroadwell, Assembly, Assembly, "squareNGeneric"},
	{"field", "square", WithBroadwell, InGo, Assembly, "squareGo"},
	{"scalar", "mul", WithBroadwell, InGo, InGo, "mulGeneric"},
	{"modinv", "batch", WithBroadwell, Assembly, InGo, "batchGeneric"},
	{"group", "doubleN", WithBroadwell, Assembly, InGo, "doubleNGeneric"},
	{"group", "addMixed", WithBroadwell, Assembly, InGo, "addMixedGeneric"},
	{"group", "doubleAdd", WithBroadwell, Assembly, InGo, "doubleAddGeneric"},
	{"group", "addDistinct", WithBroadwell, Assembly, InGo, "addDistinctGeneric"},
	{"group", "addMixedXYZZ", WithBroadwell, Assembly, InGo, "addMixedXYZZGeneric"},
	{"group", "addCoZ", WithBroadwell, Assembly, InGo, "addCoZGeneric"},
	{"group", "addAffine", WithBroadwell, Assembly, InGo, "addAffineGeneric"},
	{"group", "rescale", WithBroadwell, Assembly, InGo, "rescaleGeneric"},
	{"lanes", "mul", WithIFMA, InGo, InGo, "mulGeneric"},
	{"lanes", "squareN", WithIFMA, InGo, InGo, "squareNGeneric"},
	{"lanes", "squarePairN", WithIFMA, InGo, InGo, "squarePairNGeneric"},
	{"lanes", "doubleNegatePairN", WithIFMA, InGo, InGo, "doubleNegatePairNGeneric"},
	{"lanes", "squareTripleN", WithIFMA, InGo, InGo, "squareTripleNGeneric"},
	{"lanes", "add", WithIFMA, InGo, InGo, "addGeneric"},
	{"lanes", "sub", WithIFMA, InGo, InGo, "subGeneric"},
	{"lanes", "negate", WithIFMA, InGo, InGo, "negateGeneric"},
	{"lanes", "blend", WithIFMA, InGo, InGo, "blendGeneric"},
	{"lanes", "normalize", WithIFMA, InGo, InGo, "normalizeGeneric"},
	{"lanes", "unpack", WithIFMA, InGo, InGo, "unpackGeneric"},
	{"lanes", "pack", WithIFMA, InGo, InGo, "packGeneric"},
	{"lanes", "baseLookup", WithIFMA, InGo, InGo, "baseLookupGeneric"},
	{"lanes", "baseLookupOne", WithIFMA, InGo, InGo, "baseLookupOneGeneric"},
	{"lanes", "variableLookup", WithIFMA, InGo, InGo, "variableLookupGeneric"},
	{"lanes", "turn", WithIFMA, InGo, InGo, "turnGeneric"},
	{"lanes", "doubleNegateN", WithIFMA, InGo, InGo, "doubleNegateNGeneric"},
	{"lanes", "addMixed", WithIFMA, InGo, InGo, "addMixedGeneric"},
	{"lanes", "addCoZ", WithIFMA, InGo, InGo, "addCoZGeneric"},
	{"lanes", "addAffinePair", WithIFMA, InGo, InGo, "addAffinePairGeneric"},
	{"lanes", "addMixedXYZZ", WithIFMA, InGo, InGo, "addMixedXYZZGeneric"},
	{"lanes", "addXYZZ", WithIFMA, InGo, InGo, "addXYZZGeneric"},
	{"lanes", "recodePointVartime", WithIFMA, InGo, InGo, "recodePointVartimeGeneric"},
	{"lanes", "recodeGeneratorVartime", WithIFMA, InGo, InGo, "recodeGeneratorVartimeGeneric"},
	{"lanes", "prefetchVartime", WithIFMA, InGo, InGo, "prefetchVartimeGeneric"},
	{"lanes", "complete", WithIFMA, InGo, InGo, "completeGeneric"},
	{"lanes", "completeRescaled", WithIFMA, InGo, InGo, "completeRescaledGeneric"},
	{"lanes", "gatherPointVartime", WithIFMA, InGo, InGo, "gatherPointVartimeGeneric"},
	{"lanes", "gatherGeneratorVartime", WithIFMA, InGo, InGo, "gatherGeneratorVartimeGeneric"},
	{"lanes", "gatherVartime", WithIFMA, InGo, InGo, "gatherVartimeGeneric"},
	{"lanes", "loadScalars", WithIFMA, InGo, InGo, "loadScalarsGeneric"},
	{"lanes", "loadElements", WithIFMA, InGo, InGo, "loadElementsGeneric"},
	{"lanes", "loadPoints", WithIFMA, InGo, InGo, "loadPointsGeneric"},
	{"lanes", "storePoints", WithIFMA, InGo, InGo, "storePointsGeneric"},
	{"lanes", "mulN", WithIFMA, InGo, InGo, "mulNGeneric"},
	{"lanes", "split", WithIFMA, InGo, InGo, "splitGeneric"},
	{"ecmult", "lookup", WithAVX512, Assembly, Assembly, "lookupGeneric"},
	{"ecmult", "prefetch", Assembly, InGo, InGo, ""},
}

// A Shape is a form of the code in Go: the constants of this package by that name.
type Shape struct {
	Word, Product, Divstep int
	Archs                  []string // GOARCH; nil for all that no other shape lists
	Tag                    string   // the build tag that chooses it elsewhere, with purego
}

// Shapes are those of shape_64.go, shape_32.go and shape_29.go.
var Shapes = []Shape{
	{32, 32, 30, []string{"386", "arm", "mips", "mipsle"}, "limbs32"},
	{64, 29, 30, []string{"wasm"}, "limbs29"},
	{64, 64, 62, nil, ""},
}
