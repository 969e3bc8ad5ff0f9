package dropin

import (
	"cmp"
	"go/types"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// allocs is the program that counts the allocations of Decred's module and of btcec's module.
var allocs = btcec.as("allocs")

// TestAllocations compares the allocations of each function in the original modules and in this project's modules.
func TestAllocations(t *testing.T) {
	want, got := bothPrint(t, allocs, 180)
	fewer := 0
	for i := range want {
		wantCount, wantName, _ := strings.Cut(want[i], " ")
		gotCount, gotName, _ := strings.Cut(got[i], " ")
		if wantName != gotName {
			t.Fatalf("the original module: %q; the replacement: %q", wantName, gotName)
		}
		if wantName == "" {
			continue
		}
		there, here := libtest.Must(strconv.Atoi(wantCount)), libtest.Must(strconv.Atoi(gotCount))
		if here > there {
			t.Errorf("%s allocates %d times in the original module, and %d times in the replacement", wantName, there, here)
		}
		if here < there {
			fewer++
		}
	}
	t.Logf("result: of %d calls, %d allocate less with the replacement, and none allocates more", len(want)-1, fewer)
}

// TestAllocationsAll fails if the modules export a function, outside musig2, that the program does not call.
func TestAllocationsAll(t *testing.T) {
	used := calledBy(t, allocs)
	for _, d := range []*dropIn{decred, btcec} {
		checkCalled(t, d, 1, used, func(f *types.Func) bool {
			return strings.HasSuffix(f.Pkg().Path(), "/musig2") || f.Name() == "Error" || f.Name() == "Unwrap"
		})
	}
}

// TestInlined checks that the compiler inlines each inlinable method of compat/decred when it compiles the packages of
// aliases. It then inlines the methods in programs, too.
func TestInlined(t *testing.T) {
	for pkg, least := range map[string]int{"": 30, "/ecdsa": 2} {
		text := mustRun(t, decred.dir, "go", "build", "-gcflags=-m", "p256k1.mleku.dev/v2/compat/decred"+pkg)
		can := regexp.MustCompile(`can inline (\S+\.[A-Z]\w*)\n`).FindAllStringSubmatch(text, -1)
		text = mustRun(t, decred.dir, "go", "build", "-gcflags=-m", "."+pkg)
		name, methods := cmp.Or(strings.TrimPrefix(pkg, "/"), "secp256k1"), 0
		for _, m := range can {
			if strings.Contains(m[1], "Error") { // functions whose speed does not matter
				continue
			}
			methods++
			if !strings.Contains(text, " inlining call to "+name+"."+m[1]+"\n") {
				t.Errorf("%s is not inlined in the package of aliases: programs will not inline it", m[1])
			}
		}
		if methods < least {
			t.Errorf("%s%s has only %d methods that can be inlined", decred.path, pkg, methods)
		}
	}
}
