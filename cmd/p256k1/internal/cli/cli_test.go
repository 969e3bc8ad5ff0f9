package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/platform"
)

// result is the output and the exit status of a command.
type result struct {
	status   int
	out, err string
}

// run runs a command as the program does.
func run(t *testing.T, in string, args ...string) result {
	t.Helper()
	return runIn(t.Context(), strings.NewReader(in), args...)
}

func runIn(ctx context.Context, in io.Reader, args ...string) result {
	var out, err bytes.Buffer
	status := Run(ctx, args, Streams{In: in, Out: &out, Err: &err})
	return result{status, out.String(), err.String()}
}

// expect checks the exit status, and that the outputs contain the given texts. Errors end with err if err is a line.
func (r result) expect(t *testing.T, status int, out, err string) {
	t.Helper()
	if r.status != status || !strings.Contains(r.out, out) || !strings.Contains(r.err, err) ||
		(out == "" && r.out != "") || (err == "" && r.err != "") || (strings.HasSuffix(err, "\n") && !strings.HasSuffix(r.err, err)) {
		t.Errorf("status %d, output:\n%serrors:\n%swant %d, %q, %q", r.status, r.out, r.err, status, out, err)
	}
}

// withhold checks that the outputs do not contain secrets.
func (r result) withhold(t *testing.T, secrets ...string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(strings.ToLower(r.out+r.err), strings.ToLower(secret)) {
			t.Errorf("the secret %s is in %s%s", secret, r.out, r.err)
		}
	}
}

// file writes a file and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	libtest.Check(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestUsage runs the commands of testdata/usage.txt. A line has the exit status, the arguments, standard input after <,
// a part of the output after →, and a part of the errors after ⇒. The output and the errors are empty without an arrow.
// They never contain the key coffee.
func TestUsage(t *testing.T) {
	t.Setenv("GOWORK", "off") // replace is given folders that the go.work uses
	commands := strings.Split(strings.TrimSuffix(string(libtest.Must(os.ReadFile("testdata/usage.txt"))), "\n"), "\n")
	for _, line := range commands {
		line, errs, _ := strings.Cut(strings.ReplaceAll(line, `\n`, "\n"), " ⇒ ")
		line, out, _ := strings.Cut(line, " → ")
		line, in, _ := strings.Cut(line, " < ")
		words := strings.Fields(line)
		r := run(t, in, words[1:]...)
		r.expect(t, int(words[0][0]-'0'), out, errs)
		r.withhold(t, coffee[:20], coffeeNsec)
	}
	if len(commands) != 359 {
		t.Errorf("%d commands", len(commands))
	}
}

// TestWidth checks that help fits terminals of 80 columns.
func TestWidth(t *testing.T) {
	for _, command := range []string{"", "verify", "sample", "key", "key new", "key show", "sign", "recover", "ecdh", "replace", "version", "help"} {
		for line := range strings.Lines(run(t, "", append(strings.Fields(command), "--help")...).out) {
			if utf8.RuneCountInString(line) > 80+len("\n") {
				t.Errorf("%s --help: %s", command, line)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	run(t, "", "version").expect(t, 0, "backend   "+platform.Name(), "")
	for backend, want := range map[string]string{
		"x86-64 (BMI2, ADX, AVX2, AVX-512 IFMA)": "p256k1 with AVX-512 IFMA",
		"x86-64 (BMI2, ADX, AVX2, AVX-512)":      "p256k1 with BMI2, ADX, AVX2",
		"x86-64 (BMI2, ADX, AVX2, FMA, AVX-512)": "p256k1 with BMI2, ADX, AVX2",
		"x86-64 (BMI2, ADX, AVX2)":               "p256k1 with BMI2, ADX, AVX2",
		"portable, lanes for x86-64 (AVX2, FMA)": "no column",
		platform.Portable:                        "no column",
		"ARM64":                                  "no column",
	} {
		if got := column(backend); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", backend, got, want)
		}
	}
	run(t, "", "version").expect(t, 0, "the table of speeds: "+column(platform.Name()), "")
	run(t, "", "version", "--json").expect(t, 0, `"backend":"`+platform.Name()+`"`, "")
	run(t, "", "--version").expect(t, 0, "p256k1 version", "")
}

// TestDescribe describes builds with and without what the go command records.
func TestDescribe(t *testing.T) {
	info := &debug.BuildInfo{
		Main: debug.Module{Version: "v1.2.3"}, Deps: []*debug.Module{{Path: "other", Version: "v9.0.0"}, {Path: library, Version: "v2.0.1"}, {Path: "z"}},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "noon"}, {Key: "vcs.modified", Value: "false"}},
	}
	expect := func(want string) {
		t.Helper()
		want += "go        " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\nbackend   "
		if got := describe(info).String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	expect("p256k1    v1.2.3\nlibrary   " + library + " v2.0.1\ncommit    abc of noon\n")
	info.Settings[2].Value = "true"
	info.Deps[1].Replace = new(debug.Module)
	expect("p256k1    v1.2.3\nlibrary   " + library + " (devel)\ncommit    abc of noon, modified since\n")
	info.Settings, info.Deps[1] = nil, &debug.Module{Path: library}
	expect("p256k1    v1.2.3\nlibrary   " + library + " (devel)\n")
	info = new(debug.BuildInfo)
	expect("p256k1    (devel)\n")
}

func TestIsRelease(t *testing.T) {
	for version, want := range map[string]bool{
		"(devel)": false, "": false, "v0.1.0": true, "v0.2.0-rc.1": true, "v0.1.0+dirty": false,
		"v0.0.0-20261122170000-0123456789ab": false, "v0.1.1-0.20261122170000-0123456789ab": false,
	} {
		if got := isRelease(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}

func TestReplace(t *testing.T) {
	dir := filepath.Dir(file(t, ""))
	const text = "module m\n\ngo 1.26.0\n\nrequire github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.1\n"
	name := filepath.Join(dir, "go.mod")
	libtest.Check(t, os.WriteFile(name, []byte(text), 0o600))
	local := []string{"replace", "--local", "../../../..", dir}
	run(t, "", local...).expect(t, 0, "\tp256k1.mleku.dev/v2 => ", "")
	if b, err := os.ReadFile(name); err != nil || string(b) != text {
		t.Errorf("%v; written without -w: %s", err, b)
	}
	run(t, "", "replace", "-w", dir).expect(t, 2, "", "--local") // the test binary is not a release
	run(t, "", append(local, "-w")...).expect(t, 0, "Written at the end of go.mod", "")
	run(t, "", append(local, "--write")...).expect(t, 0, "are already in go.mod, and nothing is written", "")
	if b, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(b), text+"\nreplace (\n") || strings.Count(string(b), "=>") != 2 {
		t.Errorf("%v; %s", err, b)
	}
}
