//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/cli"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// asCommand makes the test binary behave as the command, which exits, or waits while its memory is searched.
const asCommand = "P256K1_TEST_AS_COMMAND"

// waitToBeSearched does the work of the command, but does not exit. On file 3 it reports that it is done, and on file 4
// it waits to hear that its memory has been searched.
func waitToBeSearched(args []string) {
	ready, searched := os.NewFile(3, "ready"), os.NewFile(4, "searched")
	status := cli.Run(context.Background(), args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	ready.Write([]byte{byte(status)})
	searched.Read(make([]byte, 1))
}

func TestMain(m *testing.M) {
	switch os.Getenv(asCommand) {
	case "exit":
		main()
	case "wait":
		waitToBeSearched(os.Args[1:])
	default:
		os.Exit(m.Run())
	}
}

// self returns the path of the test binary.
func self(t *testing.T) string {
	t.Helper()
	return libtest.Must(os.Executable())
}

func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), self(t), args...)
	c.Env = append(os.Environ(), asCommand+"=exit")
	return c
}

// hold runs a command up to the point where it would exit, and returns its status and a function that ends it.
func hold(t *testing.T, c *exec.Cmd) (status int, end func()) {
	t.Helper()
	readyIn, ready, err1 := os.Pipe()
	searched, searchedOut, err2 := os.Pipe()
	libtest.Check(t, errors.Join(err1, err2))
	defer readyIn.Close()
	c.Env = append(os.Environ(), append([]string{asCommand + "=wait"}, c.Env...)...)
	c.ExtraFiles = []*os.File{ready, searched}
	err := c.Start()
	ready.Close()
	searched.Close()
	libtest.Check(t, err)
	var answer [1]byte
	libtest.Must(io.ReadFull(readyIn, answer[:]))
	return int(answer[0]), func() {
		searchedOut.Close()
		c.Wait()
	}
}

// TestSignal sends the signal of Ctrl-C while standard input is open.
func TestSignal(t *testing.T) {
	c := command(t, "verify")
	in := libtest.Must(c.StdinPipe())
	out := libtest.Must(c.StdoutPipe())
	libtest.Check(t, c.Start())
	libtest.Must(io.WriteString(in, "{}\n"))
	r := bufio.NewReader(out)
	if line, err := r.ReadString('\n'); !strings.HasPrefix(line, "-:1: unreadable") {
		t.Errorf("%q, %v", line, err)
	}
	libtest.Check(t, c.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(r)
	if err != nil || !bytes.HasPrefix(rest, []byte("interrupted; so far:\n0 signatures good, 0 bad, 1 unreadable line\n")) {
		t.Errorf("%q, %v", rest, err)
	}
	c.Wait()
	if got := c.ProcessState.ExitCode(); got != 130 {
		t.Errorf("status %d", got)
	}
}

// TestHead reads one line and closes the pipe, as head -1 does.
func TestHead(t *testing.T) {
	c := command(t, "sample", "-n", "1000000000")
	var errs bytes.Buffer
	c.Stderr = &errs
	out := libtest.Must(c.StdoutPipe())
	libtest.Check(t, c.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "{") || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	out.Close()
	c.Wait()
	if got := c.ProcessState.ExitCode(); got != 141 || errs.Len() > 0 {
		t.Errorf("status %d, %s", got, errs.String())
	}
}
