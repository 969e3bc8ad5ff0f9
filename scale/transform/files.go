package transform

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"crypto/sha256"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/filter"
	"p256k1.mleku.dev/v2/cmd/p256k1/verify"
)

func init() {
	register.DoFn4x1[context.Context, string, func(string), func(Failure), error](&listFn{})
	register.DoFn4x1[context.Context, string, func(Part), func(Failure), error](&planFn{})
	register.DoFn4x1[context.Context, Part, func(string, Length), func(string, relative), error](&verifyFn{})
	register.DoFn5x0[string, func(*Length) bool, func(string, int64), func(Failure), func(verify.Counts)](&rankFn{})
	register.DoFn4x1[string, func(*int64) bool, func(*relative) bool, func(Block), error](&numberFn{})
	register.Function1x1(failed)
	register.Combiner1[verify.Counts](&sumFn{})
	register.Emitter1[string]()
	register.Emitter1[Part]()
	register.Emitter1[Failure]()
	register.Emitter1[verify.Counts]()
	register.Emitter1[Block]()
	register.Emitter2[string, Length]()
	register.Emitter2[string, relative]()
	register.Emitter2[string, int64]()
	register.Iter1[Length]()
	register.Iter1[int64]()
	register.Iter1[relative]()
}

// Options say how files are verified. The zero value means the defaults of the command scale.
type Options struct {
	LowS    bool  // refuse ECDSA signatures with s > (n−1)/2
	MaxLine int   // largest length of a line in bytes; longer lines are unreadable; 0 means 16 MiB
	Part    int64 // number of bytes of a file that a worker takes at a time; 0 means 64 MiB
	Jobs    int   // number of goroutines of a worker; 0 means one per core

	AllowEmpty bool // count files with nothing to check, instead of treating them as failures
}

// Block holds findings of a file, in the order of the lines: all findings of one part, or some of them if the part has
// very many.
type Block struct {
	File     string
	Name     string // name of the block, unique among all blocks
	Findings []verify.Finding
}

// Failure is a file that could not be read to the end or has nothing to check, or a pattern that matches no file.
type Failure struct {
	File, Reason string
	Empty        bool // the file has nothing to check
}

// Verified holds the results of VerifyFiles: a PCollection of Block, a PCollection of Failure, and a PCollection of
// verify.Counts with at most one element.
type Verified struct {
	Blocks, Failures, Counts beam.PCollection
}

var errMarshal = errors.New("transform: refusing to marshal collections, which exist only in their pipeline")

// MarshalText returns an error, so that encoders such as encoding/json do not write empty objects.
func (Verified) MarshalText() ([]byte, error) { return nil, errMarshal }

// UnmarshalText returns an error and leaves v unchanged.
func (v *Verified) UnmarshalText([]byte) error { return errMarshal }

// VerifyFiles verifies all lines of the files that match the patterns. patterns is a PCollection of string. A file that
// matches several patterns is verified only once. Verdicts, reasons and line numbers are the same as in "p256k1
// verify".
func VerifyFiles(s beam.Scope, patterns beam.PCollection, o Options) Verified {
	s = s.Scope("p256k1.VerifyFiles")
	o.MaxLine, o.Part = cmp.Or(o.MaxLine, 16<<20), cmp.Or(o.Part, 64<<20)
	names, unmatched := beam.ParDo2(s, &listFn{}, patterns)
	parts, unread := beam.ParDo2(s, &planFn{Size: o.Part, MaxLine: o.MaxLine}, filter.Distinct(s, names))
	lengths, found := beam.ParDo2(s, &verifyFn{o}, beam.Reshuffle(s, parts))
	first, broken, counts := beam.ParDo3(s, &rankFn{o.AllowEmpty}, beam.GroupByKey(s, lengths))
	failures := beam.Flatten(s, unmatched, unread, broken)
	counts = beam.Flatten(s, counts, beam.ParDo(s, failed, failures))
	return Verified{
		Blocks:   beam.ParDo(s, &numberFn{}, beam.CoGroupByKey(s, first, found)),
		Failures: failures,
		Counts:   beam.Combine(s, &sumFn{}, counts),
	}
}

// listFn lists the files that a pattern matches.
type listFn struct{}

func (*listFn) ProcessElement(ctx context.Context, pattern string, file func(string), failure func(Failure)) error {
	system, err := filesystem.New(ctx, pattern)
	if err != nil {
		return err
	}
	defer system.Close()
	names, err := system.List(ctx, pattern)
	if err != nil {
		failure(Failure{File: pattern, Reason: reason(err)})
	} else if len(names) == 0 {
		failure(Failure{File: pattern, Reason: syscall.ENOENT.Error()})
	}
	for _, name := range names {
		file(name)
	}
	return nil
}

// planFn divides a file into parts.
type planFn struct {
	Size    int64
	MaxLine int
}

func (f *planFn) ProcessElement(ctx context.Context, name string, part func(Part), failure func(Failure)) error {
	all, size, err := inspect(ctx, name, f.MaxLine)
	if err != nil {
		failure(Failure{File: name, Reason: reason(err)})
		return nil
	}
	if all.Whole || size <= f.Size {
		part(Part{File: name, Whole: true})
		return nil
	}
	for n, from := int64(0), int64(0); from < size; n, from = n+1, from+f.Size {
		p := all
		p.Number, p.From, p.To = n, from, min(from+f.Size, size)
		part(p)
	}
	return nil
}

// inspect returns the properties that all parts of a file have in common, and the file's size.
func inspect(ctx context.Context, name string, maxLine int) (all Part, size int64, err error) {
	all = Part{File: name, Whole: true}
	f, err := openFile(ctx, name)
	if err != nil {
		return all, 0, err
	}
	defer f.Close()
	seeker, ok := f.ReadCloser.(io.Seeker)
	if !ok || !verify.IsText(f) {
		return all, 0, nil
	}
	if _, err := seeker.Seek(0, io.SeekStart); err != nil {
		return all, 0, err
	}
	if all.Header, err = verify.Header(f, maxLine); err != nil {
		return all, 0, nil // the same error occurs when the file is read later
	}
	all.Whole = false
	size, err = seeker.Seek(0, io.SeekEnd)
	return all, size, err
}

// reason returns a text that says why a file could not be read.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err // without the file's name
	}
	return err.Error()
}

// Length holds all results for a part of a file except its findings.
type Length struct {
	Part   int64
	Lines  int64 // number of lines that begin in the part
	Blocks int64
	Counts verify.Counts
	Err    string // why the part could not be read to the end, or empty
}

// relative holds findings whose line numbers are counted from the beginning of the part, from 0.
type relative struct {
	File     string
	Findings []verify.Finding // without the name of the file
}

// blockSize is the approximate number of bytes of findings in a block.
const blockSize = 1 << 20

// verifyFn verifies parts.
type verifyFn struct {
	Options Options
}

var (
	good       = beam.NewCounter("p256k1", "good")
	bad        = beam.NewCounter("p256k1", "bad")
	unreadable = beam.NewCounter("p256k1", "unreadable")
)

func (f *verifyFn) ProcessElement(ctx context.Context, p Part, length func(string, Length), found func(string, relative)) error {
	jobs := f.Options.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	o := &observer{part: &p, found: found}
	lines := func() int64 { return 0 }
	input := verify.Input{Name: p.File, Open: func() (r io.ReadCloser, err error) {
		r, lines, err = p.open(ctx, f.Options.MaxLine)
		return r, err
	}}
	counts, err := verify.Files(ctx, slices.Values([]verify.Input{input}),
		verify.Options{Workers: jobs, MaxLine: f.Options.MaxLine, LowS: f.Options.LowS, Inner: p.From > 0, Header: p.Header}, o)
	if err != nil {
		return err // makes the bundle fail, so that the runner can try again
	}
	o.flush()
	good.Inc(ctx, counts.Signatures.Good+counts.Tweaks.Good)
	bad.Inc(ctx, counts.Signatures.Bad+counts.Tweaks.Bad)
	unreadable.Inc(ctx, counts.Unreadable)
	counts.Failed, counts.Empty = 0, 0 // counted at most once per file, not per part
	length(p.File, Length{Part: p.Number, Lines: lines(), Blocks: o.blocks, Err: o.err, Counts: counts})
	return nil
}

// observer collects the findings of a part in blocks.
type observer struct {
	part   *Part
	found  func(string, relative)
	block  []verify.Finding
	size   int
	blocks int64
	err    string
	lines  int64
}

// Lines counts the lines that this process has verified.
var Lines atomic.Int64

// Findings implements verify.Observer.
func (o *observer) Findings(findings []verify.Finding) error {
	for _, f := range findings {
		o.block = append(o.block, verify.Finding{Line: f.Line - 1, Result: f.Result})
		if o.size += 64 + len(f.Result.Reason); o.size >= blockSize {
			o.flush()
		}
	}
	return nil
}

func (o *observer) flush() {
	if len(o.block) > 0 {
		o.found(blockName(o.part.File, o.part.Number, o.blocks), relative{o.part.File, o.block})
		o.block, o.size = nil, 0
		o.blocks++
	}
}

// Failure implements verify.Observer. It ignores that a part has nothing to check, because other parts of the file may
// have something to check.
func (o *observer) Failure(_ string, err error) error {
	if err != verify.ErrEmpty {
		o.err = reason(err)
	}
	return nil
}

// Progress implements verify.Observer.
func (o *observer) Progress(c *verify.Counts) {
	Lines.Add(c.Lines() - o.lines)
	o.lines = c.Lines()
}

// fileName returns a name for output files about a file: the end of the file's name, and a hash of the whole name.
func fileName(file string) string {
	base := strings.Map(func(r rune) rune {
		if (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9') || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, path.Base(strings.ReplaceAll(file, `\`, "/")))
	sum := sha256.Sum256([]byte(file))
	return strings.TrimLeft(base[max(0, len(base)-64):], ".") + "." + hex.EncodeToString(sum[:8])
}

func blockName(file string, part, block int64) string {
	return fmt.Sprintf("%s.%09d.%06d", fileName(file), part, block)
}

// rankFn computes, for each block of a file, the number of the first line of the block's part. It also computes the
// failure and the counts of the file.
type rankFn struct {
	AllowEmpty bool
}

func (f *rankFn) ProcessElement(file string, lengths func(*Length) bool, first func(string, int64), failure func(Failure), counts func(verify.Counts)) {
	var all []Length
	for l := (Length{}); lengths(&l); l = (Length{}) {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b Length) int { return cmp.Compare(a.Part, b.Part) })
	line, err := int64(1), ""
	var sum verify.Counts
	for _, l := range all {
		for block := range l.Blocks {
			first(blockName(file, l.Part, block), line)
		}
		line += l.Lines
		err = cmp.Or(err, l.Err)
		sum.Add(&l.Counts)
	}
	switch {
	case err != "":
		failure(Failure{File: file, Reason: err})
	case sum == verify.Counts{} && f.AllowEmpty:
		sum.Empty = 1
	case sum == verify.Counts{}:
		failure(Failure{File: file, Reason: verify.ErrEmpty.Error(), Empty: true})
	}
	counts(sum)
}

// numberFn replaces the relative line numbers in the findings of a block by line numbers in the file.
type numberFn struct{}

func (*numberFn) ProcessElement(name string, first func(*int64) bool, found func(*relative) bool, block func(Block)) error {
	var line, more int64
	var r, another relative
	if !first(&line) || first(&more) || !found(&r) || found(&another) {
		return fmt.Errorf("block %s does not occur exactly once", name)
	}
	for i := range r.Findings {
		r.Findings[i].File = r.File
		r.Findings[i].Line += line
	}
	block(Block{r.File, name, r.Findings})
	return nil
}

// failed returns the counts for one failure.
func failed(f Failure) verify.Counts {
	if f.Empty {
		return verify.Counts{Empty: 1}
	}
	return verify.Counts{Failed: 1}
}

type sumFn struct{}

func (*sumFn) MergeAccumulators(a, b verify.Counts) verify.Counts {
	a.Add(&b)
	return a
}
