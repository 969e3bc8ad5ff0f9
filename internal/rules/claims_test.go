package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/modinv"
	"p256k1.mleku.dev/v2/internal/recode"
)

// These patterns match a number with what it counts. Numbers of bytes below 100 and small numbers in words are in
// nearly every text, so they are not claims, except that times and a few other counts in words are. On pages, all
// plural nouns count, and numbers alone if they or their exponents have two digits or more, such as those in tables and
// formulas.
var (
	claimed = claimPattern(`divsteps|digits|entries|multiples|doublings|additions|multiplications|inversions|instructions|cycles|mutants|`+
		`places|theorems|lemmas|routines|vectors|functions|targets|lines|sessions|cases|seconds|minutes?|hours?|days`, `\d[\d,]*\d\d bytes`)
	claimedOnPages = claimPattern(`[µmn]s|GHz|µops|×|minute|hour|percent|[a-z]+[^s\W]s`, `\d{4}-\d\d-\d\d|\d[\d,.]*\d|2⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{2,}`)
)

func claimPattern(nouns, alone string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\w.,-])(` +
		`\d[\d,]*(?:\.\d+)?[ -](?:million |thousand )?(?:(?:odd|more|fewer|other|mixed|signed|small|planted) )?(?:[KMGT]iB\b|[kKMGT]B\b|percent\b|%|(?:` + nouns + `)\b)|` +
		`(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty|thirty|forty|an?|half an?|a quarter of an|most of an) ` +
		`(?:theorems|lemmas|mutants|routines|seconds|minutes?|hours?|days|targets|versions of \w+|functions)\b|` + alone + `)`)
}

// verb matches a number with a verb, such as 0 has no inverse.
var verb = regexp.MustCompile(` (accepts|alone|begins|contains|determines|divides|does|fails|fixes|has|is|its|lacks|means|needs|raises|recovers|reduces|` +
	`refuses|requires|saves|takes|thus|this|turns|unless|was|whereas)$`)

// claims returns the claims in a text, in their order.
func claims(pattern *regexp.Regexp, text string) (all []string) {
	text = strings.Join(strings.Fields(text), " ")
	for place := pattern.FindStringSubmatchIndex(text); place != nil; place = pattern.FindStringSubmatchIndex(text) {
		all = append(all, verb.ReplaceAllString(text[place[2]:place[3]], ""))
		text = text[place[3]:] // the character after a claim may precede the next one
	}
	return all
}

// documentation returns the comments of a Go file that go doc shows, and for the command p256k1 all texts, such as its
// help. Of a tool, it returns only the package comment.
func documentation(t *testing.T, name string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{file.Doc.Text()}
	add := func(comments ...*ast.CommentGroup) {
		for _, c := range comments {
			texts = append(texts, c.Text())
		}
	}
	command := strings.HasPrefix(name, "cmd/")
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.File:
			return command || file.Name.Name != "main"
		case *ast.FuncDecl:
			if n.Name.IsExported() {
				add(n.Doc)
			}
			return command
		case *ast.GenDecl:
			add(n.Doc)
		case *ast.ValueSpec:
			add(n.Doc, n.Comment)
		case *ast.TypeSpec:
			add(n.Doc, n.Comment)
		case *ast.Field:
			add(n.Doc, n.Comment)
		case *ast.BasicLit:
			if command && n.Kind == token.STRING {
				texts = append(texts, n.Value)
			}
		}
		return true
	})
	return strings.Join(texts, "\n")
}

// derived returns what some claims count, by the name that testdata/claims.txt has for it.
func derived(t *testing.T) map[string]int {
	t.Helper()
	sizes := routinesOf(t)
	kiB := func(points int) int { return (points*int(unsafe.Sizeof(group.Affine{})) + 512) >> 10 }
	number := func(pattern, name string) int {
		texts, _ := groups(t, name, pattern)
		if texts == nil {
			return -1
		}
		n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(texts[1]))
		if err != nil {
			t.Error(err)
		}
		return n
	}
	return map[string]int{
		"divsteps proved from δ = ½": number(`Theorem I4_half_delta .*?\((\d+) <= m\)`, "tools/evidence/grouplaw/Hulls.v"),
		"divsteps proved from δ = 1": number(`Theorem I4_delta_1 .*?\((\d+) <= m\)`, "tools/evidence/grouplaw/Hulls.v"),
		"divsteps by hulls":          number(`256: \{(\d+), \d+\}`, "internal/modinv/bound_test.go"),
		"divsteps from 1 by hulls":   number(`256: \{\d+, (\d+)\}`, "internal/modinv/bound_test.go"),
		"divsteps of an inversion":   modinv.Divsteps * modinv.Batches,
		"divsteps of a batch":        modinv.Divsteps,
		"table of a key":             kiB(recode.PrecomputedKey.Table),
		"table of G for all places":  kiB(recode.PrecomputedGenerator.Table),
		"multiples of a key":         recode.PrecomputedKey.Entries(),
		"multiples of G":             recode.PrecomputedGenerator.Entries(),
		"multiples for a point":      recode.PointEntries,
		"odd multiples of a point":   recode.VariableEntries,
		"odd multiples of G":         recode.BaseEntries,
		"multiples in lanes":         recode.RegularPointEntries,
		"odd digits of G":            recode.BaseDigits,
		"odd digits in lanes":        recode.LanesDigits,
		"digits of a half":           recode.VariableDigits,
		"digits of a key":            recode.PrecomputedKey.Places,
		"digits of G in lanes":       recode.RegularGeneratorDigits,
		"digits in windows":          recode.MaxWindows,
		"doublings":                  recode.RegularTop,
		"additions":                  recode.PrecomputedKey.Places + recode.PrecomputedGenerator.Places,
		"longest routine":            slices.Max(sizes),
		"routines":                   len(sizes),
		"stack":                      number(`size = (\d+) << 10`, "secret/wipe_noasm.go"),
		"block of lines":             number(`batchBytes = (\d+) << 10`, "cmd/p256k1/internal/bulk/batch.go"),
		"largest file":               number(`maxFile = (\d+) << 10`, "tools/release/try.go"),
		"wiping":                     strings.Count(read(t, "secret/wipe_amd64.s"), "\n"),
		"assembly":                   (lines(t, `\n`, "internal/*/*_amd64.s") + 250) / 500 * 500,
		"cases":                      number(`defaultCases = ([\d_]+)`, "tools/evidence/conformance/harness_test.go"),
		"flipped bits":               lines(t, `(?m)^== `, "tools/evidence/faults/testdata/hooks.txt"),
	}
}

const claimsList = "internal/rules/testdata/claims.txt"

// TestClaims compares the claims of pages, of exported documentation and of the command's texts with a list, which says
// where each of them stands. If a claim changes in one place, the list shows the other places. Names in the list stand
// for numbers that are computed. P256K1_UPDATE=1 writes the list again, after somebody has compared the places.
func TestClaims(t *testing.T) {
	places := make(map[string][]string) // of each claim, the files
	order := make(map[string][]string)  // of each file and heading, the claims
	var parts []string
	for _, name := range tree(t) {
		text, pattern := "", claimedOnPages
		switch {
		case strings.Contains(name, "testdata/") || path.Dir(name) == "tools/evidence/reports":
		case name == "CHANGELOG.md":
			text, _, _ = strings.Cut(read(t, name), "\n## [")
		case path.Ext(name) == ".md":
			text = read(t, name)
		case path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "internal/"):
			text, pattern = documentation(t, name), claimed
		}
		heading := regexp.MustCompile(`(?m)^##+ (.*)$`)
		sections, headings := heading.Split(text, -1), heading.FindAllStringSubmatch(text, -1)
		for i, section := range sections {
			part := name
			if i > 0 {
				part += ", " + headings[i-1][1]
			}
			found := claims(pattern, section)
			if len(found) > 0 {
				parts = append(parts, part)
				order[part] = append(order[part], found...)
			}
			for _, claim := range found {
				if !slices.Contains(places[claim], name) {
					places[claim] = append(places[claim], name)
				}
			}
		}
	}
	listed := read(t, claimsList)
	head, _, _ := strings.Cut(listed, "\n\n")
	names := make(map[string]string)
	for _, match := range regexp.MustCompile(`(?m)^(.+?) = (.+?): `).FindAllStringSubmatch(listed, -1) {
		names[match[1]] = match[2]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", head)
	counts, known := derived(t), make(map[string]bool)
	common := regexp.MustCompile(`(%|×| [µmn]?s|times|bits|^\d\d bytes|^[\d,.-]+|processors)$`) // that such numbers are equal does not mean that they count the same
	for _, claim := range slices.Sorted(maps.Keys(places)) {
		name, ok := names[claim]
		if ok {
			known[name] = true
			if count, err := strconv.Atoi(strings.ReplaceAll(number.FindString(claim), ",", "")); err != nil || count != counts[name] {
				t.Errorf("%s: %s = %s, which is %d", places[claim], claim, name, counts[name])
			}
			name = " = " + name
		}
		if ok || (len(places[claim]) > 1 && !common.MatchString(claim)) {
			fmt.Fprintf(&b, "%s%s: %s\n", claim, name, strings.Join(places[claim], " "))
		}
	}
	for name := range counts {
		if !known[name] {
			t.Errorf("%s names no claim = %s, which is %d", claimsList, name, counts[name])
		}
	}
	b.WriteString("\n")
	for _, part := range parts {
		fmt.Fprintf(&b, "%s:", part)
		column := maxLine
		for _, claim := range order[part] {
			if column += len(claim) + len("; "); column > maxLine {
				b.WriteString("\n\t")
				column = len(claim)
			} else {
				b.WriteString("; ")
			}
			b.WriteString(claim)
		}
		b.WriteString("\n")
	}
	compareList(t, claimsList, b.String())
}

// compareList compares a list with the lines that a test has computed. It writes them if $P256K1_UPDATE is set.
func compareList(t *testing.T, name, want string) {
	t.Helper()
	listed := read(t, name)
	if listed == want {
		return
	}
	if os.Getenv("P256K1_UPDATE") != "" {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	in := func(text string) func(string) bool {
		all := strings.Split(text, "\n")
		return func(line string) bool { return slices.Contains(all, line) }
	}
	for _, line := range slices.DeleteFunc(strings.Split(listed, "\n"), in(want)) {
		t.Errorf("%s has this line, which is no longer true:\n%s", name, line)
	}
	for _, line := range slices.DeleteFunc(strings.Split(want, "\n"), in(listed)) {
		t.Errorf("%s lacks this line; see whether it is right everywhere, then set P256K1_UPDATE=1:\n%s", name, line)
	}
	if !t.Failed() {
		t.Errorf("%s has its lines in another order", name)
	}
}
