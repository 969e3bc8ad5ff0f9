package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/consttime"
)

// looked matches the packages whose code is checked: the library, the modules that replace modules of other projects,
// and the packages to which the library passes secrets. A call of any other package is a finding.
var looked = regexp.MustCompile(`^(p256k1\.mleku\.dev/v2[./]|github\.com/(btcsuite/btcd/btcec/v2|decred/dcrd/dcrec/secp256k1/v4|erigontech/secp256k1)[./]|p256k1\.mleku\.dev[./]|` +
	`crypto/(internal/fips140/)?(sha256|subtle)\.|golang\.org/x/crypto/chacha20\.|encoding/base64\.\(\*Encoding\)\.(Append)?Encode$)`)

// public has the functions whose arguments are public, such as those in which a signer checks its own signature. lint
// does not read them, nor functions with Vartime in the name. Calls of both are findings.
var public = consttime.Listed("public")

var vartime = regexp.MustCompile(`Vartime(\.func\d+)*(\.abi0)?$`)

// isOperation reports whether a function belongs to the list of operations, or is shared by operations.
func isOperation(symbol string) bool { return strings.HasPrefix(symbol, consttime.Operations+".") }

func isLooked(symbol string) bool {
	return looked.MatchString(symbol) && !public[symbol] && !vartime.MatchString(symbol) && !isOperation(symbol)
}

// reachable returns the checked functions that the roots reach: by calls, by jumps, and by taking an address, for
// example for deferred calls. It adds the public functions that they reach to the findings.
func (a findings) reachable(functions map[string]*function, roots []*function) (found []*function) {
	seen := make(map[*function]bool)
	var visit func(f *function)
	visit = func(f *function) {
		if seen[f] || (!isLooked(f.name) && !isOperation(f.name) && !slices.Contains(roots, f)) {
			return
		}
		seen[f] = true
		if isLooked(f.name) {
			found = append(found, f)
		}
		for n := range f.code {
			i := &f.code[n]
			if public[i.symbol] {
				a.add("public", consttime.Place{Function: i.symbol}, i)
			}
			if g := functions[i.symbol]; g != nil && i.target == g.code[0].pc {
				visit(g)
			}
		}
	}
	for _, root := range roots {
		visit(root)
	}
	return found
}

// findings maps each finding to an instruction that is an example of it.
type findings map[consttime.Finding]*instruction

func (a findings) add(kind string, place consttime.Place, i *instruction) {
	a[consttime.Finding{Kind: kind, Place: place}] = i
}

// look adds the findings in one function of p.
func (a findings) look(p *consttime.Program, f *function) {
	computed := f.computed()
	for n := range f.code {
		i := &f.code[n]
		switch {
		case i.mnemonic == "call" || i.mnemonic == "jmp":
			if strings.HasPrefix(i.operands, "*") {
				a.add("call", p.Place(i.pc), i)
			} else if i.symbol != f.name && !isLooked(i.symbol) && !public[i.symbol] {
				a.add("call", consttime.Place{Function: consttime.Name(i.symbol)}, i)
			}
			continue
		case conditional.MatchString(i.mnemonic):
			if !f.stops(i.target) && !f.stops(f.next(n)) && !f.runtimes(n) {
				a.add("branch", p.Place(i.pc), i)
			}
			continue
		case !constantTime.MatchString(i.mnemonic) || (masked.MatchString(i.operands) && memory.MatchString(i.operands) && !whole.MatchString(i.mnemonic)):
			a.add("slow", p.Place(i.pc), i)
		}
		if m := memory.FindStringSubmatch(i.operands); m != nil && !noAccess.MatchString(i.mnemonic) && (m[2] != "" || computed[n].has(m[1])) {
			a.add("index", p.Place(i.pc), i)
		}
	}
}

var (
	conditional = regexp.MustCompile(`^(j[a-z]+|loop[a-z]*)$`)
	noAccess    = regexp.MustCompile(`^(lea|nop)[wlq]?$`)
	memory      = regexp.MustCompile(`\((%\w+)?(?:,(%\w+)(?:,\d)?)?\)`) // base and index

	// constantTime has the instructions whose time does not depend on their operands. The source is Intel's list of
	// data operand independent timing instructions. Further instructions, such as BSWAP, MOVBE, RCR by 1, ROL, RORX,
	// SHLD and XCHG, are included because they have a single latency in A. Fog's instruction tables. The time of loads
	// and prefetches depends on addresses. Gathers are not in Intel's list. Whether an access under a mask takes place
	// depends on the mask.
	constantTime = regexp.MustCompile(`^(adc|adcx|add|adox|and|andn|bswap|bt|bts|cmov[a-z]+|cmp|dec|imul|inc|lea|mov|movabs|movbe|` +
		`movdqu|movs(?:b[wlq]|w[lq]|lq)|movups|movz[bw]|mul|mulx|neg|not|nop|or|paddd|palignr|pblendw|pop|prefetcht0|pshufb|pshufd|push|pxor|rcr|ret|rol|rorx|` +
		`sar|sarx|sbb|set[a-z]+|sha256msg1|sha256msg2|sha256rnds2|shl|shld|shlx|shr|shrx|sub|test|vmovdqa|vmovdqu|vmovq|vpaddd|` +
		`vpalignr|vpand|vpbroadcastq|vpcmpeqq|vperm2i128|vpor|vpshufb|vpshufd|vpslld|vpsllq|vpsrld|vpsrlq|vpsubq|vpternlogq|vpxor|` +
		`vzeroupper|xchg|xor|xorps|` +
		`k(?:andn?|mov|not|ortest|s?xn?or|or|shift[lr]|test)[bw]?|valign|vmovdq[au]64|vpadd|vpandn?|vpblendm|vpcmp(?:n?eq|n?l[te])u?|vperm|vperm[it]2|vpermb|` +
		`vpmadd52[hl]u|vpmovzxb|vporq|vps[lr]lv?|vpsrav?|vpsub|vptestn?m|vinserti64x4|vpunpck[hl]qd|vshufi64x2|vpxorq)[bwlq]?$`)
	masked = regexp.MustCompile(`\{%k\d\}`)
	// whole matches permutations, which read their whole memory operand under any mask.
	whole = regexp.MustCompile(`^vperm`)
)

// next returns the address of the instruction after the n-th.
func (f *function) next(n int) uint64 {
	if n+1 < len(f.code) {
		return f.code[n+1].pc
	}
	return 0
}

// stops reports whether the code at pc only grows the stack, or panics, as for an index out of range, which does not
// happen in a correct program, whatever the secrets are.
func (f *function) stops(pc uint64) bool {
	for range 40 {
		n, ok := f.index[pc]
		if !ok {
			return false
		}
		i := &f.code[n]
		switch {
		case i.mnemonic == "call":
			return strings.HasPrefix(i.symbol, "runtime.morestack") || strings.HasPrefix(i.symbol, "runtime.panic")
		case i.mnemonic == "jmp":
			pc = i.target
		case i.mnemonic == "ret" || conditional.MatchString(i.mnemonic):
			return false
		default:
			pc = f.next(n)
		}
	}
	return false
}

// runtimes reports whether the compiler added the branch at n: around a write barrier, which runs only during garbage
// collection, or around reading the type of an interface that may be nil.
func (f *function) runtimes(n int) bool {
	before := n - 1
	for before > 0 && (strings.HasPrefix(f.code[before].mnemonic, "nop") || f.code[before].String() == "xchg %ax,%ax") { // a two-byte NOP
		before--
	}
	if before < 0 {
		return false
	}
	i := &f.code[n]
	return f.code[before].symbol == "runtime.writeBarrier" ||
		(f.code[before].mnemonic == "test" && i.mnemonic == "je" &&
			n+2 < len(f.code) && f.code[n+2].pc == i.target && interfaceType.MatchString(f.code[n+1].String()))
}

var interfaceType = regexp.MustCompile(`^mov 0x8\(%\w+\),%\w+$`)

// registers is a set of registers, by their names.
type registers map[string]bool

func (r registers) has(operand string) bool { return r[register(operand)] }

// computed returns, for each instruction, the registers that may hold the result of arithmetic on two variables, such
// as an address in a table of large entries. It does not track values that are kept in memory.
func (f *function) computed() []registers {
	before := make([]registers, len(f.code))
	before[0] = registers{}
	for todo := []int{0}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i := &f.code[n]
		after := i.compute(before[n])
		var successors []int
		if i.mnemonic != "jmp" && i.mnemonic != "ret" && n+1 < len(f.code) {
			successors = append(successors, n+1)
		}
		if m, ok := f.index[i.target]; ok && (i.mnemonic == "jmp" || conditional.MatchString(i.mnemonic)) {
			successors = append(successors, m)
		}
		for _, m := range successors {
			grown := before[m] == nil
			if grown {
				before[m] = registers{}
			}
			for r := range after {
				grown = grown || !before[m][r]
				before[m][r] = true
			}
			if grown {
				todo = append(todo, m)
			}
		}
	}
	return before
}

// compute returns the set of computed registers after instruction i.
func (i *instruction) compute(before registers) registers {
	if i.mnemonic == "call" {
		return nil
	}
	operands := separate.FindAllString(i.operands, -1)
	if len(operands) == 0 {
		return before
	}
	source := operands[0]
	targets := []string{register(operands[len(operands)-1])}
	computed := before[targets[0]]
	switch {
	case strings.HasPrefix(i.mnemonic, "cmp") || strings.HasPrefix(i.mnemonic, "test"):
	case strings.HasPrefix(i.mnemonic, "lea"):
		m := memory.FindStringSubmatch(source)
		computed = m != nil && (m[2] != "" || before.has(m[1]))
	case strings.HasPrefix(i.mnemonic, "mov") || i.mnemonic == "pop":
		computed = len(operands) == 2 && before.has(source)
	case i.mnemonic == "mulx":
		targets, computed = append(targets, register(operands[1])), true
	case len(operands) == 1 && products.MatchString(i.mnemonic):
		targets, computed = []string{"a", "d"}, true
	case len(operands) == 1 || strings.HasPrefix(source, "$"):
	case source == operands[1]:
		computed = computed && i.mnemonic != "xor"
	default:
		computed = true
	}
	after := maps.Clone(before)
	for _, target := range targets {
		delete(after, target)
		if computed && target != "" {
			after[target] = true
		}
	}
	return after
}

// separate matches operands, whose addresses may contain commas.
var separate = regexp.MustCompile(`(?:\([^)]*\)|[^,(])+`)

var products = regexp.MustCompile(`^i?(mul|div)[bwlq]?$`)

var (
	numbered = regexp.MustCompile(`^%(r\d+)[dwb]?$`)
	named    = regexp.MustCompile(`^%[re]?([a-d])[xlh]$|^%[re]?([sd]i|bp)l?$`)
)

// register returns the name of the register that contains an operand, or "" for other operands and for the stack
// pointer.
func register(operand string) string {
	if m := numbered.FindStringSubmatch(operand); m != nil {
		return m[1]
	}
	if m := named.FindStringSubmatch(operand); m != nil {
		return m[1] + m[2]
	}
	return ""
}
