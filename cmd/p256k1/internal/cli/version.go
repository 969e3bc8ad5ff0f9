package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/curve"
)

const library = "p256k1.mleku.dev/v2"

// version holds the version of the program and information about its build.
type version struct {
	Version  string `json:"version"`
	Library  string `json:"library,omitempty"`
	Commit   string `json:"commit,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Backend  string `json:"backend"`
	Column   string `json:"column"` // of the table of speeds in the README
}

func newVersion(s Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print what this program was built from",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			v := describe(buildInfo())
			if asJSON {
				return printJSON(s.Out, v)
			}
			_, err := io.WriteString(s.Out, v.String())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// buildInfo returns the build information that is embedded in the program. It may be empty.
func buildInfo() *debug.BuildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return new(debug.BuildInfo)
	}
	return info
}

func versionOf(info *debug.BuildInfo) string {
	if info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func describe(info *debug.BuildInfo) version {
	v := version{
		Version:  versionOf(info),
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Backend:  curve.Backend(),
		Column:   column(curve.Backend()),
	}
	for _, m := range info.Deps {
		if m.Path == library {
			v.Library = m.Version
			if m.Replace != nil || m.Version == "" {
				v.Library = "(devel)" // built from the same tree as this program
			}
		}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (v version) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "p256k1    %s\n", v.Version)
	if v.Library != "" {
		fmt.Fprintf(&b, "library   %s %s\n", library, v.Library)
	}
	if v.Commit != "" {
		modified := ""
		if v.Modified {
			modified = ", modified since"
		}
		fmt.Fprintf(&b, "commit    %s of %s%s\n", v.Commit, v.Time, modified)
	}
	fmt.Fprintf(&b, "go        %s %s\n", v.Go, v.Platform)
	fmt.Fprintf(&b, "backend   %s\n", v.Backend)
	fmt.Fprintf(&b, "README    the table of speeds: %s\n", v.Column)
	return b.String()
}

// column returns which column of the README's table of speeds was measured with the same instructions as the backend's.
func column(backend string) string {
	for _, measured := range []string{"AVX-512 IFMA", "BMI2, ADX, AVX2"} {
		if strings.Contains(backend, measured) {
			return "p256k1 with " + measured
		}
	}
	return "no column, but docs/figures.md may have this backend"
}
