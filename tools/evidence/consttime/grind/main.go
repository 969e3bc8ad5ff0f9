// Command grind runs the library's operations on secrets under valgrind's memcheck, with the secrets marked as
// undefined. tools/evidence/operations gives the reason for each operation that is left out. memcheck then reports each
// branch and each address that depends on a secret (A. Langley's ctgrind, 2010). grind fails unless the reports equal
// the declassified places of the reviewed list, in the assembly and in the portable code.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/consttime"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() { consttime.Command("grind", run) }

// backends lists the backends of the library that run under valgrind, which executes BMI2, ADX and AVX2.
var backends = []backend{
	{name: "assembly", adx: "on", says: "x86-64 (BMI2, ADX, AVX2)", traps: twins("Generic")},
	{name: "portable code, cpu.adx=off", says: "portable", traps: twins("Broadwell")},
	{name: "portable code, purego", tags: "purego", says: "portable", traps: twins("Broadwell")},
}

type backend struct {
	name, tags string
	adx        string                   // the value of the variable consttime.ADX
	says       string                   // the backend that the subject must report
	traps      func(symbol string) bool // functions that the subject must not run
}

// twins returns a function that reports whether a function is one of the twins with this ending, "Generic" for portable
// code or "Broadwell" for assembly, or assembly that valgrind cannot execute.
func twins(ending string) func(symbol string) bool {
	return regexp.MustCompile(`(` + ending + `|AVX512)(\.abi0)?$`).MatchString
}

func run(ctx context.Context, dir string) {
	declassified := slices.DeleteFunc(consttime.Reviewed(), func(r consttime.Review) bool { return !r.Declassified })
	version := must.Get(exec.CommandContext(ctx, "valgrind", "--version").Output())
	var want string
	var failed []error
	for _, b := range backends {
		p := consttime.Build(ctx, filepath.Join(dir, "subject"), b.tags)
		if want == "" {
			// The expected results are the results of a native run, which uses all instructions that the processor has.
			want = must.Get(runNative(ctx, p.Path)).Results
		}
		if err := grind(ctx, b, p, declassified, want); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", b.name, err))
		}
	}
	fmt.Printf("result: grind: AVX-512 was NOT run, since %s has none: lookupAVX512, made by the generator of lookupBroadwell, was read by lint alone; nor SHA-NI, in place of which Go used AVX2\n", bytes.TrimSpace(version))
	must.Do(errors.Join(failed...))
}

// grind runs the subject on one backend and checks the reports.
func grind(ctx context.Context, b backend, p *consttime.Program, declassified []consttime.Review, want string) error {
	path := p.Path + ".trapped"
	traps := setTraps(p, path, b.traps)
	if traps == 0 && b.tags == "" { // with purego there is no other code
		return errors.New("no symbol of the other code is set to trap")
	}
	out, reports := memcheck(ctx, path, b.adx)
	if !out.Valgrind || out.Backend != b.says || out.Results != want {
		return fmt.Errorf("the subject ran on %q, under valgrind: %v, with the results %s; want %q, true, %s", out.Backend, out.Valgrind, out.Results, b.says, want)
	}
	// After a hundred reports, memcheck compares only the two innermost frames to tell reports apart, which is enough
	// for a finding.
	found := make(map[consttime.Finding]report)
	runtimes := 0
	for _, r := range reports {
		if consttime.Name(r.Frames[0].Function) == "runtime.adjustframe" {
			runtimes++ // see growStack in the subject
		} else {
			found[r.finding(p)] = r
		}
	}
	unknown, stale := consttime.Compare(declassified, found)
	for _, f := range unknown {
		fmt.Printf("%s: depends on a secret:\n%v\n", b.name, f)
		for _, caller := range found[f].Frames {
			fmt.Printf("\t\tin %s\n", consttime.Name(caller.Function))
		}
	}
	for _, s := range stale {
		fmt.Printf("%s: reviewed.txt:%d: memcheck reports no secret in this place:\n%v\n", b.name, s.Line, s)
	}
	if err := consttime.Judge(declassified, unknown, stale); err != nil {
		return err
	}
	fmt.Printf("result: grind: %s: the %d results were secret until revealed and agree with the processor's; memcheck reports the %d places of the reviewed list that are declassified and no others (%d reports, %d of the runtime); %d symbols of the other code set to trap, and none was run\n",
		b.name, out.Count, len(declassified), len(reports), runtimes, traps)
	return nil
}

// setTraps writes a copy of the program. In each function of the library that forbidden selects, a trap replaces the
// first instruction, so that running the function ends the program.
func setTraps(p *consttime.Program, path string, forbidden func(symbol string) bool) (n int) {
	b := must.Get(os.ReadFile(p.Path))
	for _, s := range p.Symbols {
		if strings.HasPrefix(s.Name, "p256k1.mleku.dev/v2/internal/") && forbidden(s.Name) {
			b[p.Offset(s.Value)] = 0xcc // INT3
			n++
		}
	}
	must.Do(os.WriteFile(path, b, 0o755))
	return n
}
