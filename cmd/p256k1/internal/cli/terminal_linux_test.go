package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/term"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/pty"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// onTerminal calls f with the two ends of a terminal, and returns what the terminal shows until the program's end of it
// is closed.
func onTerminal(t *testing.T, f func(person, terminal *os.File)) (shown string) {
	t.Helper()
	person, terminal, err := pty.Open()
	libtest.Check(t, err)
	defer person.Close()
	seen := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(person) // ends with an error when the terminal is closed
		seen <- string(b)
	}()
	f(person, terminal)
	terminal.Close()
	select {
	case shown = <-seen:
	case <-time.After(10 * time.Second):
		t.Error("the terminal does not close")
	}
	return shown
}

// TestBars makes, verifies and hashes large files, with standard error on a terminal, and checks that the terminal
// shows the progress in one line of at most 80 columns, and that nothing of it remains.
func TestBars(t *testing.T) {
	dir := t.TempDir()
	key, lines, large := filepath.Join(dir, "key"), filepath.Join(dir, "lines"), filepath.Join(dir, "large")
	libtest.Check(t, errors.Join(os.WriteFile(key, []byte(three), 0o600), os.WriteFile(large, nil, 0o600), os.Truncate(large, 1<<30)))
	for _, c := range []struct{ args, out, want string }{
		{"sample -n 20000", lines, " lines, "},
		{"verify -j 1 " + lines, filepath.Join(dir, "report"), " lines, "},
		{"sign --key " + key + " --file " + large, filepath.Join(dir, "sig"), " megabytes, "},
	} {
		text := onTerminal(t, func(_, terminal *os.File) {
			out := libtest.Must(os.Create(c.out))
			defer out.Close()
			if status := Run(t.Context(), strings.Fields(c.args), Streams{strings.NewReader(""), out, terminal}); status != 0 {
				t.Errorf("%s: status %d", c.args, status)
			}
		})
		drawn := strings.Split(text, "\r")
		if !strings.Contains(text, c.want) || !strings.Contains(text, " %") || drawn[len(drawn)-1] != "" || strings.Contains(text, "\n") {
			t.Errorf("%s: the terminal shows %q", c.args, text)
		}
		for _, d := range drawn {
			if len(d) > 79 {
				t.Errorf("%s: %q is too wide", c.args, d)
			}
		}
	}
}

// TestHidden types a secret key at a terminal, and checks that the terminal does not show the key and keeps its mode.
func TestHidden(t *testing.T) {
	nsec := keyObject(t, run(t, three, "key", "show", "--secret", "--json")).Nsec
	for typed, want := range map[string]result{
		three + "\r":                          {0, threePublic, ""},
		"0x" + strings.ToUpper(three) + "\n":  {0, threePublic, ""},
		nsec + "\r":                           {0, threePublic, ""},
		three[:63] + "45\x7f\b3\r":            {0, threePublic, ""},
		"\x7f" + nsec + "\x15" + three + "\r": {0, threePublic, ""},
		three + "\x04":                        {0, threePublic, ""},
		"\x04":                                {2, "", "the secret key that was typed: 0 characters"},
		"\r":                                  {2, "", "the secret key that was typed: 0 characters"},
		three[:20] + "\x03":                   {StatusInterrupted, "", ""},
		three + three + "\r":                  {2, "", "the secret key that was typed: 128 characters"},
		strings.Repeat("7", maxSecret) + "\r": {2, "", "the secret key that was typed: more than 1023 bytes"},
		nsec[:5] + "\x1b[D" + nsec[5:] + "\r": {2, "", "the secret key that was typed: nip19: malformed: nsec of 66 characters"},
	} {
		var out bytes.Buffer
		errs := &watcher{seen: "not shown"}
		status := 0
		text := onTerminal(t, func(person, terminal *os.File) {
			before := libtest.Must(term.GetState(int(terminal.Fd())))
			errs.then = func() { person.WriteString(typed) }
			status = Run(t.Context(), []string{"key", "show"}, Streams{terminal, &out, errs})
			if after := libtest.Must(term.GetState(int(terminal.Fd()))); !reflect.DeepEqual(before, after) {
				t.Errorf("%q: the terminal is in another mode", typed)
			}
		})
		if text != "" {
			t.Errorf("%q: the terminal shows %q", typed, text)
		}
		asked, said, _ := strings.Cut(errs.String(), "\n")
		if status != want.status || !strings.Contains(out.String(), want.out) || !strings.HasPrefix(asked, "Secret key") || !strings.Contains(said, want.err) || (want.err == "" && said != "") {
			t.Errorf("%q: status %d, %s, %s", typed, status, out.String(), errs.String())
		}
	}
}

// TestTyped verifies lines that are typed at a terminal, which is said, and a file, which is not said.
func TestTyped(t *testing.T) {
	for _, args := range []string{"verify", "verify testdata/range/good.jsonl"} {
		text := onTerminal(t, func(person, terminal *os.File) {
			libtest.Must(person.WriteString("{}\n\x04"))
			Run(t.Context(), strings.Fields(args), Streams{terminal, io.Discard, terminal})
			Run(t.Context(), strings.Fields(args), Streams{strings.NewReader("{}"), io.Discard, terminal})
		})
		if n := strings.Count(text, "p256k1: reading lines from the terminal\r\n"); n != strings.Count("verify", args) {
			t.Errorf("%s: the terminal shows %q", args, text)
		}
	}
}

// TestFullDisk writes a key to a file that can have only 10 bytes. The command must remove the file, and print nothing.
func TestFullDisk(t *testing.T) {
	var before syscall.Rlimit
	libtest.Check(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	path := filepath.Join(t.TempDir(), "key")
	libtest.Check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 10, Max: before.Max}))
	r := run(t, "", "key", "new", "--out", path)
	libtest.Check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
	r.expect(t, StatusError, "", "file too large")
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an incomplete key file: %v", err)
	}
}
