package dropin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// older are released versions before those that the modules are made after, of which programs find all here. "p256k1 replace"
// leaves older ones alone than the first.
var older = map[*dropIn][]string{
	decred: {"v4.0.1", "v4.1.0", "v4.2.0", "v4.3.0", "v4.4.0"},
	btcec:  {"v2.3.4", "v2.3.5", "v2.5.0"}, // before, SignCompact of ecdsa returned an error, too
}

// TestOlder holds that programs made for an older version find all of it here.
func TestOlder(t *testing.T) {
	p256k1 := command(t)
	for d, versions := range older {
		dir := t.TempDir()
		check(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.26\n\nrequire "+d.path+" "+versions[0]+"\n"), 0o666))
		text, _ := run(t, dir, nil, p256k1, "replace", "--local", root)
		replaced := strings.Contains(text, "; replaced by the API of "+d.versions[0]+"\n")
		if !replaced {
			t.Error(text)
		}
		with := program(t, d, d.versions[0])
		replace(t, with, d)
		ours := load(t, with, d.path+"/...")
		for _, version := range versions {
			lines := 0
			for name, p := range load(t, program(t, d, version), d.path+"/...") {
				if ours[name] == nil {
					t.Errorf("%s@%s: not here: package %s", d.path, version, name)
					continue
				}
				got := surface(ours[name].Types)
				for _, line := range surface(p.Types) {
					if lines++; !slices.Contains(got, line) {
						t.Errorf("%s@%s %s: not here: %s", d.path, version, name, line)
					}
				}
			}
			if lines < 100 {
				t.Errorf("%s@%s: only %d lines", d.path, version, lines)
			}
		}
	}
}
