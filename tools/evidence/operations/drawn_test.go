package operations

import (
	"go/ast"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/evidence/internal/mentions"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

var (
	random = regexp.MustCompile(`^\(?\*?(crypto|math)/rand\b`) // Go's packages for randomness, and what they have
	// seeded matches functions that use math/rand: tests, samples, weights whose seed is drawn, and an order.
	seeded = regexp.MustCompile(`^(internal/(oracle|libtest|schemes/verify)|cmd/p256k1/internal/sample|protocols/internal/equations)\.`)
)

// through lists the functions that draw randomness only by calls of observed functions and of gates, if at all: a pool
// judges items by an interface, and some methods with this name draw.
var through = strings.Fields(`
	protocols/bip324.Client protocols/bip324.Server
	ecdsa.Pool.VerifyCompact ecdsa.Pool.VerifyDER nostr.Pool.Verify schnorr.Pool.Verify
	nostr.Reader.Verified nostr.Verifier.Invalid nostr.VerifyAll schnorr.Batch.Invalid
	protocols/chilldkg.Coordinator.Finish protocols/chilldkg.NewCoordinator protocols/chilldkg.Participant.Finish
	protocols/chilldkg.Recover protocols/chilldkg.RecoverGroup
	protocols/frost.Group.UnmarshalText protocols/frost.ParseGroup protocols/frost.Resharing.Group protocols/frost.Resharing.Share
	protocols/frost.Session.Combine protocols/musig2.Session.Combine protocols/musig2.Session.CombineAdaptor
	protocols/halfagg.Add protocols/halfagg.Aggregate protocols/silentpayments.NewScanner protocols/silentpayments.Scanner.Scan
	cmd/p256k1/verify.Files cmd/p256k1/internal/sample.maker.row github.com/decred/dcrd/dcrec/secp256k1/v4.GeneratePrivateKey
	p256k1.mleku.dev.SchnorrBatchVerify p256k1.mleku.dev.SchnorrBatchVerifyWithFallback p256k1.mleku.dev/schnorr.VerifyBatch
	p256k1.mleku.dev.SchnorrSign p256k1.mleku.dev/schnorr.Sign p256k1.mleku.dev/schnorr.SignRaw p256k1.mleku.dev/signer.P256K1Signer.Sign
`)

// gates are internal functions that draw, and that tests observe through their callers or in their packages.
var gates = strings.Fields(`
	protocols/bip324.newHandshake internal/schemes/verify.Schnorr.drawWeights protocols/internal/equations.weights
	protocols/internal/shamir.OnPolynomial
`)

// callers returns the functions and variables of all modules except the tools that mention a function, or a name of a
// package for randomness. It sets public to the functions that programs can call. Names are folder.Function or
// folder.Type.Method for the library, and path.Function for other modules.
func callers() (callersOf map[string][]string, public map[string]bool) {
	callersOf, public = make(map[string][]string), make(map[string]bool)
	short := strings.NewReplacer("(*", "", "(", "", ")", "", module+"/", "", module+".", "p256k1.")
	ours := func(p string) bool {
		return random.MatchString(p) || (strings.Contains(p, ".") && !strings.Contains(p, "golang.org/"))
	}
	for _, graph := range must(mentions.LoadModules("../../..", ours)) {
		for _, node := range graph {
			name := short.Replace(node.Name)
			if f, ok := node.Decl.(*ast.FuncDecl); ok {
				public[name] = f.Name.IsExported() && ast.IsExported(patch.Name(f)) && !strings.Contains(name, "internal/")
			}
			for _, m := range node.Mentions {
				callersOf[short.Replace(m.Name)] = append(callersOf[short.Replace(m.Name)], name)
			}
		}
	}
	return callersOf, public
}

// TestDrawn fails for a function that leads to crypto/rand, unless draws_test.go in a module observes it (libtest.Draw)
// or the function is in through. Only rand.Read may be used, which ends the program if there is no randomness, except
// where an error is returned.
func TestDrawn(t *testing.T) {
	callersOf, public := callers()
	var tests string
	for _, folder := range []string{".", "nostr", "protocols", "compat/btcec/v2", "compat/v1", "cmd/p256k1/internal/cli"} {
		tests += string(must(os.ReadFile("../../../" + folder + "/draws_test.go")))
	}
	observed := func(f string) bool { return strings.Contains(tests, `"`+f+`"`) || slices.Contains(gates, f) }
	all, own := make(map[string]bool), make(map[string]bool)
	var visit func(f string, found map[string]bool, end func(string) bool)
	visit = func(f string, found map[string]bool, end func(string) bool) {
		if !found[f] && !end(f) {
			found[f] = true
			for _, caller := range callersOf[f] {
				visit(caller, found, end)
			}
		}
	}
	for _, f := range []string{"crypto/rand.Read", "crypto/rand.Reader"} {
		visit(f, all, func(string) bool { return false })
		visit(f, own, observed)
	}
	n := 0
	for f := range all {
		for _, caller := range callersOf[f] {
			if strings.HasPrefix(caller, "cmd/") && !strings.HasPrefix(f, "cmd/") && (observed(f) || f == "crypto/rand.Read") {
				public[caller] = true // a command
			}
		}
		if observed(f) {
			n++
		}
	}
	for f := range all {
		if public[f] && !observed(f) && !slices.Contains(through, f) {
			t.Errorf("%s draws randomness, but no test observes it", f)
		}
	}
	for _, f := range slices.Concat(gates, through) {
		if !all[f] || own[f] {
			t.Errorf("%s draws: %t; not only by calls of observed functions: %t", f, all[f], own[f])
		}
	}
	for f, callers := range callersOf {
		for _, caller := range callers {
			if random.MatchString(f) && f != "crypto/rand.Read" && !seeded.MatchString(caller) &&
				(f != "crypto/rand.Reader" || (caller != "compat/decred.GeneratePrivateKey" && caller != "keyformat.SignES256K")) {
				t.Errorf("%s uses %s", caller, f)
			}
		}
	}
	t.Logf("result: %d functions that draw randomness are observed, and %d draw it only through them", n, len(through))
}
