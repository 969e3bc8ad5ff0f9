package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"p256k1.mleku.dev/v2/tools/evidence/consttime"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// output is the output of the subject.
type output struct {
	Backend  string
	Valgrind bool
	Count    int    // the number of results
	Results  string // the hash of the results
}

func parseOutput(b []byte) (o output) {
	must.Do(json.Unmarshal(b, &o))
	return o
}

// runNative runs the subject without valgrind.
func runNative(ctx context.Context, path string, environment ...string) (output, error) {
	cmd := exec.CommandContext(ctx, path)
	cmd.Env = append(os.Environ(), environment...)
	b, err := cmd.Output()
	if err != nil {
		return output{}, fmt.Errorf("the subject: %w", err)
	}
	return parseOutput(b), nil
}

// report is a report of memcheck, in XML.
type report struct {
	Kind   string  `xml:"kind"`
	Frames []frame `xml:"stack>frame"` // the innermost first
}

type frame struct {
	IP       string `xml:"ip"`
	Function string `xml:"fn"`
}

// finding returns r in the form of the reviewed list. A report that is not about undefined values becomes a finding of
// a kind that the list does not have.
func (r *report) finding(p *consttime.Program) consttime.Finding {
	kind := r.Kind
	switch kind {
	case "UninitCondition":
		kind = "branch"
	case "UninitValue":
		kind = "index"
	}
	pc, _ := strconv.ParseUint(r.Frames[0].IP, 0, 64)
	return consttime.Finding{Kind: kind, Place: p.Place(pc)}
}

// memcheck runs the subject, and returns its output and memcheck's reports.
func memcheck(ctx context.Context, path, adx string) (output, []report) {
	file := path + ".xml"
	args := []string{
		"--tool=memcheck", "--command-line-only=yes", "--quiet", "--leak-check=no", "--error-limit=no",
		"--xml=yes", "--xml-file=" + file,
		// The largest frame that the subject uses has less than 100 kB, so memcheck must treat larger moves of the
		// stack pointer as switches between stacks. Go's stacks lie close to each other, and if memcheck mistook a
		// switch for a new frame, it would report accesses to this frame as invalid.
		"--max-stackframe=100000",
		path,
	}
	cmd := exec.CommandContext(ctx, "valgrind", args...)
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1,gcshrinkstackoff=1,cpu.adx=off,p256k1fma=off", "GOGC=off", "GOMAXPROCS=1", consttime.ADX+"="+adx)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if err != nil {
		panic(fmt.Errorf("the subject under valgrind: %w\n%s%s", err, stdout, &stderr))
	}
	var log struct {
		Reports []report `xml:"error"`
	}
	must.Do(xml.Unmarshal(must.Get(os.ReadFile(file)), &log))
	for _, r := range log.Reports {
		if len(r.Frames) == 0 {
			panic(fmt.Errorf("memcheck reports %s without a place", r.Kind))
		}
	}
	return parseOutput(stdout), log.Reports
}
