// Package asmtest helps to test assembly.
package asmtest

import (
	"os"
	"strings"
	"testing"
)

// AVX512 names a feature that tests may need and many of today's processors lack. On processors without the feature,
// tests that need it are skipped, even in CI, and do not fail.
const AVX512 = "AVX-512"

// Need skips a test of assembly if the processor lacks its instructions. If CI is "true", Need fails the test instead,
// unless instructions is AVX512 or GODEBUG may have hidden the instructions.
func Need(t testing.TB, has bool, instructions string) {
	t.Helper()
	if has {
		return
	}
	if instructions != AVX512 && os.Getenv("CI") == "true" && !strings.Contains(os.Getenv("GODEBUG"), "cpu.") {
		t.Fatalf("this processor lacks %s: the assembly goes untested", instructions)
	}
	t.Skipf("this processor lacks %s, or GODEBUG hides it", instructions)
}

// NeedBroadwell calls Need for the assembly outside of package lanes. The name of the backend is a result of
// platform.Name, and begins with “portable” if there is no such assembly, even if package lanes has assembly.
func NeedBroadwell(t testing.TB, backend string) {
	t.Helper()
	Need(t, !strings.HasPrefix(backend, "portable"), "BMI2, ADX or AVX2")
}
