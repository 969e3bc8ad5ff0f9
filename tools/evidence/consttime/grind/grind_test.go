package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/consttime"
	_ "p256k1.mleku.dev/v2/tools/evidence/operations" // so that a change in the library runs these tests again
)

// TestTraps sets a trap in one routine at a time, and checks that the subject runs into the trap. The test therefore
// shows that the subject runs every routine that has a twin, and every twin. The test leaves out the twins of package
// lanes, because without lanes the library uses other code, and addAffine, because the subject adds few public points.
func TestTraps(t *testing.T) {
	p := consttime.Build(t.Context(), filepath.Join(t.TempDir(), "subject"), "")
	for _, half := range []struct{ godebug, says, suffix string }{
		{"cpu.adx=off,p256k1fma=off", "portable", "Generic"},
		{"cpu.avx512vl=off,p256k1fma=off", "x86-64 (BMI2, ADX, AVX2)", "Broadwell"},
	} {
		out := libtest.Must(runNative(t.Context(), p.Path, "GODEBUG="+half.godebug))
		if says := out.Backend; says != half.says {
			libtest.Untested(t, "this processor runs ", says, ", not ", half.says)
		}
		trapped := 0
		for _, s := range p.Symbols {
			if !strings.HasSuffix(strings.TrimSuffix(s.Name, ".abi0"), half.suffix) || strings.Contains(s.Name, "/internal/lanes.") ||
				strings.Contains(s.Name, "/internal/group.addAffine") {
				continue
			}
			path := filepath.Join(t.TempDir(), "trapped")
			n := setTraps(p, path, func(symbol string) bool { return symbol == s.Name })
			if n == 0 { // not a function of the library
				continue
			}
			var exit *exec.ExitError
			if _, err := runNative(t.Context(), path, "GODEBUG="+half.godebug); !errors.As(err, &exit) || !strings.Contains(string(exit.Stderr), "SIGTRAP") {
				t.Errorf("with a trap in %s on %s: %v", s.Name, half.says, err)
			}
			trapped++
		}
		if trapped == 0 {
			t.Errorf("no trap is set on %s", half.says)
		}
		t.Logf("result: the subject runs all %d routines %s", trapped, half.says)
	}
}
