//go:build !purego

package platform

import (
	"os"
	"strings"

	"golang.org/x/sys/cpu"
)

// Broadwell tells whether the processor has BMI2, ADX and AVX2: Intel's processors since Broadwell (2014), and AMD's
// since Zen (2017). The assembly may use all three.
var Broadwell = cpu.X86.HasBMI2 && cpu.X86.HasADX && cpu.X86.HasAVX2

// AVX512 tells whether the processor also has AVX-512, with its instructions on vectors of 256 bits: Intel servers
// since Skylake (2017), AMD since Zen 4 (2022).
var AVX512 = Broadwell && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL

// IFMA tells whether the processor also has AVX-512 IFMA, which multiplies 52-bit integers in eight lanes of 512 bits,
// and the other extensions that package lanes uses: Intel servers since Ice Lake (2021), AMD since Zen 4 (2022).
var IFMA = AVX512 && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512CD &&
	cpu.X86.HasAVX512IFMA && cpu.X86.HasAVX512VBMI

// FMA tells whether package lanes computes with public data in doubles: the processor has AVX2 and FMA3, Intel's since
// Haswell (2013) and AMD's since Zen (2017), and lacks AVX-512 IFMA, which package lanes prefers. GODEBUG=p256k1fma=off
// makes it false. Lanes need no ADX: with cpu.adx=off, where all other code is in Go, a batch of 256 ECDSA signatures
// takes half the time.
var FMA = cpu.X86.HasAVX2 && cpu.X86.HasFMA && !IFMA && setting(os.Getenv("GODEBUG"), "p256k1fma") != "off"

// setting returns the value of a key in a list of settings key=value, which commas separate, or "" if the list lacks
// the key. The last setting of a key counts, as in Go's runtime.
func setting(list, key string) (value string) {
	for s := range strings.SplitSeq(list, ",") {
		v, is := strings.CutPrefix(s, key+"=")
		if is {
			value = v
		}
	}
	return value
}

// Name returns the name of the code in use, for people to read.
func Name() string {
	switch {
	case IFMA:
		return "x86-64 (BMI2, ADX, AVX2, AVX-512 IFMA)"
	case AVX512 && FMA:
		return "x86-64 (BMI2, ADX, AVX2, FMA, AVX-512)"
	case AVX512:
		return "x86-64 (BMI2, ADX, AVX2, AVX-512)"
	case Broadwell && FMA:
		return "x86-64 (BMI2, ADX, AVX2, FMA)"
	case Broadwell:
		return "x86-64 (BMI2, ADX, AVX2)"
	case FMA:
		return Portable + ", lanes for x86-64 (AVX2, FMA)"
	}
	return Portable
}
