package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// inOthersPlace is the text added to go.work for a program in which this library's modules replace Decred's module and
// btcec's module. A module and its replacement have the same path, so no program can contain both.
const inOthersPlace = `
replace (
	github.com/decred/dcrd/dcrec/secp256k1/v4 => ./compat/decred/v4
	github.com/btcsuite/btcd/btcec/v2 => ./compat/btcec/v2
)
`

// buildDropIn builds this program into dir and returns a function that runs its command worker.
func buildDropIn(ctx context.Context, dir string) (_ measure.Launcher, err error) {
	defer must.Recover(&err)
	out, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		must.Fail("go env GOWORK: %w", err)
	}
	file := strings.TrimSpace(string(out))
	work, err := os.ReadFile(file)
	if err != nil {
		must.Fail("go.work of the source tree, from which the program is built: %w", err)
	}
	program, changed, overlay := filepath.Join(dir, "bench"), filepath.Join(dir, "go.work"), filepath.Join(dir, "overlay.json")
	replace := must.Get(json.Marshal(map[string]any{"Replace": map[string]string{file: changed}}))
	must.Do(errors.Join(os.WriteFile(changed, append(work, inOthersPlace...), 0o600), os.WriteFile(overlay, replace, 0o600)))
	args := []string{"build", "-overlay", overlay, "-o", program}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" { // build tags decide which code is compiled
				args = append(args, s.Key, s.Value)
			}
		}
	}
	build := exec.CommandContext(ctx, "go", append(args, "p256k1.mleku.dev/v2/tools/bench")...)
	build.Dir = filepath.Dir(file)
	if said, err := build.CombinedOutput(); err != nil {
		must.Fail("go build: %w: %s", err, said)
	}
	return func(ctx context.Context) (*exec.Cmd, error) { return exec.CommandContext(ctx, program, "worker"), nil }, nil
}
