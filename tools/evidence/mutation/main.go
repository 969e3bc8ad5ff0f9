// Command mutation changes the Go code of the library in thousands of small ways, one at a time, and runs the tests on
// each of these mutants. If no test notices a mutant, the changed code is not tested. Run it in the root of the
// repository:
//
//	go run ./tools/evidence/mutation -resume file  all mutants, which takes an hour or more
//	go run ./tools/evidence/mutation -sample 100   a sample, which differs whenever the code changes
//	go run ./tools/evidence/mutation -listed       the mutants in equivalent.txt, which no test notices
//
// The file equivalent.txt gives the reason why no test notices a mutant. The command fails if a mutant survives that is
// not in this file, if a mutant in it does not exist or is killed, or if less than 95 % of the mutants that are not
// equivalent are killed. A time limit ends an endless loop, and the mutant counts as killed. After each change of the
// code, a sample consists of other mutants. A run of a sample fails only if more mutants survive than chance explains.
// A sample shows a few new mutants for review, and reveals tests that no longer test anything. Only a run of all
// mutants shows which mutants the list lacks.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/evidence/internal/locals"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// protocols lists the directories of packages that are both mutated and tested.
var protocols = []string{
	"protocols", "protocols/adaptor", "protocols/bip324", "protocols/cashu", "protocols/chilldkg", "protocols/dleq",
	"protocols/frost", "protocols/halfagg", "protocols/internal/equations", "protocols/internal/nonce",
	"protocols/internal/shamir", "protocols/musig2", "protocols/silentpayments",
}

// secp256k1 returns the project of this library. The tests are roughly in the order of the time that they take.
func secp256k1(root string) *project {
	return &project{
		root:   root,
		module: "p256k1.mleku.dev/v2",
		mutated: append([]string{
			"internal/modinv", "internal/field", "internal/scalar", "internal/group", "internal/recode", "internal/tables",
			"internal/lanes", "internal/ecmult", "internal/batch", "internal/opaque", "internal/schemes/verify", "internal/schemes/swift",
			"hmacsha256", "rfc6979", "internal/schemes/hextext", "curve", ".", "ecdsa", "schnorr", "ecdh", "ellswift",
		}, protocols...),
		tests: append([]string{
			"hmacsha256", "rfc6979", "internal/field", "internal/scalar", "internal/modinv", "internal/group",
			"internal/recode", "internal/tables", "internal/lanes", "internal/batch", "internal/schemes/verify",
			"internal/schemes/swift", "ecdh", "ellswift", "schnorr", "curve", "internal/ecmult", "ecdsa", ".",
			"internal/rules", "tools/evidence/operations", "signer",
		}, protocols...),
		small:     "tools/evidence/exhaustive",
		smallTags: "exhaustive,order13",
		smallOf:   []string{"internal/schemes/verify", "curve", ".", "ecdsa", "schnorr", "ecdh"},
		skip:      `^Test(\w*Alloc|Inline|Imports|Routines|Processors|Shapes|TablesUnused|FirstUse|EveryOperation|Registry)`,
	}
}

func main() {
	must.Main("mutation", func(ctx context.Context) error {
		if !must.Get(run(ctx, os.Args[1:], os.Stdout)) {
			os.Exit(1) // the output says why
		}
		return nil
	})
}

// options are the values of the flags.
type options struct {
	packages string         // directories, separated by commas; all if empty
	match    *regexp.Regexp // nil for all
	sample   int            // 0 for all
	seed     string
	resume   string
	listed   bool
	show     bool
	j        int
}

func run(ctx context.Context, args []string, out io.Writer) (good bool, err error) {
	defer must.Recover(&err)
	o := options{match: new(regexp.Regexp)}
	flags := flag.NewFlagSet("mutation", flag.ContinueOnError)
	flags.StringVar(&o.packages, "packages", "", "directories of the packages to mutate, with commas between (all)")
	flags.TextVar(o.match, "match", regexp.MustCompile(""), "only the mutants whose line in the output, without the numbers of names, matches this regular expression")
	flags.IntVar(&o.sample, "sample", 0, "number of mutants to draw, none of them on the list (all mutants)")
	flags.StringVar(&o.seed, "seed", "", "any text, which decides the sample (a digest of the code)")
	flags.StringVar(&o.resume, "resume", "", "file that keeps the outcomes, and from which a run resumes")
	flags.BoolVar(&o.listed, "listed", false, "only the mutants on the list of mutants that no test notices; tries all tests on them, not only some")
	flags.BoolVar(&o.show, "n", false, "print the mutants and do not try them")
	flags.IntVar(&o.j, "j", 2, "number of mutants to try at a time")
	must.Do(flags.Parse(args))
	switch {
	case flags.NArg() > 0:
		return false, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.j < 1:
		return false, fmt.Errorf("-j %d: want at least 1", o.j)
	case o.sample < 0:
		return false, fmt.Errorf("-sample %d: must not be negative", o.sample)
	}
	root := must.Get(os.Getwd())
	if _, err := os.Stat(filepath.Join(root, "go.work")); err != nil {
		return false, errors.New("no go.work here: run it in the root of the repository")
	}
	known, err := parseList(equivalentText)
	if err != nil {
		return false, fmt.Errorf("equivalent.txt: %w", err)
	}
	return secp256k1(root).mutate(ctx, o, known, out)
}

// mutate tries the mutants that the options select and writes the results. It returns whether the run succeeded.
func (p *project) mutate(ctx context.Context, opt options, known list, out io.Writer) (good bool, err error) {
	defer must.Recover(&err)
	start := time.Now()
	dirs := p.mutated
	if opt.packages != "" {
		dirs = nil
		for d := range strings.SplitSeq(opt.packages, ",") {
			d = filepath.ToSlash(filepath.Clean(d))
			if !slices.Contains(p.mutated, d) {
				return false, fmt.Errorf("-packages: %s is not one of %s", d, strings.Join(p.mutated, ", "))
			}
			dirs = append(dirs, d)
		}
	}
	all := p.find(dirs)
	known, stale := known.match(all)
	good = true
	for _, key := range stale {
		if pkg, _, _ := strings.Cut(key, " "); slices.Contains(dirs, pkg) {
			fmt.Fprintf(out, "on the list, but there is no such mutant: %s\n", key)
			good = false
		}
	}
	all = slices.DeleteFunc(all, func(m *mutant) bool {
		return (opt.match != nil && !opt.match.MatchString(locals.Names(m.key()))) || (opt.listed && known[m.key()] == "")
	})
	sample := ""
	if opt.sample > 0 {
		if opt.seed == "" {
			opt.seed = p.digest()[:16]
		}
		all = draw(all, known, opt.sample, opt.seed)
		sample = fmt.Sprintf(", drawn with -seed %s,", opt.seed)
	}
	if opt.show {
		for _, m := range all {
			fmt.Fprintf(out, "%s: %s\n", m.Kind, m.key())
		}
		return good, nil
	}
	outcomes := map[string]outcome{}
	err = p.tryRest(ctx, opt, all, known, outcomes)
	if ctx.Err() == nil {
		must.Do(err)
	}
	good = report(out, all, outcomes, known, opt.sample == 0) && good
	if ctx.Err() != nil {
		return false, fmt.Errorf("interrupted: not all %d mutants were tried", len(all))
	}
	fmt.Fprintf(out, "result: mutation: %d mutants%s in %s\n", len(all), sample, time.Since(start).Round(time.Second))
	return good, nil
}

// tryRest reads the outcomes in the file that -resume names, and tries the other mutants.
func (p *project) tryRest(ctx context.Context, opt options, all []*mutant, known list, outcomes map[string]outcome) (err error) {
	defer must.Recover(&err)
	start := time.Now()
	var log io.Writer = io.Discard
	if opt.resume != "" {
		file := openLog(opt.resume, p, outcomes)
		defer file.Close()
		log = file
	}
	dir := must.Get(os.MkdirTemp("", "mutation"))
	defer os.RemoveAll(dir)
	line := progress.On(os.Stderr)
	defer line.Show("")
	tried, alive := 0, 0
	for i, tags := range builds() {
		var rest []*mutant
		for _, m := range all {
			if _, done := outcomes[m.key()]; m.tags == tags && done {
				tried++
			} else if m.tags == tags {
				rest = append(rest, m)
			}
		}
		if len(rest) == 0 {
			continue
		}
		w := newBench(p, filepath.Join(dir, fmt.Sprint(i)), tags, rest)
		quick := func(m *mutant) bool { return known[m.key()] != "" && !opt.listed }
		w.tryAll(ctx, rest, quick, opt.j, func(o outcome) {
			outcomes[o.Key] = o
			tried++
			if o.Verdict == survived && known[o.Key] == "" {
				alive++
			}
			line.Show("%d of %d mutants tried, %d survive, %s", tried, len(all), alive, time.Since(start).Round(time.Second))
			must.Do(json.NewEncoder(log).Encode(o))
		})
	}
	return nil
}
