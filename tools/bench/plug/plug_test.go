package plug

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/plug/catalogue"
	"p256k1.mleku.dev/v2/tools/bench/plug/subject"
	"p256k1.mleku.dev/v2/tools/bench/plug/turns"
)

// The test's program is also that which run starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == childName {
		if New().Execute() != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func execute(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := New()
	var out, log bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&log)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return out.String(), log.String(), err
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	table, plots := filepath.Join(dir, "results.csv"), filepath.Join(dir, "plots")
	notALibrary := filepath.Join(dir, "text.so")
	if err := os.WriteFile(notALibrary, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "-n", "10", "--rounds", "2", "--scenario", "all", "--csv", table, "--plot", plots,
		"--only", "p256k1*", "--only", "test*", "--lib", "test unloadable,2020-01-02," + notALibrary}
	if lacking := compileLacking(t, dir); lacking != "" {
		args = append(args, "--lib", "test lacking,,"+lacking)
	}
	out, log, err := execute(t, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	for _, want := range []string{"\np256k1 ", "test unloadable", "UNLOADABLE", "2020-01-02", "ecdsa-verify, CPU time", "recover, CPU time"} {
		if !strings.Contains(out, want) {
			t.Errorf("the tables do not show %q:\n%s", want, out)
		}
	}
	file, err := os.Open(table)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || strings.Join(lines[0], ",") != strings.Join(turns.Columns, ",") {
		t.Fatalf("%q, %v", lines[0], err)
	}
	statuses := map[string]int{}
	for _, line := range lines[1:] {
		statuses[line[11]]++
		if (line[11] == "ok") != (line[2] != "") {
			t.Errorf("a time without being ok, or the other way round: %q", line)
		}
	}
	if statuses["ok"] < 7 || statuses["unloadable"] != 7 {
		t.Errorf("statuses %v", statuses)
	}
	for _, name := range []string{"derive-bars.png", "derive-timeline.svg", "plug.html"} {
		if info, err := os.Stat(filepath.Join(plots, name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// compileLacking makes a library that is libsecp256k1 by its symbols but has no
// operation, or says that it cannot.
func compileLacking(t *testing.T, dir string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Log("NOT TESTED: a library that lacks symbols, for want of a C compiler")
		return ""
	}
	source, library := filepath.Join(dir, "fake.c"), filepath.Join(dir, "lacking.so")
	if err := os.WriteFile(source, []byte("void *secp256k1_context_create(unsigned f) { return 0; }"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return library
}

func TestRunRefuses(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"run --scenario rsa", "no scenario"},
		{"run --lib x,y", "LABEL,DATE,PATH"},
		{"run --lib x,1.2.2020,y", "--lib"},
		{"run -n 1", "at least 2"},
		{"run --only nothing*", "matches none of: p256k1"},
		{"run --only [", "--only"},
		{"run here", "unknown command"},
		{"build --only nothing", "matches none of"},
	} {
		_, _, err := execute(t, strings.Fields(test.args)...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.args, err, test.want)
		}
	}
}

func TestBuildList(t *testing.T) {
	out, _, err := execute(t, "build", "--list", "--only", "*0.8.0")
	if err != nil || !strings.Contains(out, "secp256k1-sys 0.14.1") || strings.Contains(out, "OpenSSL") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestBuildGoesOnAfterFailures(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("PATH", "")
	t.Setenv("CC", "")
	_, log, err := execute(t, "build", "--only", "secp256k1 0.4.?")
	if err == nil || !strings.Contains(err.Error(), "2 of 2 failed") || strings.Count(log, "needs a C compiler") != 2 {
		t.Errorf("%v\n%s", err, log)
	}
}

func TestDescribe(t *testing.T) {
	entries, err := catalogue.Entries()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ file, kind, version, label, date string }{
		{"/usr/lib/libcrypto.so.3", subject.KindOpenSSL, "OpenSSL 3.0.17 1 Jul 2025", "OpenSSL 3.0.17 (system)", "2025-07-01"},
		{"/usr/lib/libcrypto.so.1.1", subject.KindOpenSSL, "OpenSSL 1.1.1w  11 Sep 2023", "OpenSSL 1.1.1w (system)", "2023-09-11"},
		{"/usr/lib/libcrypto.so.9", subject.KindOpenSSL, "LibreSSL 4", "libcrypto.so.9 (system)", ""},
		{"/usr/lib/libsecp256k1.so.2.1.0", subject.KindLibsecp, "", "secp256k1 0.4.0 (system)", "2023-09-04"},
		{"/usr/lib/libsecp256k1.so.0.0.0", subject.KindLibsecp, "", "libsecp256k1.so.0.0.0 (system)", ""},
		{"/usr/lib/libsecp256k1.so", subject.KindLibsecp, "", "libsecp256k1.so (system)", ""},
	} {
		l := describe(test.file, turns.Identity{Kind: test.kind, Version: test.version}, entries)
		date := ""
		if !l.Date.IsZero() {
			date = l.Date.Format(time.DateOnly)
		}
		if l.Label != test.label || date != test.date {
			t.Errorf("%s: %q of %q, want %q of %q", test.file, l.Label, date, test.label, test.date)
		}
	}
}
