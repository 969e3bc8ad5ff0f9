//go:build !purego

package platform

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"
)

// midr returns the register MIDR_EL1 of the core that it runs on. Linux emulates the instruction if HWCAP has CPUID.
func midr() uint64

// processors returns MIDR_EL1 of all cores, as far as Linux tells. On servers all cores are alike, so one is enough.
func processors() (midrs []uint64) {
	if cpu.ARM64.HasCPUID {
		midrs = append(midrs, midr())
		if !inMixes(midrs[0]) {
			return midrs
		}
	}
	names, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/regs/identification/midr_el1") // errors: bad patterns alone
	var all []uint64
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return midrs // a sandbox: this core speaks for all
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
