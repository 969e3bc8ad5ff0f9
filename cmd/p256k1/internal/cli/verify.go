package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/report"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

const verifyHelp = `With --sig, verify checks one signature of a file or a digest. Otherwise it
checks every line of the files, or of standard input if no file is named or the
name is "-", and hashes no file. A directory stands for all files in it and
below it, in the order of their names. Lines are JSON objects of any of these
shapes, which verify recognizes by their fields; other fields are ignored:

  {"id":…,"pubkey":…,"created_at":…,"kind":…,"tags":…,"content":…,"sig":…}
      a Nostr event (NIP-01): the id must be the SHA-256 of the event, and sig a
      BIP-340 signature of the id by pubkey
  {"t":"ecdsa","pub":…,"h":…,"sig":…}
      pub of 33 or 65 bytes, digest h of 32 bytes, sig in strict DER or r‖s of
      64 bytes
  {"t":"schnorr","pub":…,"h":…,"sig":…}
      BIP-340: pub of 32 bytes, message h of any length, sig of 64 bytes
  {"t":"recoverable","pub":…,"h":…,"sig":…}
      digest h of 32 bytes, sig of 65 bytes r‖s‖v, v from 0 to 3 or 27 to 30;
      the key recovered from sig and h must be pub, 33 or 65 bytes
  {"internal":…,"tweak":…,"output":…,"parity":…}
      BIP-341: output must be the x coordinate of internal + tweak·G, whose y
      coordinate must be odd if parity is 1, and even if parity is 0

A file may also be CSV (RFC 4180): its first line then names columns,
t,pub,h,sig or internal,tweak,output,parity, in any order and with others among
them. A row is one line, and its values are the values of the JSON fields, with
or without quotation marks.

Bytes are hexadecimal digits: in events in lower case and without 0x (NIP-01),
in all other lines in either case and with or without 0x. Empty lines are
skipped. A line is bad if it has one of the shapes, but malformed bytes, or a
wrong signature, id or tweak. A line is unreadable if it is not JSON, is not
UTF-8, has a name twice, has none of the shapes, or does not have one value for
each name in the CSV header. The output names each bad or unreadable line with
its file, number and reason, and ends with the counts. Of more than a hundred
consecutive unreadable lines, the output names the first hundred. File names
with unusual characters are in quotation marks.

Files may have any size: they are not held in memory. Files compressed with
gzip or zstd are decompressed, whatever their names.

Exit status: 0 if everything is good, 1 if a line is bad or unreadable, 2 if a
file cannot be read or has nothing to check, or the usage is wrong, 130 after
Ctrl-C, with the counts so far.

With --sig, the status is 1 also if the signature is malformed, and 2 if the key
or the digest is. A CSV header without the columns, and compressed data that are
corrupt, are files that cannot be read: 2.

With --json, the output is meant for programs.
` + report.JSONHelp + `
  {"type":"signature","verdict":"good","shape":"ecdsa","pub":"02…","h":"…",
   "file":"contract.pdf"}
      the only object with --sig; file is absent with --digest, and a bad
      signature has a "reason"`

// maxJobs limits the memory for lines that have been read but not reported, which is up to 2 MiB per job, apart from
// long lines.
const maxJobs = 1024

// maxLine is small enough that a line fits into the memory of 32-bit machines.
const maxLine = 1 << 30

// verifying holds the arguments of the command verify.
type verifying struct {
	bulk.Options
	claim
	json       bool
	allowEmpty bool
}

func newVerify(s Streams) *cobra.Command {
	o := verifying{Options: bulk.Options{Workers: min(runtime.GOMAXPROCS(0), maxJobs), MaxLine: 16 << 20}}
	cmd := &cobra.Command{
		Use:   "verify [FILE|DIRECTORY…]",
		Short: "Verify signatures: one of a file, or one per line on all cores",
		Long:  verifyHelp,
		Example: `  p256k1 verify --file contract.pdf --pub 02… --sig 30…
  p256k1 verify events.jsonl
  p256k1 verify --json dump.jsonl.gz | jq .reason
  xz -dc dump.jsonl.xz | p256k1 verify`,
	}
	flags := cmd.Flags()
	o.claim.add(cmd)
	flags.BoolVar(&o.json, "json", false, "write JSON")
	flags.BoolVar(&o.LowS, "low-s", false, "refuse ECDSA signatures with s above (n-1)/2")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "accept files with nothing to check")
	flags.IntVar(&o.MaxLine, "max-line", o.MaxLine, fmt.Sprintf("the longest line to read, in bytes, 1 to %d", maxLine))
	flags.IntVarP(&o.Workers, "jobs", "j", o.Workers, fmt.Sprintf("how many lines to verify at the same time, 1 to %d", maxJobs))
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if o.Workers < 1 || o.Workers > maxJobs {
			return usageError(cmd, fmt.Errorf("--jobs is %d, want 1 to %d", o.Workers, maxJobs))
		}
		if o.MaxLine < 1 || o.MaxLine > maxLine {
			return usageError(cmd, fmt.Errorf("--max-line is %d, want 1 to %d", o.MaxLine, maxLine))
		}
		if slices.ContainsFunc([]string{"sig", "pub", "scheme", "file", "digest"}, cmd.Flags().Changed) {
			for _, name := range []string{"allow-empty", "max-line", "jobs"} {
				if cmd.Flags().Changed(name) {
					return usageError(cmd, fmt.Errorf("--%s is for files of lines, not for --sig", name))
				}
			}
			switch {
			case len(names) > 0:
				return usageError(cmd, errors.New("with --sig, --file names the file: arguments are files of lines"))
			case o.LowS && o.scheme == "schnorr":
				return usageError(cmd, errors.New("--low-s is for ECDSA: BIP-340 has one s"))
			}
			return o.verify(cmd, s, o.LowS, o.json)
		}
		return o.run(cmd.Context(), s, names)
	}
	return cmd
}

func (v *verifying) run(ctx context.Context, s Streams, names []string) error {
	if len(names) == 0 {
		names = []string{"-"}
	}
	w := report.Writer(report.NewText(s.Out))
	if v.json {
		w = report.NewJSON(s.Out)
	}
	if isTerminal(s.In) && isTerminal(s.Err) && slices.Contains(names, "-") {
		fmt.Fprintln(s.Err, "p256k1: reading lines from the terminal")
	}
	o := &observer{report: w, errs: s.Err, bar: newBar(s), allowEmpty: v.allowEmpty}

	defer v.limitMemory()()
	start := time.Now()
	inputs := o.bar.inputs(s.In, names)
	o.bar.expect(s.In, inputs)
	counts, err := bulk.Verify(ctx, inputs, v.Options, o)
	elapsed := time.Since(start)
	o.bar.clear()
	interrupted := ctx.Err() != nil && errors.Is(err, ctx.Err())
	if err != nil && !interrupted {
		return err
	}
	if err := w.Summary(&report.Summary{
		Counts: counts, Elapsed: elapsed, Workers: v.Workers, Interrupted: interrupted,
	}); err != nil {
		return err
	}
	switch {
	case interrupted:
		return err
	case counts.Failed > 0, counts.Empty > 0 && !v.allowEmpty:
		return errReported
	case counts.NotGood() > 0:
		return errBad
	}
	return nil
}

// limitMemory sets a memory limit unless $GOMEMLIMIT has set one, so that Go collects garbage more often as memory
// grows. It returns a function that restores the previous limit.
func (v *verifying) limitMemory() (end func()) {
	before := debug.SetMemoryLimit(-1)
	if before == math.MaxInt64 {
		debug.SetMemoryLimit(64<<20 + 4*int64(v.MaxLine) + 2<<20*int64(v.Workers))
	}
	return func() { debug.SetMemoryLimit(before) }
}

// observer passes findings to a report.
type observer struct {
	report     report.Writer
	errs       io.Writer
	bar        *bar
	allowEmpty bool
}

func (o *observer) Findings(findings []bulk.Finding) error {
	o.bar.clear()
	return o.report.Findings(findings)
}

func (o *observer) Failure(file string, err error) error {
	if o.allowEmpty && err == bulk.ErrEmpty {
		return nil
	}
	name := show.Name(file)
	switch {
	case file == "-":
		name = "standard input"
	case !exists(file): // the user may have typed a secret key instead of a name
		file, name = show.Redact(file), show.Redact(name)
	}
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err // the error without the file name
	}
	reason := show.Error(err)
	advice := ""
	if err == bulk.ErrEmpty {
		advice = " (--allow-empty accepts that)"
	}
	o.bar.clear()
	fmt.Fprintf(o.errs, "p256k1: %s: %s%s\n", name, reason, advice)
	return o.report.Failure(file, reason)
}

// exists reports whether a file with this name exists.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func (o *observer) Progress(c *bulk.Counts) { o.bar.show(c.Lines(), "line") }

// inputs returns the files with the given names. For a directory it returns all files in the directory and below it.
// The bytes of files count as done when they are read.
func (b *bar) inputs(stdin io.Reader, names []string) iter.Seq[bulk.Input] {
	open := func(name string, err error) (io.ReadCloser, error) {
		var f *os.File
		if err == nil {
			f, err = os.Open(name)
		}
		return counted{f, b}, err
	}
	return func(yield func(bulk.Input) bool) {
		for _, root := range names {
			found, goOn := false, true
			give := func(name string, open func() (io.ReadCloser, error)) error {
				found = true
				if goOn = yield(bulk.Input{Name: name, Open: open}); !goOn {
					return filepath.SkipAll
				}
				return nil
			}
			if root == "-" {
				give(root, func() (io.ReadCloser, error) { return unclosed(stdin, b), nil })
			} else {
				start := root
				if info, err := os.Stat(root); err == nil && info.IsDir() {
					start += string(filepath.Separator) // so that a symbolic link to a directory is followed
				}
				filepath.WalkDir(start, func(name string, entry os.DirEntry, err error) error {
					if err == nil && entry.IsDir() {
						return nil
					}
					return give(name, func() (io.ReadCloser, error) { return open(name, err) })
				})
			}
			if !found {
				give(root, func() (io.ReadCloser, error) { return nil, errNoFiles })
			}
			if !goOn {
				return
			}
		}
	}
}

var errNoFiles = errors.New("a directory without files")

// unclosed returns standard input, which must stay open.
func unclosed(stdin io.Reader, b *bar) io.ReadCloser {
	if f, ok := stdin.(*os.File); ok {
		return unclosedFile{counted{f, b}}
	}
	return io.NopCloser(stdin)
}

type unclosedFile struct{ counted }

func (unclosedFile) Close() error { return nil }

// claim is the signature that the flags of verify describe.
type claim struct {
	digestFlags
	pub, sig, scheme string
}

func (c *claim) add(cmd *cobra.Command) {
	c.digestFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.pub, "pub", "", "public key of --sig: 33 or 65 bytes in `HEX`; for schnorr also 32 bytes or an npub")
	flags.StringVar(&c.sig, "sig", "", "verify this one signature of --file or --digest: `HEX` as sign prints it")
	flags.StringVar(&c.scheme, "scheme", "ecdsa", "scheme of --sig: ecdsa or schnorr")
}

// verify makes a row from the flags, and judges the row as if it had been read from a file.
func (c *claim) verify(cmd *cobra.Command, s Streams, lowS, asJSON bool) error {
	if err := c.check(cmd, nil); err != nil {
		return err
	}
	row, err := c.row()
	if err != nil {
		return usageError(cmd, err)
	}
	digest, err := c.read(cmd.Context(), s)
	if err != nil {
		return err
	}
	row.H = hex.EncodeToString(digest)
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	signed := row.H
	if c.file != "" {
		signed = show.Name(c.file)
	}
	checker := check.Checker{LowS: lowS}
	r := checker.Line(line)
	switch {
	case asJSON:
		err = report.NewJSON(s.Out).Signature(c.file, row.Pub, row.H, r)
	case r.Verdict == check.Good:
		_, err = fmt.Fprintf(s.Out, "good %s signature of %s by %s\n", row.T, signed, row.Pub)
	default:
		_, err = fmt.Fprintf(s.Out, "bad %s signature of %s: %s\n", row.T, signed, show.Text(r.Reason))
	}
	if err == nil && r.Verdict != check.Good {
		err = errBad
	}
	return err
}

// row returns the row that the flags describe, without its digest.
func (c *claim) row() (row signedRow, err error) {
	row = signedRow{T: c.scheme, Sig: c.sig}
	pub, xOnly, err := parsePublic(c.pub)
	switch {
	case c.pub == "" || c.sig == "":
		return row, errors.New("--pub and --sig must be given together, with --file or --digest; files of lines are arguments")
	case err != nil:
		return row, fmt.Errorf("--pub: %w", err)
	case c.scheme == "schnorr":
		row.Pub = hex.EncodeToString(xOnly.Bytes())
		return row, nil
	case c.scheme != "ecdsa":
		return row, fmt.Errorf(`--scheme is %q, want "ecdsa" or "schnorr"`, c.scheme)
	case pub == nil:
		return row, errors.New("--scheme ecdsa needs the y coordinate: --pub must have 33 or 65 bytes")
	}
	row.Pub = hex.EncodeToString(pub.Bytes())
	if b, _ := decodeHex(c.sig); len(b) == 65 {
		row.T = "recoverable"
	}
	return row, nil
}
