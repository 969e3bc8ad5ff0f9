package measure

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
)

// A Machine has the properties of the machine that the figures depend on.
type Machine struct {
	Processor string
	CPUs      int // processors that this process may use
	System    string
	Go        string
	Settings  []string // the build settings that decide which code is compiled
	Commit    string
}

// DescribeMachine describes the machine and the build.
func DescribeMachine() Machine {
	m := Machine{Processor: processor(), CPUs: runtime.GOMAXPROCS(0), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	recorded := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			recorded[s.Key] = s.Value
			switch s.Key {
			case "-tags", "-gcflags", "CGO_ENABLED", "-pgo", "GO" + strings.ToUpper(runtime.GOARCH):
				m.Settings = append(m.Settings, s.Key+"="+s.Value)
			}
		}
	}
	if v := os.Getenv("GODEBUG"); v != "" {
		m.Settings = append(m.Settings, "GODEBUG="+v)
	}
	m.Commit = commit(recorded)
	return m
}

// processor returns the processor's name.
func processor() string {
	if runtime.GOOS == "darwin" {
		out, _ := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output()
		return strings.TrimSpace(string(out))
	}
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		key, value, _ := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); key == "model name" || key == "Model" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown " + runtime.GOARCH
}

// commit returns the commit that the build recorded, or the commit that git reports, because "go run" records none.
func commit(recorded map[string]string) string {
	id, changed := recorded["vcs.revision"], recorded["vcs.modified"] == "true"
	if id == "" {
		// The commit counts only if the repository is this project's.
		if module, err := exec.Command("go", "list", "-m").Output(); err != nil || !strings.HasPrefix(string(module), "p256k1.mleku.dev/v2") {
			return "unknown"
		}
		head, err := exec.Command("git", "rev-parse", "HEAD").Output()
		if err != nil {
			return "unknown"
		}
		changes, err := exec.Command("git", "--no-optional-locks", "status", "--porcelain").Output()
		id, changed = strings.TrimSpace(string(head)), err != nil || len(changes) > 0
	}
	id = id[:min(12, len(id))]
	if changed {
		id += " with uncommitted changes"
	}
	return id
}
