package engine

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// TestOneVersion compares what the go.mod files ask for with what the workspace
// builds, so that a report names the version that users of a module get.
func TestOneVersion(t *testing.T) {
	for _, module := range []string{"github.com/btcsuite/btcd/btcec/v2", "github.com/decred/dcrd/dcrec/secp256k1/v4"} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Version}}", module).Output()
		if err != nil {
			t.Fatal(err)
		}
		built := strings.TrimSpace(string(out))
		for _, file := range []string{"../go.mod", "../../evidence/go.mod"} {
			out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", file).Output()
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			var mod struct {
				Require []struct{ Path, Version string }
			}
			if err := json.Unmarshal(out, &mod); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			asked := ""
			for _, r := range mod.Require {
				if r.Path == module {
					asked = r.Version
				}
			}
			if asked != built {
				t.Errorf("%s asks for %s %s, and the workspace builds %s", file, module, asked, built)
			}
		}
	}
}
