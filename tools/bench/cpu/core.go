package cpu

import (
	"fmt"
	"os"
	"strings"
)

// names maps two fields of the register MIDR_EL1 of an ARM64 core, the implementer and the part, to the name of the
// core. Source: the table of Linux's arch/arm64/include/asm/cputype.h and of util-linux's lscpu.
var names = map[string]string{
	"0x41/0xd03": "Cortex-A53", "0x41/0xd05": "Cortex-A55", "0x41/0xd07": "Cortex-A57", "0x41/0xd08": "Cortex-A72",
	"0x41/0xd09": "Cortex-A73", "0x41/0xd0a": "Cortex-A75", "0x41/0xd0b": "Cortex-A76", "0x41/0xd0c": "Neoverse N1",
	"0x41/0xd40": "Neoverse V1", "0x41/0xd41": "Cortex-A78", "0x41/0xd44": "Cortex-X1", "0x41/0xd49": "Neoverse N2",
	"0x41/0xd4f": "Neoverse V2", "0xc0/0xac3": "Ampere-1",
}

// cores returns the kinds of cores that Linux lists, with the number of each: "4 Cortex-A72
// (0x41/0xd08)". It returns "" on other systems and on x86-64.
func cores() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	return coresOf(string(info))
}

func coresOf(info string) string {
	var order []string
	count := map[string]int{}
	var implementer string
	for line := range strings.Lines(info) {
		key, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "CPU implementer":
			implementer = value
		case "CPU part":
			id := implementer + "/" + value
			if count[id]++; count[id] == 1 {
				order = append(order, id)
			}
		}
	}
	for i, id := range order {
		name := names[id]
		if name == "" {
			name = "unknown"
		}
		order[i] = fmt.Sprintf("%d %s (%s)", count[id], name, id)
	}
	return strings.Join(order, ", ")
}
