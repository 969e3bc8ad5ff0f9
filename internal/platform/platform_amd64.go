//go:build !purego

package platform

import "golang.org/x/sys/cpu"

// ADX tells whether the processor has BMI2, ADX and AVX2, all of which the
// assembly may use: Intel since Broadwell (2014), AMD since Zen (2017).
var ADX = cpu.X86.HasBMI2 && cpu.X86.HasADX && cpu.X86.HasAVX2

// AVX512 tells whether the processor has AVX-512 besides, with its instructions on
// vectors of 256 bits: Intel servers since Skylake (2017), AMD since Zen 4 (2022).
var AVX512 = ADX && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL

// Name returns the name of the code in use.
func Name() string {
	switch {
	case AVX512:
		return "x86-64 (BMI2, ADX, AVX2, AVX-512)"
	case ADX:
		return "x86-64 (BMI2, ADX, AVX2)"
	}
	return Portable
}
