// Command build makes the library for JavaScript, a package for npm and bundlers: a
// WebAssembly module, and the ES module with its types that loads it.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	page := flag.Bool("page", false, "write the page that shows it, index.html with page.js and page.css, besides")
	out := flag.String("o", "", "the `directory` to write to, which is made if there is none")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: go run ./tools/js/build -o DIR [-page]\n\nwrites p256k1.wasm, p256k1.js, p256k1.d.ts, package.json, README.md and LICENSE to DIR.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *out == "" {
		misused("-o is missing")
	}
	if flag.NArg() > 0 {
		misused(fmt.Sprintf("no argument expected: %q", flag.Args()))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := build(ctx, *out, *page); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// misused says what is wrong with the arguments, and ends the program.
func misused(problem string) {
	fmt.Fprintln(os.Stderr, "build:", problem)
	flag.Usage()
	os.Exit(2)
}

func build(ctx context.Context, out string, page bool) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := checkFree(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	dirs, err := goCommand(ctx, "", "list", "-m", "-f", "{{.Dir}}", "p256k1.mleku.dev/v2", "p256k1.mleku.dev/v2/tools")
	if err != nil {
		return err
	}
	root, tools, _ := strings.Cut(dirs, "\n")
	source := filepath.Join(tools, "js")
	wasm := filepath.Join(out, "p256k1.wasm")
	if _, err := goCommand(ctx, source, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode=c-shared", "-o", wasm, "./wasm"); err != nil {
		return err
	}
	if err := printSize(wasm); err != nil {
		return err
	}
	files := []string{"p256k1.js", "p256k1.d.ts", "package/package.json", "README.md", filepath.Join(root, "LICENSE")}
	if page {
		files = append(files, "page/index.html", "page/page.js", "page/page.css")
	}
	for _, name := range files {
		if !filepath.IsAbs(name) {
			name = filepath.Join(source, name)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file := filepath.Join(out, filepath.Base(name))
		if err := os.WriteFile(file, b, 0o666); err != nil {
			return err
		}
		if err := printSize(file); err != nil {
			return err
		}
	}
	return nil
}

// checkFree refuses a folder with files of others, whose package.json or README.md
// would be lost: it must be empty, if there is one, or hold an earlier build.
func checkFree(out string) error {
	entries, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	built := func(e fs.DirEntry) bool { return e.Name() == "p256k1.wasm" }
	if len(entries) > 0 && !slices.ContainsFunc(entries, built) {
		return fmt.Errorf("%s is not empty and holds no earlier build: -o needs a directory of its own", out)
	}
	return nil
}

// goCommand runs the go command for WebAssembly and returns what it prints. Reactor
// modules, whose functions are called from outside, exist for WASI only; p256k1.js
// is what stands for WASI.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(b)), nil
}

func printSize(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var zipped bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(b); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	fmt.Printf("%-12s %6.1f KiB, %6.1f KiB with gzip\n", filepath.Base(file), float64(len(b))/1024, float64(zipped.Len())/1024)
	return nil
}
