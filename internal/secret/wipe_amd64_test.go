//go:build !purego && (!goexperiment.runtimesecret || !linux)

package secret

import "testing"

// TestWithoutAVX runs what processors without AVX have instead. That it wipes is
// for evidence/residue to see, with GODEBUG=cpu.avx=off.
func TestWithoutAVX(t *testing.T) {
	defer func(use bool) { useAVX = use }(useAVX)
	useAVX = false
	TestDo(t)
}
