package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// The test binary is also the program that run starts.
func TestMain(m *testing.M) {
	measure.Worker()
	os.Exit(m.Run())
}

func execute(ctx context.Context, t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := newCommand()
	var out, log bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&log)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(ctx)
	return out.String(), log.String(), err
}

// compile makes a library from C code.
func compile(t *testing.T, code string) (library string) {
	t.Helper()
	libtest.Need(t, "cc")
	dir := t.TempDir()
	source, library := filepath.Join(dir, "fake.c"), filepath.Join(dir, "fake.so")
	libtest.Check(t, os.WriteFile(source, []byte("#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"+code), 0o644))
	libtest.Must(must.Output(exec.Command("cc", "-w", "-shared", "-fPIC", "-o", library, source)))
	return library
}

// TestBadLibraries adds a bad library, and checks the reported failures and that this library is still measured.
func TestBadLibraries(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text.so")
	libtest.Check(t, os.WriteFile(text, []byte("no library"), 0o644))
	stubs := string(libtest.Must(os.ReadFile("testdata/stubs.c")))
	const (
		verify = "int secp256k1_ecdsa_verify() "
		create = "int secp256k1_ec_pubkey_create() { return 1; }\n"
	)
	for _, test := range []struct {
		name, path     string
		verify, derive error
		detail         string
	}{
		{"accepts everything", compile(t, stubs+create+verify+"{ return 1; }"), measure.ErrWrong, measure.ErrWrong, "check of input 0"},
		{"refuses everything", compile(t, stubs+create+verify+"{ return 0; }"), measure.ErrWrong, measure.ErrWrong, "call 63"},
		{"crashes", compile(t, stubs+create+verify+"{ abort(); }"), measure.ErrCrashed, measure.ErrWrong, "SIGABRT"},
		{"exits", compile(t, stubs+create+verify+"{ _exit(0); }"), measure.ErrCrashed, measure.ErrWrong, "exit status 0"},
		{"crashes when loaded", compile(t, stubs+create+"__attribute__((constructor)) static void f() { abort(); }"), measure.ErrCrashed, measure.ErrCrashed, "SIGABRT"},
		{"hangs", compile(t, stubs+create+verify+"{ sleep(60); return 1; }"), context.DeadlineExceeded, measure.ErrWrong, "deadline"},
		{"prints", compile(t, stubs+create+verify+`{ puts("{\"id\": 3}\n{"); fflush(stdout); return 0; }`), measure.ErrWrong, measure.ErrWrong, "call 63"},
		{"lacks functions", compile(t, stubs), engine.ErrAbsent, engine.ErrAbsent, "secp256k1_ec_pubkey_create, secp256k1_ecdsa_verify"},
		{"is something else", compile(t, "int zlibVersion() { return 1; }"), engine.ErrAbsent, engine.ErrAbsent, "neither"},
		{"is no library", text, engine.ErrAbsent, engine.ErrAbsent, "text.so"},
		{"is no file", text + ".not", engine.ErrAbsent, engine.ErrAbsent, "text.so.not"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, libraries := compare(t.Context(), io.Discard, &runFlags{
				scenarios: []string{"ecdsa-verify", "derive"}, n: 20, rounds: 2, timeout: 4 * time.Second,
				libs: []string{"tested,2020-01-02," + test.path}, only: []string{"tested", "p256k1*"},
			})
			for op, want := range map[string]error{"ecdsa-verify": test.verify, "derive": test.derive} {
				var got error
				for _, f := range r.Failures {
					if f.Label != "tested" {
						t.Errorf("%+v", f)
					} else if f.Op == op || f.Op == loading {
						got = f.Err
					}
				}
				if !errors.Is(got, want) || (op == "ecdsa-verify" && !strings.Contains(got.Error(), test.detail)) {
					t.Errorf("%s: %v, want %v and %q", op, got, want, test.detail)
				}
			}
			lines := string(table(r, libraries))
			if strings.Count(lines, "\ntested,2020-01-02,,") != 2 || strings.Count(lines, ",failed,") != 2 {
				t.Errorf("CSV\n%s", lines)
			}
			if n := len(r.Engines) - len(slices.DeleteFunc(r.Engines, func(e engine.Info) bool { return e.Name == "p256k1" })); len(r.Results) != 2*n {
				t.Errorf("%d results of this library's %d backends in 2 operations", len(r.Results), n)
			}
		})
	}
}

// TestVersions runs all scenarios in this library, and in the versions of other libraries that this machine has.
func TestVersions(t *testing.T) {
	plots := filepath.Join(t.TempDir(), "plots")
	drawn := plots
	for _, e := range entries() {
		if _, err := e.release.Cached(); err != nil {
			t.Logf("NOT TESTED: %s: %v", e.label, err)
			drawn = filepath.Join(plots, "part")
		}
	}
	results := filepath.Join(plots, "tables", "results.csv") // in folders that do not exist
	out, log, err := execute(t.Context(), t, "run", "-n", "20", "--rounds", "2", "--scenario", "all", "--plot", plots, "--csv", results)
	if err != nil || strings.Contains(out, "failed: ") {
		t.Errorf("%v\n%s\n%s", err, out, log)
	}
	for _, name := range scenarios {
		if !strings.Contains(out, "\n"+name+": ") {
			t.Errorf("no %s in\n%s", name, out)
		}
	}
	file := libtest.Must(os.Open(results))
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || !slices.Equal(lines[0], columns) {
		t.Fatalf("%v, %q", err, lines)
	}
	count := map[string]int{}
	for _, line := range lines[1:] {
		count[line[0]]++
		seconds, err := strconv.ParseFloat(line[2], 64)
		if ok := err == nil && seconds > 0; ok != (line[10] == "ok") || line[10] == "failed" {
			t.Errorf("%q", line)
		}
		if _, err := time.Parse(time.DateOnly, line[1]); err != nil {
			t.Error(err)
		}
	}
	for label, n := range count {
		if n != len(scenarios) {
			t.Errorf("%d lines of %s, want %d", n, label, len(scenarios))
		}
	}
	for _, name := range []string{"derive-bars.png", "derive-timeline.svg"} {
		if info, err := os.Stat(filepath.Join(drawn, name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, log, err := execute(ctx, t, "run", "--rounds", "100000", "-n", "10", "--only", "p256k1*")
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(log, "nothing was written") {
		t.Errorf("error %v\n%s", err, log)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"run --scenario rsa", "no operation"},
		{"run --lib x,y", "LABEL,DATE,PATH"},
		{"run --lib x,1.2.2020,y", "--lib"},
		{"run -n 1", "at least 2"},
		{"run --only nothing*", "matches none of: p256k1"},
		{"run --only [", "--only"},
		{"run here", "unknown command"},
		{"build --only nothing", "matches none of"},
	} {
		_, _, err := execute(t.Context(), t, strings.Fields(test.args)...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.args, err, test.want)
		}
	}
}

func TestBuildGoesOnAfterFailures(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("PATH", "")
	t.Setenv("CC", "")
	_, log, err := execute(t.Context(), t, "build", "--only", "SECP256K1 0.4.[01]")
	if err == nil || !strings.Contains(err.Error(), "2 of 2 failed") || strings.Count(log, "needs a C compiler") != 2 {
		t.Errorf("%v\n%s", err, log)
	}
}
