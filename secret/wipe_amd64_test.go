//go:build !purego && (!goexperiment.runtimesecret || !linux)

package secret

import "testing"

// TestWithoutAVX runs the code for processors without AVX-512 and for processors without AVX. tools/evidence/residue
// tests, with GODEBUG=cpu.avx=off, that this code wipes the registers and the stack.
func TestWithoutAVX(t *testing.T) {
	defer func(avx, avx512 bool) { useAVX, useAVX512 = avx, avx512 }(useAVX, useAVX512)
	useAVX512 = false
	TestDo(t)
	useAVX = false
	TestDo(t)
}
