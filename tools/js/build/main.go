// Command build builds the library for JavaScript, a package for npm and bundlers. The package consists of a
// WebAssembly module and an ES module, with its types, that loads the WebAssembly module.
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
	"path/filepath"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() {
	page := flag.Bool("page", false, "also write the demo page: index.html, page.js and page.css")
	out := flag.String("o", "", "the `directory` to write to, which is created if it does not exist")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: go run ./tools/js/build -o DIR [-page]\n\nwrites p256k1.wasm, p256k1.js, p256k1.d.ts, package.json, README.md and LICENSE to DIR.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	problem := ""
	if *out == "" {
		problem = "-o is missing"
	} else if flag.NArg() > 0 {
		problem = fmt.Sprintf("no argument expected: %q", flag.Args())
	}
	if problem != "" {
		fmt.Fprintln(os.Stderr, "build:", problem)
		flag.Usage()
		os.Exit(2)
	}
	must.Main("build", func(ctx context.Context) error { return build(ctx, *out, *page) })
}

func build(ctx context.Context, out string, page bool) error {
	out = must.Get(filepath.Abs(out))
	must.Do(checkFree(out))
	must.Do(os.MkdirAll(out, 0o777))
	dirs := goCommand(ctx, "", "list", "-m", "-f", "{{.Dir}}", "p256k1.mleku.dev/v2", "p256k1.mleku.dev/v2/tools")
	root, tools, _ := strings.Cut(dirs, "\n")
	source := filepath.Join(tools, "js")
	wasm := filepath.Join(out, "p256k1.wasm")
	fmt.Println("Compiling the library to WebAssembly, which takes a minute the first time ...")
	goCommand(ctx, source, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode=c-shared", "-o", wasm, "./wasm")
	written := files
	if !page {
		written = files[:len(files)-3]
	}
	fmt.Printf("\n%-12s %10s %10s  in %s\n", "file", "KiB", "with gzip", out)
	for _, f := range written {
		folder := source
		switch f.name {
		case "LICENSE":
			folder = root
		case "p256k1.wasm":
			folder = out // already written by the compiler
		}
		b := must.Get(os.ReadFile(filepath.Join(folder, f.name)))
		file := filepath.Join(out, filepath.Base(f.name))
		must.Do(os.WriteFile(file, b, 0o666))
		fmt.Printf("%-12s %10.1f %10.1f  %s\n", filepath.Base(file), float64(len(b))/1024, float64(zippedSize(b))/1024, f.what)
	}
	fmt.Printf("\nInstall it in a project:  npm install %s\n", out)
	if page {
		fmt.Printf("Show the page:            python3 -m http.server -b 127.0.0.1 -d %s    at http://127.0.0.1:8000/\n", out)
	}
	return nil
}

// files lists the files, with their paths below tools/js and their descriptions in the output. The last three are the
// demo page.
var files = []struct{ name, what string }{
	{"p256k1.wasm", "the Go library"},
	{"p256k1.js", "the ES module that loads it, with load, bytesToHex and hexToBytes"},
	{"p256k1.d.ts", "its types, which describe all functions"},
	{"package/package.json", "for npm"},
	{"README.md", "how to use it, and what it promises"},
	{"LICENSE", "of the whole package"},
	{"page/index.html", "the demo page"},
	{"page/page.js", "its program"},
	{"page/page.css", "its style"},
}

// checkFree refuses a folder with other files, because a package.json or README.md in it would be lost. The folder must
// not exist, or must be empty or contain an earlier build.
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

// goCommand runs the go command for WebAssembly and returns its output. Reactor modules, whose functions are called
// from outside, exist only for WASI; p256k1.js provides the functions of WASI.
func goCommand(ctx context.Context, dir string, args ...string) string {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	return strings.TrimSpace(must.Get(must.Output(cmd)))
}

// zippedSize returns the number of bytes that a server sends if it compresses with gzip. Writing to a buffer cannot
// fail.
func zippedSize(b []byte) int {
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	z.Write(b)
	z.Close()
	return zipped.Len()
}
