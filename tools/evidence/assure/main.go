// Command assure is the release gate. It runs all checks on which the library's claims rest, and writes a report with
// figures, versions and times.
//
//	go run ./tools/evidence/assure -short            minutes, as in every CI run
//	go run ./tools/evidence/assure -long -o FILE     hours, before a release
//
// It must run in the root of the repository, and fails if a check fails.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() {
	must.Main("assure", func(ctx context.Context) error { return gate(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

func gate(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	defer must.Recover(&err)
	f := flag.NewFlagSet("assure", flag.ContinueOnError)
	f.SetOutput(stderr)
	short := f.Bool("short", false, "run the short form of every check: minutes")
	long := f.Bool("long", false, "run the long form: hours")
	list := f.Bool("list", false, "print the checks and their commands, and run none")
	only := f.String("only", "", "run only these checks: names, separated by commas")
	out := f.String("o", "", "also write the report to this file")
	jobs := f.Int("j", 2, "number of checks that run at the same time; checks that measure time run alone")
	python := f.String("python", "python3", "Python with the packages of tools/evidence/asmproof/requirements.txt")
	switch err := f.Parse(args); {
	case err != nil:
		return err
	case f.NArg() > 0:
		return fmt.Errorf("no argument expected: %q", f.Args())
	case *short == *long:
		return errors.New("one of -short and -long is needed")
	case *jobs < 1:
		return fmt.Errorf("-j %d: want at least 1", *jobs)
	}
	names := strings.FieldsFunc(*only, func(c rune) bool { return c == ',' })
	var results []result
	for _, c := range checks {
		if i := slices.Index(names, c.name); i >= 0 {
			names = slices.Delete(names, i, i+1)
		} else if *only != "" {
			continue
		}
		steps := c.short
		if *long && c.long != nil {
			steps = c.long
		}
		results = append(results, result{check: c, steps: steps, state: "not run"})
	}
	if len(names) > 0 {
		return fmt.Errorf("no check is called %q: -list prints them", names)
	}
	if *list {
		for _, r := range results {
			fmt.Fprintf(stdout, "%s: %s\n", r.name, r.shows)
			for _, s := range r.steps {
				fmt.Fprintf(stdout, "    %s\n", s)
			}
		}
		return nil
	}
	if _, err := os.Stat("go.work"); err != nil {
		return fmt.Errorf("this folder has no go.work: run the command in the root of the repository")
	}

	// The file is created first, so that a wrong path does not waste hours of work. An earlier report stays until the
	// new one is complete.
	report := stdout
	if *out != "" {
		file := must.Get(os.Create(*out + ".new"))
		defer file.Close()
		report = io.MultiWriter(stdout, file)
	}
	tmp := must.Get(os.MkdirTemp("", "assure"))
	defer os.RemoveAll(tmp)
	start := time.Now()
	r := runner{fill: strings.NewReplacer("{python}", *python, "{tmp}", tmp), jobs: *jobs, log: stderr}
	r.run(ctx, results)
	write(report, *long, time.Since(start), results)
	if *out != "" && ctx.Err() == nil {
		must.Do(os.Rename(*out+".new", *out))
	}
	var bad []string
	for _, r := range results {
		if r.state != "passed" {
			bad = append(bad, r.name+" "+r.state)
		}
	}
	if bad != nil {
		return errors.New(strings.Join(bad, ", "))
	}
	return nil
}
