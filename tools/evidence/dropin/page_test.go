package dropin

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const page = "../../../docs/drop-in.md"

// followPage runs the code and the commands of a section of docs/drop-in.md, in a folder next to a folder called
// p256k1. It returns the folder, the commands and their output.
func followPage(t *testing.T, heading, file string, count int) (dir string, commands, printed []string) {
	t.Helper()
	libtest.Need(t, "sh")
	text := string(must(os.ReadFile(page)))
	_, section, _ := strings.Cut(text, "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, code, _ := strings.Cut(section, "\n```go\n")
	code, section, found := strings.Cut(code, "\n```\n")
	for _, c := range regexp.MustCompile(`(?m)^    (.+)$`).FindAllStringSubmatch(section, -1) {
		commands = append(commands, c[1])
	}
	if !found || len(commands) != count {
		t.Fatalf("the section has %d commands and this code:\n%s", len(commands), code)
	}

	home := t.TempDir()
	dir = filepath.Join(home, "program")
	check(t, os.Symlink(root, filepath.Join(home, "p256k1")))
	check(t, os.Mkdir(dir, 0o777))
	check(t, os.WriteFile(filepath.Join(dir, file), []byte(code+"\n"), 0o666))
	for _, c := range commands {
		line := strings.ReplaceAll(c, "-count 3", "-benchtime 10x") // the test does not use the times
		t.Log("$ " + line)
		text, err := run(t, dir, []string{"GOFLAGS=", "GOWORK="}, "sh", "-c", line)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		printed = append(printed, text)
	}
	return dir, commands, printed
}

// TestErigonPage follows the section for programs that use Erigon's module.
func TestErigonPage(t *testing.T) {
	if !erigon.buildsHere(t) {
		t.SkipNow()
	}
	_, commands, printed := followPage(t, "Erigon, Kaia and others, without cgo", "recover_test.go", 8)
	for i, want := range map[int]string{
		3: "BenchmarkRecover", 4: "erigontech/secp256k1 v1.3.0, required; ", 6: "BenchmarkRecover", 7: "/compat/erigon\n",
	} {
		if !strings.Contains(printed[i], want) {
			t.Errorf("no %q in what %q prints:\n%s", want, commands[i], printed[i])
		}
	}
}

// TestPage follows the section for programs that use Decred's module and btcec.
func TestPage(t *testing.T) {
	dir, commands, printed := followPage(t, "Three minutes", "sign_test.go", 8)
	for i, want := range map[int]string{
		3: "BenchmarkVerify", 4: "btcec/v2 v2.3.6, required; ", 6: "BenchmarkVerify", 7: "/compat/decred/v4\n",
	} {
		if !strings.Contains(printed[i], want) {
			t.Errorf("no %q in what %q prints:\n%s", want, commands[i], printed[i])
		}
	}
	if text := mustRun(t, dir, "go", "list", "-deps", "-test"); !strings.Contains(text, "\np256k1.mleku.dev/v2/compat/decred\n") {
		t.Errorf("the test is built from %s", text)
	}
	// The output of "p256k1 replace" ends with the commands that undo its changes.
	_, undo, _ := strings.Cut(printed[4], "To undo it:\n")
	lines := regexp.MustCompile(`(?m)^  (go .+)$`).FindAllStringSubmatch(undo, -1)
	for _, line := range lines {
		t.Log("$ " + line[1])
		if text, err := run(t, dir, []string{"GOFLAGS=", "GOWORK="}, "sh", "-c", line[1]); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	if text := mustRun(t, dir, "go", "list", "-deps", "-test"); len(lines) != 2 || strings.Contains(text, "p256k1.mleku.dev/v2") {
		t.Errorf("after %d commands to undo the changes, the test is still built from %s", len(lines), text)
	}
	// The output also says which lines remain.
	if text := mustRun(t, dir, "go", "list", "-m", "github.com/decred/dcrd/dcrec/secp256k1/v4"); !strings.Contains(undo, "do not lower the versions") || !strings.HasSuffix(text, " v4.4.1\n") {
		t.Errorf("the version after undoing the changes is %s", text)
	}
}

// TestPageNames checks that all tests that the page names exist.
func TestPageNames(t *testing.T) {
	var code strings.Builder
	for _, folder := range []string{"compat", "tools/evidence/dropin", "cmd/p256k1"} {
		check(t, filepath.WalkDir(filepath.Join(root, folder), func(name string, _ os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(name, "_test.go") {
				code.Write(must(os.ReadFile(name)))
			}
			return err
		}))
	}
	_, section, _ := strings.Cut(string(must(os.ReadFile(page))), "\n## What differs\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasSuffix(line, "| test |\n") {
			continue
		}
		rows++
		names := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(line, -1)
		if len(names) == 0 {
			t.Errorf("no test for %s", line)
		}
		for _, name := range names {
			if !strings.Contains(code.String(), "\nfunc "+name[1]+"(t *testing.T) {\n") {
				t.Errorf("there is no test %s", name[1])
			}
		}
	}
	if rows < 25 {
		t.Errorf("only %d rows", rows)
	}
}
