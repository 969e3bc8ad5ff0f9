package vartime

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// TestModules makes sure that Check loads every module of the repository but the tools and scale, of which no file may name
// anything Vartime.
func TestModules(t *testing.T) {
	builds := strings.Fields(". nostr protocols cmd/p256k1") // those of go.work
	for module := range Modules {
		if module != "." {
			builds = append(builds, module)
		}
	}
	inScale := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(strings.Fields("testdata tools node_modules .git"), d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		dir = filepath.ToSlash(dir)
		if top, _, _ := strings.Cut(dir, "/"); top == "scale" {
			if filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			if bytes.Contains(text, []byte("Vartime")) {
				t.Errorf("%s names something Vartime: is it given a secret?", path)
			}
			inScale++
			return err
		}
		if d.Name() == "go.mod" && !slices.Contains(builds, dir) {
			t.Errorf("the module in %s is not looked at", dir)
		}
		return err
	})
	if inScale < 10 {
		t.Errorf("%d files of scale: does this test still find them?", inScale)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range builds[1:4] {
		if !slices.Contains(Modules["."], "./"+dir+"/...") {
			t.Errorf("the module in %s is not looked at", dir)
		}
	}
}

// TestPlanted shows that the check finds what it is there for: each file plants
// one way to a variable-time function in a package that handles secrets.
func TestPlanted(t *testing.T) {
	for name, planted := range map[string]struct{ module, file, source, want string }{
		"direct call": {".", "ecdh/planted.go", `package ecdh

import "p256k1.mleku.dev/v2/curve"

func planted(d *curve.Scalar) { d.InvertVartime(d) }
`, "ecdh.planted"},
		"through a function value": {".", "ecdsa/planted.go", `package ecdsa

import "p256k1.mleku.dev/v2/curve"

func planted(d *curve.Scalar) { f := d.InvertVartime; f(d) }
`, "ecdsa.planted"},
		"through a closure and a helper": {".", "schnorr/planted.go", `package schnorr

import "p256k1.mleku.dev/v2/curve"

func helper(d *curve.Scalar) { d.InvertVartime(d) }

func planted(d *curve.Scalar) { func() { helper(d) }() }
`, "schnorr.planted"},
		"through an interface": {".", "curve/planted.go", `package curve

type inverter interface{ planted() }

func (s *Scalar) planted() { s.InvertVartime(s) }

func plantedCaller(i inverter) { i.planted() }
`, "curve.plantedCaller"},
		"in the place of btcec": {"compat/btcec/v2", "schnorr/musig2/planted.go", `package musig2

import "p256k1.mleku.dev/v2/curve"

func planted(d *curve.Scalar) { d.InvertVartime(d) }
`, "musig2.planted"},
		"in the place of Decred's module": {"compat/decred/v4", "schnorr/planted.go", `package schnorr

import secp256k1 "p256k1.mleku.dev/v2/compat/decred"

func planted(d *secp256k1.ModNScalar) { secp256k1.InverseVartime(d, d) }
`, "schnorr.planted"},
		"in the command": {".", "cmd/p256k1/planted.go", `package main

import "p256k1.mleku.dev/v2/curve"

func planted(d *curve.Scalar) { d.InvertVartime(d) }
`, "p256k1.planted"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := filepath.Abs(filepath.Join(root, planted.module, planted.file))
			if err != nil {
				t.Fatal(err)
			}
			findings, err := check(root, planted.module, map[string][]byte{file: []byte(planted.source)}, map[string]bool{})
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
