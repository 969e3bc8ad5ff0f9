// Command build makes the library for JavaScript: a WebAssembly module, and the ES
// module with its types that loads it.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	page := flag.Bool("page", false, "write the page that shows it, index.html with page.js and page.css, besides")
	out := flag.String("o", "", "the `directory` to write to, which is made if there is none")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: go run ./js/build -o DIR [-page]\n\nwrites p256k1.wasm, p256k1.js and p256k1.d.ts to DIR.\n\n")
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
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	source, err := goCommand(ctx, "", "list", "-m", "-f", "{{.Dir}}", "p256k1.mleku.dev/js")
	if err != nil {
		return err
	}
	wasm := filepath.Join(out, "p256k1.wasm")
	if _, err := goCommand(ctx, source, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode=c-shared", "-o", wasm, "./wasm"); err != nil {
		return err
	}
	if err := printSize(wasm); err != nil {
		return err
	}
	files := []string{"p256k1.js", "p256k1.d.ts"}
	if page {
		files = append(files, "page/index.html", "page/page.js", "page/page.css")
	}
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join(source, name))
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
