package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// gated runs checks, and returns the results and the log.
func gated(ctx context.Context, checks ...check) (results []result, log string) {
	for _, c := range checks {
		results = append(results, result{check: c, steps: c.short})
	}
	var b bytes.Buffer
	r := runner{fill: strings.NewReplacer("{tmp}", "/x"), jobs: 2, log: &b}
	r.run(ctx, results)
	return results, b.String()
}

// TestRunner runs checks that pass, fail, or print no figures. A step that fails is red though it printed a figure.
func TestRunner(t *testing.T) {
	figure := filepath.Join(t.TempDir(), "figure")
	libtest.Check(t, os.WriteFile(figure, []byte("result: 1\n"), 0o600))
	results, _ := gated(t.Context(),
		check{name: "good", short: []step{"TZ=UTC-5 date -d @0 +result:%k", "echo result: {tmp} 12 good"}},
		check{name: "bad", short: []step{"echo result: 1", "false", "echo result: 2"}},
		check{name: "mute", short: []step{"echo result: 1", "echo results: none"}},
		check{name: "loud", short: []step{step("cat " + figure + " /no/such/file")}},
		check{name: "built", short: []step{"echo Ran 3 tests", "true -c -o x"}},
		check{name: "idle", short: []step{"echo Ran 0 tests"}},
	)
	for i, want := range []string{"passed", "failed", "failed", "failed", "passed", "failed"} {
		if results[i].state != want {
			t.Errorf("%s %s, not %s", results[i].name, results[i].state, want)
		}
	}
	if got := results[0].figures["echo result: {tmp} 12 good"]; len(got) != 1 || got[0] != "/x 12 good" {
		t.Errorf("figures %q", got)
	}
	if got := results[0].figures["TZ=UTC-5 date -d @0 +result:%k"]; !slices.Equal(got, []string{"5"}) {
		t.Errorf("with a variable, the figures are %q", got)
	}
	if got := results[1].figures; len(got) != 1 || !slices.Equal(got["echo result: 1"], []string{"1"}) {
		t.Errorf("a step ran after one that failed: %q", got)
	}
	var report bytes.Buffer
	write(&report, true, time.Minute, results)
	for _, want := range []string{"long form", "[bad](#bad) | failed", "| all | | 1m0s |", "- /x 12 good", "exit status 1", "no figures were printed"} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("no %q in\n%s", want, &report)
		}
	}
}

// TestAlone tests which checks run at the same time: a and b wait for each other, and clock needs both to have ended.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string) []step {
		name = filepath.Join(dir, name)
		libtest.Check(t, os.WriteFile(name, []byte("#!/bin/sh\ncd "+dir+"\n"+text+" && echo result: 1\n"), 0o700))
		return []step{step(name)}
	}
	meet := "echo > %s.begun; for i in $(seq 100); do [ -e %s.begun ] && break; sleep 0.1; done; [ -e %[2]s.begun ] && sleep 0.1 && echo > %[1]s.ended"
	results, log := gated(t.Context(),
		check{name: "a", short: script("a", fmt.Sprintf(meet, "a", "b"))},
		check{name: "clock", short: script("clock", "[ -e a.ended ] && [ -e b.ended ]"), alone: true},
		check{name: "b", short: script("b", fmt.Sprintf(meet, "b", "a"))})
	for _, res := range results {
		if res.state != "passed" {
			t.Errorf("%s %s:\n%s", res.name, res.state, log)
		}
	}
	if lines := strings.Split(strings.TrimSpace(log), "\n"); !strings.HasPrefix(lines[len(lines)-1], "clock          passed   ") {
		t.Errorf("the checks that run alone are not the last:\n%s", log)
	}
}

// TestInterrupt stops a run during its first check.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	results, _ := gated(ctx, check{name: "slow", short: []step{"sleep 60"}}, check{name: "next", short: []step{"sleep 1", "echo result: 1"}})
	for _, res := range results {
		if res.state != "not run" {
			t.Errorf("%s %s after an interruption", res.name, res.state)
		}
	}
	if d := time.Since(start); d > 15*time.Second {
		t.Errorf("stopping took %v", d)
	}
	t.Chdir("../../..")
	report := filepath.Join(t.TempDir(), "report.md")
	libtest.Check(t, os.WriteFile(report, []byte("finished"), 0o600))
	err := gate(ctx, []string{"-short", "-o", report}, io.Discard, io.Discard)
	if text, _ := os.ReadFile(report); err == nil || string(text) != "finished" {
		t.Errorf("after an interruption: %v, the earlier report is %q", err, text)
	}
}

// TestStatus runs a check that fails after one that passes: the command must fail, too.
func TestStatus(t *testing.T) {
	t.Chdir("../../..")
	defer func(all []check) { checks = all }(checks)
	checks = []check{{name: "good", short: []step{"echo result: 1"}}, {name: "bad", short: []step{"false"}}}
	for only, want := range map[string]string{"good": "<nil>", "good,bad": "bad failed"} {
		if err := gate(t.Context(), []string{"-short", "-only", only}, io.Discard, io.Discard); fmt.Sprint(err) != want {
			t.Errorf("-only %s: %v, not %s", only, err, want)
		}
	}
}

// TestArguments tests the errors for wrong arguments.
func TestArguments(t *testing.T) {
	t.Chdir("../../..")
	for args, want := range map[string]string{
		"":                   "one of -short and -long",
		"-short -long":       "one of -short and -long",
		"-short -only x":     `no check is called ["x"]`,
		"-short more":        "no argument expected",
		"-short -j 0":        "want at least 1",
		"-short -o /no/file": "no such file",
	} {
		var stdout, stderr bytes.Buffer
		err := gate(t.Context(), strings.Fields(args), &stdout, &stderr)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", args, err, want)
		}
	}
	var stdout, stderr bytes.Buffer
	libtest.Check(t, gate(t.Context(), []string{"-long", "-list"}, &stdout, &stderr))
	for _, c := range checks {
		if !strings.Contains(stdout.String(), c.name+": "+c.shows) {
			t.Errorf("-list lacks %s", c.name)
		}
	}
}

// TestSteps checks that no step needs a shell.
func TestSteps(t *testing.T) {
	for _, c := range checks {
		for _, s := range append(c.short, c.long...) {
			if strings.ContainsAny(string(s), `"'|;&$`) {
				t.Errorf("%s: %q needs a shell", c.name, s)
			}
		}
	}
}
