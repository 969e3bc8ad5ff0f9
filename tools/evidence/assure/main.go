// Command assure is the release gate: it runs every piece of evidence that the
// library rests on, and writes one report with figures, versions and times.
//
//	go run ./tools/evidence/assure -short            minutes, as in every CI run
//	go run ./tools/evidence/assure -long -o FILE     hours, before a release
//
// It runs in the root of the repository and ends with an error if anything failed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := gate(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "assure:", err)
		os.Exit(1)
	}
}

func gate(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("assure", flag.ContinueOnError)
	f.SetOutput(stderr)
	short := f.Bool("short", false, "run the short form of every check: minutes")
	long := f.Bool("long", false, "run the long form: hours")
	list := f.Bool("list", false, "print the checks and their commands, and run none")
	only := f.String("only", "", "run these checks alone: names with commas between them")
	out := f.String("o", "", "also write the report to this file")
	jobs := f.Int("j", 2, "how many checks run at a time; those that look at the clock run alone")
	python := f.String("python", "python3", "Python with the packages of tools/evidence/asmproof/requirements.txt")
	if err := f.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return nil
		}
		return fmt.Errorf("see -help")
	}
	if f.NArg() > 0 {
		return fmt.Errorf("no argument expected: %q", f.Args())
	}
	if *short == *long {
		return fmt.Errorf("one of -short and -long is needed")
	}
	if *jobs < 1 {
		return fmt.Errorf("-j %d: want at least 1", *jobs)
	}
	if _, err := os.Stat("go.work"); err != nil {
		return fmt.Errorf("run it in the root of the repository: there is no go.work here")
	}
	chosen, err := choose(checks, *only)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "assure")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	r := runner{long: *long, fill: strings.NewReplacer("{python}", *python, "{tmp}", tmp), jobs: *jobs, stderr: stderr}
	if *list {
		for _, c := range chosen {
			fmt.Fprintf(stdout, "%s: %s\n", c.name, c.shows)
			for _, s := range c.steps(*long) {
				fmt.Fprintf(stdout, "    %s\n", s)
			}
		}
		return nil
	}

	// The file first: hours of work are not to be lost on a wrong path.
	report := stdout
	if *out != "" {
		file, err := os.Create(*out)
		if err != nil {
			return err
		}
		defer file.Close()
		report = io.MultiWriter(stdout, file)
	}
	start := time.Now()
	results := r.run(ctx, chosen)
	if err := write(report, *long, time.Since(start), results); err != nil {
		return err
	}
	if i := slices.IndexFunc(results, func(r result) bool { return r.state != passed }); i >= 0 {
		var names []string
		for _, r := range results {
			if r.state != passed {
				names = append(names, r.check.name+" "+string(r.state))
			}
		}
		return fmt.Errorf("%s", strings.Join(names, ", "))
	}
	return nil
}

// choose returns the checks of the given names, all for none.
func choose(all []check, names string) ([]check, error) {
	if names == "" {
		return all, nil
	}
	var chosen []check
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(all, func(c check) bool { return c.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no check is called %q: -list prints them", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}
