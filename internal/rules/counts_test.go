package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
)

// lines returns how many lines of the files match a pattern, which has to begin with (?m).
func lines(t *testing.T, pattern, glob string) (n int) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", glob, err)
	}
	for _, file := range files {
		n += len(regexp.MustCompile(pattern).FindAllString(read(t, file), -1))
	}
	return n
}

// routinesOf returns the sizes of the routines of the assembly, in instructions.
func routinesOf(t *testing.T) (sizes []int) {
	t.Helper()
	files, _ := filepath.Glob("internal/*/*.s")
	instruction := regexp.MustCompile(`^\t[A-Z]`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "TEXT") {
				sizes = append(sizes, 0)
			} else if instruction.MatchString(line) {
				sizes[len(sizes)-1]++
			}
		}
	}
	return sizes
}

// TestCounts counts again what pages say they have counted. Other counts on pages are of programs of others, or of runs
// that take hours.
func TestCounts(t *testing.T) {
	tree(t)
	sizes := routinesOf(t)
	between := func(low, high int) (n int) {
		for _, size := range sizes {
			if low <= size && size <= high {
				n++
			}
		}
		return n
	}
	longest := 0
	for _, size := range sizes {
		longest = max(longest, size)
	}
	code := make(map[string]int) // numbers of routines by package and code
	for _, r := range platform.Routines {
		code[r.Package+" "+string(r.AMD64)]++
	}
	kiB := func(points int) int { return (points*64 + 512) >> 10 } // of affine points
	const more = recode.RegularGeneratorEntries - recode.GeneratorEntries
	key, generator := recode.PrecomputedKeyTable, recode.PrecomputedGenerator.Table
	modules := lines(t, `(?m)^module `, "*/go.mod") + lines(t, `(?m)^module `, "*/*/go.mod") + lines(t, `(?m)^module `, "*/*/*/go.mod")
	for _, c := range []struct {
		page, pattern string // each group is a count
		want          []int
	}{
		{"docs/assembly.md", `(\d+) of (\d+) routines have at most 7 instructions`, []int{between(0, 7), len(sizes)}},
		{"docs/assembly.md", `(\d+) routines have 9 to 74 instructions, (\d+) have 77 to 400, and (\d+) have more. The longest, with ([\d,]+) instructions`,
			[]int{between(9, 74), between(77, 400), between(401, longest), longest}},
		{"docs/performance.md", `lanes: (\d+) routines \| assembly \(AVX-512 IFMA\)`, []int{code["lanes "+string(platform.WithIFMA)]}},
		{"docs/performance.md", `lanes: (\d+) routines \| assembly \(AVX-512 IFMA, FMA\)`, []int{code["lanes "+string(platform.WithLanes)]}},
		{"SECURITY.md", `at (\d+) places in keys`, []int{lines(t, `(?m)^== `, "tools/evidence/faults/testdata/hooks.txt")}},
		{"SECURITY.md", `each of (\d+) errors planted in the check`, []int{lines(t, `(?m)^== `, "tools/evidence/faults/testdata/planted.txt")}},
		{"docs/figures.md", `across (eleven) versions of libsecp256k1 since 2019 and (nine) of OpenSSL`,
			[]int{lines(t, `(?m),libsecp256k1,`, "tools/plugbench/catalogue.csv"), lines(t, `(?m),openssl,`, "tools/plugbench/catalogue.csv")}},
		{"CONTRIBUTING.md", `At most (eleven) modules around the library`, []int{modules}},
		{"ARCHITECTURE.md", "`Base`: (\\d+) × (\\d+) odd multiples of G \\| (\\d+) ", []int{recode.BaseDigits, recode.BaseEntries, kiB(recode.BaseDigits * recode.BaseEntries)}},
		{"ARCHITECTURE.md", "`BaseLanes`: (\\d+) × (\\d+); `BaseLanesOne`: (\\d+) × (\\d+) \\| (\\d+);", []int{recode.LanesDigits, recode.LanesEntries, recode.VariableDigits, recode.VariableEntries, kiB(recode.LanesDigits * recode.LanesEntries)}},
		{"ARCHITECTURE.md", "`GeneratorVartime`: ([\\d,]+); ([\\d,]+) more in lanes \\| (\\d+); (\\d+) ", []int{recode.GeneratorEntries, more, kiB(recode.GeneratorEntries), kiB(more)}},
		{"ARCHITECTURE.md", "`PrecomputedVartime`: ([\\d,]+); a key's: ([\\d,]+) \\| (\\d+); (\\d+) ", []int{generator, key, kiB(generator), kiB(key)}},
	} {
		texts, _ := groups(t, c.page, c.pattern)
		if texts == nil {
			continue
		}
		for i, want := range c.want {
			got := strings.NewReplacer(",", "", "eleven", "11", "nine", "9").Replace(texts[i+1])
			if got != strconv.Itoa(want) {
				t.Errorf("%s: %s in %q, but there are %d", c.page, texts[i+1], texts[0], want)
			}
		}
	}
}
