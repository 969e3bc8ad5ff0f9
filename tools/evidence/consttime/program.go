// Package consttime has the code that the commands in its subfolders share. The commands look for dependencies of time
// on secrets in the linked library. The package links the subject, a program that calls the functions that take
// secrets, and reads the list of reviewed code.
package consttime

import (
	"context"
	"debug/elf"
	"debug/gosym"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/internal/locals"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Subject is the import path of the program under test.
const Subject = "p256k1.mleku.dev/v2/tools/evidence/consttime/subject"

// Operations is the import path of the list of operations that the subject runs.
const Operations = "p256k1.mleku.dev/v2/tools/evidence/operations"

// ADX is the environment variable that makes the subject use the assembly on a processor that does not report ADX.
// Valgrind executes ADX, but its CPUID does not report it. The library has no such variable.
const ADX = "P256K1_ADX"

// environment is the platform for which the subject is built.
var environment = []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}

// Program is the linked subject.
type Program struct {
	Path    string
	Overlay map[string][]byte // the changed and added files of the library
	Symbols []elf.Symbol      // the symbols of functions

	progs   []elf.ProgHeader
	lines   *gosym.Table
	sources map[string]*source
}

// Build links the subject at path with build tags, which may be empty.
func Build(ctx context.Context, path, tags string) *Program {
	library := changed(ctx)
	dir := path + ".overlay"
	must.Do(os.MkdirAll(dir, 0o755))
	overlay := must.Get(library.Write(dir))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "-tags", tags, "-overlay", overlay,
		"-ldflags=-w",             // valgrind 3.19 does not know the debugging information of Go 1.25
		"-gcflags="+Subject+"=-l", // without inlining, so that the subject calls the compiled functions of the library
		"-gcflags="+Operations+"=-l",
		Subject)
	cmd.Env = append(os.Environ(), environment...)
	must.Get(must.Output(cmd))
	p := &Program{Path: path, Overlay: make(map[string][]byte), sources: make(map[string]*source)}
	for name, text := range library.Sources() {
		p.sources[name], p.Overlay[name] = parse(name, text), []byte(text)
	}
	p.open()
	if !slices.ContainsFunc(p.Symbols, func(s elf.Symbol) bool {
		file, _, _ := p.lines.PCToLine(s.Value)
		return s.Name == btcec+"/schnorr.Sign" && strings.HasSuffix(filepath.ToSlash(file), "/compat/btcec/v2/schnorr/sign.go")
	}) {
		panic(fmt.Errorf("%s does not contain this project's replacement of btcec", path))
	}
	return p
}

// The modules of other projects that the subject calls, and that modules in the folder compat replace.
const (
	btcec  = "github.com/btcsuite/btcd/btcec/v2"
	decred = "github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// changed returns a patch that replaces btcec's and Decred's modules, as "p256k1 replace" does, that adds the other
// modules, and copies of the command's packages that are not internal, and that makes the library read ADX.
func changed(ctx context.Context) *patch.Patch {
	root := filepath.Dir(strings.TrimSpace(string(must.Get(exec.CommandContext(ctx, "go", "env", "GOWORK").Output()))))
	library := must.Get(patch.New(root))
	// more appends text to a file.
	more := func(file, text string) {
		was, known := library.Sources()[filepath.Join(root, file)]
		if !known {
			was = string(must.Get(os.ReadFile(filepath.Join(root, file))))
		}
		must.Do(library.Edit(file, "", was, was+text))
	}
	for path, folder := range map[string]string{btcec: "compat/btcec/v2", decred: "compat/decred/v4"} {
		more("go.work", fmt.Sprintf("\nreplace %s => ./%s\n", path, folder))
		more("go.work.sum", string(must.Get(os.ReadFile(filepath.Join(root, folder, "go.sum")))))
	}
	for _, folder := range []string{"compat/erigon", "compat/v1"} { // not in go.work, because they have other projects' paths
		more("go.work", fmt.Sprintf("\nuse ./%s\n", folder))
	}
	subject, command := filepath.Join(root, "tools/evidence/consttime/subject"), filepath.Join(root, "cmd/p256k1/internal")
	compat := must.Get(os.ReadFile(filepath.Join(subject, "testdata/compat.go")))
	must.Do(library.Add(filepath.Join(subject, "compat.go"), string(compat)))
	for _, file := range must.Get(filepath.Glob(filepath.Join(command, "*/*.go"))) {
		if !strings.HasSuffix(file, "_test.go") {
			text := strings.ReplaceAll(string(must.Get(os.ReadFile(file))), module+"/cmd/p256k1/internal/", Subject+"/")
			must.Do(library.Add(filepath.Join(subject, strings.TrimPrefix(file, command)), text))
		}
	}
	reported := "cpu.X86.HasADX"
	must.Do(library.Edit("internal/platform/platform_amd64.go", "", reported, fmt.Sprintf("(%s || os.Getenv(%q) != \"\")", reported, ADX)))
	return library
}

// open reads the tables of functions and of lines.
func (p *Program) open() {
	f := must.Get(elf.Open(p.Path))
	defer f.Close()
	for _, prog := range f.Progs {
		p.progs = append(p.progs, prog.ProgHeader)
	}
	text, table := f.Section(".text"), f.Section(".gopclntab")
	if text == nil || table == nil {
		panic(fmt.Errorf("%s: no table of lines", p.Path))
	}
	p.lines = must.Get(gosym.NewTable(nil, gosym.NewLineTable(must.Get(table.Data()), text.Addr)))
	for _, s := range must.Get(f.Symbols()) {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Size > 0 {
			p.Symbols = append(p.Symbols, s)
		}
	}
}

// Offset returns the offset in the file of the instruction at pc.
func (p *Program) Offset(pc uint64) uint64 {
	for _, prog := range p.progs {
		if prog.Type == elf.PT_LOAD && prog.Vaddr <= pc && pc < prog.Vaddr+prog.Filesz {
			return pc - prog.Vaddr + prog.Off
		}
	}
	panic(fmt.Errorf("%s: no code at %#x", p.Path, pc))
}

// Place is a line of source: its text without comments and with local names marked (package locals), and the function
// in which it is written, even if this function is inlined elsewhere. In Go, ×2 follows a text that two lines of the
// function have, so that a line that is added is not hidden by another one.
type Place struct {
	Function, Text string
}

func (p Place) String() string {
	if p.Text == "" {
		return p.Function
	}
	return p.Function + ": " + p.Text
}

// Place returns the line from which the instruction at pc was compiled.
func (p *Program) Place(pc uint64) Place {
	file, line, f := p.lines.PCToLine(pc)
	if f == nil {
		return Place{fmt.Sprintf("%#x", pc), "?"}
	}
	s := p.sources[file]
	if s == nil {
		b, _ := os.ReadFile(file) // "<autogenerated>" is not a file
		s = parse(file, string(b))
		p.sources[file] = s
	}
	if line < 1 || line > len(s.lines) {
		return Place{Name(f.Name), file}
	}
	return Place{s.functions[line-1], s.lines[line-1]}
}

// module is the prefix of the paths of all packages of the library.
const module = "p256k1.mleku.dev/v2"

// Name returns a symbol in the form of the reviewed list, which shortens the package path of the library's functions to
// its last element.
func Name(symbol string) string {
	symbol, _, _ = strings.Cut(strings.TrimSuffix(strings.ReplaceAll(symbol, "%2e", "."), ".abi0"), "[go.shape.")
	if strings.HasPrefix(symbol, btcec+"/") {
		return path.Base(symbol)
	}
	if rest, ok := strings.CutPrefix(symbol, module); ok {
		if strings.HasPrefix(rest, ".") {
			return "p256k1" + rest
		}
		return path.Base(rest)
	}
	return symbol
}

// source has the text of each line of a file, and the function that contains the line.
type source struct {
	lines, functions []string
}

var assemblyFunction = regexp.MustCompile(`^TEXT [^·]*·(\w+)`)

// parse parses the text of a Go or assembly file.
func parse(name, text string) *source {
	s := &source{lines: strings.Split(text, "\n")}
	s.functions = make([]string, len(s.lines))
	for i, line := range s.lines {
		s.lines[i], _, _ = strings.Cut(line, "//")
	}
	defer func() {
		equal := map[Place]int{}
		for i, line := range s.lines {
			s.lines[i] = strings.Join(strings.Fields(line), " ")
			equal[Place{s.functions[i], s.lines[i]}]++
		}
		for i, line := range s.lines {
			if n := equal[Place{s.functions[i], line}]; n > 1 && strings.HasSuffix(name, ".go") {
				s.lines[i] = fmt.Sprintf("%s ×%d", line, n)
			}
		}
	}()
	// Packages of the standard library are named by their path, others by their name or, in assembly, their folder.
	dir := filepath.ToSlash(filepath.Dir(name))
	pkg, std := strings.CutPrefix(dir, filepath.ToSlash(build.Default.GOROOT)+"/src/")
	if !std {
		pkg = path.Base(dir)
	}
	if strings.HasSuffix(name, ".s") {
		current := ""
		for i, line := range s.lines {
			if m := assemblyFunction.FindStringSubmatch(line); m != nil {
				current = pkg + "." + m[1]
			}
			s.functions[i] = current
		}
		return s
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, 0)
	if err != nil {
		return s
	}
	if !std {
		pkg = file.Name.Name
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		function := f.Name.Name
		if f.Recv != nil {
			receiver, _, _ := strings.Cut(types.ExprString(f.Recv.List[0].Type), "[")
			if receiver[0] == '*' {
				receiver = "(" + receiver + ")"
			}
			function = receiver + "." + function
		}
		names, lines := locals.Of(f), fset.File(f.Pos())
		for i := lines.Line(f.Pos()); i <= lines.Line(f.End()); i++ {
			from := lines.LineStart(i)
			s.functions[i-1] = pkg + "." + function
			s.lines[i-1] = names.Mark(s.lines[i-1], from, from+token.Pos(len(s.lines[i-1])))
		}
	}
	return s
}
