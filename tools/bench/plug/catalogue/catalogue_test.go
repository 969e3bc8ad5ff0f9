package catalogue

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/native"
)

func TestCatalogue(t *testing.T) {
	hash := regexp.MustCompile(`^[0-9a-f]{64}$`)
	fileName := regexp.MustCompile(`^[0-9a-zA-Z.]+$`)
	seen := map[string]string{}
	count := map[native.Kind]int{}
	var current bool
	for _, e := range Entries() {
		r := e.Release
		count[r.Kind]++
		if !hash.MatchString(r.Checksum) {
			t.Errorf("%s: checksum %q", e.Label, r.Checksum)
		}
		if !fileName.MatchString(r.Version) || r.Crate == "" || r.Release == "" {
			t.Errorf("%s: version %q of crate %q %q", e.Label, r.Version, r.Crate, r.Release)
		}
		if e.Date.Before(time.Date(2013, 1, 1, 0, 0, 0, 0, time.UTC)) || e.Date.After(time.Now()) {
			t.Errorf("%s: date %v", e.Label, e.Date)
		}
		for what, value := range map[string]string{"label": e.Label, "checksum": r.Checksum, "so": e.SO} {
			if other := seen[what+value]; other != "" && value != "" {
				t.Errorf("%s and %s have the same %s", other, e.Label, what)
			}
			seen[what+value] = e.Label
		}
		if !strings.HasSuffix(e.Label, " "+r.Version) {
			t.Errorf("%s: label does not end in the version %s", e.Label, r.Version)
		}
		current = current || r == native.Current
	}
	if count[native.Libsecp256k1] < 8 || count[native.OpenSSL] < 6 {
		t.Errorf("%v: want at least 8 of libsecp256k1 and 6 of OpenSSL", count)
	}
	if !current {
		t.Errorf("%+v, which package native builds, is not in the catalogue as it is", native.Current)
	}
}

func TestSelect(t *testing.T) {
	entries := Entries()
	label := func(e Entry) string { return e.Label }
	for _, test := range []struct {
		patterns []string
		n        int
	}{
		{nil, len(entries)},
		{[]string{"*0.8.0"}, 1},
		{[]string{"OPENSSL 1*", "openssl 1.1.1?", "secp256k1 0.4.[01]"}, 3},
	} {
		got, err := Select(entries, label, test.patterns)
		if err != nil || len(got) != test.n {
			t.Errorf("Select(%q): %d entries, %v; want %d", test.patterns, len(got), err, test.n)
		}
	}
	for _, bad := range []string{"nothing", "["} {
		if got, err := Select(entries, label, []string{bad}); err == nil {
			t.Errorf("Select(%q): %v", bad, got)
		}
	}
}
