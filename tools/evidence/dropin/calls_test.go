package dropin

import (
	"bufio"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// programs copies d's program from testdata/others to dir, and builds it without and with the replacement.
func programs(t *testing.T, d *dropIn, version string) (dir, theirs, ours string) {
	t.Helper()
	dir = program(t, d, version)
	theirs = build(t, dir, version, "theirs")
	replace(t, dir, d)
	return dir, theirs, build(t, dir, version, "ours")
}

// bothPrint returns the lines that a program prints without and with the replacement. It fails if there are fewer lines
// than least.
func bothPrint(t *testing.T, d *dropIn, least int) (theirs, ours []string) {
	t.Helper()
	dir, original, replaced := programs(t, d, d.versions[0])
	theirs = strings.Split(mustRun(t, dir, original, "1", "1"), "\n")
	ours = strings.Split(mustRun(t, dir, replaced, "1", "1"), "\n")
	if len(theirs) != len(ours) || len(theirs) < least {
		t.Fatalf("%d lines with the original module, %d with the replacement", len(theirs), len(ours))
	}
	return theirs, ours
}

// compareCalls runs both programs. It returns the first lines that differ, but no more than most lines, and the number
// of calls.
func compareCalls(t *testing.T, theirs, ours string, seed uint64, rounds, most int) (differ [][2]string, count int) {
	t.Helper()
	var lines [2]*bufio.Reader
	for i, name := range []string{theirs, ours} {
		cmd := exec.Command(name, strconv.FormatUint(seed, 10), strconv.Itoa(rounds))
		cmd.Stderr = os.Stderr
		out := libtest.Must(cmd.StdoutPipe())
		libtest.Check(t, cmd.Start())
		defer cmd.Wait()
		defer out.Close()
		lines[i] = bufio.NewReader(out)
	}
	for len(differ) < most {
		want, end := lines[0].ReadString('\n')
		got, _ := lines[1].ReadString('\n')
		if want != got {
			differ = append(differ, [2]string{want, got})
		}
		if end == io.EOF {
			break
		}
		count++
	}
	return differ, count
}

// TestCalls calls all exported functions and methods with random arguments, and compares the results, including errors
// and panics. P256K1_CASES is the number of rounds, each of some 50 to 90 calls; musig2 gets a twentieth.
func TestCalls(t *testing.T) {
	rounds, seed := 1500, uint64(os.Getpid())
	if testing.Short() {
		rounds /= 5
	}
	rounds = oracle.CasesOr(rounds)
	if text := os.Getenv(oracle.SeedEnv); text != "" {
		seed = libtest.Must(strconv.ParseUint(text, 0, 64))
	}
	for _, d := range []*dropIn{decred, btcec, musig2, erigon} {
		for _, version := range d.versions {
			t.Run(d.name+"@"+version, func(t *testing.T) {
				d.needC(t)
				rounds := rounds
				if d == musig2 { // a round has about 90 calls, which take more time
					rounds = (rounds + 19) / 20
				}
				_, theirs, ours := programs(t, d, version)
				differ, count := compareCalls(t, theirs, ours, seed, rounds, 5)
				for _, lines := range differ {
					t.Errorf("seed %d: the original module:\n%sthe replacement:\n%s", seed, lines[0], lines[1])
				}
				t.Logf("result: %s %s: %d calls without and with the replacement, seed %d: %d differ",
					d.name, version, count, seed, len(differ))
				if count < 45*rounds {
					t.Errorf("%d calls in %d rounds", count, rounds)
				}
			})
		}
	}
}

// calledBy returns the full names of the functions and methods that a program calls.
func calledBy(t *testing.T, d *dropIn) map[string]bool {
	t.Helper()
	used := make(map[string]bool)
	dir := program(t, d, d.versions[0])
	for _, object := range load(t, dir, ".", packages.NeedSyntax, packages.NeedTypesInfo)[d.name].TypesInfo.Uses {
		if f, ok := object.(*types.Func); ok {
			used[f.FullName()] = true
		}
	}
	return used
}

// checkCalled fails if the original module exports a function or a method of an own type that is neither used nor
// exempt, or if it exports fewer of them than least.
func checkCalled(t *testing.T, d *dropIn, least int, used map[string]bool, exempt func(*types.Func) bool) {
	t.Helper()
	var all []*types.Func
	for _, p := range load(t, program(t, d, d.versions[0]), d.path+"/...") {
		for _, name := range p.Types.Scope().Names() {
			object := p.Types.Scope().Lookup(name)
			if f, ok := object.(*types.Func); ok {
				all = append(all, f)
			}
			if o, ok := object.(*types.TypeName); ok && o.Exported() && !o.IsAlias() { // methods of an alias belong to another type
				all = slices.AppendSeq(all, o.Type().(*types.Named).Methods())
			}
		}
	}
	all = slices.DeleteFunc(all, func(f *types.Func) bool { return !f.Exported() })
	for _, f := range all {
		if !used[f.FullName()] && !exempt(f) {
			t.Errorf("%s is not called", f.FullName())
		}
	}
	if len(all) < least {
		t.Errorf("%s has only %d functions", d.path, len(all))
	}
}

// TestCallsAll fails if the original module exports a function that the program does not call.
func TestCallsAll(t *testing.T) {
	for d, least := range map[*dropIn]int{decred: 110, btcec: 90, erigon: 18} {
		t.Run(d.name, func(t *testing.T) {
			d.needC(t)
			used := calledBy(t, d)
			maps.Copy(used, calledBy(t, musig2))
			// Printing an error calls its methods. GeneratePrivateKey returns random results, which cannot be compared.
			silent := []string{"GeneratePrivateKey", "Error", "Unwrap"}
			checkCalled(t, d, least, used, func(f *types.Func) bool { return slices.Contains(silent, f.Name()) })
		})
	}
}
