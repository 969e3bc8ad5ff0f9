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
	Processor string   `json:"processor"`
	Features  []string `json:"features"` // those of the instruction sets that engines may use
	CPUs      int      `json:"cpus"`     // that this process may use
	System    string   `json:"system"`
	Go        string   `json:"go"`
	Settings  []string `json:"settings"` // of the build, those that decide which code is compiled
	Commit    string   `json:"commit"`
	Purego    bool     `json:"purego"` // built with that tag
}

// DescribeMachine looks at the machine and the build.
func DescribeMachine() Machine {
	m := Machine{
		CPUs:   runtime.GOMAXPROCS(0),
		System: runtime.GOOS + "/" + runtime.GOARCH,
		Go:     runtime.Version(),
		Commit: commit(),
		Purego: hasTag("purego"),
	}
	m.Processor, m.Features = processor()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "-tags", s.Key == "-gcflags", s.Key == "CGO_ENABLED", s.Key == "-pgo",
				s.Key == "GO"+strings.ToUpper(runtime.GOARCH):
				m.Settings = append(m.Settings, s.Key+"="+s.Value)
			}
		}
	}
	if v := os.Getenv("GODEBUG"); v != "" {
		m.Settings = append(m.Settings, "GODEBUG="+v)
	}
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

// hasTag reports whether the program was built with a build tag.
func hasTag(tag string) bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "-tags" && slices.Contains(strings.Split(s.Value, ","), tag)
	})
}

// commit is what the build recorded, or what git says: "go run" records nothing.
func commit() string {
	if id, modified := recordedCommit(); id != "" {
		return withChanges(id, modified)
	}
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"--no-optional-locks"}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	// Only this project's repository says which code this is.
	if module, err := exec.Command("go", "list", "-m").Output(); err != nil || !strings.HasPrefix(string(module), "p256k1.mleku.dev/v2") {
		return "unknown"
	}
	id, err := git("rev-parse", "HEAD")
	if err != nil {
		return "unknown"
	}
	changes, err := git("status", "--porcelain")
	return withChanges(id, err != nil || changes != "")
}

func recordedCommit() (id string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			id = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return id, modified
}

func withChanges(id string, modified bool) string {
	id = id[:min(12, len(id))]
	if modified {
		id += " with uncommitted changes"
	}
	return id
}
