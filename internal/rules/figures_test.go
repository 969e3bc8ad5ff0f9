package rules

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A figure is a rounded number: it stands for every number from low to high.
type figure struct{ low, high float64 }

// figureOf returns the figure that a text such as 1,684 or 0.58 writes, in which the last digit is rounded.
func figureOf(text string) figure {
	text = strings.ReplaceAll(text, ",", "")
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return figure{math.NaN(), math.NaN()}
	}
	_, decimals, _ := strings.Cut(text, ".")
	half := math.Pow10(-len(decimals)) / 2
	if significant := strings.TrimRight(text, "0"); v >= 1000 && decimals == "" {
		half *= math.Pow10(len(text) - len(significant)) // 19,200 has three digits that were measured
	}
	return figure{v - half, v + half}
}

func (f figure) over(g figure) figure { return figure{f.low / g.high, f.high / g.low} }

// meets reports whether one number can be both figures. It is false if a figure is not a number.
func (f figure) meets(g figure) bool { return f.low <= g.high && g.low <= f.high }

var number = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)

// figures returns the figures in a cell of a table, and those of a list such as 11, 174.
func figures(cell string) (all []figure) {
	for _, text := range regexp.MustCompile(`; |, `).Split(cell, -1) {
		if number.MatchString(text) {
			all = append(all, figureOf(number.FindString(text)))
		}
	}
	return all
}

// tables returns the rows of each table of a page, the row of headings first.
func tables(text string) (all [][][]string) {
	var table [][]string
	for line := range strings.Lines(text + "\n") {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, "|"):
			if table != nil {
				all = append(all, table)
			}
			table = nil
		case strings.Trim(line, "|-: ") != "":
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			table = append(table, cells)
		}
	}
	return all
}

// tablesWith returns the tables of a page with these first headings.
func tablesWith(t *testing.T, page, headings string) (found [][][]string) {
	t.Helper()
	for _, rows := range tables(read(t, page)) {
		if strings.HasPrefix(strings.Join(rows[0], " | "), headings) {
			found = append(found, rows)
		}
	}
	if found == nil {
		t.Fatalf("%s: no table | %s", page, headings)
	}
	return found
}

// table returns the only table of a page with these first headings.
func table(t *testing.T, page, headings string) [][]string {
	t.Helper()
	found := tablesWith(t, page, headings)
	if len(found) > 1 {
		t.Fatalf("%s: %d tables | %s", page, len(found), headings)
	}
	return found[0]
}

// cell returns the text of a table in the row that begins with these cells, in the column with this number.
func cell(t *testing.T, rows [][]string, column int, begin ...string) string {
	t.Helper()
	for _, row := range rows {
		if slices.Equal(row[:len(begin)], begin) {
			return row[column]
		}
	}
	t.Fatalf("no row %q", begin)
	return ""
}

// A quotient is a table with these first headings, in which a column is the quotient of two others.
type quotient struct {
	page, headings            string
	dividend, divisor, result int // columns
}

var quotients = []quotient{
	{"docs/drop-in.md", "program | benchmark | before", 3, 2, 4},
	{"compat/decred/README.md", "benchmark | Decred's module", 2, 1, 3},
	{"docs/ethereum.md", " | go-ethereum 1.17.10 with cgo", 1, 2, 3},
	{"docs/figures.md", " | with assembly | in Go", 2, 1, 3},
	{"scale/README.md", "cores | `p256k1 verify`", 2, 1, 3},
}

// TestQuotients computes the quotients of tables again, and the times of libsecp256k1 that follow from the quotients of
// each row, which must be the same in a row, and in rows for one item and for one item of a batch. A table with such a
// column that is not listed, and has a column to compare with, fails.
func TestQuotients(t *testing.T) {
	computed := 0
	for _, page := range pages(tree(t)) {
		for _, rows := range tables(read(t, page)) {
			headings := strings.Join(rows[0], " | ")
			i := slices.IndexFunc(quotients, func(q quotient) bool { return q.page == page && strings.HasPrefix(headings, q.headings) })
			if i < 0 {
				if strings.Contains(headings, "| ratio") && !strings.HasPrefix(page, "tools/") && page != "docs/performance.md" && page != "docs/figures.md" {
					t.Errorf("%s: no quotient is computed in the table | %s", page, headings)
				}
				continue
			}
			q := quotients[i]
			for _, row := range rows[1:] {
				dividends, divisors, results := figures(row[q.dividend]), figures(row[q.divisor]), figures(row[q.result])
				for k, result := range results {
					computed++
					if len(dividends) <= k || len(divisors) <= k || !dividends[k].over(divisors[k]).meets(result) {
						t.Errorf("%s: %s: %s is not the quotient of %s and %s", page, row[0], row[q.result], row[q.dividend], row[q.divisor])
					}
				}
			}
		}
	}
	single := table(t, "docs/figures.md", " | lanes | ratio to libsecp256k1")
	batches := table(t, "docs/figures.md", "batch size | ")
	for i, row := range slices.Concat(single, batches) {
		name, columns := row[0], row[1:]
		if _, err := strconv.Atoi(strings.ReplaceAll(row[0], ",", "")); err == nil { // the size of a batch
			name, columns = row[1], row[2:]
			if name == "public keys from secrets" {
				name = "public key from secret"
			}
			name, _, _ = strings.Cut(name, ", eight keys")
			base := single[slices.IndexFunc(single, func(s []string) bool { return s[0] == name })]
			columns = append(slices.Clone(columns), base[1], base[2])
		} else if i == 0 || i == len(single) {
			continue
		}
		theirs := figure{0, math.Inf(1)}
		for k := 0; k+1 < len(columns); k += 2 {
			computed++
			other := figureOf(number.FindString(columns[k])).over(figureOf(columns[k+1]))
			if !theirs.meets(other) {
				t.Errorf("docs/figures.md: %s: %s and its ratio %s give libsecp256k1 another time than the rest of the row", row, columns[k], columns[k+1])
			}
			theirs = figure{max(theirs.low, other.low), min(theirs.high, other.high)}
		}
	}
	if computed < 100 {
		t.Errorf("%d quotients computed", computed)
	}
}

// TestFigures compares the figures that stand on several pages. Each figure in µs, and each factor, of a page without
// measurements must be compared, or be counted as one that stands nowhere else.
func TestFigures(t *testing.T) {
	single := table(t, "docs/figures.md", " | lanes | ratio to libsecp256k1")
	batches := table(t, "docs/figures.md", "batch size | ")
	floods := table(t, "docs/figures.md", " | batch | valid")
	pools := table(t, "docs/figures.md", "goroutines for each core")
	xeon := tablesWith(t, "docs/figures.md", " | lanes | assembly | Go alone")[0] // Go 1.27 and 1.26 have the other
	const lanes, assembly, goAlone, btcec = 1, 3, 5, 7                            // columns of single; those of batches follow by one
	took := func(column int, operation string) figure { return figures(cell(t, single, column, operation))[0] }
	each := func(column int, size, operation string) figure {
		return figures(cell(t, batches, column+1, size, operation))[0]
	}
	theirs := func(operation string) figure { return took(lanes, operation).over(took(lanes+1, operation)) }
	one := figure{1, 1}
	span := func(all ...figure) []figure {
		low, high := all[0], all[0]
		for _, f := range all {
			if f.low < low.low {
				low = f
			}
			if f.high > high.high {
				high = f
			}
		}
		return []figure{low, high}
	}
	largest := func(rows [][]string, column int) figure {
		var all []figure
		for _, row := range rows[1:] {
			all = append(all, figures(row[column])[0])
		}
		return span(all...)[1]
	}
	other := func(row int, column int) []figure { return figures(xeon[row][column]) }
	var withoutFMA []figure
	sentence := regexp.MustCompile(`without it \(.p256k1fma=off.\) they took ([\d.]+), ([\d.]+), ([\d.]+), ([\d.]+) and ([\d.]+) µs`)
	for _, text := range sentence.FindStringSubmatch(unwrapped(t, "docs/figures.md"))[1:] {
		withoutFMA = append(withoutFMA, figureOf(text))
	}
	zen4 := figureOf(regexp.MustCompile(`signatures in batches (\d+) to \d+ × as fast`).FindStringSubmatch(unwrapped(t, "docs/figures.md"))[1])
	p2wpkh := tablesWith(t, "docs/drop-in.md", "program | benchmark | before")[0][1]
	nostrTimes := table(t, "nostr/README.md", " | time | times as fast")
	verifier, parse := figures(nostrTimes[3][1])[0], figures(nostrTimes[2][1])[0]
	relay := table(t, "docs/relays.md", " | pool | one by one")
	alone := took(lanes, "Schnorr verify")

	type claim struct {
		page, pattern string // each group is a figure
		want          []figure
	}
	claims := []claim{
		{"README.md", `verifies ([\d.]+) to ([\d.]+) times as fast as Bitcoin Core's`, span(one.over(took(lanes+1, "ECDSA verify")), one.over(took(lanes+1, "Schnorr verify")), one.over(other(3, 1)[0]), one.over(other(3, 1)[1]), one.over(other(3, 2)[0]), one.over(other(3, 2)[1]))},
		{"README.md", `and (\d+) to (\d+) times as fast in batches with AVX-512`, span(zen4, one.over(each(lanes+1, "1,024", "Schnorr verify")))},
		{"README.md", `, (\d+) to (\d+) times with AVX2 and FMA`, span(one.over(each(assembly+1, "256", "ECDSA verify")), one.over(each(assembly+1, "1,024", "Schnorr verify")))},
		{"README.md", `takes up to ([\d.]+) times as long, or up to ([\d.]+) times on average`, []figure{largest(floods, 4), largest(floods, 6)}},
		{"README.md", `P2WPKH input (seven) times as fast`, []figure{figures(p2wpkh[2])[0].over(figures(p2wpkh[3])[0])}},
		{"README.md", `and the (\d+) × on`, []figure{took(btcec, "Schnorr verify").over(each(assembly, "1,024", "Schnorr verify"))}},
		{"docs/assembly.md", `verification takes ([\d.]+) µs with assembly and ([\d.]+) µs in Go alone. ECDSA signing takes ([\d.]+) and ([\d.]+) µs, and ECDH ([\d.]+) and ([\d.]+) µs`,
			[]figure{took(assembly, "ECDSA verify"), took(goAlone, "ECDSA verify"), took(assembly, "ECDSA sign"), took(goAlone, "ECDSA sign"), took(assembly, "ECDH"), took(goAlone, "ECDH")}},
		{"docs/digits.md", `([\d.]+) µs for an ECDSA verification in a batch of 256 instead of ([\d.]+) µs`, []figure{withoutFMA[0], each(lanes, "256", "ECDSA verify")}},
		{"docs/digits.md", `([\d.]+) µs for each of 1,024 Schnorr verifications, one by one without lanes, instead of ([\d.]+) µs`, []figure{took(assembly, "Schnorr verify"), withoutFMA[2]}},
		{"docs/digits.md", `([\d.]+) µs for an ECDSA verification with a precomputed key, without lanes, instead of ([\d.]+) µs`, []figure{took(assembly, "ECDSA verify"), took(assembly, "ECDSA verify, precomputed key")}},
		{"docs/digits.md", `as long as ECDH: ([\d.]+) µs instead of ([\d.]+) µs`, []figure{took(assembly, "ECDH"), took(assembly, "public key from secret")}},
		{"docs/digits.md", `in batches of 256 would take ([\d.]+) µs instead of ([\d.]+) µs`, []figure{took(lanes, "public key from secret"), each(lanes, "256", "public keys from secrets")}},
		{"docs/digits.md", `deriving would take ([\d.]+) µs instead of ([\d.]+) µs`, []figure{took(assembly, "public key from secret"), took(lanes, "public key from secret")}},
		{"docs/ethereum.md", "single `Sender` is about ([\\d.]+) times as fast", []figure{one.over(took(lanes+1, "recover"))}},
		{"docs/relays.md", "a `Verifier` takes ([\\d.]+) µs for an event that `Parse` and `Verify` take (\\d+) µs", []figure{verifier, parse}},
		{"docs/relays.md", `Verifying one event alone takes (\d+) µs`, []figure{span(alone, took(assembly, "Schnorr verify"))[1]}},
		{"docs/relays.md", `only some ([\d.]+) times as fast`, []figure{figures(relay[3][2])[0].over(figure{36 - 13, 36 - 13})}},
		{"docs/relays.md", `a factor of (\d) with AVX-512 IFMA, but only (\d) % with AVX2`, []figure{figures(pools[2][1])[0], {100*figures(pools[2][2])[0].low - 100, 100*figures(pools[2][2])[0].high - 100}}},
		{"nostr/README.md", "`Parse` and `Verify` \\| \\d+ µs \\| ([\\d.]+) \\|", []figure{figures(nostrTimes[1][1])[0].over(parse)}},
		{"nostr/README.md", "512 events together \\| [\\d.]+ µs \\| (\\d+) \\|", []figure{figures(nostrTimes[1][1])[0].over(verifier)}},
	}
	precomputed := func(column int) figure {
		return took(column, "ECDSA verify").over(took(column, "ECDSA verify, precomputed key"))
	}
	gained := []figure{figures(pools[4][1])[0], figures(pools[4][2])[0], figures(pools[4][3])[0]}
	claims = append(claims,
		claim{"schnorr/pool.go", `verifies (\w+) times as many [^,]*, (\w+)(?: times)? as many with AVX2 and FMA, and ([\w.]+?)(?: times)? as many without`, gained},
		claim{"CHANGELOG.md", `a pool verifies ([\d.]+), ([\d.]+) and ([\d.]+) times as many Schnorr signatures`, gained},
		claim{"CHANGELOG.md", `Verification with such a key is (\w+)(?: times)? as fast, or (\w+) times as fast with AVX-512`, []figure{precomputed(assembly), precomputed(lanes)}},
		claim{"schnorr/batch.go", `takes up to ([\d.]+) times as long as VerifyBytes without lanes, and up to ([\d.]+) times .* take up to ([\d.]+) // times as long on average`, []figure{largest(floods, 3), largest(floods, 4), largest(floods, 6)}},
		claim{"public.go", `verification takes (half) as long, or a (quarter) as long on processors with AVX-512`, []figure{precomputed(assembly), precomputed(lanes)}},
	)
	inDigits := strings.NewReplacer("twice", "2", "half", "2", "three", "3", "four", "4", "quarter", "4", "six", "6", "seven", "7") // or what divides
	readme := table(t, "README.md", " | p256k1 with AVX-512 IFMA")
	for _, row := range readme[1:] {
		operation := map[string]string{"verify ECDSA": "ECDSA verify", "verify Schnorr": "Schnorr verify", "sign ECDSA": "ECDSA sign", "recover a key": "recover"}[row[0]]
		ours := func(column int) figure { return took(column, operation) }
		if row[0] == "verify Schnorr, in a batch of 1,024" {
			operation = "Schnorr verify"
			ours = func(column int) figure { return each(column, "1,024", operation) }
		} else if operation == "" {
			operation = row[0]
		}
		btcecs := took(btcec, operation)
		claims = append(claims, claim{"README.md", regexp.QuoteMeta("| "+row[0]+" |") + ` ([\d.]+) × \| ([\d.]+) × \| ([\d.]+) ×[^|]*\| (\d+) µs`,
			[]figure{btcecs.over(ours(lanes)), btcecs.over(ours(assembly)), btcecs.over(theirs(operation)), btcecs}})
	}
	covered := make(map[string][][]int) // by page, the places of figures that were compared
	for _, c := range claims {
		texts, place := groups(t, c.page, c.pattern)
		if texts == nil {
			continue
		}
		covered[c.page] = append(covered[c.page], place)
		for i, want := range c.want {
			if got := inDigits.Replace(texts[i+1]); !figureOf(got).meets(want) {
				t.Errorf("%s: %s in %q, but the measurements give %.3g to %.3g", c.page, got, texts[0], want.low, want.high)
			}
		}
	}
	once := map[string]int{ // pages with figures that stand nowhere else, and how many
		"ARCHITECTURE.md": 3, "compat/btcec/v2/README.md": 1, "compat/decred/README.md": 2, "docs/drop-in.md": 1, "docs/relays.md": 12, "docs/ethereum.md": 3,
		"docs/ellswift.md": 1, "nostr/README.md": 1, "scale/README.md": 2, "tools/bench/README.md": 1, "tools/js/README.md": 11,
	}
	unit := regexp.MustCompile(`(\d|\b(two|three|four|five|six|seven|eight|nine|ten))(?: ?µs| ×| times as (fast|long))`)
	for _, page := range pages(tree(t)) {
		if slices.Contains([]string{"docs/figures.md", "docs/performance.md", "CHANGELOG.md"}, page) || path.Dir(page) == "tools/evidence/reports" {
			continue
		}
		count := 0
		for _, place := range unit.FindAllStringIndex(unwrapped(t, page), -1) {
			if !slices.ContainsFunc(covered[page], func(c []int) bool { return c[0] <= place[0] && place[1] <= c[1] }) {
				count++
			}
		}
		if count != once[page] {
			t.Errorf("%s: %d figures are not compared with those of other pages, not %d: add a claim or count them", page, count, once[page])
		}
	}
}

// unwrapped returns the text of a page with single spaces in place of line breaks.
func unwrapped(t *testing.T, page string) string {
	t.Helper()
	return strings.Join(strings.Fields(read(t, page)), " ")
}

// groups returns the text that a pattern matches on a page, and the texts of its groups, with the place of the first.
// If the page has not exactly one such text, t fails and there is none.
func groups(t *testing.T, page, pattern string) (texts []string, place []int) {
	t.Helper()
	text := unwrapped(t, page)
	found := regexp.MustCompile(pattern).FindAllStringSubmatchIndex(text, -1)
	if len(found) != 1 {
		t.Errorf("%s: %d × %s", page, len(found), pattern)
		return nil, nil
	}
	for i := 0; i < len(found[0]); i += 2 {
		texts = append(texts, text[found[0][i]:found[0][i+1]])
	}
	return texts, found[0][:2]
}
