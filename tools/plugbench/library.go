package main

import (
	"context"
	"image/color"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	glyph "gonum.org/v1/plot/vg/draw"

	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A library is a version of a C library, or this library with one backend, that takes part in the comparison.
type library struct {
	entry        // without a date if that is not known
	path  string // file, or empty for this library

	family family
	child  *measure.Child // nil if the library cannot be loaded
	err    error
}

// A family is a group of libraries. The constants are in the order of the charts.
type family int

const (
	openssl family = iota
	libsecp
	own
)

// families have the names of their engines, and the names, colours and marks that charts show.
var families = []struct {
	engine, name string
	colour       color.RGBA
	shape        glyph.GlyphDrawer
}{
	openssl: {"openssl", "OpenSSL", color.RGBA{0xc2, 0x38, 0x5d, 0xff}, glyph.BoxGlyph{}},
	libsecp: {"libsecp256k1", "libsecp256k1", color.RGBA{0xc8, 0x59, 0x0a, 0xff}, glyph.CircleGlyph{}},
	own:     {"p256k1", "p256k1, this library", color.RGBA{0x0b, 0x6b, 0xcb, 0xff}, glyph.PyramidGlyph{}},
}

// finder looks for libraries, and starts a child process to load each.
type finder struct {
	like    measure.Child
	timeout time.Duration
}

// newFinder returns a finder whose children work on the given number of inputs.
func newFinder(inputs int, timeout time.Duration) *finder {
	return &finder{timeout: timeout, like: measure.Child{
		Launch: measure.Relaunch, Seed: "plug", Size: min(inputs, measure.CorpusSize), Anew: true,
		// The system's configuration of OpenSSL fits only the system's version.
		Env: []string{"OPENSSL_CONF=" + os.DevNull},
	}}
}

// own returns this library, once for each backend that this machine has.
func (f *finder) own(ctx context.Context) (libraries []*library) {
	children, err := measure.Backends(ctx, "", f.like)
	if len(children) == 0 {
		must.Fail("this library itself: %w", err)
	}
	for _, child := range children {
		libraries = append(libraries, &library{entry: entry{label: child.Info().Label(), date: ownDate()}, family: own, child: child})
		child.Close() // the process starts again for each sample
	}
	return libraries
}

// ownDate returns the date of the commit from which this program was built, or today's date if the build did not record
// the commit.
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

// built returns the libraries of the catalogue that the command build has built.
func (f *finder) built(ctx context.Context) (libraries []*library) {
	for _, e := range entries() {
		if b, err := e.release.Cached(); err == nil {
			l := &library{entry: e, path: b.Library}
			f.load(ctx, l)
			libraries = append(libraries, l)
		}
	}
	return libraries
}

// given parses the value of a flag, LABEL,DATE,PATH. The date may be empty.
func (f *finder) given(ctx context.Context, value string) *library {
	parts := strings.SplitN(value, ",", 3)
	if len(parts) != 3 || parts[0] == "" || parts[2] == "" {
		must.Fail("--lib %q: want LABEL,DATE,PATH, as in 'mine 1.2,2024-05-06,./libsecp256k1.so'", value)
	}
	// If the path had no slash, the loader would search elsewhere.
	l := &library{entry: entry{label: parts[0]}, path: must.Get(filepath.Abs(parts[2]))}
	if parts[1] != "" {
		date, err := time.Parse(time.DateOnly, parts[1])
		if err != nil {
			must.Fail("--lib %q: %w", value, err)
		}
		l.date = date
	}
	f.load(ctx, l)
	return l
}

// load starts a child process to find out which library is at l.path.
func (f *finder) load(ctx context.Context, l *library) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	child := f.like
	child.Engine = l.path
	if l.err = child.Start(ctx); l.err == nil {
		if child.Info().Name == families[libsecp].engine {
			l.family = libsecp // or else it is openssl, the only other engine with a path
		}
		version := child.Info().Version
		if !l.date.IsZero() {
			version = "released " + l.date.Format(time.DateOnly)
		}
		child.Name(l.label, version)
		child.Close()
		l.child = &child
	}
}
