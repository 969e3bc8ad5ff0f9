package measure

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/native"
)

// CName is the engine name of CProgram.
const CName = "libsecp256k1 own loop"

// CProgram is the benchmark program of libsecp256k1, whose loops are in C.
type CProgram struct {
	Build native.Build // by package native
}

func (CProgram) label() string { return engine.Info{Name: CName, Backend: "C"}.Label() }

// Info implements Runner.
func (p CProgram) Info() engine.Info {
	return engine.Info{
		Name: CName, Backend: "C",
		Version: fmt.Sprintf("%s (%.12s), %s %s", p.Build.Version, p.Build.Revision, p.Build.Compiler, p.Build.Flags[0]),
		Path:    p.Build.Bench, SHA256: engine.FileSHA256(p.Build.Bench),
		Notes: []string{"Its own benchmark program: loops in C, on one key and message."},
	}
}

// Sample implements Runner.
func (p CProgram) Sample(ctx context.Context, op Op, n int) (Sample, error) {
	if op.Program == "" {
		return Sample{}, engine.ErrNotSupported
	}
	perPart := max(1, n/parts)
	cmd := exec.CommandContext(ctx, p.Build.Bench, op.Program)
	cmd.Env = append(os.Environ(), "SECP256K1_BENCH_ITERS="+strconv.Itoa(perPart))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Sample{}, cmp.Or(ctx.Err(), fmt.Errorf("%s %s: %w: %s", p.Build.Bench, op.Program, err, stderr.String()))
	}
	s, err := parseTable(out, op.Program)
	s.N = perPart * parts
	return s, err
}

// parseTable finds an operation in the table that the C program prints. A row has the name and the least, average and
// greatest time in microseconds, separated by commas. The program also runs operations whose names begin with the given
// name ("ecdsa" runs three operations), so parseTable compares whole names.
func parseTable(table []byte, name string) (Sample, error) {
	lines := bufio.NewScanner(bytes.NewReader(table))
	for lines.Scan() {
		columns := strings.Split(lines.Text(), ",")
		if len(columns) != 4 || strings.TrimSpace(columns[0]) != name {
			continue
		}
		least, err1 := strconv.ParseFloat(strings.TrimSpace(columns[1]), 64)
		average, err2 := strconv.ParseFloat(strings.TrimSpace(columns[2]), 64)
		if err := cmp.Or(err1, err2); err != nil {
			return Sample{}, fmt.Errorf("in the C program's table: %w", err)
		}
		return Sample{Least: least * 1000, Average: average * 1000}, nil
	}
	return Sample{}, fmt.Errorf("no row %q in the output of the C program:\n%s", name, table)
}

// Close implements Runner.
func (CProgram) Close() {}
