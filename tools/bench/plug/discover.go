package plug

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/plug/catalogue"
	"p256k1.mleku.dev/v2/tools/bench/plug/chart"
	"p256k1.mleku.dev/v2/tools/bench/plug/subject"
	"p256k1.mleku.dev/v2/tools/bench/plug/turns"
)

// own returns this library, once for each backend that this machine has.
func own(ctx context.Context, r *turns.Plan) ([]turns.Library, error) {
	var libraries []turns.Library
	var backends []string
	candidates := [][]string{nil}
	for _, s := range engine.Switches {
		candidates = append(candidates, []string{s.Key + "=" + s.Value})
	}
	for _, env := range candidates {
		l := turns.Library{Label: "p256k1", Env: env}
		identity, err := r.Identify(ctx, l)
		if err != nil {
			return nil, fmt.Errorf("this library itself: %w", err)
		}
		if slices.Contains(backends, identity.API) {
			continue
		}
		backends = append(backends, identity.API)
		l.Label, l.Date = "p256k1 "+identity.API, ownDate()
		libraries = append(libraries, l)
	}
	return libraries, nil
}

// ownDate is that of the commit that this program was built from, or else today:
// the state that is being worked on.
func ownDate() time.Time {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key != "vcs.time" {
				continue
			}
			if t, err := time.Parse(time.RFC3339, s.Value); err == nil {
				return t
			}
		}
	}
	return time.Now()
}

// built returns what the command build has made of the entries.
func built(entries []catalogue.Entry) []turns.Library {
	var libraries []turns.Library
	for _, e := range entries {
		if b, err := e.Release.Cached(); err == nil {
			libraries = append(libraries, turns.Library{Label: e.Label, Date: e.Date, BitcoinCore: e.BitcoinCore, Path: b.Library})
		}
	}
	return libraries
}

func systemDirectories() []string {
	if runtime.GOOS == "darwin" {
		return []string{"/opt/homebrew/lib", "/opt/homebrew/opt/openssl@*/lib", "/usr/local/lib", "/usr/local/opt/openssl@*/lib", "/opt/local/lib"}
	}
	return []string{"/usr/local/lib", "/usr/local/lib64", "/usr/lib/*-linux-gnu*", "/lib/*-linux-gnu*", "/usr/lib64", "/usr/lib", "/lib64", "/lib", "/usr/pkg/lib"}
}

// system returns the libraries that are installed, each file once. Libraries of
// other architectures, which the loader refuses, are left out.
func system(ctx context.Context, r *turns.Plan, entries []catalogue.Entry) ([]turns.Library, error) {
	patterns := []string{"libsecp256k1.so*", "libcrypto.so*"}
	if runtime.GOOS == "darwin" {
		patterns = []string{"libsecp256k1*.dylib", "libcrypto*.dylib"}
	}
	var libraries []turns.Library
	var seen []string
	for _, dir := range systemDirectories() {
		for _, pattern := range patterns {
			files, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				return nil, err
			}
			for _, file := range files {
				real, err := filepath.EvalSymlinks(file)
				if err != nil || slices.Contains(seen, real) {
					continue
				}
				seen = append(seen, real)
				identity, err := r.Identify(ctx, turns.Library{Path: real})
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if err != nil {
					continue
				}
				libraries = append(libraries, describe(real, identity, entries))
			}
		}
	}
	return libraries, nil
}

// opensslVersion matches what OpenSSL says of itself.
var opensslVersion = regexp.MustCompile(`^OpenSSL (\S+)\s+(\d+ \w+ \d+)`)

// describe names a library of the system: OpenSSL by what it says itself, and
// libsecp256k1, which says nothing, by its file's name.
func describe(file string, identity turns.Identity, entries []catalogue.Entry) turns.Library {
	l := turns.Library{Path: file, Label: filepath.Base(file) + chart.SystemSuffix}
	if identity.Kind == subject.KindOpenSSL {
		if m := opensslVersion.FindStringSubmatch(identity.Version); m != nil {
			l.Label = "OpenSSL " + m[1] + chart.SystemSuffix
			l.Date, _ = time.Parse("2 Jan 2006", m[2])
		}
		return l
	}
	_, so, _ := strings.Cut(filepath.Base(file), ".so.")
	for _, e := range entries {
		if so != "" && e.SO == so {
			l.Label, l.Date, l.BitcoinCore = e.Label+chart.SystemSuffix, e.Date, e.BitcoinCore
		}
	}
	return l
}

// given reads the value of a flag, LABEL,DATE,PATH. The date may be empty.
func given(value string) (turns.Library, error) {
	parts := strings.SplitN(value, ",", 3)
	if len(parts) != 3 || parts[0] == "" || parts[2] == "" {
		return turns.Library{}, fmt.Errorf("--lib %q: want LABEL,DATE,PATH, as in 'mine 1.2,2024-05-06,./libsecp256k1.so'", value)
	}
	l := turns.Library{Label: parts[0]}
	var err error
	if parts[1] != "" {
		if l.Date, err = time.Parse(time.DateOnly, parts[1]); err != nil {
			return turns.Library{}, fmt.Errorf("--lib %q: %w", value, err)
		}
	}
	l.Path, err = filepath.Abs(parts[2]) // the loader would look for a bare name elsewhere
	return l, err
}
