//go:build !purego

package lanes

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/cpu"

	"p256k1.mleku.dev/v2/internal/platform"
)

// TestMain has the lanes run by an emulated processor (tools/evidence/emulate). It has ADX switched off, for it
// computes that wrongly, and platform.IFMA asks for ADX too. The lanes do without.
func TestMain(m *testing.M) {
	if os.Getenv("P256K1_EMULATED") != "" {
		x := &cpu.X86
		platform.IFMA = x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512VL && x.HasAVX512IFMA && x.HasAVX512VBMI
		useIFMA = platform.IFMA
		if !useIFMA {
			fmt.Println("the emulated processor lacks AVX-512 IFMA")
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}
