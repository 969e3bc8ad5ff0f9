package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// write writes the report, in Markdown.
func write(w io.Writer, long bool, total time.Duration, results []result) error {
	b := bufio.NewWriter(w)
	form := "short"
	if long {
		form = "long"
	}
	fmt.Fprintf(b, "# Assurance of p256k1, %s form, %s\n\n", form, time.Now().UTC().Format("2006-01-02"))
	fmt.Fprintf(b, "| | |\n|---|---|\n")
	for _, v := range versions() {
		fmt.Fprintf(b, "| %s | %s |\n", v[0], v[1])
	}
	fmt.Fprintf(b, "\n| check | | time | what it shows |\n|---|---|---:|---|\n")
	for _, r := range results {
		fmt.Fprintf(b, "| [%s](#%[1]s) | %s | %s | %s |\n", r.check.name, r.state, clock(r.time), r.check.shows)
	}
	fmt.Fprintf(b, "| all | | %s | |\n", clock(total))
	for _, r := range results {
		fmt.Fprintf(b, "\n## %s\n\n", r.check.name)
		for _, s := range r.steps {
			fmt.Fprintf(b, "    %s\n", s)
		}
		fmt.Fprintln(b)
		for _, f := range r.figures {
			fmt.Fprintf(b, "- %s\n", f)
		}
		if r.tail != "" {
			fmt.Fprintf(b, "\n%s:\n\n    %s\n", r.state, strings.ReplaceAll(r.tail, "\n", "\n    "))
		}
	}
	return b.Flush()
}

// clock writes a duration as minutes and seconds.
func clock(d time.Duration) string {
	d = d.Round(time.Second)
	return fmt.Sprintf("%d:%02d:%02d", d/time.Hour, d%time.Hour/time.Minute, d%time.Minute/time.Second)
}

// versions returns what the figures depend on, as pairs of name and value.
func versions() [][2]string {
	return [][2]string{
		{"commit", commit()},
		{"Go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
		{"processor", fmt.Sprintf("%s, %d usable", processor(), runtime.NumCPU())},
		{"backend", backend()},
		{"valgrind", output("valgrind", "--version")},
		{"C compiler", output("cc", "--version")},
	}
}

// commit names the commit, and says if files differ from it.
func commit() string {
	c := output("git", "rev-parse", "--short=12", "HEAD")
	if changes, err := exec.Command("git", "status", "--porcelain").Output(); err != nil || len(changes) > 0 {
		c += " and changes"
	}
	return c
}

func backend() string {
	for line := range strings.Lines(outputs("go", "run", "./cmd/p256k1", "version")) {
		if name, ok := strings.CutPrefix(line, "backend"); ok {
			return strings.TrimSpace(name)
		}
	}
	return "unknown"
}

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// output is the first line that a program prints.
func output(name string, args ...string) string {
	line, _, _ := strings.Cut(outputs(name, args...), "\n")
	return line
}

func outputs(name string, args ...string) string {
	text, err := exec.Command(name, args...).Output()
	if err != nil {
		return "absent"
	}
	return strings.TrimSpace(string(text))
}
