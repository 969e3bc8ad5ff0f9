// Command scale verifies files of signatures with Apache Beam, either on Prism, a runner inside its own process, or on
// Flink, Spark or Dataflow. README.md explains its use.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"p256k1.mleku.dev/v2/cmd/p256k1/verify"
	"p256k1.mleku.dev/v2/scale/transform"
)

const usage = `Usage: scale verify --input PATTERN… --output FOLDER [flags]

Verifies all lines of the files that match the patterns, as "p256k1 verify" does, and writes into the folder:

  bad/….jsonl      the lines that are not good, with file, line and reason
  failed/….jsonl   the files that could not be read, or have nothing to check
  summary.json     the counts, at the end

Exit status: 0 if everything is good, 1 if a line is bad or unreadable, 2 if a file cannot be read or has nothing to
check, or the usage is wrong, 130 after Ctrl-C.

  --input PATTERN  files, "a.jsonl", "gs://bucket/day-*.jsonl.gz"; may be repeated
  --output FOLDER  an empty folder, or one that does not exist yet, on any of these file systems
  --low-s          refuse ECDSA signatures with s above (n-1)/2
  --max-line N     the longest line to read, in bytes
  --part N         number of bytes of a file that a worker takes at a time
  --jobs N         number of goroutines of a worker; 0 for one per core
  --allow-empty    accept files with nothing to check
  --runner NAME    prism (in this process, the default), flink, spark, dataflow, universal

On a terminal, scale shows how many lines it has verified. With runners other than prism, other processes verify them.
"go run" compiles Beam the first time, which takes some minutes, in silence.

Flags of Beam say how to reach a runner: --endpoint, --environment_type, --parallelism, --project and others.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// These are the exit statuses.
const (
	statusGood = iota
	statusBad
	statusFailed
	statusInterrupted = 130
)

// verification holds the arguments of the command.
type verification struct {
	inputs []string // patterns
	output string
	transform.Options
}

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	var v verification
	f := flag.CommandLine // the program's flags, which include the flags of Beam
	f.Init("scale", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Func("input", "", func(pattern string) error {
		v.inputs = append(v.inputs, pattern)
		return nil
	})
	f.StringVar(&v.output, "output", "", "")
	f.BoolVar(&v.LowS, "low-s", false, "")
	f.IntVar(&v.MaxLine, "max-line", 16<<20, "")
	f.Int64Var(&v.Part, "part", 64<<20, "")
	f.IntVar(&v.Jobs, "jobs", 0, "")
	f.BoolVar(&v.AllowEmpty, "allow-empty", false, "")
	verify := len(args) > 0 && args[0] == "verify"
	if verify {
		args = args[1:]
	}
	err := f.Parse(args)
	log.SetupLogging("warn", "text")
	beam.Init() // does not return in a worker process
	switch {
	case errors.Is(err, flag.ErrHelp), len(args) == 0 && !verify:
		fmt.Fprint(out, usage)
		return statusGood
	case err == nil && !verify:
		err = errors.New(`want "scale verify"`)
	case err == nil:
		err = v.check(ctx, f.Args())
	}
	if err != nil {
		fmt.Fprintf(errs, "scale: %v\n", err)
		return statusFailed
	}
	return v.run(ctx, out, errs)
}

// check returns an error if the arguments are invalid.
func (v *verification) check(ctx context.Context, rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q: put patterns in quotation marks after --input", rest[0])
	case len(v.inputs) == 0:
		return errors.New("no --input")
	case v.output == "":
		return errors.New("no --output")
	case v.MaxLine < 1 || v.MaxLine > 1<<30:
		return fmt.Errorf("--max-line is %d, want 1 to %d", v.MaxLine, 1<<30)
	case v.Part < 1:
		return fmt.Errorf("--part is %d, want at least 1", v.Part)
	case v.Jobs < 0 || v.Jobs > 1024:
		return fmt.Errorf("--jobs is %d, want 0 to 1024", v.Jobs)
	}
	for _, pattern := range v.inputs {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("--input %q: %w", pattern, err)
		}
		if _, err := filesystem.New(ctx, pattern); err != nil {
			return fmt.Errorf("--input %q: %w", pattern, err)
		}
	}
	return transform.CheckFolder(ctx, v.output)
}

// startPrism starts the runner in this process, unless another runner was requested. The runner's server listens on all
// network interfaces and would accept jobs from any machine, so startPrism restricts it to this machine, which confine
// can do only on Linux.
func startPrism(ctx context.Context) error {
	if runner := *runners.Runner; (runner != "" && runner != "prism" && runner != "PrismRunner") || *jobopts.Endpoint != "" {
		return nil
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	if _, err := prism.CreateJobServer(ctx, prism.Options{Port: port}); err != nil {
		return err
	}
	*jobopts.Endpoint = fmt.Sprintf("localhost:%d", port)
	if *jobopts.EnvironmentType == "" {
		*jobopts.EnvironmentType = "loopback"
	}
	return confine(port)
}

// freePort returns a port that is not in use.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (v *verification) run(ctx context.Context, out, errs io.Writer) int {
	p, s := beam.NewPipelineWithRoot()
	transform.Write(s, v.output, transform.VerifyFiles(s, beam.CreateList(s, v.inputs), v.Options))
	start := time.Now()
	stop := progress(errs)
	err := startPrism(ctx)
	if err == nil {
		err = beamx.Run(ctx, p)
	}
	stop()
	elapsed := time.Since(start)
	if e := transform.RemoveIncomplete(context.WithoutCancel(ctx), v.output); err == nil {
		err = e
	}
	var summary *transform.Summary
	if err == nil {
		summary, err = transform.ReadSummary(ctx, v.output)
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(errs, "scale: interrupted: %s is not complete\n", v.output)
		return statusInterrupted
	case err != nil:
		fmt.Fprintf(errs, "scale: %v\n", err)
		return statusFailed
	}
	if err := verify.NewText(out).Summary(&verify.Summary{Counts: summary.Counts, Elapsed: elapsed}); err != nil {
		fmt.Fprintf(errs, "scale: %v\n", err)
		return statusFailed
	}
	v.whereToLook(ctx, summary, errs)
	switch {
	case summary.Failed > 0, summary.Empty > 0 && !v.AllowEmpty:
		return statusFailed
	case summary.NotGood() > 0:
		return statusBad
	}
	return statusGood
}

// whereToLook prints the names of the first files that could not be read, and the output folders.
func (v *verification) whereToLook(ctx context.Context, summary *transform.Summary, errs io.Writer) {
	n, folder := summary.Failed, strings.TrimRight(v.output, "/")
	if !v.AllowEmpty {
		n += summary.Empty
	}
	if n > 0 {
		failures, err := transform.ReadFailures(ctx, folder, 20)
		if err != nil {
			fmt.Fprintf(errs, "scale: %v\n", err)
		}
		for _, f := range failures {
			fmt.Fprintf(errs, "scale: %q: %q\n", f.File, f.Reason)
		}
		fmt.Fprintf(errs, "scale: %s not verified, or not completely: %s/failed\n", verify.Count(n, "file"), folder)
	}
	if n := summary.NotGood(); n > 0 {
		fmt.Fprintf(errs, "scale: %s not good: %s/bad\n", verify.Count(n, "line"), folder)
	}
}

// progress shows the number of verified lines on a terminal, until stop is called.
func progress(terminal io.Writer) (stop func()) {
	f, ok := terminal.(*os.File)
	if info, err := f.Stat(); !ok || err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	start, end, done := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(200 * time.Millisecond); ; {
			select {
			case <-tick.C:
				s := int(time.Since(start).Seconds())
				fmt.Fprintf(f, "\r%s in %d:%02d", verify.Count(transform.Lines.Load(), "line"), s/60, s%60)
			case <-end:
				fmt.Fprintf(f, "\r%40s\r", "")
				return
			}
		}
	}()
	return func() { close(end); <-done }
}
