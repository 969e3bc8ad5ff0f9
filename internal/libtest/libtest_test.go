package libtest_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestMissing tests what is missing on this machine: it may be skipped, but not in CI.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		ci, godebug, untested, need, avx512 string
	}{
		{"true", "", "failed", "failed", "skipped"},
		{"true", "cpu.adx=off", "failed", "skipped", "skipped"},
		{"", "", "skipped", "skipped", "skipped"},
		{"false", "", "skipped", "skipped", "skipped"},
	} {
		found := "passed"
		if runtime.GOOS == "js" { // it finds no program
			found = c.untested
		}
		t.Setenv("CI", c.ci)
		t.Setenv("GODEBUG", c.godebug)
		for name, one := range map[string]struct {
			f    func(t testing.TB)
			want string
		}{
			"Untested":         {func(t testing.TB) { libtest.Untested(t, "no reason") }, c.untested},
			"Need":             {func(t testing.TB) { libtest.Need(t, "no-such-program") }, c.untested},
			"Need of go":       {func(t testing.TB) { libtest.Need(t, "go") }, found},
			"asmtest.Need":     {func(t testing.TB) { asmtest.Need(t, false, "ADX") }, c.need},
			"asmtest of AVX":   {func(t testing.TB) { asmtest.Need(t, false, asmtest.AVX512) }, c.avx512},
			"asmtest, present": {func(t testing.TB) { asmtest.Need(t, true, "ADX") }, "passed"},
			"NeedBroadwell":    {func(t testing.TB) { asmtest.NeedBroadwell(t, "portable") }, c.need},
			"of lanes alone":   {func(t testing.TB) { asmtest.NeedBroadwell(t, "portable, lanes for x86-64") }, c.need},
			"Broadwell":        {func(t testing.TB) { asmtest.NeedBroadwell(t, "x86-64 (BMI2, ADX, AVX2)") }, "passed"},
		} {
			if got := libtest.Outcome(t, one.f); got != one.want {
				t.Errorf("%s with CI=%q and GODEBUG=%q: %s, not %s", name, c.ci, c.godebug, got, one.want)
			}
		}
	}
}

// TestChecks calls each check of an error with errors that it accepts and refuses.
func TestChecks(t *testing.T) {
	length := fmt.Errorf("p256k1: key: %w", p256k1.ErrLength)
	both := errors.Join(length, p256k1.ErrRange)
	failures := p256k1.Failures{{Index: 1, Err: p256k1.ErrRange}, {Index: 4, Err: p256k1.ErrLength}}
	swapped := p256k1.Failures{failures[1], failures[0]}
	reasons := map[int]error{1: p256k1.ErrRange, 4: p256k1.ErrLength}
	for i, c := range []struct {
		f    func(t testing.TB)
		want string
	}{
		{func(t testing.TB) { libtest.Check(t, nil) }, "passed"},
		{func(t testing.TB) { libtest.Check(t, length) }, "failed"},
		{func(t testing.TB) { libtest.CheckError(t, length, p256k1.ErrLength, "key") }, "passed"},
		{func(t testing.TB) { libtest.CheckError(t, length, p256k1.ErrLength, "another word") }, "failed"},
		{func(t testing.TB) { libtest.CheckError(t, length, p256k1.ErrRange) }, "failed"},
		{func(t testing.TB) { libtest.CheckError(t, both, p256k1.ErrLength) }, "failed"},
		{func(t testing.TB) { libtest.CheckError(t, length, nil) }, "failed"},
		{func(t testing.TB) { libtest.CheckError(t, nil, p256k1.ErrLength) }, "failed"},
		{func(t testing.TB) { libtest.CheckError(t, nil, nil) }, "passed"},
		{func(t testing.TB) { libtest.CheckErrorIs(t, length, p256k1.ErrRange) }, "failed"},
		{func(t testing.TB) { libtest.CheckErrorIs(t, both, p256k1.ErrRange, "key", "range") }, "passed"},
		{func(t testing.TB) { libtest.CheckErrorText(t, fmt.Errorf("p256k1: %w", length)) }, "failed"},
		{func(t testing.TB) { libtest.CheckFailures(t, failures, reasons) }, "passed"},
		{func(t testing.TB) { libtest.CheckFailures(t, nil, nil) }, "passed"},
		{func(t testing.TB) { libtest.CheckFailures(t, nil, reasons) }, "failed"},
		{func(t testing.TB) { libtest.CheckFailures(t, failures, nil) }, "failed"},
		{func(t testing.TB) { libtest.CheckFailures(t, failures[:1], reasons) }, "failed"},
		{func(t testing.TB) { libtest.CheckFailures(t, swapped, reasons) }, "failed"},
		{func(t testing.TB) {
			libtest.CheckFailures(t, failures, map[int]error{1: p256k1.ErrRange, 5: p256k1.ErrLength})
		}, "failed"},
		{func(t testing.TB) {
			libtest.CheckFailures(t, failures, map[int]error{1: p256k1.ErrRange, 4: p256k1.ErrRange})
		}, "failed"},
		{func(t testing.TB) { libtest.CheckFailures(t, length, reasons) }, "failed"},
	} {
		if got := libtest.Outcome(t, c.f); got != c.want {
			t.Errorf("case %d: %s, not %s", i, got, c.want)
		}
	}
}
