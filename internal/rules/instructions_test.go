package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestInstructions compares the extensions whose instructions the assembly for x86-64 uses, as the generator's
// assembler lists them, with the extensions that package platform checks for before the assembly runs. In particular,
// the routines of package lanes must not use VBMI2, which Cannon Lake and the emulator of tools/evidence/emulate lack.
func TestInstructions(t *testing.T) {
	asked := make(map[string][]string)
	condition := regexp.MustCompile(`(?m)^var (\w+) = ((?:.*&&\n)*.*)`)
	for _, m := range condition.FindAllStringSubmatch(read(t, "internal/platform/platform_amd64.go"), -1) {
		for _, word := range regexp.MustCompile(`!?\w+`).FindAllString(m[2], -1) {
			if has, ok := strings.CutPrefix(word, "Has"); ok {
				asked[m[1]] = append(asked[m[1]], has)
			}
			asked[m[1]] = append(asked[m[1]], asked[word]...)
		}
	}
	if !slices.Contains(asked["IFMA"], "ADX") || !slices.Contains(asked["IFMA"], "AVX512VBMI") || slices.Contains(asked["IFMA"], "AVX512VBMI2") {
		t.Fatalf("package platform asks for %v", asked)
	}
	found := make(map[string]int)
	routine := regexp.MustCompile(`(?m)^// Requires: (.*)\nTEXT ·?([\w<>]+)\(SB\)`)
	for _, name := range tree(t) {
		if dir := path.Dir(path.Dir(name)); dir != "internal" || !strings.HasSuffix(name, "_amd64.s") {
			continue
		}
		for _, m := range routine.FindAllStringSubmatch(read(t, name), -1) {
			may := []string{"CMOV", "MMX+", "SSE"} // every x86-64 processor has these
			way := ""
			for _, w := range []string{"Broadwell", "AVX512", "FMA", "IFMA"} {
				// Only routines for FMA call subroutines, whose names end with <>.
				if strings.HasSuffix(m[2], w) || (w == "FMA" && strings.HasSuffix(m[2], "<>")) {
					way, may = w, slices.Concat(may, asked[w], []string{"AVX"}) // every processor with AVX2 has AVX
				}
			}
			found[way]++
			for _, needed := range strings.Split(m[1], ", ") {
				needed = strings.TrimSuffix(needed, "3") // FMA3
				if !slices.Contains(may, needed) {
					t.Errorf("%s: %s has instructions of %s, but runs without a check for them", name, m[2], needed)
				}
			}
		}
	}
	if found["Broadwell"] < 10 || found["AVX512"] < 1 || found["IFMA"] < 20 || found["FMA"] < 30 {
		t.Errorf("found %v: does this test still find the routines?", found)
	}
}
