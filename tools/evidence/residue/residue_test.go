//go:build linux

package residue

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

func newInput(r *oracle.Rand, operation int) input {
	return append(input{byte(operation)}, operations.Draw(r, false)...)
}

// usesRuntime says whether package secret uses runtime/secret, and wipesRegisters whether it wipes registers in
// addition to the stack.
var (
	usesRuntime    = strings.Contains(operations.Setting("GOEXPERIMENT"), "runtimesecret") && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")
	wipesRegisters = usesRuntime || (runtime.GOARCH == "amd64" && !strings.Contains(operations.Setting("-tags"), "purego"))
)

// A finding has the places found in a child, before it collected garbage and after it did so twice.
type finding struct {
	parts int // number of parts searched for
	found [2][]place
	size  [2]int
}

var when = [2]string{"before garbage collections", "after two"}

// search runs the jobs in a child, and searches the memory of the child.
func search(t *testing.T, jobs []input, interrupt string, environment ...string) (f finding) {
	t.Helper()
	self := libtest.Must(os.Executable())
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), fmt.Sprint(jobsVariable, "=", len(jobs)), interruptVariable+"="+interrupt)
	cmd.Env = append(cmd.Env, environment...)
	cmd.Stderr = os.Stderr
	stdin, stdout := libtest.Must(cmd.StdinPipe()), libtest.Must(cmd.StdoutPipe())
	libtest.Check(t, cmd.Start())
	read := func(n int) []byte {
		b := make([]byte, n)
		_, err := io.ReadFull(stdout, b)
		libtest.Check(t, err)
		return b
	}
	libtest.Must(stdin.Write(slices.Concat(jobs...)))
	var secrets searcher
	for i, in := range jobs {
		o := searched[*in.operation()]
		raw := read(int(binary.LittleEndian.Uint16(read(2))))
		values, results := operations.New(in.values()), operations.ParseResults(raw)
		if wrong := results.Wrong(); wrong != "" {
			t.Fatalf("job %d, %s: %s", i, o.Name, wrong)
		}
		all := values.Secrets()
		if i == 0 {
			all = append(all, operations.Secret{What: "kept", Value: [32]byte(kept)})
		}
		if o.Oracle != nil {
			more, right := o.Oracle(values, results)
			if !right {
				t.Fatalf("job %d, %s: wrong result", i, o.Name)
			}
			all = append(all, more...)
		}
		for _, v := range all {
			secrets.add(i, v)
		}
	}
	f.parts = secrets.count
	for i := range f.found {
		read(1)
		f.found[i], f.size[i] = secrets.process(t, cmd.Process.Pid)
		all := len(f.found[i])
		f.found[i] = slices.DeleteFunc(f.found[i], func(p place) bool { return p.secret == "kept" })
		if len(f.found[i]) == all {
			t.Fatal("the search of the child does not find what is kept there")
		}
		libtest.Must(stdin.Write([]byte{1}))
	}
	libtest.Check(t, cmd.Wait())
	return f
}

func TestResidue(t *testing.T) {
	afterwards := never
	if wipesRegisters {
		afterwards = after
	}
	for _, c := range []struct {
		name, interrupt string
		environment     []string
	}{
		// Nothing interrupts operations in these two runs, so they must be clean every time.
		{"alone", afterwards, []string{"GODEBUG=asyncpreemptoff=1", "GOGC=off"}},
		{"alone, without ADX and AVX", afterwards, []string{"GODEBUG=asyncpreemptoff=1,cpu.adx=off,cpu.avx=off", "GOGC=off"}},
		// A stack that moves between calls of the library must not leave a copy of a secret either.
		{"moved", between, []string{"GODEBUG=asyncpreemptoff=1", "GOGC=off"}},
		// Only runtime/secret promises that this run is clean.
		{"interrupted", during, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := oracle.New(t)
			var jobs []input
			for range oracle.CasesOr(6) {
				for o := range searched {
					jobs = append(jobs, newInput(r, o))
				}
			}
			f := search(t, jobs, c.interrupt, c.environment...)
			report := t.Errorf
			promise := "which is not allowed"
			if c.interrupt == during && !usesRuntime {
				report, promise = t.Logf, "which SECURITY.md allows"
			}
			for i, found := range f.found {
				places := make(map[string][]place)
				for _, p := range found {
					what := fmt.Sprintf("%s: %s in %s", searched[*jobs[p.job].operation()].Name, p.secret, p.form)
					places[what] = append(places[what], p)
				}
				for _, what := range slices.Sorted(maps.Keys(places)) {
					report("%s, %s, %d times, %s; the first at %s", when[i], what, len(places[what]), promise, places[what][0])
				}
			}
			t.Logf("result: %d kinds of operations, %d times each, interrupted %s (%s, runtime/secret %t): of %d parts of secrets, 64 bits each, %d found in %.0f MB %s, %d in %.0f MB %s",
				len(searched), len(jobs)/len(searched), c.interrupt, platform.Name(), usesRuntime, f.parts,
				len(f.found[0]), float64(f.size[0])/1e6, when[0], len(f.found[1]), float64(f.size[1])/1e6, when[1])
		})
	}
}

// TestDepths runs the operations that read keys from texts at stack depths at which the stack grows, each in a separate
// process. Such an operation reads a text into memory and then makes a private key from it. The stack may have to grow
// in between, and the old stack is then not wiped. The stack grows between these two steps at only about two depths,
// and the next goroutine that gets the old stack overwrites it, so that TestResidue, which draws depths, sees a copy in
// one run of many. With P256K1_LONG=1 it runs all operations at all depths that TestResidue draws, some 10,000
// processes.
func TestDepths(t *testing.T) {
	r := oracle.New(t)
	long := os.Getenv("P256K1_LONG") != ""
	from, to := byte(48), byte(76)
	if long {
		from, to = 0, 128
	}
	parts, found, children := 0, 0, 0
	for o, op := range searched {
		if !long && op.Name != "nip19, nsec" && (testing.Short() || !strings.HasPrefix(op.Name, "keyformat, ")) {
			continue
		}
		for depth := from; depth < to; depth++ {
			job := newInput(r, o)
			operations.New(job.values()).Aux[0] = depth
			f := search(t, []input{job}, never, "GODEBUG=asyncpreemptoff=1", "GOGC=off")
			for _, p := range f.found[0] {
				t.Errorf("%s, %d frames deep: %s", op.Name, depth, p)
			}
			parts, found, children = parts+f.parts, found+len(f.found[0]), children+1
		}
	}
	if children == 0 {
		t.Fatal("no operation was searched")
	}
	t.Logf("result: %d operations at depths of the stack, %d parts of secrets, %d found", children, parts, found)
}

// TestSearch hides every part of a secret in every form, among zero bytes and among other bytes, at offsets around the
// end of a page.
func TestSearch(t *testing.T) {
	r := oracle.New(t)
	v := operations.Secret{What: "secret", Value: [32]byte(r.Bytes(32))}
	var s searcher
	s.add(0, v)
	hidden := 0
	for _, form := range forms {
		parts := form.quarters(v)
		if len(parts) != 4 {
			t.Errorf("%s: %d parts", form.name, len(parts))
		}
		for _, part := range parts {
			for _, around := range [][]byte{make([]byte, 3*pageSize), r.Bytes(3 * pageSize)} {
				for start := pageSize - 20; start < pageSize+4; start++ {
					b := slices.Clone(around)
					copy(b[start:], part)
					found := s.search(nil, b, 1<<40, "")
					if !slices.ContainsFunc(found, func(p place) bool { return p.form == form.name && p.address == 1<<40+uint64(start) }) || len(found) > 2 {
						t.Errorf("%s: %x at %d: found %v", form.name, part, start, found)
					}
					b[start+len(part)/2]++
					if found := s.search(nil, b, 0, ""); len(found) > 0 {
						t.Errorf("%s: %x at %d with a bit changed: found %v", form.name, part, start, found)
					}
					hidden++
				}
			}
		}
	}
	t.Logf("result: %d parts hidden at all offsets around the end of a page, in %d forms: all found", hidden, len(forms))
}
