// Command release makes a release of the modules; docs/releasing.md says how.
//
//	go run ./tools/release                        checks whether a release could be made
//	go run ./tools/release v2.0.0-beta.1          checks this, and writes the versions into the files that contain them
//	go run ./tools/release -tag v2.0.0-beta.1     checks the commit of this release, and tags it
//	go run ./tools/release -bills DIR             writes the bills of materials of the modules into the new folder DIR
//	go run ./tools/release -tidy                  does what "go mod tidy" does, in every module
//
// It runs in the root of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() {
	must.Main("release", func(ctx context.Context) error { return run(ctx, ".", os.Args[1:], os.Stdout) })
}

// run runs the command with args in the clone at root.
func run(ctx context.Context, root string, args []string, out io.Writer) (err error) {
	defer must.Recover(&err)
	f := flag.NewFlagSet("release", flag.ContinueOnError)
	f.SetOutput(out)
	tag := f.Bool("tag", false, "tag the last commit")
	tidy := f.Bool("tidy", false, "tidy all modules")
	bills := f.String("bills", "", "write the bills of materials into the new folder `DIR`")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return errors.New("see -help")
	case f.NArg() > 1 || f.NFlag() > 1 || ((*tidy || *bills != "") && f.NArg() > 0) || (*tag && f.NArg() == 0):
		return fmt.Errorf("want a version, -tag and a version, -bills and a folder, -tidy, or nothing: %q", args)
	}
	dir := must.Get(os.MkdirTemp("", "release"))
	defer os.RemoveAll(dir)
	r := open(root, dir, out)
	switch {
	case *tidy:
		r.tidy(ctx)
	case *tag:
		r.tag(ctx, f.Arg(0))
	case f.NArg() == 1:
		r.prepare(ctx, f.Arg(0))
	case *bills != "":
		r.writeBills(ctx, r.version(), *bills)
	default:
		r.install(ctx, r.version())
	}
	return nil
}

// release is one run of the command.
type release struct {
	root    string // root of the repository
	dir     string // for temporary files
	modules []*module
	out     io.Writer

	install func(ctx context.Context, v versions) // the method try, unless a test replaces it
}

// open returns a run in the clone at root.
func open(root, dir string, out io.Writer) *release {
	root = must.Get(filepath.Abs(root))
	r := &release{root: root, dir: dir, out: out, modules: readModules(root)}
	r.install = r.try
	return r
}

func (r *release) say(format string, args ...any) { fmt.Fprintf(r.out, format+"\n", args...) }

// command runs a program in a folder and returns its output.
func command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = dir, env
	return must.Output(c)
}

func (r *release) git(ctx context.Context, args ...string) string {
	return must.Get(command(ctx, r.root, nil, "git", args...))
}
