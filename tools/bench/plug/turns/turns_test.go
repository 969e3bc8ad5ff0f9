package turns

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/native"
	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "child" {
		if err := Child(os.Stdin, os.Stdout); err != nil {
			println(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func newPlan(t *testing.T, scenarios ...work.Scenario) *Plan {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Plan{Command: []string{program, "child"}, Scenarios: scenarios, N: 20, Rounds: 2, Timeout: time.Minute}
}

// fake compiles a library. Its functions succeed without doing anything but what
// the code given says.
func fake(t *testing.T, functions string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS == "windows" {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("NOT TESTED: no C compiler to make bad libraries with")
	}
	dir := t.TempDir()
	source, library := filepath.Join(dir, "fake.c"), filepath.Join(dir, "fake.so")
	if err := os.WriteFile(source, []byte("#include <stdlib.h>\n#include <unistd.h>\n"+functions), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-w", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return library
}

// The functions of ECDSA verification and of deriving.
const (
	create    = "static int o; void *secp256k1_context_create(unsigned f) { return &o; }\n"
	parseKey  = "int secp256k1_ec_pubkey_parse() { return 1; }\n"
	parseDER  = "int secp256k1_ecdsa_signature_parse_der() { return 1; }\n"
	verifyYes = "int secp256k1_ecdsa_verify() { return 1; }\n"
	derive    = "int secp256k1_ec_pubkey_create() { return 1; }\nint secp256k1_ec_pubkey_serialize() { return 1; }\n"
)

func TestBadLibraries(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text.so")
	if err := os.WriteFile(text, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name           string
		path           string
		verify, derive Status
		detail         string // of verify
	}{
		{"good", "", OK, OK, ""},
		{"accepts everything", fake(t, create+parseKey+parseDER+verifyYes+derive), Wrong, Wrong, "bad signature verifies"},
		{"accepts nothing", fake(t, create+parseKey+parseDER+"int secp256k1_ecdsa_verify() { return 0; }"), Wrong, Missing, "refused"},
		{"crashes", fake(t, create+parseKey+parseDER+"int secp256k1_ecdsa_verify(void *c) { return *(volatile int *)8; }"+derive), Crashed, Wrong, "SIGSEGV"},
		{"aborts", fake(t, create+parseKey+parseDER+"int secp256k1_ecdsa_verify() { abort(); }"), Crashed, Missing, "SIGABRT"},
		{"exits", fake(t, create+parseKey+parseDER+"int secp256k1_ecdsa_verify() { _exit(0); }"), Crashed, Missing, "ended early"},
		{"crashes when loaded", fake(t, create+"__attribute__((constructor)) static void f() { abort(); }"), Crashed, Crashed, "SIGABRT"},
		{"lacks functions", fake(t, create+parseKey+derive), Missing, Wrong, "secp256k1_ecdsa_signature_parse_der, secp256k1_ecdsa_verify"},
		{"prints", fake(t, "#include <stdio.h>\n"+create+parseKey+parseDER+"int secp256k1_ecdsa_verify() { puts(\"{\\\"status\\\": 3}\"); return 0; }"), Wrong, Missing, "refused"},
		{"something else", fake(t, "int zlibVersion() { return 1; }"), Unloadable, Unloadable, "neither"},
		{"no library", text, Unloadable, Unloadable, "cannot be loaded"},
		{"no file", text + ".not", Unloadable, Unloadable, "cannot be loaded"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newPlan(t, work.ECDSAVerify, work.Derive)
			// A good library after the bad one must not suffer.
			rows, _, err := r.Run(t.Context(), []Library{{Label: "tested", Path: test.path}, {Label: "good"}})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []Status{test.verify, test.derive, OK, OK} {
				if rows[i].Status != want {
					t.Errorf("%s, %s: %q (%s), want %q", rows[i].Library.Label, rows[i].Scenario, rows[i].Status, rows[i].Detail, want)
				}
				if n := len(rows[i].Times); n != map[bool]int{true: r.Rounds}[want == OK] {
					t.Errorf("%s, %s: %d times", rows[i].Library.Label, rows[i].Scenario, n)
				}
			}
			if !strings.Contains(rows[0].Detail, test.detail) {
				t.Errorf("detail %q, want %q in it", rows[0].Detail, test.detail)
			}
		})
	}
}

func TestTimeout(t *testing.T) {
	r := newPlan(t, work.ECDSAVerify)
	r.Timeout = time.Second
	rows, _, err := r.Run(t.Context(), []Library{{Label: "hangs", Path: fake(t, create+parseKey+parseDER+"int secp256k1_ecdsa_verify() { sleep(60); }")}})
	if err != nil || rows[0].Status != TimedOut {
		t.Errorf("%+v, %v", rows[0], err)
	}
}

func TestInterrupt(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := newPlan(t, work.ECDSAVerify)
	ctx, cancel := context.WithCancel(t.Context())
	r.Rounds = 1000
	r.Progress = func(round, _ int, _ Library) {
		if round == 1 {
			cancel()
		}
	}
	if _, _, err := r.Run(ctx, []Library{{Label: "p256k1"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAllScenarios(t *testing.T) {
	r := newPlan(t, work.Scenarios...)
	libraries := []Library{{Label: "p256k1"}}
	if b, err := native.Cached(); err == nil {
		libraries = append(libraries, Library{Label: "libsecp256k1", Path: b.Library})
	} else {
		t.Logf("NOT TESTED: %v", err)
	}
	rows, _, err := r.Run(t.Context(), libraries)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.Status != OK || row.Each() <= 0 {
			t.Errorf("%s, %s: %s %s, %v", row.Library.Label, row.Scenario, row.Status, row.Detail, row.Each())
		}
	}
}

// EVP is tested with whichever OpenSSL 3 the loader finds.
func TestEVP(t *testing.T) {
	r := newPlan(t, work.ECDSAVerify, work.ECDSASign, work.ECDH, work.Derive)
	for _, evp := range []bool{false, true} {
		l := Library{Label: "OpenSSL", Path: "libcrypto.so.3", EVP: evp}
		if _, err := r.Identify(t.Context(), l); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skipf("NOT TESTED: no OpenSSL 3: %v", err)
		}
		rows, _, err := r.Run(t.Context(), []Library{l})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if row.Status != OK || evp != (row.Identity.API == "EVP") {
				t.Errorf("EVP %v, %s, %s: %s %s", evp, row.Identity.API, row.Scenario, row.Status, row.Detail)
			}
		}
	}
}

func TestCSV(t *testing.T) {
	rows := []*Result{
		{Library: Library{Label: `a, "b"`, Date: time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), Path: "/x"}, Scenario: work.ECDSAVerify,
			Status: OK, N: 1000, Times: []time.Duration{3e6, 1e6, 2e6}},
		{Library: Library{Label: "c"}, Scenario: work.Recover, Status: Crashed, Detail: "two\nlines", N: 1000},
	}
	var b bytes.Buffer
	if err := WriteCSV(&b, rows); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(lines) != 3 {
		t.Fatalf("%v, %v", lines, err)
	}
	if !slices.Equal(lines[0][:3], []string{"version", "date", "runtime"}) || !slices.Equal(lines[0], Columns) {
		t.Errorf("header %q", lines[0])
	}
	if !slices.Equal(lines[1][:9], []string{`a, "b"`, "2020-01-02", "0.002000", "ecdsa-verify", "1000", "3", "0.001000", "0.003000", "2.000"}) {
		t.Errorf("row %q", lines[1])
	}
	if !slices.Equal(lines[2][:3], []string{"c", "", ""}) || lines[2][11] != "crashed" || lines[2][12] != "two lines" {
		t.Errorf("row %q", lines[2])
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		times []time.Duration
		want  time.Duration
	}{{nil, 0}, {[]time.Duration{5}, 5}, {[]time.Duration{9, 1, 4}, 4}, {[]time.Duration{8, 1, 4, 2}, 3}} {
		r := Result{Times: test.times}
		if got := r.Median(); got != test.want {
			t.Errorf("median of %v: %s, want %s", test.times, strconv.Itoa(int(got)), strconv.Itoa(int(test.want)))
		}
	}
}
