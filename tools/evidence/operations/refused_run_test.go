//go:build refused

package operations

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/internal/field"
	numbers "p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/tools/evidence/internal/mentions"
)

// A trail is where 32 bytes become a number: the calls from Scalar.SetBytes or Element.SetBytes up to an exported
// function of a package other than curve, with the line of each.
type trail string

// A pass is one run of a trail in an operation: the first, the second…, as number says.
type pass struct {
	where  trail
	number int
}

func (p pass) String() string { return fmt.Sprintf("%s #%d", p.where, p.number) }

// reduces lists the functions that call SetBytesReduced or SetUniformBytes, with the reason why a number out of range
// is not an error.
var reduces = map[string]string{
	"digests (SEC 1, section 4.1.4)": `ecdsa.setDigest ecdsa.Batch.claim ecdsa.RecoverBatch adaptor.preSignECDSA adaptor.ECDSAPreSignature.Verify`,
	"hashes, as the specification says": `schnorr.Challenge adaptor.prove adaptor.ECDSAPreSignature.proves halfagg.coefficients.last
		musig2.KeySet.coefficient musig2.begin frost.NewSession chilldkg.prove chilldkg.proves chilldkg.selfPad chilldkg.sharedPad
		cashu.DLEQ.prove dleq.prove`,
	"nonces from hashes":                                     `schnorr.setNonce musig2.deterministic frost.deterministic nonce.Secret.Generate adaptor.preSignSchnorr adaptor.drawNonce`,
	"r = x(R) modulo n, after SetBytes":                      `ecdsa.RecoverableSignature.set`,
	"compared with the bytes; package exhaustive tries them": `schnorr.claim dleq.parse cashu.DLEQ.Verify`,
	"the challenge of ECDSAPreSignature is a hash modulo n":  `adaptor.ParseECDSAPreSignature`,
}

// tolerated lists trails, or passes as "trail #number", on which nobody notices that a number is refused, with the
// reason.
var tolerated = map[string]string{
	`^(curve\.setU|swift\.\w+):`: "reduced modulo p, as RFC 9380 and BIP-324 say",
	`^verify\.onlyX:`:            "the number is below n",
	`^verify\.(setX|SumOfBytesVartime):| musig2\.Session\.valid:.* equations\.System\.`: "other trails show that the encoding is refused",
	` ecdsa\.signing\.sign:`:                                                           "the item is signed alone then",
	`^curve\.loadX:.* silentpayments\.search\.labels:`:                                 "the point is compared with others only",
	`^silentpayments\.parseFound:`:                                                     "TestEncoders and the tests of the package read texts of secrets",
	` p256k1\.(making|keyPair)\.|^curve\.Scalar\.SetBytes:\d+ < shamir\.randomScalar:`: "the number is drawn again; TestDraws and TestRandomScalar see it",
	`^silentpayments\.work\.parse:`:                                                    "it only asks for the error of a point that was refused before",
	` silentpayments\.search\.find:.* #[46]$`:                                          "no output has this counter",
}

// oneItem lists functions that take one item. Operations also call them with wrong items, about which a refused number
// changes nothing, so only one pass must be noticed.
var oneItem = regexp.MustCompile(` (ecdsa\.recoverKey:\d+ < ecdsa\.RecoverBatch|ecdsa\.(Verify\w*|ParseCompact|Pool\.\w+|Signature\.\w+)|schnorr\.(Verify|Batch\.AddKey|equations\.OneVartime)` +
	`|(cashu\.DLEQ|musig2\.Session|halfagg)\.Verify\w*|cashu\.HashToCurve\w*|p256k1\.XOnlyPublicKey\.CheckTweakAdd):\d+$`)

// unchanged is the function that ignores the error, and relies on the scalar that SetBytes leaves as it is, 0.
var unchanged = regexp.MustCompile(` silentpayments\.TweakBatch:`)

var (
	inside   = regexp.MustCompile(`^` + module + `/(internal/|curve$)`)
	reducing = regexp.MustCompile(`^curve\.Scalar\.Set(BytesReduced|UniformBytes|Weight)$`)
	closure  = regexp.MustCompile(`\.func\d.*|-range\d.*|[(*)]`)
)

// watch counts how often each trail is taken, and refuses a number at one pass of the target.
var watch struct {
	sync.Mutex
	passes map[trail]int
	target pass
}

// refuse returns all ones if the number that its caller reads must be refused now.
func refuse() uint64 {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	var lines []string
	for {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, module) || strings.HasPrefix(f.Function, here) {
			break
		}
		name := strings.Replace(closure.ReplaceAllString(path.Base(f.Function), ""), "v2.", "p256k1.", 1)
		if reducing.MatchString(name) {
			return 0
		}
		lines = append(lines, fmt.Sprintf("%s:%d", name, f.Line))
		pkg := f.Function[:strings.LastIndex(f.Function, "/")+1] + name[:strings.Index(name, ".")]
		if token.IsExported(name[strings.LastIndex(name, ".")+1:]) && !inside.MatchString(pkg) {
			break
		}
	}
	watch.Lock()
	defer watch.Unlock()
	now := trail(strings.Join(lines, " < "))
	watch.passes[now]++
	if watch.target == (pass{now, watch.passes[now]}) {
		return ^uint64(0)
	}
	return 0
}

// outcome runs an operation, and refuses a number at one pass of the target.
func outcome(o *Op, in *In, out *Out, target pass) (result string, passes map[trail]int) {
	watch.Lock()
	watch.passes, watch.target = make(map[trail]int), target
	watch.Unlock()
	err := o.Check(in, out, target == pass{})
	watch.Lock()
	defer watch.Unlock() // goroutines of the operation may still run
	return fmt.Sprint(out.Results().Stable(), err != nil), maps.Clone(watch.passes)
}

// TestRefused runs each operation, and then runs it again for each number that it reads, which is refused this time as
// if it were n or p more. The operation must fail, or have another result. So no function ignores that a number is out
// of range, for no item of a list, or makes the same number again. Every call that reads a number must be run by an
// operation.
func TestRefused(t *testing.T) {
	numbers.Refuse, field.Refuse = refuse, refuse
	in, out := Seeded("refused"), NewOut()
	noticed, runs := make(map[pass]bool), 0
	for i := range All {
		outcome(&All[i], in, out, pass{}) // computes the lazy values of in
		honest, passes := outcome(&All[i], in, out, pass{})
		for where, n := range passes {
			numbers.Reduce = !unchanged.MatchString(string(where))
			for number := range min(n, many) {
				now := pass{where, number + 1}
				item := now
				if oneItem.MatchString(string(where)) {
					item.number = 0
				}
				if noticed[item] {
					continue
				}
				result, after := outcome(&All[i], in, out, now)
				if after[where] > number { // chance may decide where an operation comes
					noticed[item] = result != honest
				}
				runs++
			}
		}
	}
	none := func() uint64 { return 0 }
	numbers.Refuse, field.Refuse = none, none
	lines := make(map[string]bool)
	for now, ok := range noticed {
		if !ok && !tolerates(string(now.where)) && !tolerates(now.String()) {
			t.Errorf("nobody notices that a number is refused at %v", now)
		}
		for line := range strings.SplitSeq(string(now.where), " < ") {
			lines[line] = true
		}
	}
	t.Logf("result: %d passes of trails, in %d runs", len(noticed), runs)
	complete(t, lines)
}

// tolerates reports whether tolerated has the text of a trail.
func tolerates(text string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(tolerated)), func(names string) bool { return regexp.MustCompile(names).MatchString(text) })
}

// complete fails for each call that reads a number and is in no trail: the calls of Scalar.SetBytes and
// Element.SetBytes, and of functions of package curve that call them. It also fails for a function that reduces a
// number and is not in the list reduces.
func complete(t *testing.T, seen map[string]bool) {
	type call struct{ caller, callee, line string }
	var calls []call
	reads := map[string]bool{"scalar.Scalar.SetBytes": true, "field.Element.SetBytes": true}
	var reducers []string
	other := regexp.MustCompile("^" + module + "/((.+/)?(tools|cmd|compat)/|internal/(oracle|libtest|asmtest|rules|field|scalar))")
	name := func(f *types.Func) string {
		if r := f.Signature().Recv(); r != nil {
			return nameOf(f, r.Type())
		}
		return nameOf(f, nil)
	}
	for _, node := range must(mentions.Load(packages.Config{}, func(path string) bool { return !other.MatchString(path) }, module+"/...")) {
		f, ok := node.Decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		caller := node.Package.TypesInfo.Defs[f.Name].(*types.Func)
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if callee, isFunc := node.Package.TypesInfo.Uses[id].(*types.Func); ok && isFunc && callee.Pkg() != nil {
				line := fmt.Sprintf("%s:%d", name(caller), node.Package.Fset.Position(id.Pos()).Line)
				calls = append(calls, call{name(caller), name(callee.Origin()), line})
				if reducing.MatchString(name(callee)) && !strings.HasSuffix(name(callee), "Weight") {
					reducers = append(reducers, name(caller))
				}
			}
			return true
		})
	}
	missing := make(map[string]string)
	for again := true; again; {
		again = false
		for _, c := range calls {
			if !reads[c.callee] || reducing.MatchString(c.caller) || c.caller == "scalar.Scalar.SetWide" {
				continue
			}
			if !seen[c.line] {
				missing[c.line] = c.callee
			}
			if strings.HasPrefix(c.caller, "curve.") && !reads[c.caller] {
				reads[c.caller], again = true, true
			}
		}
	}
	for line, callee := range missing {
		if !tolerates(line) {
			t.Errorf("%s calls %s: no operation comes here", line, callee)
		}
	}
	var want []string
	for _, names := range reduces {
		want = append(want, strings.Fields(names)...)
	}
	slices.Sort(want)
	slices.Sort(reducers)
	if reducers = slices.Compact(reducers); !slices.Equal(reducers, want) {
		t.Errorf("these functions reduce numbers: %q, want %q", reducers, want)
	}
	t.Logf("result: %d functions read numbers, and %d reduce them", len(reads), len(reducers))
}
