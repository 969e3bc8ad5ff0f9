//go:build !purego

package lanes

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/cpu"

	"p256k1.mleku.dev/v2/internal/platform"
)

// TestMain sets platform.IFMA on an emulated processor (tools/evidence/emulate). The emulator computes ADX instructions
// wrongly, so ADX is switched off in the emulated processor, and platform.IFMA, which requires ADX, is false. Lanes do
// not use ADX.
func TestMain(m *testing.M) {
	if os.Getenv("P256K1_EMULATED") != "" {
		x := &cpu.X86
		platform.IFMA = x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512VL && x.HasAVX512IFMA && x.HasAVX512VBMI
		platform.FMA = false
		useIFMA, useFMA = platform.IFMA, platform.FMA
		if !useIFMA {
			fmt.Println("the emulated processor lacks AVX-512 IFMA")
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}
