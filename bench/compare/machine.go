package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"p256k1.mleku.dev/bench/native"
)

// setup says what a result depends on.
type setup struct {
	Processor string `json:"processor"`
	Features  string `json:"features"`
	Go        string `json:"go"`
	Build     string `json:"build"`
	Commit    string `json:"commit"`
	Libsecp   string `json:"libsecp256k1"`
	Compiler  string `json:"compiler"`
}

func describe(b native.Build) setup {
	model, features := processor()
	return setup{
		Processor: fmt.Sprintf("%s, %d logical", model, runtime.NumCPU()),
		Features:  features,
		Go:        fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
		Build:     buildSettings(),
		Commit:    commit(),
		Libsecp:   fmt.Sprintf("%s (%.12s)", b.Version, b.Revision),
		Compiler:  b.Compiler + " " + b.Flags[0],
	}
}

// processor returns the processor's name, and which it has of the instruction
// sets that the library may use.
func processor() (model, features string) {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown " + runtime.GOARCH, ""
	}
	defer f.Close()
	wanted := []string{"bmi2", "adx", "avx2", "avx512ifma", "sha_ni"}
	model = "unknown " + runtime.GOARCH
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "model name":
			model = value
		case "flags":
			has := strings.Fields(value)
			features = strings.Join(slices.DeleteFunc(wanted, func(w string) bool {
				return !slices.Contains(has, w)
			}), " ")
			return model, features
		}
	}
	return model, ""
}

// buildSettings returns the settings that decide which code is compiled.
func buildSettings() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	var kept []string
	for _, s := range info.Settings {
		switch {
		case s.Key == "-tags", s.Key == "-gcflags", s.Key == "CGO_ENABLED", s.Key == "-pgo",
			s.Key == "GO"+strings.ToUpper(runtime.GOARCH):
			kept = append(kept, s.Key+"="+s.Value)
		}
	}
	return strings.Join(kept, " ")
}

// hasTag reports whether the program was built with a build tag.
func hasTag(tag string) bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "-tags" && slices.Contains(strings.Split(s.Value, ","), tag)
	})
}

// commit asks git, since "go run" does not record it.
func commit() string {
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"--no-optional-locks"}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	id, err := git("rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "unknown"
	}
	if changes, err := git("status", "--porcelain"); err != nil || changes != "" {
		id += " with uncommitted changes"
	}
	return id
}
