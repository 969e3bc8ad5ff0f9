package plug

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/bench/plug/catalogue"
)

// A library is what takes part.
type library struct {
	label       string
	date        time.Time // of its release; zero if not known
	bitcoinCore string    // the first release that has it
	path        string    // empty for this library

	family family
	child  *measure.Child // nil if it cannot be loaded:
	err    error
}

// A family is what libraries belong to, in the order of the charts.
type family int

const (
	openssl family = iota
	libsecp
	own
)

// familyNames are those of the engines that the families have.
var familyNames = []string{"openssl", "libsecp256k1", "p256k1"}

// systemSuffix is the end of the labels of libraries that the system has installed.
const systemSuffix = " (system)"

// finder looks for libraries, and has a child load each.
type finder struct {
	like    measure.Child
	timeout time.Duration
}

// load has a child find out what the library at l.path is.
func (f *finder) load(ctx context.Context, l *library) (version string) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	child := f.like
	child.Engine = l.path
	if l.err = child.Start(ctx); l.err != nil {
		return ""
	}
	return f.take(l, &child)
}

// take gives the library its child, whose process starts again when it has a turn.
func (f *finder) take(l *library, child *measure.Child) (version string) {
	info := child.Info()
	l.child, l.family = child, family(slices.Index(familyNames, info.Name))
	if l.family == own {
		l.label, l.date = info.Label(), ownDate()
	}
	child.Close()
	return info.Version
}

// own returns this library, once for each backend that this machine has.
func (f *finder) own(ctx context.Context) (libraries []*library, err error) {
	children, err := measure.Backends(ctx, "", f.like)
	if len(children) == 0 {
		return nil, fmt.Errorf("this library itself: %w", err)
	}
	for _, child := range children {
		l := new(library)
		f.take(l, child)
		libraries = append(libraries, l)
	}
	return libraries, nil
}

// ownDate is that of the commit that this program was built from, or else today:
// the state that is being worked on.
func ownDate() time.Time {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if t, err := time.Parse(time.RFC3339, s.Value); err == nil && s.Key == "vcs.time" {
				return t
			}
		}
	}
	return time.Now()
}

// built returns what the command build has made of the entries.
func (f *finder) built(ctx context.Context, entries []catalogue.Entry) (libraries []*library) {
	for _, e := range entries {
		if b, err := e.Release.Cached(); err == nil {
			l := &library{label: e.Label, date: e.Date, bitcoinCore: e.BitcoinCore, path: b.Library}
			f.load(ctx, l)
			libraries = append(libraries, l)
		}
	}
	return libraries
}

// systemFiles returns the names that libraries have where systems install them,
// each file once.
func systemFiles() (files []string) {
	names := []string{"libsecp256k1.so*", "libcrypto.so*"}
	directories := []string{"/usr/local/lib", "/usr/local/lib64", "/usr/lib/*-linux-gnu*", "/lib/*-linux-gnu*", "/usr/lib64", "/usr/lib", "/lib64", "/lib", "/usr/pkg/lib"}
	if runtime.GOOS == "darwin" {
		names = []string{"libsecp256k1*.dylib", "libcrypto*.dylib"}
		directories = []string{"/opt/homebrew/lib", "/opt/homebrew/opt/openssl@*/lib", "/usr/local/lib", "/usr/local/opt/openssl@*/lib", "/opt/local/lib"}
	}
	for _, directory := range directories {
		for _, name := range names {
			found, _ := filepath.Glob(filepath.Join(directory, name)) // its patterns are well-formed
			for _, file := range found {
				if real, err := filepath.EvalSymlinks(file); err == nil && !slices.Contains(files, real) {
					files = append(files, real)
				}
			}
		}
	}
	return files
}

// system returns the libraries that are installed. Libraries of other
// architectures, which the loader refuses, are left out.
func (f *finder) system(ctx context.Context, entries []catalogue.Entry) (libraries []*library) {
	for _, file := range systemFiles() {
		l := &library{path: file}
		if version := f.load(ctx, l); l.err == nil {
			l.describe(version, entries)
			libraries = append(libraries, l)
		}
	}
	return libraries
}

// opensslVersion matches what OpenSSL says of itself.
var opensslVersion = regexp.MustCompile(`^OpenSSL (\S+)\s+(\d+ \w+ \d+)`)

// describe names a library of the system: OpenSSL by what it says itself, and
// libsecp256k1, which says nothing, by its file's name.
func (l *library) describe(version string, entries []catalogue.Entry) {
	l.label = filepath.Base(l.path) + systemSuffix
	if l.family == openssl {
		if m := opensslVersion.FindStringSubmatch(version); m != nil {
			l.label = "OpenSSL " + m[1] + systemSuffix
			l.date, _ = time.Parse("2 Jan 2006", m[2])
		}
		return
	}
	_, so, _ := strings.Cut(filepath.Base(l.path), ".so.")
	for _, e := range entries {
		if so != "" && e.SO == so {
			l.label, l.date, l.bitcoinCore = e.Label+systemSuffix, e.Date, e.BitcoinCore
		}
	}
}

// given reads the value of a flag, LABEL,DATE,PATH. The date may be empty.
func (f *finder) given(ctx context.Context, value string) (l *library, err error) {
	parts := strings.SplitN(value, ",", 3)
	if len(parts) != 3 || parts[0] == "" || parts[2] == "" {
		return nil, fmt.Errorf("--lib %q: want LABEL,DATE,PATH, as in 'mine 1.2,2024-05-06,./libsecp256k1.so'", value)
	}
	l = &library{label: parts[0]}
	if parts[1] != "" {
		if l.date, err = time.Parse(time.DateOnly, parts[1]); err != nil {
			return nil, fmt.Errorf("--lib %q: %w", value, err)
		}
	}
	if l.path, err = filepath.Abs(parts[2]); err != nil { // the loader would look for a bare name elsewhere
		return nil, err
	}
	f.load(ctx, l)
	return l, nil
}

// statuses are those of a library that has no time.
var statuses = []struct {
	is     error
	status string
}{
	{engine.ErrNotSupported, "not offered"}, {engine.ErrAbsent, "unloadable"}, {measure.ErrWrong, "wrong answer"},
	{measure.ErrCrashed, "crashed"}, {context.DeadlineExceeded, "timed out"}, {nil, "failed"},
}

func status(err error) string {
	for _, s := range statuses {
		if s.is == nil || errors.Is(err, s.is) {
			return s.status
		}
	}
	return ""
}

// newFinder returns one whose children work on as many inputs.
func newFinder(launch measure.Launcher, inputs int, timeout time.Duration) *finder {
	return &finder{timeout: timeout, like: measure.Child{
		Launch: launch, Seed: "plug", Size: min(inputs, measure.CorpusSize), Anew: true,
		// The system's configuration of OpenSSL is for its own version alone.
		Env: []string{"OPENSSL_CONF=" + os.DevNull},
	}}
}
