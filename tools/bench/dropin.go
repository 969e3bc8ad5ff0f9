package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// A dropInBuilder builds this program with this library's modules in the place of
// Decred's and btcec's: as they have the same paths, no program has both.
type dropInBuilder struct {
	dir   string // with the program; empty before it is built
	built error
}

func (d *dropInBuilder) remove() {
	if d.dir != "" {
		os.RemoveAll(d.dir)
	}
}

// launcher returns what runs that program's command worker. It builds the program
// the first time.
func (d *dropInBuilder) launcher(ctx context.Context) (measure.Launcher, error) {
	if d.dir == "" && d.built == nil {
		d.built = d.build(ctx)
	}
	program := d.program()
	return func(ctx context.Context) (*exec.Cmd, error) {
		return exec.CommandContext(ctx, program, "worker"), nil
	}, d.built
}

func (d *dropInBuilder) program() string { return filepath.Join(d.dir, "bench") }

func (d *dropInBuilder) build(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return fmt.Errorf("go env GOWORK: %w", err)
	}
	file := strings.TrimSpace(string(out))
	root := filepath.Dir(file)
	work, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("it is built where the source tree is: %w", err)
	}
	if d.dir, err = os.MkdirTemp("", "p256k1-bench-"); err != nil {
		return err
	}
	text := strings.NewReplacer("\t.\n", "\t"+root+"\n", " ./", " "+root+"/", "\t./", "\t"+root+"/").Replace(string(work)) + fmt.Sprintf(`
replace (
	github.com/decred/dcrd/dcrec/secp256k1/v4 => %s/compat/decred/v4
	github.com/btcsuite/btcd/btcec/v2 => %[1]s/compat/btcec/v2
)
`, root)
	sums, _ := os.ReadFile(file + ".sum") // there may be none
	args := []string{"build", "-o", d.program()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" { // the same code as in this program
				args = append(args, s.Key, s.Value)
			}
		}
	}
	build := exec.CommandContext(ctx, "go", append(args, "p256k1.mleku.dev/v2/tools/bench")...)
	build.Dir = root
	build.Env = append(os.Environ(), "GOWORK="+filepath.Join(d.dir, "go.work"))
	var said strings.Builder
	build.Stderr = &said
	err = errors.Join(
		os.WriteFile(filepath.Join(d.dir, "go.work"), []byte(text), 0o600),
		os.WriteFile(filepath.Join(d.dir, "go.work.sum"), sums, 0o600),
	)
	if err == nil {
		err = build.Run()
	}
	if err != nil {
		return fmt.Errorf("go build: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}
