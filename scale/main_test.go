package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// asCommand makes the test binary behave as the command.
const asCommand = "P256K1_SCALE_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// command returns the command with the given arguments, to be run in a folder.
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), libtest.Must(os.Executable()), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asCommand+"=yes")
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// status runs a command and returns its exit status and output.
func status(t *testing.T, cmd *exec.Cmd) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// mustRun runs a program in a folder, and logs what it prints.
func mustRun(t *testing.T, ctx context.Context, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=") // the command needs the workspace, even if this test runs without it
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	libtest.Check(t, err)
}

// build builds the command p256k1.
func build(t *testing.T) (p256k1 string) {
	t.Helper()
	p256k1 = filepath.Join(t.TempDir(), "p256k1")
	mustRun(t, t.Context(), "../cmd/p256k1", "go", "build", "-o", p256k1, ".")
	return p256k1
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	libtest.Check(t, os.WriteFile(name, content, 0o600))
}

// written returns the lines of all files of a folder of the output, sorted.
func written(t *testing.T, folder string) (lines []string) {
	t.Helper()
	libtest.Check(t, filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == folder {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		for line := range bytes.Lines(content) {
			lines = append(lines, string(line))
		}
		return err
	}))
	slices.Sort(lines)
	return lines
}

// wanted is the output of the command p256k1 for files: the lines whose verdict is not good, the files that it could
// not read, the counts and the exit status.
type wanted struct {
	status             int
	findings, failures []string // sorted
	counts             map[string]any
}

// want runs cmd, which must be p256k1 verify --json, and returns its results.
func want(t *testing.T, cmd *exec.Cmd) (w wanted) {
	t.Helper()
	var out string
	w.status, out, _ = status(t, cmd)
	for line := range strings.Lines(out) {
		switch {
		case strings.HasPrefix(line, `{"type":"finding"`):
			w.findings = append(w.findings, line)
		case strings.HasPrefix(line, `{"type":"failure"`):
			w.failures = append(w.failures, line)
		default:
			libtest.Check(t, json.Unmarshal([]byte(line), &w.counts))
		}
	}
	for _, name := range []string{"seconds", "per_second", "workers", "interrupted"} {
		delete(w.counts, name)
	}
	slices.Sort(w.findings)
	slices.Sort(w.failures)
	return w
}

// check compares the output of scale with w: the output must contain each finding and failure once, and the counts.
func (w *wanted) check(t *testing.T, folder string) {
	t.Helper()
	for name, lines := range map[string][]string{"bad": w.findings, "failed": w.failures} {
		if got := written(t, filepath.Join(folder, name)); !slices.Equal(got, lines) {
			t.Errorf("%s: %d lines, want %d:\n%s\nwant\n%s", name, len(got), len(lines), strings.Join(got, ""), strings.Join(lines, ""))
		}
	}
	summary := libtest.Must(os.ReadFile(filepath.Join(folder, "summary.json")))
	var counts map[string]any
	if err := json.Unmarshal(summary, &counts); err != nil || !reflect.DeepEqual(counts, w.counts) {
		t.Errorf("summary: %s, %v, want %v", summary, err, w.counts)
	}
	if left := written(t, folder); len(left) != len(w.findings)+len(w.failures)+1 {
		t.Errorf("%d lines in all of the output", len(left))
	}
}

// compare runs p256k1 and scale on the same files, and compares their results.
func compare(t *testing.T, p256k1, dir string, patterns, names, flags []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), p256k1, slices.Concat([]string{"verify", "--json"}, flags, names)...)
	cmd.Dir = dir
	w := want(t, cmd)
	folder := t.TempDir()
	args := append([]string{"verify", "--output", folder, "--part", "1000"}, flags...)
	for _, pattern := range patterns {
		args = append(args, "--input", pattern)
	}
	if got, out, errs := status(t, command(t, dir, args...)); got != w.status {
		t.Errorf("status %d, want %d: %s%s", got, w.status, out, errs)
	} else if strings.Count(errs, "scale: \"") != min(len(w.failures), 20) || strings.Contains(errs, folder+"/bad\n") != (len(w.findings) > 0) {
		t.Errorf("%d failures, %d findings, and standard error has\n%s", len(w.failures), len(w.findings), errs)
	}
	w.check(t, folder)
}

// TestVerdicts compares scale with the command p256k1 for files of all kinds, in parts of a few lines.
func TestVerdicts(t *testing.T) {
	p256k1 := build(t)
	dir := t.TempDir()
	sample := func(args ...string) []byte {
		return libtest.Must(exec.CommandContext(t.Context(), p256k1, append([]string{"sample"}, args...)...).Output())
	}
	mixed := sample("-n", "300", "--bad", "40", "--kind", "mixed")
	strange := slices.Concat([]byte("\ufeff"), mixed[:5000], []byte("\n\n  \r\n{}\nBZh9\n\x1f\x8b\n\ufeff{}\nnull\n"), bytes.Repeat([]byte{'['}, 3000),
		[]byte("\n\xff\n"), bytes.Repeat([]byte("0\n"), 2000), mixed[5000:], []byte("{")) // no newline at the end
	rows := asCSV(t, sample("-n", "300", "--bad", "40", "--kind", "recoverable"))
	strangeRows := slices.Concat([]byte("\ufeff"), rows[:9000], []byte("\n\n  \r\n{}\n\"\n,,,\n\xff,,,\n"), bytes.Repeat([]byte{','}, 3000), rows[9000:], []byte("x"))
	packed := libtest.Gzip(strange)
	for name, content := range map[string][]byte{
		"mixed.jsonl": mixed, "strange.jsonl": strange, "one.jsonl": mixed[:bytes.IndexByte(mixed, '\n')],
		"packed.gz": packed, "cut.gz": packed[:len(packed)/2],
		"empty.jsonl": nil, "blank.jsonl": bytes.Repeat([]byte("\n"), 2500),
		"utf16.txt": []byte("\xff\xfe{\x00}\x00"), "parquet": append([]byte("PAR1"), mixed...),
		"rows.csv": rows, "strange.csv": strangeRows, "crlf.csv": bytes.ReplaceAll(rows, []byte("\n"), []byte("\r\n")),
		"column.csv": append([]byte("t,pub,h\n"), rows...), "twice.csv": append([]byte("t,pub,h,sig,h\n"), rows...),
		"wide.csv": slices.Concat([]byte("t,pub,h,sig,"), bytes.Repeat([]byte{'x'}, 2500), []byte{'\n'}, rows), "names.csv": rows[:12],
	} {
		write(t, filepath.Join(dir, name), content)
	}
	names := []string{"blank.jsonl", "column.csv", "crlf.csv", "cut.gz", "empty.jsonl", "names.csv", "parquet", "rows.csv", "strange.csv", "twice.csv", "wide.csv", "mixed.jsonl", "one.jsonl", "packed.gz", "strange.jsonl", "utf16.txt"}
	compare(t, p256k1, dir, []string{"*.jsonl", "*.gz", "m*d.jsonl", "utf16.txt", "*.csv", "parquet"}, names, []string{"--max-line", "2000"})
	missing := []string{"mixed.jsonl"}
	for i := range 25 {
		missing = append(missing, fmt.Sprintf("none%d*", i))
	}
	compare(t, p256k1, dir, missing, missing, []string{"--low-s"})
	compare(t, p256k1, dir, []string{"empty.jsonl"}, []string{"empty.jsonl"}, []string{"--allow-empty"})
}

// asCSV returns rows of JSON as CSV.
func asCSV(t *testing.T, rows []byte) []byte {
	t.Helper()
	text := []byte("h,sig,t,pub\n")
	for line := range bytes.Lines(rows) {
		var row struct{ T, Pub, H, Sig string }
		libtest.Check(t, json.Unmarshal(line, &row))
		text = fmt.Appendf(text, "%s,%q,%s,%s\n", row.H, row.Sig, row.T, row.Pub)
	}
	return text
}

// TestReal compares scale with the command p256k1 for real signatures.
func TestReal(t *testing.T) {
	pattern := filepath.Join(vectors.Path(t, "realworld"), "*.jsonl")
	names := libtest.Must(filepath.Glob(pattern))
	compare(t, build(t), t.TempDir(), []string{pattern}, names, nil)
}

// TestUsage calls the command with the wrong arguments of testdata/usage.txt. The errors have what follows ⇒.
func TestUsage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), []byte("{}\n"))
	lines := strings.Split(strings.TrimSpace(string(libtest.Must(os.ReadFile("testdata/usage.txt")))), "\n")
	for _, line := range lines {
		args, want, _ := strings.Cut(line, " ⇒ ")
		got, out, errs := status(t, command(t, dir, strings.Fields(args)...))
		if got != statusFailed || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") > 3 {
			t.Errorf("scale %s: status %d, %s%s, want %s", args, got, out, errs, want)
		}
	}
	if len(lines) != 15 {
		t.Errorf("%d commands", len(lines))
	}
	for _, args := range [][]string{nil, {"verify", "--help"}} {
		if got, out, errs := status(t, command(t, dir, args...)); got != statusGood || out != usage || errs != "" {
			t.Errorf("%q: status %d, %s%s", args, got, out, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("there is an output")
	}
}

// TestInterrupt interrupts the command, which must say so, and must not leave an output that looks complete.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), bytes.Repeat([]byte("{\"t\":\"schnorr\"}\n"), 1<<20))
	cmd := command(t, dir, "verify", "--input", "a.jsonl", "--output", "out", "--part", "100000")
	go func() {
		for t.Context().Err() == nil {
			if _, err := os.Stat(filepath.Join(dir, "out")); err == nil { // the job runs
				cmd.Process.Signal(os.Interrupt)
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	start := time.Now()
	got, out, errs := status(t, cmd)
	if got != statusInterrupted || !strings.Contains(errs, "interrupted") || out != "" {
		t.Errorf("status %d: %s%s", got, out, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "out/summary.json")); err == nil {
		t.Error("there is a summary")
	}
	t.Log("ended after ", time.Since(start))
}
