package transform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"p256k1.mleku.dev/v2/cmd/p256k1/verify"
)

func init() {
	register.DoFn2x2[context.Context, Block, int64, error](&blockFn{})
	register.DoFn2x2[context.Context, Failure, int64, error](&failureFn{})
	register.DoFn5x1[context.Context, []byte, func(*verify.Counts) bool, func(*int64) bool, func(*int64) bool, error](&summaryFn{})
	register.Iter1[verify.Counts]()
}

// Write writes the results of VerifyFiles into a folder on any file system:
//
//	bad/….jsonl      the lines that are not good, as "p256k1 verify --json" writes them
//	failed/….jsonl   the files that could not be read, or have nothing to check, in the same form
//	summary.json     the Summary, written last
//
// The names and contents of the files depend only on the input, and a file appears only when it is complete. Therefore,
// if a runner repeats work, or does the same work twice at the same time, files are replaced by equal files.
func Write(s beam.Scope, folder string, v Verified) {
	s = s.Scope("p256k1.Write")
	folder = strings.TrimRight(folder, "/")
	blocks := stats.Sum(s, beam.ParDo(s, &blockFn{folder}, v.Blocks))
	failures := stats.Sum(s, beam.ParDo(s, &failureFn{folder}, v.Failures))
	beam.ParDo0(s, &summaryFn{folder}, beam.Impulse(s), beam.SideInput{Input: v.Counts}, beam.SideInput{Input: blocks}, beam.SideInput{Input: failures})
}

type blockFn struct {
	Folder string
}

func (f *blockFn) ProcessElement(ctx context.Context, b Block) (int64, error) {
	var lines bytes.Buffer
	err := verify.NewJSON(&lines).Findings(b.Findings)
	return int64(len(b.Findings)), errors.Join(err, writeFile(ctx, f.Folder, "bad/"+b.Name+".jsonl", lines.Bytes()))
}

type failureFn struct {
	Folder string
}

func (f *failureFn) ProcessElement(ctx context.Context, failure Failure) (int64, error) {
	var b bytes.Buffer
	if err := verify.NewJSON(&b).Failure(failure.File, failure.Reason); err != nil {
		return 0, err
	}
	return 1, writeFile(ctx, f.Folder, "failed/"+fileName(failure.File)+".jsonl", b.Bytes())
}

// Summary is the content of summary.json. The JSON names have the same meanings as in "p256k1 verify --json".
type Summary struct {
	Type string `json:"type"` // "summary"
	verify.Counts
}

type summaryFn struct {
	Folder string
}

func (f *summaryFn) ProcessElement(ctx context.Context, _ []byte, counts func(*verify.Counts) bool, blocks, failures func(*int64) bool) error {
	var c verify.Counts
	var findings, failed int64
	counts(&c)
	blocks(&findings)
	failures(&failed)
	if findings != c.NotGood() || failed < c.Failed || failed > c.Failed+c.Empty {
		return fmt.Errorf("%d findings and %d failures written of %d and %d", findings, failed, c.NotGood(), c.Failed+c.Empty)
	}
	text, err := json.Marshal(Summary{"summary", c})
	if err != nil {
		return err
	}
	return writeFile(ctx, f.Folder, summaryFile, append(text, '\n'))
}

const (
	summaryFile = "summary.json"

	// temporary is the prefix of the names of incomplete files, which remain if an attempt ends early.
	temporary = "incomplete-"
)

// writeFile writes a file that appears only when it is complete. Object stores guarantee this themselves.
func writeFile(ctx context.Context, folder, name string, content []byte) error {
	to := folder + "/" + name
	if !strings.Contains(folder, "://") {
		return writeLocal(to, content)
	}
	system, err := filesystem.New(ctx, folder)
	if err != nil {
		return err
	}
	return errors.Join(filesystem.Write(ctx, system, to, content), system.Close())
}

// writeLocal writes a file with another name on a local disk, and renames it when it is complete.
func writeLocal(to string, content []byte) error {
	w, err := createTemporary(filepath.Dir(to))
	if err != nil {
		return err
	}
	return complete(w, to, content)
}

// complete writes the content of a file, and renames the file if nothing is missing.
func complete(w *os.File, to string, content []byte) error {
	_, err := w.Write(content)
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	return os.Rename(w.Name(), to)
}

// createTemporary creates a file that no other writer has. os.CreateTemp is not used, because only the owner could read
// its files.
func createTemporary(folder string) (w *os.File, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for range 100 {
		name := filepath.Join(folder, fmt.Sprintf("%s%016x", temporary, rand.Uint64()))
		w, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return w, err
}

// ReadSummary reads the summary that Write has written into folder.
func ReadSummary(ctx context.Context, folder string) (*Summary, error) {
	r, err := openFile(ctx, strings.TrimRight(folder, "/")+"/"+summaryFile)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s := new(Summary)
	return s, json.NewDecoder(r).Decode(s)
}

// ReadFailures reads failures that Write has written into folder, up to the number most.
func ReadFailures(ctx context.Context, folder string, most int) (all []Failure, err error) {
	system, err := filesystem.New(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer system.Close()
	names, err := system.List(ctx, strings.TrimRight(folder, "/")+"/failed/*")
	for _, name := range names[:min(most, len(names))] {
		text, err := filesystem.Read(ctx, system, name)
		if err != nil {
			return nil, err
		}
		all = append(all, Failure{})
		if err := json.Unmarshal(text, &all[len(all)-1]); err != nil {
			return nil, err
		}
	}
	return all, err
}

// RemoveIncomplete removes the incomplete files that remain in a folder if attempts of Write ended early. No pipeline
// may be writing to the folder.
func RemoveIncomplete(_ context.Context, folder string) (err error) {
	if strings.Contains(folder, "://") {
		return nil // no incomplete file appears
	}
	for _, in := range []string{"", "bad", "failed"} {
		names, bad := filepath.Glob(filepath.Join(folder, in, temporary+"*"))
		for _, name := range names {
			bad = errors.Join(bad, os.Remove(name))
		}
		err = errors.Join(err, bad)
	}
	return err
}

// CheckFolder returns an error if Write cannot write into folder, because folder is not empty or is not a folder.
func CheckFolder(ctx context.Context, folder string) error {
	system, err := filesystem.New(ctx, folder)
	if err != nil {
		return err
	}
	defer system.Close()
	info, none := os.Stat(folder)
	if none == nil && !info.IsDir() && !strings.Contains(folder, "://") {
		return fmt.Errorf("%s is not a folder", folder)
	}
	names, err := system.List(ctx, strings.TrimRight(folder, "/")+"/*")
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return fmt.Errorf("folder %s is not empty: it has %s", folder, names[0])
	}
	return nil
}
