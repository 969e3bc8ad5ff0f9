package nostr

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestReadme compiles and runs the program of README.md.
func TestReadme(t *testing.T) {
	if testing.Short() || runtime.GOARCH == "wasm" {
		t.Skip("it is compiled without -short, where there is a go command")
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(blocks) != 1 || bytes.Count(blocks[0][1], []byte("\n")) > 30 {
		t.Fatalf("%d programs, or a long one", len(blocks))
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, blocks[0][1], 0o666); err != nil {
		t.Fatal(err)
	}

	var stream bytes.Buffer
	const n = 1500
	for i := range n {
		text, err := signed(t, int64(i), 1, [][]string{{"t", "\n"}}, libtest.Everything).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 0:
			stream.Write(text)
		case 1:
			stream.WriteString(`["EVENT",` + string(text) + "]")
		case 2:
			stream.WriteString(`["EVENT","feed",` + string(text) + "]")
		}
		stream.WriteByte('\n')
	}
	stream.WriteString("[\"EOSE\",\"feed\"]\nnothing\n" + strings.Replace(publicEvents[0], `"sig":"2`, `"sig":"3`, 1) + "\n" + strings.Replace(publicEvents[0], "blue", "red", 1))
	run := exec.CommandContext(t.Context(), "go", "run", file)
	run.Stdin = &stream
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"\n1500 good events\n",
		"line 1502: nostr: column 2: invalid character 'o' in literal null (expecting 'u')\n",
		"line 1503: nostr: the signature does not verify\n",
		"line 1504: nostr: id is not the SHA-256 of the event, which is ",
	} {
		if !strings.Contains("\n"+string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if n := bytes.Count(out, []byte("\n")); n != 4 {
		t.Errorf("%d lines:\n%s", n, out)
	}
}
