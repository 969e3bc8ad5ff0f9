package cpu

import (
	"fmt"
	"os"
	"strings"
)

// cores returns the kinds of cores that Linux lists on ARM64, which often has no name for the processor, with the
// number of each kind. A kind is two fields of the register MIDR_EL1, the implementer and the part: "4 of 0x41/0xd08"
// are four Cortex-A72. cores returns "" on other systems and on x86-64.
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
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
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
		order[i] = fmt.Sprintf("%d of %s", count[id], id)
	}
	return strings.Join(order, ", ")
}
