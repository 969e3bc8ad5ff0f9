package engine

import (
	"os"
	"os/exec"
	"testing"
)

// TestOneVersion compares the versions in go.mod with the versions that the workspace builds, so that a report names
// the version that users of a module get.
func TestOneVersion(t *testing.T) {
	for _, module := range []string{btcecPath, decredPath} {
		var versions []string
		for _, env := range []string{"GOWORK=", "GOWORK=off"} {
			list := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Version}}", module)
			list.Env = append(os.Environ(), env)
			out, err := list.Output()
			if err != nil {
				t.Fatalf("%s: %v", env, err)
			}
			versions = append(versions, string(out))
		}
		if versions[0] != versions[1] {
			t.Errorf("go.mod asks for %s %s and the workspace builds %s", module, versions[1], versions[0])
		}
	}
}
