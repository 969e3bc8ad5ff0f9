package main

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
	for _, e := range entries() {
		r := e.release
		count[r.Kind]++
		if !hash.MatchString(r.Checksum) {
			t.Errorf("%s: checksum %q", e.label, r.Checksum)
		}
		if !fileName.MatchString(r.Version) || r.Crate == "" || r.Release == "" {
			t.Errorf("%s: version %q of crate %q %q", e.label, r.Version, r.Crate, r.Release)
		}
		if e.date.Before(time.Date(2013, 1, 1, 0, 0, 0, 0, time.UTC)) || e.date.After(time.Now()) {
			t.Errorf("%s: date %v", e.label, e.date)
		}
		for what, value := range map[string]string{"label": e.label, "checksum": r.Checksum} {
			if other := seen[what+value]; other != "" && value != "" {
				t.Errorf("%s and %s have the same %s", other, e.label, what)
			}
			seen[what+value] = e.label
		}
		if !strings.HasSuffix(e.label, " "+r.Version) {
			t.Errorf("%s: label does not end in the version %s", e.label, r.Version)
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
