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

// A word of a text counts as a claim if it contains a number, which is a digit that is not part of a name such as
// secp256k1, or is a number in words, or names a platform or an extension of its instructions.
var (
	digit = regexp.MustCompile(`(^|[^\pL\pN_.,])[+−-]?[\d½⅓¼]|(^|[^\pL])v\d`)
	words = regexp.MustCompile(`(?i)(^|[^\pL\pN_])(once|twice|half|halves|thirds?|quarters?|fifths?|tenths?|dozens?|double|triple|minutes?|hours?|days?|` +
		`one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|(twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?)($|[^\pL\pN_])`)
	platforms = regexp.MustCompile(`(?i)(^|[^\pL])(amd64|arm(64|32)?|aarch64|x86|i?386|s390x?|riscv\d*|loong\d*|powerpc|ppc\d*\w*|mips\w*|wasm|webassembly|javascript|node\.js|` +
		`avx\w*|adx|bmi\d|ifma|fma\d?|neon|sse\d?|broadwell|haswell|skylake|zen|xeon|intel\w*|amd\w*|cortex|(?-i:Apple)|qemu|linux|macos|darwin|(?-i:Windows|Unix)|\w+bsd|android|ios|purego|cgo|` +
		`32-bit|64-bit|little-endian|big-endian)($|[^\pL])`)
	unit     = regexp.MustCompile(`^[\pL%×]`)
	verb     = regexp.MustCompile(`%[-+#.\[\]\d]*[a-z]`)                                                                // in a format
	distinct = regexp.MustCompile(`^(\d[\d,.]*\d \pL{3}|.*(minutes?|hours?|days?)( |$)|\d+ [KMG]i?B|2⁻?[⁰¹²³⁴-⁹]{2,})`) // worth comparing in several files
)

// claims returns the claims in a text, in their order, each with the word after it, such as 64 bytes.
func claims(text string) (all []string) {
	fields := strings.Fields(text)
	for i, word := range fields {
		word = verb.ReplaceAllString(word, "")
		if !digit.MatchString(word) && !words.MatchString(word) && !platforms.MatchString(word) {
			continue
		}
		claim := strings.Trim(word, "`*_.,;:()[]{}\"'|")
		if i+1 < len(fields) && unit.MatchString(fields[i+1]) && strings.HasSuffix(word, claim) {
			claim += " " + strings.TrimRight(fields[i+1], "`*_.,;:()[]{}\"'|")
		}
		all = append(all, claim)
	}
	return all
}

var (
	usages = regexp.MustCompile(`(?i)usage|help`)
	flags  = regexp.MustCompile(`^(Bool|Int|Int64|Uint|Uint64|Float64|String|Duration|Func)(Var)?$`)
)

// documentation returns the comments of a Go file that go doc shows, and for the command p256k1 all texts, such as its
// help. Of another program, it returns the package comment, its usage and the descriptions of its flags, and of an
// internal package the package comment.
func documentation(t *testing.T, name string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{file.Doc.Text()}
	command := strings.HasPrefix(name, "cmd/")
	program := file.Name.Name == "main" && !command
	add := func(comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if !program { // go doc does not show those of a program
				texts = append(texts, c.Text())
			}
		}
	}
	if strings.HasPrefix(name, "internal/") {
		return texts[0]
	}
	literals := func(root ast.Node) {
		ast.Inspect(root, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				texts = append(texts, literal.Value)
			}
			return true
		})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.IsExported() {
				add(n.Doc)
			}
			return command || program
		case *ast.GenDecl:
			add(n.Doc)
		case *ast.ValueSpec:
			add(n.Doc, n.Comment)
			if program && usages.MatchString(n.Names[0].Name) {
				literals(n)
			}
		case *ast.TypeSpec:
			add(n.Doc, n.Comment)
		case *ast.Field:
			add(n.Doc, n.Comment)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && program && flags.MatchString(f.Sel.Name) {
				literals(n)
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && command {
				texts = append(texts, n.Value)
			}
		}
		return true
	})
	return strings.Join(texts, "\n")
}

// published returns the text of a page, of the current part of the CHANGELOG, or of a file's documentation and usage.
// It returns "" for a file that users do not read.
func published(t *testing.T, name string) (text string) {
	t.Helper()
	switch {
	case strings.Contains(name, "testdata/") || path.Dir(name) == "tools/evidence/reports":
	case name == "CHANGELOG.md":
		text, _, _ = strings.Cut(read(t, name), "\n## [")
	case path.Ext(name) == ".md" || strings.HasSuffix(name, ".d.ts"):
		text = read(t, name)
	case path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go"):
		text = documentation(t, name)
	case path.Ext(name) == ".py":
		text = strings.Join(regexp.MustCompile(`(?s)\A(?:#[^\n]*\n)?""".*?"""|\bhelp=".*?"`).FindAllString(read(t, name), -1), "\n")
	}
	return text
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
		text := published(t, name)
		heading := regexp.MustCompile(`(?m)^##+ (.*)$`)
		sections, headings := heading.Split(text, -1), heading.FindAllStringSubmatch(text, -1)
		for i, section := range sections {
			part := name
			if i > 0 {
				part += ", " + headings[i-1][1]
			}
			found := claims(section)
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
	for _, claim := range slices.Sorted(maps.Keys(places)) {
		name, ok := names[claim]
		if ok {
			known[name] = true
			if count, err := strconv.Atoi(strings.ReplaceAll(number.FindString(claim), ",", "")); err != nil || count != counts[name] {
				t.Errorf("%s: %s = %s, which is %d", places[claim], claim, name, counts[name])
			}
			name = " = " + name
		}
		if ok || (len(places[claim]) > 1 && len(places[claim]) <= 8 && distinct.MatchString(claim)) {
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
