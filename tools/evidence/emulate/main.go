//go:build linux

// Command emulate runs a program on an emulated processor with AVX-512 IFMA, so that code for AVX-512 IFMA can be
// tested on machines that lack it:
//
//	CGO_ENABLED=0 go test -c -o lanes.test ./internal/lanes
//	go run ./tools/evidence/emulate lanes.test -test.short
//
// It needs Bochs, and files to boot from a CD: the Debian packages bochs, bochs-term, bochsbios, vgabios, ncurses-base,
// isolinux, syslinux-common and xorriso. The kernel is Debian's kernel for virtual machines. apt-get downloads it once
// into the user's cache, without installing it. The command needs no root privileges, no KVM and, after the download,
// no network.
//
// The program must be linked statically. It receives its arguments, GODEBUG, CI and variables that begin with P256K1_
// except P256K1_VECTORS, and finds an empty /tmp and no files of this machine. The output and the exit status of the
// program become the output and the exit status of this command. Status 125 means that the machine did not run the
// program.
//
// A program takes about 200 times as long as on a processor. It runs with GODEBUG=cpu.adx=off, because Bochs 2.7
// computes ADOX wrongly, and with P256K1_EMULATED=1. The clock of the emulated machine counts instructions.
package main

import (
	"bufio"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

const statusFailed = 125

func main() {
	limit := flag.Duration("time", 10*time.Minute, "time limit for the start of the machine and the program")
	verbose := flag.Bool("v", false, "show the kernel's messages")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeoutCause(ctx, *limit, fmt.Errorf("not done after %v", *limit))
	defer cancel()
	status, err := run(ctx, flag.Args(), *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "emulate:", err)
		status = statusFailed
	}
	os.Exit(status)
}

// run runs a program with its arguments in a new machine and returns its exit status.
func run(ctx context.Context, args []string, verbose bool) (status int, err error) {
	defer must.Recover(&err)
	if len(args) == 0 {
		must.Fail("which program? (go doc ./tools/evidence/emulate)")
	}
	dir := must.Get(os.MkdirTemp("", "emulate"))
	defer os.RemoveAll(dir)
	disc(ctx, dir, args, verbose)
	must.Do(os.WriteFile(filepath.Join(dir, "machine"), machine, 0o600))
	must.Do(os.WriteFile(filepath.Join(dir, "commands"), []byte("continue\n"), 0o600)) // Debian's Bochs starts in its debugger
	console, serial, err := os.Pipe()
	must.Do(err)
	defer console.Close()
	running, end := context.WithCancel(ctx)
	defer end()
	bochs := exec.CommandContext(running, "bochs-bin", "-q", "-f", "machine", "-rc", "commands", "-log", "log")
	bochs.Dir = dir
	bochs.Env = append(os.Environ(), "TERM=vt100") // for the screen of the machine, which is not shown
	bochs.ExtraFiles = []*os.File{serial}
	bochs.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = bochs.Start()
	serial.Close()
	must.Do(err)
	status = listen(os.Stdout, console)
	end()
	err = bochs.Wait()
	switch {
	case status >= 0:
		return status, nil
	case ctx.Err() != nil:
		return status, context.Cause(ctx)
	default:
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		return status, fmt.Errorf("the machine ended before the program did: %v\n%s", err, log[max(0, len(log)-2000):])
	}
}

// listen copies the console up to the line with the program's status, which it returns. If there is no such line, it
// returns −1.
func listen(to io.Writer, console io.Reader) int {
	for r := bufio.NewReader(console); ; {
		line, err := r.ReadString('\n')
		line = strings.TrimRight(line, "\r\n")
		if s, ok := strings.CutPrefix(line, "emulate: status "); ok {
			if status, err := strconv.Atoi(s); err == nil {
				return status
			}
		}
		if line != "" {
			fmt.Fprintln(to, line)
		}
		if err != nil {
			return -1
		}
	}
}

// machine describes the emulated machine: the first processor with IFMA, a CD, and a serial line, which is a pipe.
// Later processors have GFNI and BITALG, which Go's garbage collector uses and Bochs 2.7 computes wrongly.
//
//go:embed machine.bochsrc
var machine []byte
