package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// sampleLines returns the output of the command sample.
func sampleLines(t *testing.T, args ...string) string {
	t.Helper()
	r := run(t, "", append([]string{"sample"}, args...)...)
	if r.status != 0 || r.err != "" {
		t.Fatalf("%+v", r)
	}
	return r.out
}

func TestVerify(t *testing.T) {
	good := sampleLines(t, "-n", "300")
	seeded := []string{"-n", "300", "--bad", "3", "--kind", "schnorr", "--seed", "a"}
	bad := sampleLines(t, seeded...)
	if sampleLines(t, seeded...) != bad || sampleLines(t, append(seeded[:7:7], "b")...) == bad {
		t.Error("the seed does not determine the lines")
	}
	goodFile, badFile := file(t, good), file(t, bad)
	missing := filepath.Join(t.TempDir(), "missing")

	run(t, good, "verify").expect(t, 0, "300 signatures good, 0 bad, 0 unreadable lines\n", "")
	run(t, good, "verify", "-").expect(t, 0, "300 signatures good", "")
	run(t, "", "verify", goodFile).expect(t, 0, "300 signatures good", "")
	run(t, good, "verify", goodFile, "-", goodFile, "-j", "1").expect(t, 0, "900 signatures good", "")
	run(t, bad, "verify").expect(t, 1, "-:100: bad schnorr: ", "")
	r := run(t, "", "verify", goodFile, badFile)
	r.expect(t, 1, badFile+":300: bad schnorr: ", "")
	r.expect(t, 1, "597 signatures good, 3 bad, 0 unreadable lines\n", "")
	run(t, "hello\n"+good, "verify").expect(t, 1, "-:1: unreadable: column 1: invalid character 'h' at start of value\n300 signatures good, 0 bad, 1 unreadable line\n", "")
	// The first 100 of many unreadable lines in a row are shown. After a readable line, unreadable lines are shown
	// again.
	r = run(t, strings.Repeat("hello\n", 2500)+good+strings.Repeat("\nhello\n", 30)+bad+strings.Repeat("hello\n", 101), "verify", "-", badFile)
	r.expect(t, 1, "-:101: unreadable, like the 100 lines before: this does not look like signatures", "")
	if n := strings.Count(r.out, ": unreadable: "); n != 100+30+100 || strings.Count(r.out, "like the 100 lines before") != 2 || strings.Count(r.out, ": bad ") != 6 ||
		!strings.Contains(r.out, "894 signatures good, 6 bad, 2,631 unreadable lines") {
		t.Errorf("%d unreadable lines: %s", n, r.out)
	}
	run(t, good, "verify", "--max-line", "100").expect(t, 1, "-:100: unreadable: longer than 100 bytes\n", "")
	run(t, "", "verify", missing).expect(t, 2, "1 file could not be read\n", "p256k1: "+missing+": no such file")
	run(t, "", "verify", t.TempDir()).expect(t, 2, "1 file could not be read\n", "a directory without files")
	run(t, "", "verify", missing, badFile, goodFile).expect(t, 2, "597 signatures good, 3 bad", missing)
	run(t, sampleLines(t, "-n", "2000"), "verify", "-j", strconv.Itoa(maxJobs)).expect(t, 0, "2,000 signatures good, 0 bad, 0 unreadable lines\n", "")
}

// TestInterrupt cancels the context, as Ctrl-C does, while standard input stays open and while lines are made. The last
// line of the output must be whole.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct{ args, seen, want string }{
		{"verify", "-:50:", "interrupted; so far:\n49 signatures good, 1 bad"},
		{"verify --json", `"line":50`, `"interrupted":true}`},
		{"sample -n 1000000000", "{", "{"},
	} {
		in, feed := io.Pipe()
		defer feed.Close()
		go io.WriteString(feed, sampleLines(t, "-n", "50", "--bad", "1"))
		ctx, cancel := context.WithCancel(t.Context())
		out := &watcher{seen: c.seen, then: cancel}
		var errs bytes.Buffer
		start := time.Now()
		status := Run(ctx, strings.Fields(c.args), Streams{in, out, &errs})
		if status != StatusInterrupted || errs.Len() > 0 || !strings.Contains(out.String(), c.want) || !strings.HasSuffix(out.String(), "\n") || time.Since(start) > 10*time.Second {
			t.Errorf("%s: status %d, %s%s, after %v", c.args, status, out.String(), errs.String(), time.Since(start))
		}
	}
}

// watcher calls the function then once, at the first Write of a text that contains seen.
type watcher struct {
	bytes.Buffer
	seen string
	then func()
}

func (w *watcher) Write(b []byte) (int, error) {
	if w.then != nil && strings.Contains(string(b), w.seen) {
		w.then()
		w.then = nil
	}
	return w.Buffer.Write(b)
}

// TestClosedPipe closes the output, as "| head -1" does.
func TestClosedPipe(t *testing.T) {
	lines := sampleLines(t, "-n", "600", "--bad", "600")
	try := func(out io.Writer, args string, statuses ...int) {
		var errs bytes.Buffer
		if status := Run(t.Context(), strings.Fields(args), Streams{strings.NewReader(lines), out, &errs}); !slices.Contains(statuses, status) || errs.Len() > 0 {
			t.Errorf("%s: status %d, %s", args, status, errs.String())
		}
	}
	for _, args := range []string{"verify", "verify --json", "sample", "sample -n 10000000", "version", "key new", "key new --json"} {
		r, w := io.Pipe()
		go func() {
			r.Read(make([]byte, 100))
			r.Close()
		}()
		try(w, args, StatusPipe, StatusGood)
		w.Close()
	}
	r, w, err := os.Pipe()
	libtest.Check(t, err)
	defer w.Close()
	r.Close()
	try(w, "verify", StatusPipe)
	try(w, "verify --json", StatusPipe)
	lines = sampleLines(t)    // all are good, so the summary is the first text
	t.Setenv("GOWORK", "off") // for replace, whose folder the go.work uses
	given := " --digest " + three + " --key testdata/range/seven.hex"
	for _, args := range []string{
		"verify", "verify --json", "verify --sig 00 --pub " + threePublic + " --digest " + three, "sample -n 1", "version", "version --json",
		"key new", "key new --json", "key show --key testdata/range/seven.hex", "sign" + given, "sign --recoverable" + given, "sign --json" + given,
		"ecdh --form x --key testdata/range/seven.hex --pub " + threePublic, "replace ../../../../tools --local ../../../..",
		"verify --json --sig 00 --pub " + threePublic + " --digest " + three,
		"recover --digest " + three + " --sig " + zeros[:63] + "1" + three + "00",
	} {
		try(w, args, StatusPipe)
	}
}

// TestMemory looks at Go's memory limit while verify writes, with and without a limit that was set before.
func TestMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for before, want := range map[int64]int64{math.MaxInt64: 64<<20 + 4*5000 + 2<<20*3, 1 << 40: 1 << 40} {
		debug.SetMemoryLimit(before)
		during := int64(0)
		out := &watcher{then: func() { during = debug.SetMemoryLimit(-1) }}
		Run(t.Context(), []string{"verify", "-j", "3", "--max-line", "5000"}, Streams{strings.NewReader("{}\n"), out, out})
		if after := debug.SetMemoryLimit(-1); during != want || after != before {
			t.Errorf("the limit is %d and then %d, want %d and then %d", during, after, want, before)
		}
	}
}

// TestNothing checks that a file with nothing to check is not reported as good.
func TestNothing(t *testing.T) {
	good := file(t, sampleLines(t, "-n", "3"))
	const why = "nothing to check: no lines, or only empty ones (--allow-empty accepts that)\n"
	for _, text := range []string{"", "\n", "\n \r\n\t\n\n", "\ufeff\n", packed(""), packed("\n\n")} {
		empty := file(t, text)
		run(t, text, "verify").expect(t, 2, "1 file with nothing to check\n", "p256k1: standard input: "+why)
		run(t, "", "verify", good, empty, good).expect(t, 2, "6 signatures good, 0 bad, 0 unreadable lines\n1 file with nothing to check\n", "p256k1: "+empty+": "+why)
		run(t, text, "verify", "--json").expect(t, 2, `{"type":"failure","file":"-","reason":"nothing to check: no lines, or only empty ones"}`+"\n"+`{"type":"summary"`, why)
		run(t, text, "verify", "--allow-empty").expect(t, 0, "0 signatures good", "")
		run(t, text, "verify", "--allow-empty", "--json", good, "-").expect(t, 0, `"failed":0,"empty":1,`, "")
	}
	run(t, "", "verify", "--allow-empty", t.TempDir()).expect(t, 2, "1 file could not be read", "a directory without files")
}

// packed returns text compressed with gzip.
func packed(text string) string { return string(libtest.Gzip([]byte(text))) }

// TestNames checks how hostile file names are shown, and that secret keys in place of file names are not shown.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for _, name := range []string{"a\nb.jsonl:1: bad ecdsa: forged", "\x1b[2J\x1b]0;title\x07", "\u009b31m", "a\u202elnosj", "\xff", "plain ünïcødé",
		"a\rb", "a\u2066b", "a\u200bb", "a\x7fb", "\xff\xfe", "a\xc2", "a\u2028b\u2029", "a\U000e0041", "\ufeffa", "a\u0085b", "a\u00adb", "a\tb"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
			t.Logf("%q: %v", name, err) // not a name on this system
			continue
		}
		names = append(names, path)
	}
	if len(names) == 0 {
		t.Fatal("no names")
	}
	names = append(names, filepath.Join(dir, "missing\n\x1b[2J"), filepath.Join(dir, "missing"))
	const hexKey, nsec, wif = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa", "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", "5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss"
	secrets := []string{hexKey, "0x" + hexKey, strings.ToUpper(hexKey), nsec, strings.ToUpper(nsec), wif, hexKey + ".jsonl", "dir/" + hexKey}
	for _, flags := range [][]string{{"verify"}, {"verify", "--json"}} {
		r := run(t, "", slices.Concat(flags, names, secrets)...)
		if r.status != 2 {
			t.Errorf("status %d", r.status)
		}
		for line := range strings.Lines(r.out + r.err) {
			line = strings.TrimSuffix(line, "\n")
			if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !strconv.IsPrint(r) }) || strings.HasPrefix(line, "b.jsonl") {
				t.Errorf("%v: a line %q", flags, line)
			}
		}
		r.withhold(t, hexKey[:20], nsec[5:25], wif[:20])
		wants := []string{"plain ünïcødé", "missing: no such file"}
		for _, name := range names[:len(names)-2] {
			if len(flags) == 1 {
				wants = append(wants, show.Name(name)+":1: unreadable: ")
			}
		}
		for _, want := range wants {
			if !strings.Contains(r.out+r.err, want) {
				t.Errorf("%v: no %q in %s%s", flags, want, r.out, r.err)
			}
		}
		found := bytes.NewReader([]byte(r.out)) // the findings come first, in the order of the names
		for d := json.NewDecoder(found); len(flags) > 1 && len(names) > 2; names = names[1:] {
			var object struct {
				File    string
				FileHex string `json:"file_hex"`
			}
			libtest.Check(t, d.Decode(&object))
			if name := libtest.Unhex(object.FileHex); (object.File != names[0] && string(name) != names[0]) || (utf8.ValidString(names[0]) && len(name) > 0) {
				t.Errorf("%q becomes %+v", names[0], object)
			}
		}
	}
	// The name of an existing file is shown, even if it looks like a secret key.
	path := filepath.Join(dir, hexKey)
	libtest.Check(t, os.WriteFile(path, []byte("{}\n\x00"), 0o600))
	run(t, "", "verify", path).expect(t, 1, hexKey+":1: unreadable", "")
	libtest.Check(t, os.Truncate(path, 0))
	run(t, "", "verify", path).expect(t, 2, "1 file with nothing to check", hexKey+": nothing to check")
	for _, args := range []string{"key show ", "sign --digest " + three + " --key ", "sign --file ", "key new --out missing/"} {
		evil := "a\x1b[2J\u202eb"
		run(t, three, strings.Fields(args+evil)...).expect(t, 2, "", `a\x1b[2J\u202eb`)
	}
}

// TestDirectories checks that verify reads all files in a directory and below it.
func TestDirectories(t *testing.T) {
	good, bad := sampleLines(t, "-n", "10"), sampleLines(t, "-n", "10", "--bad", "1")
	dir := t.TempDir()
	for name, text := range map[string]string{"b": good, "a.gz": packed(bad), "below/deep/c": good, "below/d": bad} {
		name = filepath.Join(dir, name)
		libtest.Check(t, os.MkdirAll(filepath.Dir(name), 0o700))
		libtest.Check(t, os.WriteFile(name, []byte(text), 0o600))
	}
	r := run(t, good, "verify", dir, "-", filepath.Join(dir, "b"))
	r.expect(t, 1, "58 signatures good, 2 bad, 0 unreadable lines\n", "")
	if first, second := strings.Index(r.out, filepath.Join(dir, "a.gz")+":10: bad"), strings.Index(r.out, filepath.Join(dir, "below", "d")+":10: bad"); first < 0 || second < first {
		t.Errorf("%s", r.out)
	}
	run(t, "", "verify", filepath.Join(dir, "below", "deep"), "--json").expect(t, 0, `"signatures":{"good":10,"bad":0}`, "")

	other := t.TempDir()
	for name, target := range map[string]string{"directory": dir, "file": filepath.Join(dir, "b"), "nothing": filepath.Join(dir, "missing")} {
		if err := os.Symlink(target, filepath.Join(other, name)); err != nil {
			t.Skipf("no links: %v", err)
		}
	}
	run(t, "", "verify", other).expect(t, 2, "10 signatures good, 0 bad, 0 unreadable lines\n2 files could not be read\n", "nothing: no such file")
	run(t, "", "verify", filepath.Join(other, "directory")).expect(t, 1, "38 signatures good, 2 bad", "")
}
