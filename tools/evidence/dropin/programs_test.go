package dropin

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/internal/libtest"
)

var (
	released = flag.String("programs", "", "the programs that TestPrograms tests: a regular expression for their modules; a few programs if empty")
	rounds   = flag.Int("programs-benchmarks", 0, "instead of tests, run the benchmarks so many times, without and with the replacement in turns, and print a table")
)

// A subject is a released program, or a part of a program, that uses Decred's module or btcec's module.
type subject struct {
	module   string // module path with its version
	least    int    // the least number of tests that must pass
	packages string // arguments of go test, separated by spaces
	extra
}

// extra has what only some subjects need.
type extra struct {
	few   bool     // tested by default
	raise string   // a module and version for go get, because the version that the program requires cannot be replaced
	skip  string   // tests that this machine cannot run, or that sometimes fail without the replacement; each line gives the reason
	edit  string   // arguments of go mod edit, without which the program's tests do not run outside of its repository
	tags  string   // flags of the build
	env   []string // the environment of the go command
	timed []string // a package, and a regular expression of its benchmarks, or of tests if it begins with ^Test
	added string   // a package to which the benchmarks in the folder of the same name in testdata are added
}

// btcd has what is timed in btcd, whose own benchmarks do not use the curve.
var btcd = extra{
	timed: []string{"./txscript Engine|SignP2WPKH|CalcSigHash", "./txscript ^TestSignTxOutput$", "./txscript ^TestScripts$"},
	added: "txscript",
}

// raised is btcd with a version of btcec that can be replaced.
var raised = extra{raise: "github.com/btcsuite/btcd/btcec/v2@v2.3.6", timed: btcd.timed, added: btcd.added}

var subjects = []subject{
	{"github.com/cometbft/cometbft@v1.0.1", 5, "./crypto/secp256k1/...", extra{few: true}},
	{"github.com/btcsuite/btcd/btcutil@v1.1.6", 45, ". ./base58 ./hdkeychain", extra{few: true}},
	{"github.com/btcsuite/btcd/btcutil@v1.2.0", 60, "./...", extra{}},
	{"github.com/btcsuite/btcd/btcutil/psbt@v1.1.8", 10, "./...", extra{}},
	{"github.com/btcsuite/btcd@v0.24.2", 300, "./...", btcd},
	// All packages except the server, which needs a SignCompact that returns an error, as in btcec until 2.3.3.
	{"github.com/btcsuite/btcd@v0.24.2", 300,
		"./blockchain/... ./mempool/... ./mining/... ./netsync/... ./peer/... ./rpcclient/... ./txscript/... ./wire/...",
		raised},
	{"github.com/btcsuite/btcd@v0.26.2", 300, "./...", extra{}},
	{"github.com/btcsuite/btcd/txscript/v2@v2.0.0", 100,
		"./...", extra{edit: "-require=github.com/btcsuite/btcd/btcec/v2@v2.5.0"}},
	{"github.com/btcsuite/btcd/btcutil/v2@v2.0.1", 50, "./...", extra{}},
	// A test expects the error messages of this version of Decred's module.
	{"github.com/btcsuite/btcd/btcec/v2@v2.3.6", 100, "./...", extra{
		edit: "-require=github.com/decred/dcrd/dcrec/secp256k1/v4@v4.4.1",
		timed: []string{"./ecdsa SigVerify|Sign$|RecoverCompact", "./schnorr SigVerify|Sign$",
			"./schnorr/musig2 PartialSign/=10$/true/false"}}},
	{"github.com/cosmos/cosmos-sdk@v0.55.0", 15,
		"./crypto/keys/secp256k1 ./crypto/hd", extra{timed: []string{"./crypto/keys/secp256k1 ."}}},
	{"github.com/ethereum/go-ethereum@v1.17.10", 100,
		"./crypto/... ./core/types ./p2p/enode ./p2p/rlpx ./p2p/discover/... ./accounts/...",
		extra{timed: []string{"./crypto Ecrecover|VerifySig|Decompress"}}},
	{"github.com/libp2p/go-libp2p@v0.51.0", 50,
		"./core/crypto ./core/peer ./core/record ./p2p/security/noise", extra{}},
	// TestDoWorkShort fails if the goroutine that begins with nonce 0 is the faster of two. The other tests wait for
	// relays.
	{"github.com/nbd-wtf/go-nostr@v0.38.2", 100,
		". ./nip04 ./nip13 ./nip19 ./nip44 ./nip46 ./nip49",
		extra{skip: "^Test(ConnectContext|Count|EOSEMadness|NestedSubscriptions|SubscribeBasic|DoWorkShort$)"}},
	{"github.com/lightningnetwork/lnd@v0.20.0-beta", 200, "./keychain ./brontide ./zpay32 ./aezeed ./lnwire ./input " +
		"./netann ./routing/route ./lnwallet/chancloser ./watchtower/blob ./watchtower/wtwire", extra{}},
	{"github.com/lightningnetwork/lightning-onion@v1.3.0", 25, "./...", extra{}},
	{"github.com/decred/dcrd@v1.10.8", 600, "./...", extra{}},
	{"github.com/decred/dcrd/mixing@v0.7.4", 10, "./...", extra{}},
	{"github.com/athanorlabs/go-dleq@v0.1.0", 5, "./...", extra{}},
	{"github.com/elnosh/gonuts@v0.4.0", 20, "./crypto/... ./cashu/...", extra{}},
	{"github.com/btcsuite/btcd/v2transport@v1.1.0", 9, "./...", extra{}},
	{"github.com/btcsuite/btcwallet@v0.16.19", 65, "./waddrmgr ./internal/...", extra{}},
	{"github.com/decred/dcrd/txscript/v4@v4.1.1", 100, "./...", extra{}},
	{"github.com/decred/dcrd/hdkeychain/v3@v3.1.2", 12, "./...", extra{}},
	{"github.com/decred/dcrd/dcrutil/v4@v4.0.2", 20, "./...", extra{}},
	{"github.com/bnb-chain/tss-lib/v2@v2.0.2", 30,
		"./crypto ./crypto/ckd ./crypto/schnorr ./crypto/vss ./ecdsa/signing", extra{}},
	{"github.com/lestrrat-go/jwx/v3@v3.3.0", 3000, "./jwa ./jwk/... ./jws/... ./jwt/... .", extra{tags: "jwx_es256k"}},
	{"github.com/ava-labs/avalanchego@v1.12.2", 35, "./utils/crypto/secp256k1 ./utils/crypto/keychain", extra{}},
	{"github.com/taurusgroup/multi-party-sig@v0.7.0-alpha-2025-01-28", 40, "./pkg/math/... ./pkg/ecdsa ./pkg/taproot " +
		"./pkg/zk/log ./pkg/zk/sch ./internal/ot ./protocols/doerner/... ./protocols/frost/...", extra{}},
	{"github.com/lightninglabs/neutrino@v0.16.0", 30, "./headerfs ./filterdb ./blockntfns ./banman", extra{}},
	{"github.com/lightninglabs/aperture@v0.3.2-beta", 60, "./mint ./l402", extra{}},
	{"github.com/lightninglabs/lndclient@v0.18.0-3", 25, "./...", extra{}},
	{"github.com/lightninglabs/taproot-assets@v0.4.1", 350,
		"./address ./asset ./commitment ./proof ./rfqmsg ./tapscript ./tappsbt ./vm", extra{}},
	// The other packages call libsecp256k1-zkp by cgo.
	{"github.com/vulpemventures/go-elements@v0.5.4", 60,
		"./address ./descriptor ./payment ./slip77 ./transaction", extra{}},
	{"github.com/hyperledger/firefly-signer@v1.1.21", 90,
		"./pkg/secp256k1 ./pkg/ethsigner ./pkg/eip712 ./pkg/keystorev3", extra{}},
	{"github.com/multiversx/mx-chain-crypto-go@v1.2.12", 45, "./signing/secp256k1/...", extra{}},
	{"decred.org/dcrwallet/v4@v4.1.1", 75, "./wallet/... ./internal/...", extra{}},
	{"github.com/decred/dcrd/blockchain/v5@v5.0.1", 5, "./...", extra{}},
	{"github.com/decred/dcrd/blockchain/stake/v5@v5.0.1", 55, "./...", extra{}},
	{"github.com/decred/dcrd/rpcclient/v8@v8.0.1", 2, "./...", extra{}},
	{"github.com/gnolang/gno@v1.7.1", 500, "./tm2/pkg/crypto/...", extra{}},
	{"github.com/status-im/keycard-go@v0.3.2", 55, "./...", extra{}},
	{"github.com/lestrrat-go/jwx/v2@v2.1.3", 2500, "./jwk/... ./jws/... ./jwt/...", extra{tags: "jwx_es256k"}},
	{"github.com/btcsuite/btcwallet/wtxmgr@v1.5.6", 30, ".", extra{}},
	{"github.com/fiatjaf/khatru@v0.18.0", 25, ". ./policies", extra{}},
	{"github.com/nbd-wtf/go-nostr@v0.51.12", 110, "./nip04 ./nip44 ./nip60 ./nip61", extra{}},
	{"github.com/cometbft/cometbft@v0.38.17", 350, "./crypto/... ./types", extra{}},
	{"github.com/cosmos/cosmos-sdk@v0.53.4", 28, "./crypto/keys/secp256k1", extra{}},
	{"github.com/libp2p/go-libp2p@v0.39.1", 50, "./core/crypto ./core/peer", extra{}},
	{"github.com/nspcc-dev/neo-go@v0.108.0", 50, "./pkg/crypto/...", extra{}},
}

// noC makes programs use Go code in place of C, which go-ethereum, for example, would use.
var noC = []string{"CGO_ENABLED=0"}

// results maps the tests of packages to their outcomes: passed, failed or skipped. It also contains the packages that
// do not build.
type results map[string]string

func (r results) count(action string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if r[name] == action {
			list = append(list, name)
		}
	}
	return list
}

// test runs the tests.
func (s *subject) test(t *testing.T, dir string) results {
	t.Helper()
	args := []string{"test", "-json", "-vet=off", "-count=1", "-timeout=30m", "-tags=" + s.tags}
	if s.skip != "" {
		args = append(args, "-skip", s.skip)
	}
	text, _ := run(t, dir, s.env, "go", append(args, strings.Fields(s.packages)...)...) // the results say which tests failed
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

// each runs a subtest for each chosen subject, with a copy of the program. It returns the number of subtests.
func each(t *testing.T, subjects []subject, test func(t *testing.T, s *subject, there string)) (tested int) {
	chosen := regexp.MustCompile(*released)
	for _, s := range subjects {
		name := s.module
		if s.raise != "" {
			name += " with " + s.raise
		}
		if (*released == "" && !s.few) || !chosen.MatchString(name) {
			continue
		}
		tested++
		t.Run(name+" "+s.packages, func(t *testing.T) {
			module, version, _ := strings.Cut(s.module, "@")
			there := copied(t, original(t, module, version))
			os.Remove(filepath.Join(there, "go.work")) // the archive lacks folders that go.work names
			edits := strings.Fields(s.edit)
			for _, r := range libtest.Must(modfile.Parse("go.mod", read(there, "go.mod"), nil)).Replace {
				_, err := os.Stat(filepath.Join(there, r.New.Path, "go.mod"))
				if r.New.Version == "" && err != nil { // the archive lacks it, too
					edits = append(edits, "-dropreplace="+r.Old.String())
				}
			}
			if len(edits) > 0 {
				editMod(t, there, edits...)
			}
			test(t, &s, there)
		})
	}
	return tested
}

// uses fails the test unless the program is built from a package of the library.
func (s *subject) uses(t *testing.T, dir, pkg string) {
	t.Helper()
	deps, err := run(t, dir, s.env, "go", append([]string{"list", "-deps", "-test", "-tags=" + s.tags}, strings.Fields(s.packages)...)...)
	if err != nil || !strings.Contains(deps, "\n"+pkg+"\n") {
		t.Fatalf("%v; the program does not use the replacement:\n%s", err, deps)
	}
}

// both runs the tests without and with the replacement. Every test that passes without must pass with the replacement.
// It returns the tests that pass only with the replacement.
func (s *subject) both(t *testing.T, there, here string) (more []string) {
	t.Helper()
	start := time.Now()
	before, after := s.test(t, there), s.test(t, here)
	for _, test := range before.count("pass") {
		if after[test] != "pass" {
			t.Errorf("%s passes with the original module; with the replacement: %q", test, after[test])
		}
	}
	passed := after.count("pass")
	for _, test := range passed {
		if before[test] != "pass" {
			t.Logf("passes with the replacement only, and without it %q: %s", before[test], test)
			more = append(more, test)
		}
	}
	t.Logf("%d pass with the replacement; %q fail with the original module, %q with the replacement; %v",
		len(passed), before.count("fail"), after.count("fail"), time.Since(start).Round(time.Second))
	if len(passed) < s.least {
		t.Errorf("%d pass, at least %d are needed", len(passed), s.least)
	}
	return more
}

// TestPrograms runs the unmodified tests of programs, in copies of the module proxy's archives. It runs the tests
// without the replacement, and with the lines that "p256k1 replace -w" writes.
func TestPrograms(t *testing.T) {
	notShort(t)
	p256k1 := command(t)
	tested := each(t, subjects, func(t *testing.T, s *subject, there string) {
		s.env = noC
		if s.raise != "" {
			mustRun(t, there, "go", "get", s.raise)
		}
		mustRun(t, there, "go", "list", "-m", decred.path) // needs the network: a go.mod from before Go 1.17 does not list all requirements
		here := copied(t, there)
		mustRun(t, root, p256k1, "replace", "-w", "--local", root, here)
		addSums(t, here, decred.dir)
		editMod(t, here, "-go=1.26.0") // go mod tidy would also look for requirements of other packages
		s.uses(t, here, "p256k1.mleku.dev/v2/compat/decred")
		// btcec is also replaced if the program requires a version that can be replaced.
		for _, d := range []*dropIn{decred, btcec} {
			version, err := run(t, there, nil, "go", "list", "-m", "-f", "{{.Version}}", d.path)
			version = strings.TrimSpace(version)
			if err != nil || strings.HasPrefix(s.module, d.path+"@") || semver.Compare(version, older[btcec][0]) < 0 {
				continue
			}
			folder := strings.TrimSpace(mustRun(t, here, "go", "list", "-m", "-f", "{{.Replace.Path}}", d.path))
			if filepath.Join(here, folder) != d.dir {
				t.Errorf("%s %s is replaced by %s", d.path, version, folder)
			}
			t.Logf("replaced: %s %s", d.path, version)
		}
		if *rounds > 0 {
			s.compare(t, there, here)
		} else {
			s.both(t, there, here)
		}
	})
	if tested == 0 {
		t.Errorf("no program's module matches %q", *released)
	}
}

// erigons lists packages of Erigon that have tests and call Erigon's module. Other packages of Erigon need modules that
// exist only in its repository.
var erigons = []subject{
	{"github.com/ledgerwatch/erigon-lib@v1.0.0", 45, "./types", extra{few: true}},
	{"github.com/ledgerwatch/erigon-lib@v1.0.0", 200, "./txpool", extra{}},
	{"github.com/erigontech/erigon@v1.9.7-0.20250627051334-b48bd312b712", 2, "./tests/fuzzers/secp256k1", extra{few: true,
		edit: "-droprequire=github.com/erigontech/erigon-lib -droprequire=github.com/erigontech/erigon-db"}},
}

// TestErigonPrograms runs the unmodified tests of packages of Erigon, with libsecp256k1 and with this project's module,
// which also takes the place of Erigon's module under its older name.
func TestErigonPrograms(t *testing.T) {
	notShort(t)
	each(t, erigons, func(t *testing.T, s *subject, there string) {
		s.env = []string{"CGO_ENABLED=1"} // for libsecp256k1 without the replacement, and for Erigon's database
		here := copied(t, there)
		replace(t, here, erigon)
		editMod(t, here, "-go=1.26.0", "-replace=github.com/ledgerwatch/secp256k1="+erigon.dir,
			"-require=p256k1.mleku.dev/v2@v2.0.0-beta.1", "-require=golang.org/x/sys@v0.49.0")
		s.uses(t, here, "p256k1.mleku.dev/v2/ecdsa")
		if more := s.both(t, there, here); len(more) > 0 {
			t.Errorf("%q pass with the replacement only", more)
		}
	})
}

// compare prints the times of a program with the original library and with this library.
func (s *subject) compare(t *testing.T, there, here string) {
	for _, what := range s.timed {
		pkg, pattern, _ := strings.Cut(what, " ")
		var programs, folders [2]string
		for side, dir := range []string{there, here} {
			if s.added != "" {
				write(t, filepath.Join(dir, s.added), "added_test.go", read("testdata", s.added, "engine.go"))
			}
			programs[side], folders[side] = filepath.Join(t.TempDir(), "program.test"), filepath.Join(dir, pkg)
			if text, err := run(t, dir, noC, "go", "test", "-c", "-vet=off", "-o", programs[side], pkg); err != nil {
				t.Fatal(text)
			}
		}
		if !compare(t, strings.TrimPrefix(s.module, "github.com/")+" "+strings.TrimPrefix(pkg, "./"), pattern, programs, folders, *rounds) {
			t.Errorf("no benchmark matches %s", what)
		}
	}
}

// compare runs benchmarks or tests of two programs alternately. It prints the rows of a table: the medians of their
// times, the ratio and the allocations. It reports whether there were any benchmarks.
func compare(t *testing.T, name, pattern string, programs, folders [2]string, rounds int) bool {
	isTest := strings.HasPrefix(pattern, "^Test")
	args := []string{"-test.count=1", "-test.run=^$", "-test.bench=" + pattern, "-test.benchmem", "-test.benchtime=50ms"}
	if isTest {
		args = []string{"-test.count=1", "-test.run=" + pattern, "-test.v"}
	}
	line := regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op\s.*?(\d+) allocs/op`)
	times := make(map[string]*[2][]float64) // microseconds
	allocs := make(map[string]*[2]string)
	for range rounds {
		for side, program := range programs {
			cmd := exec.Command(program, args...)
			cmd.Dir = folders[side]
			text, err := cmd.CombinedOutput()
			if err != nil || (isTest && !strings.Contains(string(text), "--- PASS")) {
				t.Fatalf("%v\n%s", err, text)
			}
			found := line.FindAllStringSubmatch(string(text), -1)
			if isTest {
				found = [][]string{{"", strings.Trim(pattern, "^$"), fmt.Sprint(cmd.ProcessState.UserTime().Nanoseconds()), ""}}
			}
			for _, m := range found {
				if times[m[1]] == nil {
					times[m[1]], allocs[m[1]] = new([2][]float64), new([2]string)
				}
				times[m[1]][side] = append(times[m[1]][side], libtest.Must(strconv.ParseFloat(m[2], 64))/1000)
				allocs[m[1]][side] = m[3]
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(times)) {
		a, b := median(times[what][0]), median(times[what][1])
		fmt.Printf("| %s: %s | %.1f | %.1f | %.2f | %s, %s |\n", name, what, a, b, b/a, allocs[what][0], allocs[what][1])
	}
	return len(times) > 0
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
