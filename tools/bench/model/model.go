// Package model counts the instructions of operations on ARM64 in an emulator, and predicts cycles from them. It needs
// no ARM64 hardware, but its predictions do not replace measurements, which "bench cpu" makes.
//
// QEMU's user emulation prints each block of instructions when it translates the block, and one line each time that it
// runs the block. The package reads from both which instructions a program executes between two calls of main.mark.
// llvm-mca predicts their cycles, without cache misses and branch mispredictions.
package model

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// root is the folder in which Debian's libc6-arm64-cross puts the loader of programs that open shared libraries.
const root = "/usr/aarch64-linux-gnu"

// Available returns an error if the machine lacks the emulator or the loader.
func Available() error {
	_, err := exec.LookPath("qemu-aarch64")
	if err == nil {
		_, err = os.Stat(filepath.Join(root, "lib", "ld-linux-aarch64.so.1"))
	}
	if err != nil {
		return fmt.Errorf("apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross: %w", err)
	}
	return nil
}

// Build builds the program whose instructions are counted, into dir, and returns its path. Errors are panics of package
// must, as in Trace and Cycles.
func Build(ctx context.Context, dir string) string {
	program := filepath.Join(dir, "work")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, "p256k1.mleku.dev/v2/tools/bench/model/work")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOFLAGS=")
	must.Get(must.Output(cmd))
	return program
}

// Trace runs the program, which calls each operation the given number of times. Trace returns the executed instructions
// of each operation.
func Trace(ctx context.Context, program string, calls int, args ...string) [][]string {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, "qemu-aarch64", append([]string{"-L", root, "-d", "nochain,exec,in_asm", "-D", "/dev/stdout", program, strconv.Itoa(calls)}, args...)...)
	// Neither the garbage collector nor the scheduler may interrupt the code that is counted.
	cmd.Env = append(os.Environ(), "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out := must.Get(cmd.StdoutPipe())
	must.Do(cmd.Start())
	parts, err := parse(out)
	if err != nil {
		stop()
	}
	failed := cmd.Wait()
	must.Do(err)
	if failed != nil {
		must.Fail("model: %s %v: %w: %s", filepath.Base(program), args, failed, stderr.String())
	}
	return parts
}

// parse reads the output of QEMU, which prints blocks,
//
//	IN: main.mark
//	0x001a89c0:  d65f03c0  ret
//
// and one line each time that a virtual processor, here 3, runs a block:
//
//	Trace 3: 0x7f7db75e9a40 [0000000001009331/00000000001a89c0/00000001/00080200] main.mark
func parse(r io.Reader) (parts [][]string, err error) {
	blocks := map[uint64][]string{}
	var block uint64 // the address of the block that is being read, or 0
	var part []string
	counting, processor := false, ""
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "IN:"):
			block = 0
		case strings.HasPrefix(line, "0x"):
			address, rest, _ := strings.Cut(line, ":")
			_, text, found := strings.Cut(strings.TrimSpace(rest), " ")
			start, err := strconv.ParseUint(address, 0, 64)
			if err != nil || !found {
				return nil, fmt.Errorf("model: qemu printed %q", line)
			}
			if block == 0 {
				block = start
				blocks[block] = nil
			}
			blocks[block] = append(blocks[block], strings.TrimSpace(text))
		case strings.HasPrefix(line, "Trace "):
			fields := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" :[]/", c) })
			if len(fields) < 7 {
				return nil, fmt.Errorf("model: qemu printed %q", line)
			}
			marked := fields[len(fields)-1] == "main.mark"
			switch {
			case marked && !counting:
				counting, processor, part = true, fields[1], nil
			case marked:
				counting, parts = false, append(parts, part)
			case counting && fields[1] == processor:
				target, err := strconv.ParseUint(fields[4], 16, 64)
				if err != nil || blocks[target] == nil {
					return nil, fmt.Errorf("model: no block for %q", line)
				}
				part = append(part, blocks[target]...)
			}
		}
	}
	if counting {
		return nil, fmt.Errorf("model: the program ended between two marks")
	}
	return parts, lines.Err()
}

// Cores lists the cores whose tables in LLVM are good enough, by LLVM's names. LLVM's tables for Cortex-A72 and A76,
// and for Apple's cores, are tables of other cores, or have wrong entries for products.
var Cores = []string{"neoverse-n1", "neoverse-v1", "neoverse-v2"}

// predictor returns the path of an llvm-mca that has tables of the cores.
func predictor() (string, error) {
	for _, name := range []string{"llvm-mca-22", "llvm-mca-21", "llvm-mca-20", "llvm-mca-19"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("model: llvm-mca 19 to 22 is absent: apt-get install llvm-19")
}

// target matches an instruction with an address, which is replaced by a label in the input of llvm-mca.
var target = regexp.MustCompile(`^((?:b|b\.\w+|cbn?z|tbn?z|adrp?)\s.*)#0x[0-9a-f]+$`)

// call matches calls, returns and indirect branches, which llvm-mca would count as 100 cycles.
var call = regexp.MustCompile(`^(bl\s.*|blr\s.*|ret.*|br\s.*)$`)

// Cycles predicts the cycles of executed instructions on a core.
func Cycles(ctx context.Context, core string, instructions []string) int {
	cmd := exec.CommandContext(ctx, must.Get(predictor()), "-mtriple=aarch64", "-mcpu="+core, "-iterations=1", "-instruction-info=false",
		"-resource-pressure=false", "-skip-unsupported-instructions=parse-failure")
	var text strings.Builder
	for _, in := range instructions {
		in = target.ReplaceAllString(in, "${1}L")
		text.WriteString(call.ReplaceAllString(in, "b L") + "\n")
	}
	cmd.Stdin = strings.NewReader(text.String())
	for line := range strings.Lines(must.Get(must.Output(cmd))) {
		if cycles, ok := strings.CutPrefix(line, "Total Cycles:"); ok {
			return must.Get(strconv.Atoi(strings.TrimSpace(cycles)))
		}
	}
	must.Fail("model: llvm-mca printed no cycles")
	return 0
}
