package check

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// header parses a line as a CSV header.
func header(t testing.TB, line string) *Header {
	t.Helper()
	h, err := NewHeader([]byte(line))
	if err != nil || h == nil {
		t.Fatalf("%.100q is no header: %v", line, err)
	}
	return h
}

// appendCSV appends values as a row without a newline. It quotes the values that need quotation marks, and some others
// at random.
func appendCSV(row []byte, rng *rand.Rand, values []string) []byte {
	for i, v := range values {
		if i > 0 {
			row = append(row, ',')
		}
		if strings.ContainsAny(v, `,"`) || rng.IntN(8) == 0 {
			v = `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
		}
		row = append(row, v...)
	}
	return row
}

// TestCSV compares the verdicts on CSV rows with the verdicts on JSON objects that have the same values. The values
// come from sample rows and from the vectors, and about half of the rows are changed.
func TestCSV(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	objects := []object{ecdsaRow(t), schnorrRow(t, testDigest()), schnorrRow(t, nil), schnorrRow(t, make([]byte, 3000)), recoverableRow(t), tweakRow(t)}
	for _, file := range []string{"bitcoin-block-300025-sigs", "bitcoin-block866342-sigs", "bitcoin-block866342-taptweaks"} {
		vectors.Lines(t, "realworld/"+file+".jsonl", func(i int, line []byte) {
			var o object
			libtest.Check(t, json.Unmarshal(line, &o))
			objects = append(objects, o)
			if i > 300 {
				objects = objects[:len(objects)-1]
			}
		})
	}
	var counts [3]int
	for _, names := range [][]string{{"t", "pub", "h", "sig"}, {"internal", "tweak", "output", "parity"}} {
		for round := range 20 {
			columns := append(slices.Clone(names), "seen", "", "seen")[:4+rng.IntN(4)]
			if round == 0 {
				columns = append(columns, slices.Repeat([]string{"more"}, 300)...)
			}
			rng.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
			text := appendCSV(nil, rng, columns)
			fromJSON, fromCSV := Checker{LowS: round%2 == 0}, Checker{LowS: round%2 == 0, Header: header(t, string(text))}
			var lines, rows [][]byte
			for _, o := range objects {
				if o[names[0]] == nil {
					continue
				}
				if change := names[rng.IntN(4)]; rng.IntN(2) == 0 && change != "parity" {
					value := []byte(o[change].(string))
					start := rng.IntN(len(value) + 1)
					piece := []string{"", "0", "f", "F", `"`, `\`, ",", "\x00", "\r", "é", "\t", " ", `""`, `\"`, "0x"}[rng.IntN(15)]
					o = o.with(change, string(slices.Replace(value, start, min(start+rng.IntN(3), len(value)), []byte(piece)...)))
				} else if change == "parity" {
					o = o.with("parity", 1)
				}
				var values []string
				for _, name := range columns {
					value := "\\, \"é"
					if v, ok := o[name]; ok {
						value = fmt.Sprint(v)
					}
					values = append(values, value)
				}
				lines, rows = append(lines, o.line(t)), append(rows, appendCSV(nil, rng, values))
			}
			want, got := fromJSON.Lines(nil, lines), fromCSV.Lines(nil, rows)
			for i := range want {
				counts[want[i].Verdict]++
				if got[i] != want[i] {
					t.Fatalf("%s: %s is\n%+v, and %s\n%+v", text, rows[i], got[i], lines[i], want[i])
				}
			}
		}
	}
	t.Logf("good, bad, unreadable: %d", counts)
	if counts[Good] < 1000 || counts[Bad] < 1000 || counts[Unreadable] < 100 {
		t.Errorf("good, bad, unreadable: %d", counts)
	}
}

func TestHeaders(t *testing.T) {
	headers := readCases(t, "headers.txt", named(t))
	for _, c := range headers {
		line, want := c[0], c[1]
		h, err := NewHeader([]byte(line))
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "the CSV header: ")
		} else if h == nil {
			got = "none"
		}
		if got != want || (h != nil) != (want == "") {
			t.Errorf("%.100q: %q, want %q", line, got, want)
		}
	}
	if len(headers) != 22 {
		t.Errorf("%d headers", len(headers))
	}
	// A line of JSON is never a header.
	for _, o := range []object{ecdsaRow(t), tweakRow(t), {"t": []string{"pub", "h", "sig"}}, {"": 1, "t,pub,h,sig": "t,pub,h,sig"}} {
		for _, line := range []string{string(o.line(t)), " " + string(o.line(t))} {
			if h, err := NewHeader([]byte(line)); h != nil || err != nil {
				t.Errorf("%s is a header: %v", line, err)
			}
		}
	}
}

func TestRowsOfCSV(t *testing.T) {
	values := named(t)
	row, tweak := values["row"].(object), values["tweak"].(object)
	good := fmt.Sprintf("ecdsa,%s,%s,%s", row["pub"], row["h"], row["sig"])
	values["good"], values["quoted"] = good, `"`+strings.ReplaceAll(good, ",", `","`)+`"`
	values["odd"] = len(row["sig"].(string)) + 1
	values["goodTweak"] = fmt.Sprintf("%s,%s,%s,", tweak["internal"], tweak["tweak"], tweak["output"])
	rows := readCases(t, "rows.txt", values)
	for _, c := range rows {
		names, row, _ := strings.Cut(c[0], " | ")
		r := (&Checker{Header: header(t, names)}).Line([]byte(row))
		got := resultOf(r)
		if r.Reason != "" {
			got += ": " + r.Reason
		}
		if got != c[1] {
			t.Errorf("%s\n%s\n%s, want\n%s", names, row, got, c[1])
		}
	}
	if len(rows) != 18 {
		t.Errorf("%d rows", len(rows))
	}
}

// FuzzCSV compares the values of a row with the values that package encoding/csv finds, and judges the row with a
// header.
func FuzzCSV(f *testing.F) {
	for _, row := range []string{"", ",", `""`, `"a"`, `"a,""b""",c`, `a"b`, `"a"b`, `"`, `"""`, "a\rb", `"a` + "\r" + `"`, "\r", "é,\xff", ` "a"`, `,"",`, `"",""""`} {
		f.Add("t,pub,h,sig", row)
		f.Add(row, "schnorr,,,")
		f.Add("internal,tweak,output,parity,"+row, row)
	}
	f.Add("t,pub,h,sig", "schnorr,,,,")
	f.Fuzz(func(t *testing.T, names, row string) {
		if strings.Contains(names+row, "\n") {
			return
		}
		want, err := []string{""}, error(nil) // package encoding/csv skips empty lines
		if row != "" {
			want, err = csv.NewReader(strings.NewReader(row + "\r\n")).Read()
		}
		var got []string
		for rest, more, wrong := []byte(row), true, ""; more; {
			var value []byte
			if value, rest, more, wrong = cutValue(rest); wrong != "" {
				got = nil
				break
			}
			got = append(got, strings.ReplaceAll(string(value), `""`, `"`))
		}
		if (err == nil) != (got != nil) || (err == nil && !slices.Equal(got, want)) {
			t.Fatalf("%q: %q, want %q, %v", row, got, want, err)
		}
		h, err := NewHeader([]byte(names))
		if h != nil && err != nil {
			t.Fatalf("%q is a header, and %v", names, err)
		}
		if h == nil {
			return
		}
		checker := Checker{Header: h}
		alone := checker.Line([]byte(row))
		if together := checker.Lines(nil, [][]byte{[]byte(row), []byte(row)}); together[0] != alone || together[1] != alone {
			t.Fatalf("%q, %q: %+v, together %+v", names, row, alone, together)
		}
		if readable := len(want) == len(h.fields) && got != nil && utf8.ValidString(row); !readable && alone.Verdict != Unreadable {
			t.Fatalf("%q, %q: %+v", names, row, alone)
		}
	})
}

// TestCSVAllocs checks that a CSV row causes no more allocations than the same values in JSON, and that a long row of
// commas causes at most four.
func TestCSVAllocs(t *testing.T) {
	row := ecdsaRow(t)
	fromJSON, fromCSV := new(Checker), &Checker{Header: header(t, "t,pub,h,sig,note")}
	var allocs [2]float64
	for i, c := range []struct {
		*Checker
		line []byte
	}{{fromJSON, row.line(t)}, {fromCSV, fmt.Appendf(nil, `"ecdsa",%s,%s,%s,"a, ""b"""`, row["pub"], row["h"], row["sig"])}} {
		lines := slices.Repeat([][]byte{c.line}, 64)
		results := c.Lines(nil, lines)
		if !slices.Equal(results, slices.Repeat([]Result{{Shape: ECDSA}}, 64)) {
			t.Fatalf("%+v", results[0])
		}
		allocs[i] = testing.AllocsPerRun(10, func() { results = c.Lines(results[:0], lines) })
	}
	if allocs[1] > allocs[0] {
		t.Errorf("%v allocations, %v of JSON", allocs[1], allocs[0])
	}
	long := append(bytes.Repeat([]byte{','}, 1<<20), '"')
	if n := testing.AllocsPerRun(10, func() { fromCSV.Line(long) }); n > 4 {
		t.Errorf("%v allocations for commas", n)
	}
}
