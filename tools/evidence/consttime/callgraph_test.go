package consttime

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// public lists the functions that may call variable-time functions although their names do not say so, because their
// arguments are public. Each value describes these arguments. The search does not continue through them.
var public = map[string]string{
	"p256k1.mleku.dev/v2/internal/tables.buildBase":                         "multiples of the generator, the same in every program",
	"p256k1.mleku.dev/v2/internal/tables.buildBaseLanes":                    "multiples of the generator, the same in every program",
	"p256k1.mleku.dev/v2/internal/tables.buildBaseLanesOne":                 "multiples of the generator, the same in every program",
	"p256k1.mleku.dev/v2/ecdsa.Verify":                                      "a signature, a digest and a public key",
	"p256k1.mleku.dev/v2/ecdsa.VerifyCompact":                               "a signature, a digest and a public key",
	"p256k1.mleku.dev/v2/ecdsa.VerifyDER":                                   "a signature, a digest and a public key",
	"(*p256k1.mleku.dev/v2.PublicKey).Precomputed":                          "a public key",
	"(*p256k1.mleku.dev/v2.XOnlyPublicKey).Precomputed":                     "a public key",
	"p256k1.mleku.dev/v2/ecdsa.recoverKey":                                  "a signature and a digest",
	"p256k1.mleku.dev/v2/ecdsa.RecoverBatch":                                "signatures and digests",
	"(*p256k1.mleku.dev/v2/ecdsa.Batch).Verify":                             "signatures, digests and public keys",
	"(*p256k1.mleku.dev/v2/ecdsa.Batch).Invalid":                            "signatures, digests and public keys",
	"(*p256k1.mleku.dev/v2/compat/decred/ecdsa.Signature).Verify":           "a signature, a digest and a public key",
	"p256k1.mleku.dev/v2/compat/decred/ecdsa.RecoverCompact":                "a signature and a digest",
	"(*p256k1.mleku.dev/v2/protocols/dleq.statement).judge":                 "a proof and the points it leads to",
	"p256k1.mleku.dev/v2/protocols/dleq.Verify":                             "a proof and public keys",
	"p256k1.mleku.dev/v2/protocols/dleq.verifyPart":                         "proofs and public keys",
	"(*p256k1.mleku.dev/v2/protocols/halfagg.work).verify":                  "an aggregate signature",
	"(*p256k1.mleku.dev/v2/protocols/adaptor.ECDSAPreSignature).Verify":     "a pre-signature, public keys and a digest",
	"(*p256k1.mleku.dev/v2/protocols/adaptor.ECDSAPreSignature).proves":     "a pre-signature and a public key",
	"(*p256k1.mleku.dev/v2/protocols/adaptor.SchnorrPreSignature).Verify":   "a pre-signature, public keys and a message",
	"p256k1.mleku.dev/v2/protocols/chilldkg.proves":                         "a proof of possession and a commitment, which are public",
	"p256k1.mleku.dev/v2/protocols/chilldkg.tweak":                          "the threshold key",
	"(*p256k1.mleku.dev/v2/protocols/frost.Resharing).sum":                  "dealings and public shares",
	"(*p256k1.mleku.dev/v2/protocols/frost.Session).valid":                  "a partial signature, a public nonce and a public share",
	"(*p256k1.mleku.dev/v2/protocols/frost.Session).combine":                "partial signatures and the threshold key",
	"p256k1.mleku.dev/v2/protocols/frost.NewSession":                        "public nonces, a public key and a message",
	"p256k1.mleku.dev/v2/protocols/frost.newSigners":                        "public shares",
	"(*p256k1.mleku.dev/v2/protocols/frost.Signers).finish":                 "the threshold key",
	"(*p256k1.mleku.dev/v2/protocols/frost.Signers).tweak":                  "the threshold key and a tweak, which is public to all who have the signers",
	"(*p256k1.mleku.dev/v2/protocols/internal/equations.Sum).isZero":        "partial signatures, public nonces and public keys or shares",
	"p256k1.mleku.dev/v2/protocols/internal/shamir.EvaluatePoints":          "commitments to a polynomial",
	"p256k1.mleku.dev/v2/protocols/internal/shamir.OnPolynomial":            "public shares",
	"(*p256k1.mleku.dev/v2/protocols/musig2.Session).holds":                 "partial signatures and the aggregate key",
	"p256k1.mleku.dev/v2/protocols/musig2.AggregateBatch":                   "public keys",
	"p256k1.mleku.dev/v2/protocols/musig2.NewSessionBatch":                  "public nonces",
	"(*p256k1.mleku.dev/v2/protocols/musig2.Session).finish":                "public nonces",
	"p256k1.mleku.dev/v2/protocols/musig2.Aggregate":                        "public keys",
	"(*p256k1.mleku.dev/v2/protocols/musig2.KeySet).finish":                 "public keys",
	"(*p256k1.mleku.dev/v2/protocols/musig2.KeySet).tweak":                  "public keys and a tweak, which is public to all who have the set",
	"(*p256k1.mleku.dev/v2/protocols/musig2.Session).blind":                 "public nonces",
	"(*p256k1.mleku.dev/v2/protocols/musig2.Session).valid":                 "a partial signature, a public nonce and a public key",
	"(*p256k1.mleku.dev/v2/protocols/cashu.DLEQ).Verify":                    "a proof, the mint's public key, and a blinded secret with its signature",
	"p256k1.mleku.dev/v2/protocols/cashu.Verify":                            "a secret that is spent: only the multiplication of its point has to hide the mint's key",
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2.aggregate":            "public keys",
	"(*github.com/btcsuite/btcd/btcec/v2/schnorr/musig2.keySet).tweak":      "public keys and a tweak, which is public to all who have the set",
	"(*github.com/btcsuite/btcd/btcec/v2/schnorr/musig2.keySet).values":     "public keys, the sum of public nonces and a message",
	"(*github.com/btcsuite/btcd/btcec/v2/schnorr/musig2.values).blind":      "public nonces",
	"(*github.com/btcsuite/btcd/btcec/v2/schnorr/musig2.keySet).valid":      "a partial signature, a public nonce and a public key",
	"(*github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr.Signature).Verify": "a signature, a hash and a public key",
	"p256k1.mleku.dev/v2/protocols/silentpayments.Tweak":                    "a transaction",
	"p256k1.mleku.dev/v2/protocols/silentpayments.TweakBatch":               "transactions",
	"(*p256k1.mleku.dev/v2/schnorr.Batch).Verify":                           "signatures, messages and public keys",
	"(*p256k1.mleku.dev/v2/schnorr.Batch).Invalid":                          "signatures, messages and public keys",
	"p256k1.mleku.dev/v2/ellswift.Encode":                                   "a public key, and hashes of randomness; all hashes but the last were discarded",
	"p256k1.mleku.dev/v2/internal/swift.setIsomorphic":                      "the encoding of a public key",
	"p256k1.mleku.dev/v2/ellswift.setDecoded":                               "the encoding of a public key",
	"p256k1.mleku.dev/v2/schnorr.Verify":                                    "a signature, a message and a public key",
	"p256k1.mleku.dev/v2/schnorr.VerifyBytes":                               "a signature, a message and a public key",
}

// modules maps the folders of all modules that may handle secrets to the packages to load from each. The tools handle
// only secrets of their own. Loading scale and ethereum/geth would take minutes, because of their many dependencies, so
// a test reads their files instead.
var modules = map[string][]string{
	".":                {"./...", "./ethereum/...", "./nostr/...", "./protocols/...", "./cmd/p256k1/..."}, // built together by go.work
	"compat/decred/v4": {"./..."},
	"compat/btcec/v2":  {"./..."},
	"compat/erigon":    {"./..."},
	"compat/v1":        {"./..."},
}

// leadsToVartime loads one module of modules, with the files in overlay replaced or added. It returns a path to a
// variable-time function from each function without Vartime in its name that leads to one, by calls or other mentions.
// It leaves out the functions of public, and marks the needed ones.
func leadsToVartime(module string, overlay map[string][]byte, used map[string]bool) (paths [][]string, err error) {
	config := &packages.Config{
		Mode:    packages.LoadAllSyntax,
		Dir:     filepath.Join(root, module),
		Overlay: overlay,
		Fset:    token.NewFileSet(),
	}
	if module != "." {
		// Functions of other modules have no bodies in this build. The library's functions are checked with its own
		// module, so only their names matter here.
		config.Mode = packages.LoadSyntax
		config.Env = append(os.Environ(), "GOWORK=off")
	}
	loaded, err := packages.Load(config, modules[module]...)
	if err != nil {
		return nil, err
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("no packages in %s", config.Dir)
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			return nil, fmt.Errorf("loading %s: %w", p.PkgPath, e)
		}
	}
	program, _ := ssautil.Packages(loaded, ssa.InstantiateGenerics)
	program.Build()

	mentions := map[*ssa.Function][]*ssa.Function{}
	methods := map[string][]*ssa.Function{} // by name, for calls through interfaces
	var functions []*ssa.Function
	for f := range ssautil.AllFunctions(program) {
		if !inLibrary(f) {
			continue
		}
		functions = append(functions, f)
		if f.Signature.Recv() != nil {
			methods[f.Name()] = append(methods[f.Name()], f)
		}
	}
	sort.Slice(functions, func(i, j int) bool { return functions[i].String() < functions[j].String() })
	for _, f := range functions {
		for _, block := range f.Blocks {
			for _, instruction := range block.Instrs {
				for _, operand := range instruction.Operands(nil) {
					if g, ok := (*operand).(*ssa.Function); ok && inLibrary(g) {
						mentions[f] = append(mentions[f], g)
					}
				}
				if call, ok := instruction.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
					mentions[f] = append(mentions[f], methods[call.Common().Method.Name()]...)
				}
			}
		}
	}

	for _, f := range functions {
		if isVartime(f) {
			continue
		}
		path := search(f, mentions, map[*ssa.Function]bool{})
		if path == nil {
			continue
		}
		if _, ok := public[f.String()]; ok {
			used[f.String()] = true
			continue
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// search returns a path from f to a variable-time function that does not go through a function of public, or nil.
func search(f *ssa.Function, mentions map[*ssa.Function][]*ssa.Function, seen map[*ssa.Function]bool) []string {
	seen[f] = true
	for _, g := range mentions[f] {
		if isVartime(g) {
			return []string{f.String(), g.String()}
		}
		if _, ok := public[g.String()]; ok || seen[g] {
			continue
		}
		if path := search(g, mentions, seen); path != nil {
			return append([]string{f.String()}, path...)
		}
	}
	return nil
}

// isVartime reports whether f or a function that encloses f has Vartime in its name.
func isVartime(f *ssa.Function) bool {
	for ; f != nil; f = f.Parent() {
		if strings.Contains(f.Name(), "Vartime") {
			return true
		}
	}
	return false
}

// ours matches the paths of this repository's packages, including the packages that replace packages of other projects.
var ours = regexp.MustCompile(`^(p256k1\.mleku\.dev|github\.com/decred/dcrd/dcrec/secp256k1/v4|github\.com/btcsuite/btcd/btcec/v2)(/|$)`)

// inLibrary reports whether f belongs to the library and not to helpers of its tests.
func inLibrary(f *ssa.Function) bool {
	var path string
	switch {
	case f.Pkg != nil:
		path = f.Pkg.Pkg.Path()
	case f.Object() != nil && f.Object().Pkg() != nil: // the wrapper of a method value
		path = f.Object().Pkg().Path()
	}
	return ours.MatchString(path) && path != "p256k1.mleku.dev/v2/internal/oracle" && path != "p256k1.mleku.dev/v2/internal/vectors"
}
