package measure

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// An Op is an operation of engines.
type Op struct {
	Name string // name on the command line and in reports
	What string // description of one call

	// Program is the name of the same work in libsecp256k1's benchmark program, or "".
	Program string
	// Varied says that in libsecp256k1's benchmark program each iteration takes inputs that the previous iteration
	// returned. The figures of its loops are then comparable with figures for many inputs.
	Varied bool
	target

	// Base names the operation that does the same work on one input at a time, or without this operation's preparation;
	// "" for none. It takes the place of this operation for engines that lack this operation.
	Base string
	// Batch is the number of inputs of a call, or 0 if the operation is not a batch. Family is then the name without
	// this number.
	Batch  int
	Family string

	// Group is the section of the report: "" or Protocols.
	Group string

	Call   string // name of the operation in package engine
	Size   int    // number of inputs of a call of the operation
	BySome bool   // whether few keys sign
	// Sizes are the numbers of inputs for which there is an operation each, with targets by size. Each size divides the
	// largest size.
	Sizes   []int
	Targets map[int]target
	// Spoil names the part of an input that is made invalid, so that engines have to refuse it: "digest", "key", or ""
	// for operations without invalid inputs.
	Spoil string
}

// spoil makes an input invalid for an operation that has invalid inputs.
func (op Op) spoil(in *engine.Input) {
	if op.Spoil == "digest" {
		in.Digest[0] ^= 1
	} else {
		in.Pub = [33]byte{0: 2, 32: 5} // 5³ + 7 is not a square
	}
}

// A target has, for each kind of code, the greatest ratio of this library's time to the C program's time that the
// design accepts, or 0 if there is no target. With AVX-512 IFMA, Lanes applies unless it is 0. For protocols that the C
// program lacks, the ratio is to the time of libsecp256k1 called from Go.
type target struct{ Lanes, Assembly, Portable float64 }

// Protocols is the group of operations that build on the other operations.
const Protocols = "protocols"

// items returns the number of inputs of a call.
func (op Op) items() int { return max(1, op.Batch) }

//go:embed operations.jsonl
var described string

// Ops lists all operations. If Program names a C benchmark, one call does the work of one of its iterations. Each line
// of operations.jsonl describes an operation, or an operation for each of its sizes, whose names contain the size. An
// operation for which libsecp256k1 has no module is compared with the time of the multiplications that it needs.
var Ops = expand()

func expand() (ops []Op) {
	for line := range strings.Lines(described) {
		var k Op
		must.Do(json.Unmarshal([]byte(line), &k))
		k.Call = cmp.Or(k.Call, k.Name)
		if k.Sizes == nil {
			ops = append(ops, k)
		}
		for _, n := range k.Sizes {
			op := k
			op.Name, op.Size, op.target = fmt.Sprintf("%s-%d", k.Name, n), n, k.Targets[n]
			if op.Base != "" {
				op.Batch, op.Family = n, k.Name
			}
			ops = append(ops, op)
		}
	}
	return ops
}

// Names returns the names that SelectOps knows. The name of a batch has no number, and means all sizes.
func Names() (names []string) {
	for _, op := range Ops {
		if name := cmp.Or(op.Family, op.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// SelectOps returns operations by name, or all operations if no names are given. If an operation has a Base, the Base
// comes before it.
func SelectOps(names ...string) ([]Op, error) {
	if len(names) == 0 {
		return Ops, nil
	}
	var selected []Op
	add := func(op Op) {
		if !slices.ContainsFunc(selected, func(s Op) bool { return s.Name == op.Name }) {
			selected = append(selected, op)
		}
	}
	for _, name := range names {
		known := false
		for _, op := range Ops {
			if op.Name == name || op.Family == name {
				known = true
				if base, ok := opByName(op.Base); ok {
					add(base)
				}
				add(op)
			}
		}
		if !known {
			return nil, fmt.Errorf("no operation %q, want one of %s", name, strings.Join(Names(), ", "))
		}
	}
	return selected, nil
}

func opByName(name string) (Op, bool) {
	i := slices.IndexFunc(Ops, func(op Op) bool { return op.Name == name })
	if i < 0 {
		return Op{}, false
	}
	return Ops[i], true
}
