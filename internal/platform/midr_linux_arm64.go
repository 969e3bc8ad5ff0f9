//go:build !purego

package platform

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"
)

// midr returns the register MIDR_EL1 of the core on which it runs. Linux emulates the instruction that reads the
// register if HWCAP has CPUID.
func midr() uint64

// processors returns the register MIDR_EL1 of every core for which Linux shows the register, or only of this core if
// inMixes is false for it. On servers all cores are alike, so one value is enough.
func processors() (midrs []uint64) {
	if cpu.ARM64.HasCPUID {
		midrs = append(midrs, midr())
		if !inMixes(midrs[0]) {
			return midrs
		}
	}
	names, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/regs/identification/midr_el1") // fails only for malformed patterns
	var all []uint64
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return midrs // in a sandbox, only this core is known
		}
		n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 0, 64)
		if err != nil {
			return midrs
		}
		all = append(all, n)
	}
	if all == nil {
		return midrs
	}
	return all
}
