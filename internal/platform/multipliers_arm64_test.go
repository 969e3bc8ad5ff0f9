//go:build !purego

package platform

import (
	"os"
	"slices"
	"testing"
)

// TestWideMultipliers tests single cores, mixes of cores, and settings of GODEBUG.
func TestWideMultipliers(t *testing.T) {
	const a53, a55, a72, a76, x1, v1, n1 = 0x410fd034, 0x412fd050, 0x410fd083, 0x414fd0b1, 0x411fd440, 0x411fd401, 0x413fd0c1
	const apple, emulated = 0x611f0221, 0x000f0510
	for _, c := range []struct {
		godebug string
		midrs   []uint64
		wide    bool
	}{
		{"", nil, true},
		{"", []uint64{n1}, false},
		{"", []uint64{v1}, true},
		{"", []uint64{apple}, true},
		{"", []uint64{emulated}, true},
		{"", []uint64{a53, a53, a53, a53}, true},
		{"", []uint64{a72, a72, a72, a72}, false},
		{"", []uint64{a53, a53, a53, a53, a72, a72}, false},
		{"", []uint64{a55, a55, a55, a55, a76, a76, x1, x1}, true},
		{"", []uint64{a55, a55, a55, a55, a76, a76, a76, x1}, false},
		{"", []uint64{0x61<<24 | n1&0xffffff}, true}, // a core of another maker with this part number
		{"p256k1multipliers=wide", []uint64{n1}, true},
		{"cpu.aes=off,p256k1multipliers=narrow", []uint64{v1}, false},
		{"p256k1multipliers=narrow,p256k1multipliers=wide", []uint64{n1}, true},
		{"p256k1multipliers=maybe", []uint64{n1}, false},
	} {
		if got := wideMultipliers(c.godebug, c.midrs); got != c.wide {
			t.Errorf("GODEBUG=%s, %x: %t, want %t", c.godebug, c.midrs, got, c.wide)
		}
	}
}

// TestProcessors compares the detected core with the core that QEMU_CPU names, if that core is on this list.
func TestProcessors(t *testing.T) {
	want := map[string]uint64{"neoverse-n1": neoverseN1, "cortex-a72": cortexA72, "cortex-a76": cortexA76}[os.Getenv("QEMU_CPU")]
	if want == 0 {
		t.Skip("QEMU_CPU is not a core of this list")
	}
	if midrs := processors(); !slices.ContainsFunc(midrs, func(m uint64) bool { return armPart(m) == want }) {
		t.Errorf("%x, want part %x", midrs, want)
	}
	if Wide && os.Getenv("GODEBUG") == "" {
		t.Error("wide multipliers")
	}
}
