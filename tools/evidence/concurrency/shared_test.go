package concurrency

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"p256k1.mleku.dev/v2/internal/platform"
)

// cases is the number that P256K1_CASES says, or the one given.
func cases(t testing.TB, n int) int {
	t.Helper()
	if s := os.Getenv("P256K1_CASES"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil || n <= 0 {
			t.Fatalf("P256K1_CASES=%q is not a number of cases", s)
		}
	}
	return n
}

// TestShared calls everything from all goroutines on the same values.
func TestShared(t *testing.T) {
	const goroutines = 16
	rounds := cases(t, 15)
	w := newWorld(t)
	var want []string
	functions := 0
	for _, o := range operations {
		want = append(want, text(o.do(w)))
		functions += len(strings.Fields(o.names))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(4, runtime.NumCPU()))) // so that threads change in the middle, too
	start := make(chan struct{})
	var calls, wrong atomic.Int64
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			<-start
			for round := range rounds {
				for i := range operations {
					at := (i + g + round) % len(operations)
					if g%2 == 1 {
						at = len(operations) - 1 - at
					}
					if got := text(operations[at].do(w)); got != want[at] && wrong.Add(1) < 5 {
						t.Errorf("%s: %s\nalone\n%s", operations[at].of, got, want[at])
					}
					calls.Add(1)
				}
			}
		})
	}
	close(start)
	wg.Wait()
	for i, o := range operations {
		if got := text(o.do(w)); got != want[i] {
			t.Errorf("%s: something shared has changed: %s\nbefore\n%s", o.of, got, want[i])
		}
	}
	t.Logf("result: %d functions in %d groups, each group called %d times by each of %d goroutines on shared values: %d of %d results not those of one goroutine alone (race detector %s, backend %s)",
		functions, len(operations), rounds, goroutines, wrong.Load(), calls.Load(), raceDetector, platform.Name())
}

// TestComplete finds exported functions that the operations leave out, and names that are not there any more.
func TestComplete(t *testing.T) {
	var api []string
	for of, dir := range map[string]string{"p256k1": ".", "curve": "curve", "ecdsa": "ecdsa", "schnorr": "schnorr", "ecdh": "ecdh", "ellswift": "ellswift", "signer": "signer",
		"musig2": "protocols/musig2", "silentpayments": "protocols/silentpayments", "dleq": "protocols/dleq", "cashu": "protocols/cashu",
		"bip324": "protocols/bip324", "nostr": "nostr", "nip44": "nostr/nip44"} {
		names, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			if built, err := build.Default.MatchFile(filepath.Split(name)); err != nil || !built {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() {
					api = append(api, of+receiver(f)+"."+f.Name.Name)
				}
			}
		}
	}
	var called []string
	for _, o := range operations {
		for name := range strings.FieldsSeq(o.names) {
			called = append(called, o.of+"."+name)
		}
	}
	for _, name := range api {
		if !slices.Contains(called, name) {
			t.Errorf("no operation calls %s", name)
		}
	}
	for _, name := range called {
		if !slices.Contains(api, name) {
			t.Errorf("there is no %s", name)
		}
	}
	if len(api) != len(called) || len(api) < 100 {
		t.Errorf("%d functions, %d in operations", len(api), len(called))
	}
}

// receiver returns the type of the receiver after a dot, nothing for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	return "." + of.(*ast.Ident).Name
}
