package vartime

import (
	"path/filepath"
	"strings"
	"testing"

	// So that a change in the library runs this test again: the go command's
	// cache does not look at files of other modules that a test reads.
	_ "p256k1.mleku.dev/v2/compat/decred/ecdsa"
	_ "p256k1.mleku.dev/v2/ecdh"
	_ "p256k1.mleku.dev/v2/ecdsa"
	_ "p256k1.mleku.dev/v2/ellswift"
	_ "p256k1.mleku.dev/v2/signer"
)

const root = "../../.."

func TestNoSecretReachesVartime(t *testing.T) {
	findings, stale, err := Check(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
	for _, name := range stale {
		t.Errorf("%s is on the list, but calls nothing variable-time", name)
	}
	t.Logf("result: %d functions lead from secrets to one named Vartime; %d take public values and are on the reviewed list", len(findings), len(Public))
}

// TestPlanted shows that the check finds what it is there for: each file plants
// one way to a variable-time function in a package that handles secrets.
func TestPlanted(t *testing.T) {
	for name, planted := range map[string]struct{ file, source, want string }{
		"direct call": {"ecdh/planted.go", `package ecdh

import "p256k1.mleku.dev/v2/curve"

func planted(d *curve.Scalar) { d.InvertVartime(d) }
`, "ecdh.planted"},
		"through a function value": {"ecdsa/planted.go", `package ecdsa

import "p256k1.mleku.dev/v2/curve"

func planted(d *curve.Scalar) { f := d.InvertVartime; f(d) }
`, "ecdsa.planted"},
		"through a closure and a helper": {"schnorr/planted.go", `package schnorr

import "p256k1.mleku.dev/v2/curve"

func helper(d *curve.Scalar) { d.InvertVartime(d) }

func planted(d *curve.Scalar) { func() { helper(d) }() }
`, "schnorr.planted"},
		"through an interface": {"curve/planted.go", `package curve

type inverter interface{ planted() }

func (s *Scalar) planted() { s.InvertVartime(s) }

func plantedCaller(i inverter) { i.planted() }
`, "curve.plantedCaller"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := filepath.Abs(filepath.Join(root, planted.file))
			if err != nil {
				t.Fatal(err)
			}
			findings, _, err := Check(root, map[string][]byte{file: []byte(planted.source)})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range findings {
				if strings.HasSuffix(f.Function, planted.want) {
					return
				}
			}
			t.Errorf("%s was not found in %v", planted.want, findings)
		})
	}
}
