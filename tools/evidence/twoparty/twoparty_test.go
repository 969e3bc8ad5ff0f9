package main

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// TestSame compares values by same and is, and hands over a planted one.
func TestSame(t *testing.T) {
	s := &session{plant: "value", counts: map[string]int{}}
	for _, c := range []struct {
		ours, theirs any
		equal        bool
	}{{[]byte{1, 2}, octets{1, 2}, true}, {[]byte{1, 2}, octets{1, 3}, false}, {[]byte{1, 2}, octets(nil), false}, {"a", "b", false}, {7, 8, false}} {
		if err := must.Catch(func() { s.same("values", c.ours, c.theirs) }); (err == nil) != c.equal {
			t.Errorf("%v and %v: %v", c.ours, c.theirs, err)
		}
		if err := must.Catch(func() { s.is(c.equal, "not equal") }); (err == nil) != c.equal {
			t.Errorf("%v: %v", c.equal, err)
		}
	}
	b := []byte{1, 2}
	for _, want := range []string{"\x01\x02", "\x01\x03", "\x01\x02"} { // another value, the planted one, and again
		if got := s.to(map[bool]string{true: "value", false: "other"}[s.counts["to other"] > 0], b); string(got) != want || string(b) != "\x01\x02" {
			t.Errorf("handed over %x, want %x", got, want)
		}
	}
}

// TestVersions compares the versions in the counterparts' names with the versions of the packages that are used.
func TestVersions(t *testing.T) {
	var packages string
	for _, name := range []string{"rust/Cargo.lock", "../../js/package.json"} {
		text := libtest.Must(os.ReadFile(name))
		packages += regexp.MustCompile(`"?\nversion = "|": "`).ReplaceAllString(string(text), " ")
	}
	tested := 0
	for _, c := range counterparts {
		if name := regexp.MustCompile(`^\S+ [\d.]+\d`).FindString(c.name); name != "" {
			tested++
			if !strings.Contains(packages, `"`+name+`"`) {
				t.Errorf("%s is not the version that is used", name)
			}
		}
	}
	if tested != 7 {
		t.Errorf("%d versions, want 7", tested)
	}
}

// TestNotTested runs the command with a missing implementation, with an implementation that does not answer, and
// without implementations, sessions or planted values.
func TestNotTested(t *testing.T) {
	for ci, want := range map[string]int{"": 0, "true": 1} {
		t.Setenv("CI", ci)
		var stdout, stderr bytes.Buffer
		if got := run([]string{"-only", "reference"}, &stdout, &stderr); got != want || strings.Count(stderr.String(), "NOT TESTED: ") != 3 {
			t.Errorf("CI=%q: status %d, want %d: %s", ci, got, want, &stderr)
		}
	}
	t.Setenv("CI", "")
	for _, args := range [][]string{{"-only", "nobody"}, {"-only", "reference", "-n", "0"}} {
		if run(args, io.Discard, io.Discard) == 0 {
			t.Errorf("%q tests nothing and succeeds", args)
		}
	}
	if (counterpart{run: func(*session) {}}).sessions(nil, 1, 1, true, io.Discard) {
		t.Error("no value is planted, and all are noticed")
	}
	for _, c := range counterparts {
		p, err := start("true")
		if err != nil {
			t.Skip("no command true: ", err)
		}
		var stdout bytes.Buffer
		c.sessions(p, 2, 1, false, &stdout)
		if !strings.Contains(stdout.String(), "DIFFERENCE in session 1") {
			t.Errorf("%s without answers: %s", c.name, &stdout)
		}
		p.close()
	}
}
