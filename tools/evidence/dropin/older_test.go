package dropin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/semver"
)

// older lists released versions that are older than the versions that this project's modules follow. The modules have
// every name that programs for these older versions use. "p256k1 replace" replaces the versions from the first of each
// list on, and no earlier versions.
var older = map[*dropIn][]string{
	decred: {"v4.0.1", "v4.1.0", "v4.2.0", "v4.3.0", "v4.4.0"},
	btcec:  {"v2.3.4", "v2.3.5", "v2.4.0", "v2.5.0"}, // in earlier versions, ecdsa.SignCompact returns an error
	erigon: {"v1.1.0"},                               // the first version whose go.mod has Erigon's path
}

const verifyLowS = "VerifyLowS func([]byte) error" // a function of btcec's package ecdsa since 2.4.0

// report returns what "p256k1 replace" prints for a module that requires the given version of the original module.
func report(t *testing.T, p256k1 string, d *dropIn, version string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", fmt.Appendf(nil, "module m\n\ngo 1.26\n\nrequire %s %s\n", d.path, version))
	text, _ := run(t, dir, nil, p256k1, "replace", "--local", root)
	return text
}

// TestOlder checks that the modules have every name that programs for an older version use.
func TestOlder(t *testing.T) {
	p256k1 := command(t)
	for d, versions := range older {
		t.Run(d.name, func(t *testing.T) {
			d.needC(t)
			if text := report(t, p256k1, d, versions[0]); !strings.Contains(text, "; replaced by the API of "+d.versions[0]+"\n") {
				t.Error(text)
			}
			original := program(t, d, d.versions[0])
			replace(t, original, d)
			ours := load(t, original, d.path+"/...")
			for _, version := range versions {
				theirs := load(t, program(t, d, version), d.path+"/...")
				lines := checkNames(t, "the replacement of "+version, theirs, ours)
				for name, p := range theirs {
					if name == btcec.path+"/ecdsa" && slices.Contains(surface(p.Types), verifyLowS) != (semver.Compare(version, "v2.4.0") >= 0) {
						t.Errorf("%s@%s: wrong VerifyLowS", d.path, version)
					}
					if name == btcec.path+"/ellswift" { // surface does not distinguish the two types of V2Ecdh
						v2Ecdh := p.Types.Scope().Lookup("V2Ecdh").String()
						if strings.Contains(v2Ecdh, "btcd/chainhash/v2.Hash") != (semver.Compare(version, "v2.5.0") >= 0) {
							t.Errorf("%s@%s: %s", d.path, version, v2Ecdh)
						}
					}
				}
				if least := map[bool]int{true: 30, false: 100}[d == erigon]; lines < least {
					t.Errorf("%s@%s: only %d lines", d.path, version, lines)
				}
			}
		})
	}
}

// TestSince checks that docs/drop-in.md and "p256k1 replace" name the first version that behaves like this library, if
// older versions behave differently.
func TestSince(t *testing.T) {
	notShort(t)
	p256k1 := command(t)
	for d, since := range map[*dropIn]map[string]string{
		decred: {"S256() reduces coordinates": "v4.4.1", "ecdsa.RecoverCompact returns errors with kinds": "v4.1.0"},
		btcec: {
			"schnorr.ParseSignature refuses s of n or more":                "v2.5.1",
			"musig2's PartialSignature.Decode refuses fewer than 32 bytes": "v2.5.1",
		},
		erigon: {
			"IsOnCurve and ScalarMult refuse coordinates of p or more": "v1.3.0",
			"Sign reduces a hash of n or more for the nonce, too":      "v1.2.0",
		},
	} {
		for i, version := range slices.Sorted(slices.Values(slices.Concat(older[d], d.versions))) {
			dir := program(t, d.as("older/"+d.name), version)
			text := mustRun(t, dir, build(t, dir, version, "theirs"), "1", "1")
			if i == 0 {
				replace(t, dir, d)
				ours := mustRun(t, dir, build(t, dir, version, "ours"), "1", "1")
				if strings.Count(ours, ": true\n") != len(since) {
					t.Errorf("not all lines are true with the replacement:\n%s", ours)
				}
			}
			advice := report(t, p256k1, d, version)
			for what, first := range since {
				does := semver.Compare(version, first) >= 0
				if !strings.Contains(text, fmt.Sprintf("0 %s: %v\n", what, does)) {
					t.Errorf("%s@%s: want %s: %v\n%s", d.path, version, what, does, text)
				}
				if strings.Contains(advice, what) == does || (!does && !strings.Contains(advice, " from "+first[1:]+" on.\n")) {
					t.Errorf("%s@%s, %s: %s", d.path, version, what, advice)
				}
			}
		}
	}
}
