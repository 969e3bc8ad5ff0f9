package main

import (
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// write writes the report, in Markdown.
func write(w io.Writer, long bool, total time.Duration, results []result) {
	var b strings.Builder
	form := "short"
	if long {
		form = "long"
	}
	fmt.Fprintf(&b, "# Assurance of p256k1, %s form, %s\n\n| | |\n|---|---|\n", form, time.Now().UTC().Format(time.DateOnly))
	for _, v := range versions() {
		fmt.Fprintf(&b, "| %s | %s |\n", v[0], v[1])
	}
	fmt.Fprintf(&b, "\n| check | | time | what it shows |\n|---|---|---:|---|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| [%s](#%[1]s) | %s | %v | %s |\n", r.name, r.state, r.time.Round(time.Second), r.shows)
	}
	fmt.Fprintf(&b, "| all | | %v | |\n", total.Round(time.Second))
	for _, r := range results {
		fmt.Fprintf(&b, "\n## %s\n\n", r.name)
		for _, s := range r.steps {
			fmt.Fprintf(&b, "    %s\n\n", s)
			for _, f := range r.figures[s] {
				fmt.Fprintf(&b, "- %s\n", f)
			}
			fmt.Fprintln(&b)
		}
		if r.tail != "" {
			fmt.Fprintf(&b, "\n%s:\n\n    %s\n", r.state, strings.ReplaceAll(r.tail, "\n", "\n    "))
		}
	}
	must.Get(io.WriteString(w, b.String()))
}

// versions returns the versions on which the figures depend, as pairs of name and value.
func versions() [][2]string {
	commit := output("^.*", "git", "rev-parse", "--short=12", "HEAD")
	if output("^.", "git", "status", "--porcelain") != "absent" {
		commit += " and changes"
	}
	return [][2]string{
		{"commit", commit},
		{"Go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
		{"processor", fmt.Sprintf("%s, %d usable", output(`(?m)^model name\s*: (.*)`, "cat", "/proc/cpuinfo"), runtime.NumCPU())},
		{"backend", output(`(?m)^backend +(.*)`, "go", "run", "./cmd/p256k1", "version")},
		{"valgrind", output("^.*", "valgrind", "--version")},
		{"C compiler", output("^.*", "cc", "--version")},
	}
}

// output returns the part of a program's output that matches the regular expression, or its group, if it has one.
func output(expression, name string, args ...string) string {
	text, _ := exec.Command(name, args...).Output()
	m := regexp.MustCompile(expression).FindStringSubmatch(string(text))
	if m == nil {
		return "absent"
	}
	return m[len(m)-1]
}
