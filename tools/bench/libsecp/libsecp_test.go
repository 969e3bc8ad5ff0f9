package libsecp

import (
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// Package measure compares the results of this package's functions with this library's results, and
// evidence/conformance compares the results on edge cases.

// newContexts returns a context for each way to call C. It skips the test on a machine without libsecp256k1, unless CI
// has set a path to the library.
func newContexts(t *testing.T) map[string]*Context {
	t.Helper()
	l, err := Default()
	if err != nil {
		if os.Getenv("CI") == "true" && os.Getenv(EnvPath) != "" {
			t.Fatalf("%s is set, so the library must load: %v", EnvPath, err)
		}
		t.Skipf("NOT TESTED: %v", err)
	}
	libraries := map[string]*Library{"without cgo": l}
	if dl.ViaCgo != nil {
		if libraries["cgo"], err = l.ViaCgo(); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]*Context{}
	for name, l := range libraries {
		c := libtest.Must(l.NewContext())
		t.Cleanup(c.Close)
		all[name] = c
	}
	return all
}

// TestRefusals passes arguments most of which C would report as a mistake of the caller, or crash.
func TestRefusals(t *testing.T) {
	for how, c := range newContexts(t) {
		zero := [32]byte{}
		if _, ok := c.PubkeyCombine(); ok {
			t.Errorf("%s: PubkeyCombine of nothing", how)
		}
		if _, ok := c.PubkeyParse(nil); ok {
			t.Errorf("%s: PubkeyParse of nothing", how)
		}
		if _, ok := c.Recover(&zero, &[65]byte{31: 1, 63: 1, 64: 4}); ok {
			t.Errorf("%s: Recover with the id 4", how)
		}
		if _, ok := c.LoadKeypair(&zero); ok {
			t.Errorf("%s: LoadKeypair of 0", how)
		}
		if c.call(0) {
			t.Errorf("%s: a function that the library lacks", how)
		}
	}
}

// TestAllocations checks that these operations do not allocate, because benchmarks would also time the allocation.
func TestAllocations(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector makes sync.Pool, and so purego, allocate")
	}
	for how, c := range newContexts(t) {
		d, aux, long := [32]byte{9, 31: 5}, [32]byte{7}, make([]byte, 300)
		pub, _ := c.PubkeyCreate(&d)
		x := [32]byte(pub[1:])
		der, n, _ := c.ECDSASignDER(&d, &aux, nil)
		rsig, _ := c.RecoverableSign(&d, &aux, nil)
		key, _ := c.LoadPubkey(pub[:])
		pair, _ := c.LoadKeypair(&d)
		schnorr, _ := c.SchnorrSignCustom(&pair, long, &aux)
		for name, op := range map[string]func() bool{
			"SeckeyTweakAdd":    func() bool { _, ok := c.SeckeyTweakAdd(&d, &aux); return ok },
			"PubkeyCreate":      func() bool { _, ok := c.PubkeyCreate(&d); return ok },
			"PubkeyCombine":     func() bool { _, ok := c.PubkeyCombine(pub[:], pub[:]); return ok },
			"LoadPubkey":        func() bool { _, ok := c.LoadPubkey(pub[:]); return ok },
			"ECDH":              func() bool { _, ok := c.ECDH(&key, &d); return ok },
			"ECDSASignDER":      func() bool { _, _, ok := c.ECDSASignDER(&d, &aux, &aux); return ok },
			"ECDSAVerifyDER":    func() bool { return c.ECDSAVerifyDER(pub[:], &aux, der[:n]) },
			"RecoverableSign":   func() bool { _, ok := c.RecoverableSign(&d, &aux, nil); return ok },
			"Recover":           func() bool { _, ok := c.Recover(&aux, &rsig); return ok },
			"SchnorrSign":       func() bool { _, ok := c.SchnorrSign(&pair, &aux, nil); return ok },
			"SchnorrSignCustom": func() bool { _, ok := c.SchnorrSignCustom(&pair, long, &aux); return ok },
			"SchnorrVerify":     func() bool { return c.SchnorrVerify(&x, long, &schnorr) },
		} {
			if !op() {
				t.Errorf("%s: %s refused its input", how, name)
			}
			if n := testing.AllocsPerRun(100, func() { op() }); n != 0 {
				t.Errorf("%s: %s: %v allocations, want 0", how, name, n)
			}
		}
	}
}
