package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
)

func TestLoad(t *testing.T) {
	var out, status strings.Builder
	libtest.Check(t, run(t.Context(), options{clients: 50, rounds: 1, time: 500 * time.Millisecond}, &out, &status))
	t.Log(out.String())
	lines := regexp.MustCompile(`(?m)^(?:pool|one by one)(, flood)? +[1-9]\d+ +(\d+) +[\d.]+ +[\d.]+ +[\d.]+$`).FindAllStringSubmatch(out.String(), -1)
	if len(lines) != 4 || status.Len() > 0 {
		t.Errorf("%d lines; %s", len(lines), status.String())
	}
	for _, l := range lines {
		if (l[1] == "") != (l[2] == "0") {
			t.Errorf("bad events in %q", l[0])
		}
	}
}

// TestWrong has clients that expect the other answer.
func TestWrong(t *testing.T) {
	o := options{clients: 10, rounds: 1, time: time.Minute}
	good, bad := sign(10)
	for i := range good {
		good[i].answer = bad[i].answer
	}
	err := new(line).measure(t.Context(), o, build(t.Context(), t.TempDir()), good, bad)
	if err == nil || !regexp.MustCompile(`^the relay answered \["OK","\w+",true,""\], want \["OK","\w+",false,"invalid: $`).MatchString(err.Error()) {
		t.Errorf("error %v", err)
	}
}
