// Command lint disassembles all code that secrets reach in the linked library: in the default build, with the build tag
// purego, and with the code for 32-bit processors and WebAssembly. It compares the branches, computed addresses,
// instructions of variable time and calls of other code with the reviewed list.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/consttime"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() { consttime.Command("lint", run) }

// builds are the build tags of the programs that lint reads.
var builds = []struct{ name, tags string }{
	{"assembly and portable code", ""},
	{"portable code alone (purego)", "purego"},
	{"code for 32-bit processors", "purego,limbs32"},
	{"code for WebAssembly", "purego,limbs29"},
}

func run(ctx context.Context, dir string) {
	list, all := consttime.Reviewed(), make(findings)
	for i, build := range builds {
		p := consttime.Build(ctx, filepath.Join(dir, "subject"), build.tags)
		found, read, instructions := lint(ctx, p)
		if i == 0 {
			handled := found.unread(ctx, p, read)
			fmt.Printf("result: lint: of %d functions that handle secrets, exported in any module or the command's, those are not read that the reviewed list names\n", handled)
		}
		places := make(map[string]int)
		for f := range found {
			places[f.Kind]++
		}
		maps.Copy(all, found)
		fmt.Printf("result: lint: %s: %d functions of %d instructions; %d places with branches, %d with computed addresses, %d with variable time, %d with calls of other code\n",
			build.name, len(read), instructions, places["branch"], places["index"], places["slow"], places["call"]+places["public"])
	}
	unknown, stale := consttime.Compare(list, all)
	for _, f := range unknown {
		fmt.Printf("not on the list (%v):\n%v\n", all[f], f)
	}
	for _, s := range stale {
		fmt.Printf("reviewed.txt:%d: no longer in the code:\n%v\n", s.Line, s)
	}
	must.Do(consttime.Judge(list, unknown, stale))
	fmt.Printf("result: lint: all %d places are on the reviewed list, and all its %d lines are needed\n", len(all), len(list))
}

// lint examines all code that the operations of the subject reach. It returns the findings, the symbols of the
// functions that it has read, and the number of their instructions.
func lint(ctx context.Context, p *consttime.Program) (found findings, read map[string]bool, instructions int) {
	functions := disassemble(ctx, p.Path)
	starts := make(map[string]*function)
	for _, f := range functions {
		if len(f.code) > 0 {
			starts[fmt.Sprint(f.code[0].pc)] = f
		}
	}
	image := must.Get(os.ReadFile(p.Path))
	for _, f := range functions {
		for n := range f.code {
			if i := &f.code[n]; strings.HasPrefix(i.symbol, "go:func") { // a constant function value, which has an address
				i.target = binary.LittleEndian.Uint64(image[p.Offset(i.target):])
				if g := starts[fmt.Sprint(i.target)]; g != nil {
					i.symbol = g.name
				}
			}
		}
	}
	var roots []*function
	for _, address := range strings.Fields(string(must.Get(exec.CommandContext(ctx, p.Path, "-roots").Output()))) {
		if starts[address] == nil {
			panic(fmt.Errorf("the subject has no function at %s", address))
		}
		roots = append(roots, starts[address])
	}
	found, read = make(findings), make(map[string]bool)
	for _, f := range found.reachable(functions, roots) {
		found.look(p, f)
		read[f.name] = true
		instructions += len(f.code)
	}
	return found, read, instructions
}
