package dropin

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	released = flag.String("programs", "", "which of the programs TestPrograms tests: a regular expression of their modules; few if empty")
	rounds   = flag.Int("programs-benchmarks", 0, "also run their benchmarks, so many times there and here in turns, and print a table")
)

// A subject is a released program, or a part of one, on Decred's module or btcec's.
type subject struct {
	module, version string
	packages        []string
	few             bool     // tested where nothing is asked for
	skip            string   // tests that need more than this machine, with why at its line
	edit            []string // arguments of go mod edit without which nobody could run its tests
	least           int      // how many tests pass
	bench           string
}

var subjects = []subject{
	{
		module: "github.com/cometbft/cometbft", version: "v1.0.1", packages: []string{"./crypto/secp256k1/..."}, few: true, least: 5,
	},
	{
		module: "github.com/btcsuite/btcd/btcutil", version: "v1.1.6", packages: []string{".", "./base58", "./hdkeychain"}, few: true, least: 45,
	},
	{
		module: "github.com/btcsuite/btcd/btcutil", version: "v1.2.0", packages: []string{"./..."}, least: 60,
	},
	{
		module: "github.com/btcsuite/btcd/btcutil/psbt", version: "v1.1.8", packages: []string{"./..."}, least: 10,
		edit: inTree("github.com/btcsuite/btcd", "github.com/btcsuite/btcd/btcutil"),
	},
	{
		module: "github.com/btcsuite/btcd", version: "v0.24.2", packages: []string{"./..."}, least: 300,
		bench: "./txscript CalcSigHash|VerifySig|Taproot",
	},
	{
		module: "github.com/btcsuite/btcd", version: "v0.26.2", packages: []string{"./..."}, least: 300,
	},
	{
		module: "github.com/btcsuite/btcd/txscript/v2", version: "v2.0.0", packages: []string{"./..."}, least: 100,
		edit: append(inTree("github.com/btcsuite/btcd/address/v2", "github.com/btcsuite/btcd/btcec/v2", "github.com/btcsuite/btcd/chaincfg/v2",
			"github.com/btcsuite/btcd/chainhash/v2", "github.com/btcsuite/btcd/wire/v2"), "-require=github.com/btcsuite/btcd/btcec/v2@v2.5.0"),
	},
	{
		module: "github.com/btcsuite/btcd/btcutil/v2", version: "v2.0.1", packages: []string{"./..."}, least: 50,
	},
	{
		module: "github.com/cosmos/cosmos-sdk", version: "v0.55.0", packages: []string{"./crypto/keys/...", "./crypto/hd", "./crypto/keyring"}, least: 30,
		bench: "./crypto/keys/secp256k1 .",
	},
	{
		module: "github.com/ethereum/go-ethereum", version: "v1.17.10",
		packages: []string{"./crypto/...", "./core/types", "./p2p/enode", "./p2p/rlpx", "./p2p/discover/...", "./accounts/..."}, least: 100,
	},
	{
		module: "github.com/libp2p/go-libp2p", version: "v0.51.0",
		packages: []string{"./core/crypto", "./core/peer", "./core/record", "./p2p/security/noise"}, least: 50,
	},
	{
		module: "github.com/nbd-wtf/go-nostr", version: "v0.38.2",
		packages: []string{".", "./nip04", "./nip13", "./nip19", "./nip26", "./nip44", "./nip46", "./nip49"}, least: 30,
	},
	{
		module: "github.com/lightningnetwork/lnd", version: "v0.18.3-beta.rc3",
		packages: []string{"./input", "./keychain", "./brontide", "./netann", "./zpay32", "./watchtower/blob", "./aezeed", "./lnwire"},
		edit:     inTree("github.com/lightningnetwork/lnd/sqldb"), least: 100,
	},
}

// inTree drops lines that lead to folders of the program's repository, which are not in its archive.
func inTree(modules ...string) (edit []string) {
	for _, m := range modules {
		edit = append(edit, "-dropreplace="+m)
	}
	return edit
}

// results are the tests of packages, and whether each passed, failed or was skipped. A package that does not build is in it, too.
type results map[string]string

func (r results) count(action string) (list []string) {
	for name, got := range r {
		if got == action {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// test runs the tests.
func (s *subject) test(t *testing.T, dir string) results {
	t.Helper()
	args := []string{"test", "-json", "-vet=off", "-count=1", "-timeout=30m"}
	if s.skip != "" {
		args = append(args, "-skip", s.skip)
	}
	text, _ := run(t, dir, []string{"CGO_ENABLED=0"}, "go", append(args, s.packages...)...) // the results say what failed
	r, ran := make(results), 0
	var all strings.Builder
	for line := range strings.Lines(text) {
		var event struct {
			Action, Package, Test, Output, FailedBuild string
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			all.WriteString(line)
			continue
		}
		all.WriteString(event.Output)
		switch event.Action {
		case "pass", "fail", "skip":
			if event.FailedBuild != "" {
				event.Action = "does not build"
			}
			if r[event.Package+" "+event.Test] = event.Action; event.Test != "" {
				ran++
			}
		}
	}
	if ran == 0 || len(r.count("does not build")) > 0 {
		t.Fatalf("%d tests ran, and of these packages none: %q\n%s", ran, r.count("does not build"), all.String())
	}
	return r
}

// command is the program p256k1.
func command(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p256k1")
	text, err := run(t, root, []string{"GOFLAGS=", "GOWORK="}, "go", "build", "-o", name, "./cmd/p256k1")
	if err != nil {
		t.Fatal(text)
	}
	return name
}

// TestPrograms runs the tests of programs, unmodified, from a copy of what the module proxy has, as they are and with the lines that
// "p256k1 replace -w" writes. What passes without passes with them.
func TestPrograms(t *testing.T) {
	chosen := regexp.MustCompile(*released)
	p256k1 := command(t)
	tested := 0
	for _, s := range subjects {
		name := s.module + "@" + s.version
		if *released == "" && !s.few || !chosen.MatchString(name) {
			continue
		}
		tested++
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			there, here := copied(t, original(t, &dropIn{path: s.module}, s.version)), ""
			os.Remove(filepath.Join(there, "go.work")) // what it uses is not in the archive
			if len(s.edit) > 0 {
				mustRun(t, there, "go", append([]string{"mod", "edit"}, s.edit...)...)
			}
			here = copied(t, there)
			mustRun(t, root, p256k1, "replace", "-w", "--local", root, here)
			addSums(t, here, decred.dir)
			mustRun(t, here, "go", "mod", "edit", "-go=1.26.0") // as go mod tidy would, which also asks for what other packages need
			deps := mustRun(t, here, "go", append([]string{"list", "-deps", "-test"}, s.packages...)...)
			if !strings.Contains(deps, "\np256k1.mleku.dev/compat/decred\n") {
				t.Fatalf("it does not use the replacement:\n%s", deps)
			}
			without, with := s.test(t, there), s.test(t, here)
			passed := with.count("pass")
			for _, test := range without.count("pass") {
				if with[test] != "pass" {
					t.Errorf("%s passes there: here %q", test, with[test])
				}
			}
			for _, test := range passed {
				if without[test] != "pass" {
					t.Logf("passes here alone, there %q: %s", without[test], test)
				}
			}
			t.Logf("%d pass; fail there %q, here %q; %v", len(passed), without.count("fail"), with.count("fail"), time.Since(start).Round(time.Second))
			if len(passed) < s.least {
				t.Errorf("%d pass, at least %d are needed", len(passed), s.least)
			}
			if *rounds > 0 && s.bench != "" {
				s.compare(t, there, here)
			}
		})
	}
	if tested == 0 {
		t.Errorf("no program is called like %q", *released)
	}
}

// compare prints the rows of a table: the medians of the benchmarks' times there and here, their ratio, and the allocations.
func (s *subject) compare(t *testing.T, there, here string) {
	pkg, pattern, _ := strings.Cut(s.bench, " ")
	var binaries [2]string
	for i, dir := range []string{there, here} {
		binaries[i] = filepath.Join(t.TempDir(), "bench.test")
		text, err := run(t, dir, []string{"CGO_ENABLED=0"}, "go", "test", "-c", "-o", binaries[i], pkg)
		if err != nil {
			t.Fatal(text)
		}
	}
	line := regexp.MustCompile(`(?m)^(Benchmark\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op\s+(?:[0-9.]+ MB/s\s+)?\d+ B/op\s+(\d+) allocs/op`)
	var times [2]map[string][]float64
	allocs := [2]map[string]string{{}, {}}
	for i := range times {
		times[i] = make(map[string][]float64)
	}
	for range *rounds {
		for i, dir := range []string{there, here} {
			text := mustRun(t, filepath.Join(dir, pkg), binaries[i], "-test.run=^$", "-test.bench="+pattern, "-test.benchmem", "-test.benchtime=50ms")
			for _, m := range line.FindAllStringSubmatch(text, -1) {
				times[i][m[1]] = append(times[i][m[1]], must(strconv.ParseFloat(m[2], 64)))
				allocs[i][m[1]] = m[3]
			}
		}
	}
	if len(times[1]) == 0 {
		t.Errorf("no benchmark %s", s.bench)
	}
	for _, name := range slices.Sorted(maps.Keys(times[1])) {
		a, b := median(times[0][name]), median(times[1][name])
		fmt.Fprintf(os.Stdout, "| %s %s: %s | %.1f | %.1f | %.2f | %s, %s |\n", filepath.Base(s.module), strings.TrimPrefix(pkg, "./"),
			strings.TrimPrefix(name, "Benchmark"), a/1000, b/1000, b/a, allocs[0][name], allocs[1][name])
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
