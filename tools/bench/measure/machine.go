package measure

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// A Machine is what figures depend on besides the engines.
type Machine struct {
	Processor string
	Features  []string // those of the instruction sets that engines may use
	CPUs      int      // that this process may use
	System    string
	Go        string
	Settings  []string // of the build, those that decide which code is compiled
	Commit    string
	Purego    bool // built with that tag
}

// DescribeMachine looks at the machine and the build.
func DescribeMachine() Machine {
	m := Machine{CPUs: runtime.GOMAXPROCS(0), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	m.Processor, m.Features = processor()
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
	m.Purego = slices.Contains(strings.Split(recorded["-tags"], ","), "purego")
	return m
}

// processor returns the processor's name, and which it has of the instruction
// sets that engines may use.
func processor() (model string, features []string) {
	model = "unknown " + runtime.GOARCH
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil && runtime.GOOS == "darwin" {
			model = strings.TrimSpace(string(out))
		}
		return model, nil
	}
	defer f.Close()
	wanted := []string{"bmi2", "adx", "avx2", "avx512ifma", "sha_ni", "sha2", "asimd"}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "model name", "Model":
			model = value
		case "flags", "Features":
			has := strings.Fields(value)
			features = slices.DeleteFunc(wanted, func(w string) bool { return !slices.Contains(has, w) })
			return model, features
		}
	}
	return model, nil
}

// commit is what the build recorded, or what git says: "go run" records nothing.
func commit(recorded map[string]string) string {
	id, changed := recorded["vcs.revision"], recorded["vcs.modified"] == "true"
	if id == "" {
		// Only this project's repository says which code this is.
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
