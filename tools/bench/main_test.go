package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// asCommand makes the test's own program behave as the command.
const asCommand = "P256K1_TEST_AS_COMMAND"

// TestMain is also the entry point of the processes that the tests start.
func TestMain(m *testing.M) {
	measure.Worker()
	if os.Getenv(asCommand) != "" || (len(os.Args) >= 2 && os.Args[1] == "cpu") {
		main()
		return
	}
	// The tests run without libsecp256k1, on any machine.
	os.Setenv(libsecp.EnvPath, "/nonexistent/libsecp256k1.so")
	os.Exit(m.Run())
}

// execute runs the command.
func execute(ctx context.Context, t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := newCommand()
	var out, errs bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	err = cmd.ExecuteContext(ctx)
	return out.String(), errs.String(), err
}

// wants checks that a text contains others.
func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// quick returns the flags for a run of a few milliseconds.
func quick(more ...string) []string {
	return append([]string{"--rounds", "2", "--time", "1ms", "--corpus", "4", "--ops", "derive,ecdsa-verify"}, more...)
}

func TestSenders(t *testing.T) {
	out, _, err := execute(t.Context(), t, "senders", "--rounds", "1")
	if err != nil {
		t.Fatal(err)
	}
	wants(t, out, "\n        5000      1  ethereum.Recoverer ", "absent: libsecp256k1-cgo")
}

func TestDefault(t *testing.T) {
	out, errs, err := execute(t.Context(), t, quick()...)
	if err != nil {
		t.Fatal(err)
	}
	wants(t, out, "p256k1 portable", "  btcec ", "  decred ", "absent: libsecp256k1", "/nonexistent/libsecp256k1.so",
		"go run ./tools/bench/native/build", "fewer than 6 rounds", "divided by the time of btcec Go")
	if want := "2 operations in 2 rounds; the report follows at the end\n"; errs != want {
		t.Errorf("standard error: %q, want %q", errs, want)
	}
}

// TestDropIn measures the modules compat/btcec/v2 and compat/decred/v4 in a program that the command builds.
func TestDropIn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	out, errs, err := execute(t.Context(), t, "--engines", "decred-on-p256k1,btcec-on-p256k1", "--ops", "derive,schnorr-verify",
		"--rounds", "1", "--time", "1ms", "--corpus", "4")
	if err != nil || strings.Count(errs, "\n") != 1 {
		t.Fatalf("%v: %s", err, errs)
	}
	wants(t, out, "\n  btcec-on-p256k1 ", "\n  decred-on-p256k1 ", "not in decred-on-p256k1",
		"btcec-on-p256k1: Btcec's API on p256k1")
}

// TestCPU runs the command cpu, with processes for other sets of routines.
func TestCPU(t *testing.T) {
	out, errs, err := execute(t.Context(), t, "cpu", "--turn", "50us")
	if err != nil || errs != "" {
		t.Fatalf("%v: %s", err, errs)
	}
	wants(t, out, "\n```\nprocessor ", " GHz, ", "\nA: ", "\nfield multiplication ", "\necdsa-verify ", " btcec\n",
		"libsecp256k1 is absent")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out, errs, err := execute(ctx, t, "cpu"); !errors.Is(err, context.Canceled) || out != "" || !strings.Contains(errs, "interrupted") {
		t.Errorf("interrupted: %v, %q, %q", err, out, errs)
	}
}

func TestGoBench(t *testing.T) {
	out, errs, err := execute(t.Context(), t, quick("--format", "gobench", "--engines", "p256k1,decred,libsecp256k1", "--baseline", "decred")...)
	if err != nil || strings.Count(errs, "\n") != 1 || !strings.Contains(out, "absent: libsecp256k1") || strings.Contains(out, "openssl") {
		t.Fatalf("%v, %s\n%s", err, errs, out)
	}
	for _, want := range []string{"BenchmarkEcdsaVerify/p256k1\t", "BenchmarkEcdsaVerify/decred\t", "BenchmarkDerive/p256k1\t", "BenchmarkDerive/decred\t"} {
		if strings.Count(out, want) != 2 {
			t.Errorf("not two rounds of %s in\n%s", want, out)
		}
	}
}

func TestMistakes(t *testing.T) {
	for want, args := range map[string][]string{
		"no engine \"nosuch\", want one of p256k1, btcec, ":  {"--engines", "p256k1,nosuch"},
		"no operation \"ecdsa\", want one of ecdsa-verify, ": {"--ops", "ecdsa"},
		"no format \"pdf\", want text or gobench":            {"--format", "pdf"},
		"must be positive":       {"--rounds", "0"},
		"--rounds must":          {"senders", "--rounds", "0"},
		"not among":              {"--baseline", "openssl", "--engines", "p256k1"},
		"none of the engines":    {"--engines", "libsecp256k1"},
		"unknown command":        {"extra"},
		"unknown shorthand flag": {"-x"},
	} {
		if _, _, err := execute(t.Context(), t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}
