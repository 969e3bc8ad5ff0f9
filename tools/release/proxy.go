package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	modpath "golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

// A proxy is a folder that serves the modules of this tree under a version, as GOPROXY=file://… reads it, with a module cache
// of its own: what is called a version here must not get into that of the user.
type proxy struct {
	dir     string
	version versions
	outside string // GOPROXY for other modules: the user's module cache, then what the user has set
}

// serve makes a proxy of the files that git lists, committed or not.
func (r *release) serve(ctx context.Context, version versions) (*proxy, error) {
	dir, err := os.MkdirTemp(r.dir, "proxy")
	if err != nil {
		return nil, err
	}
	p := &proxy{dir: dir, version: version}
	for _, m := range r.modules {
		if err := r.pack(ctx, m, p); err != nil {
			return nil, fmt.Errorf("%s: %w", m.path, err)
		}
	}
	text, err := command(ctx, r.root, nil, "go", "env", "-json", "GOMODCACHE", "GOPROXY")
	if err != nil {
		return nil, err
	}
	var env struct{ GOMODCACHE, GOPROXY string }
	if err := json.Unmarshal([]byte(text), &env); err != nil {
		return nil, err
	}
	p.outside = "file://" + filepath.ToSlash(filepath.Join(env.GOMODCACHE, "cache", "download")) + "," + env.GOPROXY
	return p, nil
}

// file returns where the proxy has the file of a module with this ending.
func (p *proxy) file(m *module, ending string) string {
	as := m.as(p.version)
	escaped, err := modpath.EscapePath(as.Path)
	if err != nil {
		panic(err) // ours are in lower case
	}
	return filepath.Join(p.dir, "modules", filepath.FromSlash(escaped), "@v", as.Version+ending)
}

func (r *release) pack(ctx context.Context, m *module, p *proxy) error {
	files, err := r.files(ctx, m)
	if err != nil {
		return err
	}
	name := p.file(m, ".zip")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := zip.Create(out, m.as(p.version), files); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(r.root, m.dir, "go.mod"))
	if err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{m.as(p.version).Version, r.now.UTC()})
	if err != nil {
		return err
	}
	for ending, text := range map[string][]byte{".mod": mod, ".info": info} {
		if err := os.WriteFile(p.file(m, ending), text, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(filepath.Dir(name), "list"), []byte(m.as(p.version).Version+"\n"), 0o666)
}

// sums returns the lines of go.sum for a module.
func (p *proxy) sums(m *module) (lines []string, err error) {
	sum, err := dirhash.HashZip(p.file(m, ".zip"), dirhash.Hash1)
	if err != nil {
		return nil, err
	}
	mod, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return os.Open(p.file(m, ".mod")) })
	if err != nil {
		return nil, err
	}
	return []string{
		fmt.Sprintf("%s %s %s", m.path, p.version.of(m.path), sum),
		fmt.Sprintf("%s %s/go.mod %s", m.path, p.version.of(m.path), mod),
	}, nil
}

// environment returns that of go commands outside the workspace: as others have it to whom only the proxy is known, and with
// the network or without.
func (p *proxy) environment(network bool) []string {
	own := "file://" + filepath.ToSlash(filepath.Join(p.dir, "modules"))
	env := append(os.Environ(),
		"GOWORK=off",
		"GOENV=off",
		"GOFLAGS=-modcacherw -trimpath", // so that what was compiled for another folder is found again
		"GOMODCACHE="+p.cache(),
		"GOBIN="+filepath.Join(p.dir, "bin"),
		"GOPRIVATE=", "GONOPROXY=",
	)
	if network {
		return append(env, "GONOSUMDB="+library, "GOPROXY="+own+","+p.outside)
	}
	return append(env, "GOSUMDB=off", "GOPROXY="+own+",file://"+filepath.ToSlash(filepath.Join(p.cache(), "cache", "download")))
}

func (p *proxy) cache() string { return filepath.Join(p.dir, "cache") }

// files returns what belongs to a module. Files of modules within it are among them: package zip leaves them out.
func (r *release) files(ctx context.Context, m *module) ([]zip.File, error) {
	list, err := r.git(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", m.dir)
	if err != nil {
		return nil, err
	}
	var files []zip.File
	licensed := false
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		f := file{name: name, from: filepath.Join(r.root, name)}
		if m.dir != "." {
			f.name = strings.TrimPrefix(name, m.dir+"/")
		}
		if _, err := f.Lstat(); os.IsNotExist(err) {
			continue // deleted, which is not committed yet
		}
		licensed = licensed || f.name == "LICENSE"
		files = append(files, f)
	}
	if !licensed { // the go command takes that of the repository
		files = append(files, file{"LICENSE", filepath.Join(r.root, "LICENSE")})
	}
	return files, nil
}

// file is one of a module.
type file struct{ name, from string }

func (f file) Path() string                 { return path.Clean(f.name) }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.from) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.from) }
