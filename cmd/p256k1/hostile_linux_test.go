package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// mostMemory is the largest amount of memory that the command may use for any file, with two jobs.
const mostMemory = 200 << 20

// limited runs verify with two jobs, checks that its peak memory is at most mostMemory, and returns its status and
// output.
func limited(t *testing.T, in io.Reader) (status int, out string) {
	t.Helper()
	var b bytes.Buffer
	c := exec.CommandContext(t.Context(), self(t), "verify", "-j", "2")
	c.Stdin, c.Stdout, c.Stderr = in, &b, &b
	status, end := hold(t, c)
	memory, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
	end()
	libtest.Check(t, err)
	_, most, _ := strings.Cut(string(memory), "VmHWM:")
	var kib int
	libtest.Must(fmt.Sscanf(most, "%d kB", &kib))
	t.Logf("memory of %d MiB", kib>>10)
	if kib<<10 > mostMemory {
		t.Error("want less memory")
	}
	return status, b.String()
}

// repeated returns a reader of the given number of copies of a text.
func repeated(text string, times int) io.Reader {
	readers := make([]io.Reader, times)
	for i := range readers {
		readers[i] = strings.NewReader(text)
	}
	return io.MultiReader(readers...)
}

// zstdBomb returns zstd data of the given number of blocks. Each block decompresses to 128 KiB of zeros, and the header
// allows references 64 MiB back.
func zstdBomb(blocks int) string {
	const size, rle, last = 128 << 10 << 3, 1 << 1, 1
	block := func(head int) string {
		return string([]byte{byte(head), byte(head >> 8), byte(head >> 16), 0})
	}
	return "\x28\xb5\x2f\xfd\x00\x80" + strings.Repeat(block(size|rle), blocks-1) + block(size|rle|last)
}

// TestHostile verifies hostile files, and checks the error messages and the peak memory.
func TestHostile(t *testing.T) {
	packed := func(text []byte) string { return string(libtest.Gzip(text)) }
	zeros := strings.Repeat("0", 64)
	event := `{"id":"` + zeros + `","pubkey":"` + zeros + `","created_at":1,"kind":1,"tags":[],"content":"`
	end := `","sig":"` + zeros + zeros + `"}` + "\n"
	row := `{"t":"schnorr","pub":"` + zeros + `","h":"` + strings.Repeat("0", 15<<20) + `","sig":"` + zeros + zeros + `"}` + "\n"
	const tooLong, wrongID = "-:1: unreadable: longer than 16777216 bytes\n", ":1: bad event: id is not the SHA-256 of the event"
	for _, c := range []struct {
		name   string
		in     io.Reader
		status int
		want   string
	}{
		{"one line in gzip", repeated(packed(make([]byte, 4<<20)), 64), 1, tooLong},
		{"empty lines in gzip", repeated(packed(bytes.Repeat([]byte("\n"), 1<<20)), 8), 2, "nothing to check"},
		{"lines of spaces in gzip", repeated(packed(append(bytes.Repeat([]byte(" "), 1<<20), '\n')), 256), 2, "nothing to check"},
		{"lines over the longest", repeated(strings.Repeat("x", 16<<20+1)+"\n", 16), 1, "16 unreadable lines"},
		{"lines of spaces", repeated(strings.Repeat(" ", 1<<20)+"\n", 256), 2, "nothing to check"},
		{"one line in zstd", strings.NewReader(zstdBomb(8 << 10)), 1, tooLong},
		{"long events", repeated(event+strings.Repeat("x", 15<<20)+end, 8), 1, wrongID},
		{"long events with escape sequences", repeated(event+strings.Repeat(`\u0001`, 15<<20/6)+end, 8), 1, wrongID},
		{"long rows", repeated(row, 8), 1, ":1: bad schnorr: "},
		{"long rows of CSV", io.MultiReader(strings.NewReader("t,pub,h,sig\n"), repeated(strings.ReplaceAll("schnorr,"+zeros+",H,"+zeros+zeros+"\n", "H", strings.Repeat("0", 15<<20)), 8)), 1, "-:9: bad schnorr: "},
		{"quotation marks", io.MultiReader(strings.NewReader("t,pub,h,sig\n"), repeated(`schnorr,x,"`+strings.Repeat(`""`, 15<<19)+"\",x\n", 8)), 1, "-:9: bad schnorr: "},
		{"commas", io.MultiReader(strings.NewReader("t,pub,h,sig\n"), repeated("\"\""+strings.Repeat(",", 15<<20)+"\n", 8)), 1, "-:9: unreadable: 15728641 values, want 4"},
		{"names of CSV", repeated("t,pub,h,sig"+strings.Repeat(",", 60<<10)+"\n", 2000), 1, "1,999 unreadable lines"},
		{"NULs in CSV", strings.NewReader("t,pub,h,sig\nschnorr,\x00,,\n"), 1, `-:2: bad schnorr: pub has`},
		{"names", repeated(`{"a":[`+strings.Repeat(`{"a":1},`, 1<<20)+"1]}\n", 8), 1, "-:8: unreadable: neither a Nostr event nor"},
		{"lines", repeated(strings.Repeat("0\n", 1<<20), 1), 1, "1,048,576 unreadable lines"},
		{"NULs", repeated("\x00", 1<<20), 1, `-:1: unreadable: column 1: invalid character '\x00' at start of value`},
		{"NULs in a string", strings.NewReader(event + "\x00" + end), 1, `invalid character '\x00' in string (expecting non-control character)`},
		{"invalid UTF-8", strings.NewReader(event + "\xff" + end), 1, "invalid UTF-8"},
		{"half of a pair", strings.NewReader(event + `\ud800` + end), 1, `-:1: unreadable: column 195: invalid surrogate pair`},
		{"a name twice", strings.NewReader(event + `","id":"` + end), 1, `duplicate name "id"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out := limited(t, c.in)
			if status != c.status || !strings.Contains(out, c.want) {
				t.Errorf("status %d, %.1000s", status, out)
			}
		})
	}
}

// TestFullDisk verifies lines, and writes the output to /dev/full, a device that is always full.
func TestFullDisk(t *testing.T) {
	full := libtest.Must(os.OpenFile("/dev/full", os.O_WRONLY, 0))
	defer full.Close()
	for _, in := range []string{"{}\n", strings.Repeat("{}\n", 100000)} {
		for _, flag := range []string{"--json=false", "--json"} {
			c := command(t, "verify", flag)
			var errs bytes.Buffer
			c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), full, &errs
			c.Run()
			if got := c.ProcessState.ExitCode(); got != 2 || !strings.Contains(errs.String(), "no space left on device") {
				t.Errorf("status %d, %s", got, errs.String())
			}
		}
	}
}

// TestSecretsLost lets the output of each command that has a secret fail: on /dev/full, in a pipe that nobody reads,
// and in a file that may not grow. Standard error must have the reason, or nothing for the pipe, and no more.
func TestSecretsLost(t *testing.T) {
	full := libtest.Must(os.OpenFile("/dev/full", os.O_WRONLY, 0))
	defer full.Close()
	unread, pipe, err := os.Pipe()
	libtest.Check(t, errors.Join(err, unread.Close()))
	defer pipe.Close()
	path := filepath.Join(t.TempDir(), "new.key")
	agree := "ecdh --pub 02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9 --form "
	for _, args := range []string{
		"key new", "key new --json", "key new --out " + path, "key show", "key show --secret", "key show --secret --json",
		agree + "x", agree + "sha256", agree + "nip44", "sign --digest " + strings.Repeat("07", 32), "sign --json --digest " + strings.Repeat("07", 32),
	} {
		for want, out := range map[string]*os.File{
			"p256k1: write /dev/stdout: no space left on device\n": full, "": pipe, "p256k1: write " + path + ": file too large\n": nil,
		} {
			if out == nil && !strings.Contains(args, path) {
				continue
			}
			c := command(t, strings.Fields(args)...)
			var errs bytes.Buffer
			c.Stdin, c.Stdout, c.Stderr = strings.NewReader(strings.Repeat("07", 32)), out, &errs
			var limit unix.Rlimit
			libtest.Check(t, unix.Getrlimit(unix.RLIMIT_FSIZE, &limit))
			if out == nil { // the new process inherits the limit
				libtest.Check(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Max: limit.Max}))
			}
			err := c.Start()
			libtest.Check(t, errors.Join(err, unix.Setrlimit(unix.RLIMIT_FSIZE, &limit)))
			c.Wait()
			os.Remove(path)
			if errs.String() != want || c.ProcessState.Success() {
				t.Errorf("%s: %v, %q, want %q", args, c.ProcessState, errs.String(), want)
			}
		}
	}
}
