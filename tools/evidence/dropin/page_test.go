package dropin

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// section returns a section of docs/drop-in.md.
func section(heading string) string {
	_, text, _ := strings.Cut(string(read(root, "docs", "drop-in.md")), "\n## "+heading+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// shell runs a command with the settings of a user, and returns its output.
func shell(t *testing.T, dir, line string) string {
	t.Helper()
	t.Log("$ " + line)
	text, err := run(t, dir, []string{"GOFLAGS=", "GOWORK="}, "sh", "-c", line)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return text
}

// followPage runs the code and the eight commands of a section of docs/drop-in.md, in a folder next to a folder called
// p256k1. It checks that some commands print a text, and returns the folder and the output of "p256k1 replace".
func followPage(t *testing.T, heading, file, benchmark, required, replacement string) (dir, report string) {
	t.Helper()
	libtest.Need(t, "sh")
	_, code, _ := strings.Cut(section(heading), "\n```go\n")
	code, rest, found := strings.Cut(code, "\n```\n")
	commands := regexp.MustCompile(`(?m)^    (.+)$`).FindAllStringSubmatch(rest, -1)
	if !found || len(commands) != 8 {
		t.Fatalf("the section has %d commands and this code:\n%s", len(commands), code)
	}
	home := t.TempDir()
	dir = filepath.Join(home, "program")
	libtest.Check(t, os.Symlink(root, filepath.Join(home, "p256k1")))
	libtest.Check(t, os.Mkdir(dir, 0o777))
	write(t, dir, file, []byte(code+"\n"))
	want := map[int]string{3: benchmark, 4: required + ", required; ", 6: benchmark, 7: replacement + "\n"}
	for i, c := range commands {
		text := shell(t, dir, strings.ReplaceAll(c[1], "-count 3", "-benchtime 10x")) // the test does not use the times
		if !strings.Contains(text, want[i]) {
			t.Errorf("no %q in what %q prints:\n%s", want[i], c[1], text)
		}
		if i == 4 {
			report = text
		}
	}
	return dir, report
}

// TestErigonPage follows the section for programs that use Erigon's module.
func TestErigonPage(t *testing.T) {
	erigon.needC(t)
	followPage(t, "Erigon, Kaia and others, without cgo", "recover_test.go",
		"BenchmarkRecover", "erigontech/secp256k1 v1.3.0", "/compat/erigon")
}

// TestPage follows the section for programs that use Decred's module and btcec.
func TestPage(t *testing.T) {
	dir, report := followPage(t, "Three minutes", "sign_test.go", "BenchmarkVerify", "btcec/v2 v2.3.6", "/compat/decred/v4")
	if text := mustRun(t, dir, "go", "list", "-deps", "-test"); !strings.Contains(text, "\np256k1.mleku.dev/v2/compat/decred\n") {
		t.Errorf("the test is built from %s", text)
	}
	// The output of "p256k1 replace" ends with the commands that undo its changes.
	_, undo, _ := strings.Cut(report, "To undo it:\n")
	lines := regexp.MustCompile(`(?m)^  (go .+)$`).FindAllStringSubmatch(undo, -1)
	for _, line := range lines {
		shell(t, dir, line[1])
	}
	if text := mustRun(t, dir, "go", "list", "-deps", "-test"); len(lines) != 2 || strings.Contains(text, "p256k1.mleku.dev/v2") {
		t.Errorf("after %d commands to undo the changes, the test is still built from %s", len(lines), text)
	}
	// The output also says which lines remain.
	text := mustRun(t, dir, "go", "list", "-m", decred.path)
	if !strings.Contains(undo, "do not lower the versions") || !strings.HasSuffix(text, " v4.4.1\n") {
		t.Errorf("the version after undoing the changes is %s", text)
	}
}

// TestPageNames checks that all tests that the page names exist.
func TestPageNames(t *testing.T) {
	exists := testsIn(t, "compat", "tools/evidence/dropin", "cmd/p256k1")
	rows := 0
	for line := range strings.Lines(section("What differs")) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasSuffix(line, "| test |\n") {
			continue
		}
		rows++
		names := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(line, -1)
		if len(names) == 0 {
			t.Errorf("no test for %s", line)
		}
		for _, name := range names {
			if !exists[name[1]] {
				t.Errorf("there is no test %s", name[1])
			}
		}
	}
	if rows < 25 {
		t.Errorf("only %d rows", rows)
	}
}
