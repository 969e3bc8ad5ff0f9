package bulk

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/sample"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// rows returns n rows as JSON, of which the given number are bad, and the same rows as CSV with the given columns.
func rows(t *testing.T, n, bad int64, columns ...string) (asJSON, asCSV string) {
	t.Helper()
	var b, c bytes.Buffer
	libtest.Check(t, sample.Write(t.Context(), &b, sample.Options{Lines: n, Bad: bad, Kind: sample.Recoverable}))
	w := csv.NewWriter(&c)
	w.Write(columns)
	for line := range bytes.Lines(b.Bytes()) {
		var fields map[string]string
		libtest.Check(t, json.Unmarshal(line, &fields))
		row := make([]string, len(columns))
		for i, name := range columns {
			row[i] = fields[name]
		}
		w.Write(row)
	}
	w.Flush()
	return b.String(), c.String()
}

// TestCSV checks that Verify judges the rows of a CSV file, in many forms, as it judges the same rows in JSON.
func TestCSV(t *testing.T) {
	lines, rowText := rows(t, 3000, 12, "h", "note", "sig", "t", "pub")
	verify := func(in Input, o Options) (*recorder, Counts) {
		r := new(recorder)
		counts := libtest.Must(Verify(t.Context(), slices.Values([]Input{in, text("after", "{}\n")}), o, r))
		last := len(r.findings) - 1
		if after := r.findings[last]; after.File != "after" || !strings.HasPrefix(after.Result.Reason, "neither") {
			t.Errorf("the next file, of JSON: %+v", after)
		}
		r.findings = r.findings[:last]
		return r, counts
	}
	want, wantCounts := verify(text("a", lines), options())
	for name, c := range map[string]struct {
		text string
		line func(int64) int64
	}{
		"plain":                {rowText, func(n int64) int64 { return n + 1 }},
		"no newline at an end": {strings.TrimSuffix(rowText, "\n"), func(n int64) int64 { return n + 1 }},
		"CRLF":                 {strings.ReplaceAll(rowText, "\n", "\r\n"), func(n int64) int64 { return n + 1 }},
		"byte order mark":      {byteOrderMark + rowText, func(n int64) int64 { return n + 1 }},
		"empty lines":          {strings.ReplaceAll(rowText, "\n", "\n \t\r\n\n"), func(n int64) int64 { return 3*n + 1 }},
	} {
		for kind, wrap := range map[string]func(io.Reader) io.Reader{
			"at once": func(r io.Reader) io.Reader { return r }, "by halves": iotest.HalfReader, "by bytes": iotest.OneByteReader,
		} {
			if kind == "by bytes" && name != "CRLF" {
				continue
			}
			got, counts := verify(reader1("a", wrap(strings.NewReader(c.text))), options())
			for i := range want.findings {
				if w := want.findings[i]; i >= len(got.findings) || got.findings[i] != (Finding{File: "a", Line: c.line(w.Line), Result: w.Result, Run: w.Run}) {
					t.Fatalf("%s, %s: finding %d of %d is not %+v", name, kind, i, len(got.findings), w)
				}
			}
			if counts != wantCounts || len(got.findings) != len(want.findings) || len(got.failures) > 0 {
				t.Errorf("%s, %s: %+v, want %+v, %q", name, kind, counts, wantCounts, got.failures)
			}
		}
	}

	// The lines come from the middle of a file.
	head, rest, _ := strings.Cut(rowText, "\n")
	o := options()
	o.Inner, o.Header = true, head
	r := new(recorder)
	counts, err := Verify(t.Context(), slices.Values([]Input{text("a", rest)}), o, r)
	if wantCounts.Unreadable--; err != nil || counts != wantCounts || !reflect.DeepEqual(r.findings, want.findings) {
		t.Errorf("%+v, want %+v, %v", counts, wantCounts, err)
	}
	o.Header = "t,pub"
	if _, err := Verify(t.Context(), slices.Values([]Input{text("a", rest)}), o, r); err == nil {
		t.Error("a header without required columns is accepted")
	}
}

// TestCSVSpace checks that white space around a row is part of the row's values.
func TestCSVSpace(t *testing.T) {
	_, rowText := rows(t, 1, 0, "t", "pub", "h", "sig")
	head, row, _ := strings.Cut(strings.TrimSuffix(rowText, "\n"), "\n")
	r := new(recorder)
	counts, err := Verify(t.Context(), slices.Values([]Input{text("a", head+"\n"+row+" \n "+row+"\n"+row+"\t\r\n"+row+"\r\r\n"+row+"\r\n")}), options(), r)
	if want := (Counts{Signatures: Tally{Good: 1, Bad: 3}, Unreadable: 1, Rows: 4}); err != nil || counts != want {
		t.Errorf("%+v, want %+v: %+v", counts, want, r.findings)
	}
}

// TestHeader checks that Header recognizes a header in exactly those texts in which Verify does.
func TestHeader(t *testing.T) {
	const good = "t,pub,h,sig"
	wide := good + "," + strings.Repeat("x", check.MaxHeader-len(good)-1)
	for _, c := range []struct {
		text    string
		maxLine int
		header  string
		err     string
	}{
		{"", 1 << 20, "", ""},
		{good, 1 << 20, good, ""},
		{good + "\nx", 1 << 20, good, ""},
		{good + "\r\nx", 1 << 20, good, ""},
		{byteOrderMark + good + "\nx", 1 << 20, good, ""},
		{"\n" + good + "\nx", 1 << 20, "", ""},
		{good + "\nx", len(good), good, ""},
		{good + "\nx", len(good) - 1, "", ""},
		{good + "\r\nx", len(good), "", ""},
		{byteOrderMark + wide + "\r\nx", 1 << 20, wide, ""},
		{wide + "\nx", 1 << 20, wide, ""},
		{wide, 1 << 20, wide, ""},
		{wide + "x\nx", 1 << 20, "", ""},
		{byteOrderMark + wide + "x\r\nx", 1 << 20, "", ""},
		{wide + wide + "\nx", 1 << 20, "", ""},
		{"t,pub,h\nx", 1 << 20, "", `the CSV header: not a signature row: no field "sig"`},
	} {
		for way, r := range libtest.Readers([]byte(c.text)) {
			got, err := Header(r, c.maxLine)
			if got != c.header || err == nil != (c.err == "") || (err != nil && err.Error() != c.err) {
				t.Errorf("%.30q %s: %.30q, %v", c.text, way, got, err)
			}
		}
		o, r := options(), new(recorder)
		o.MaxLine = c.maxLine
		counts := libtest.Must(Verify(t.Context(), slices.Values([]Input{text("a", c.text)}), o, r))
		switch isHeader := c.header != ""; {
		case c.err != "":
			if fmt.Sprint(r.failures) != "[a: "+c.err+"]" || counts != (Counts{Failed: 1}) {
				t.Errorf("%.30q: %q", c.text, r.failures)
			}
		case !strings.HasSuffix(c.text, "\nx"):
			if (counts == Counts{Empty: 1}) != (isHeader || c.text == "") {
				t.Errorf("%.30q: %+v", c.text, counts)
			}
		case (r.findings[0].Result.Reason == "1 values, want 4, the number of names in the header") != (isHeader && !strings.Contains(c.text, "xx")),
			(len(r.findings) == 1) != isHeader:
			t.Errorf("%.30q: %+v", c.text, r.findings)
		}
	}
	if _, err := Header(iotest.ErrReader(io.ErrClosedPipe), 1000); err != io.ErrClosedPipe {
		t.Error(err)
	}
}
