//go:build !purego

package backend

import "golang.org/x/sys/cpu"

// ADX tells whether the processor has BMI2, ADX and AVX2, all of which the
// assembly may use: Intel since Broadwell (2014), AMD since Zen (2017).
var ADX = cpu.X86.HasBMI2 && cpu.X86.HasADX && cpu.X86.HasAVX2

// Name returns the name of the code in use.
func Name() string {
	if ADX {
		return "x86-64 (BMI2, ADX, AVX2)"
	}
	return Portable
}
