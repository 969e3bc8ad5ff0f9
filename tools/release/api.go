package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/exp/apidiff"
	modpath "golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	modzip "golang.org/x/mod/zip"
	"golang.org/x/tools/go/packages"
)

// lastTag returns the version of the last release that this tree descends from, or nothing.
func (r *release) lastTag(ctx context.Context) (string, error) {
	tags, err := r.git(ctx, "tag", "--list", "v2.*", "--merged", "HEAD")
	if err != nil {
		return "", err
	}
	last := ""
	for tag := range strings.FieldsSeq(tags) {
		if semver.Compare(tag, last) > 0 { // what is no version comes before all others
			last = tag
		}
	}
	return last, nil
}

// compareAPI compares the library's API with that of the last release, and says what changed and whether a program may
// no longer compile.
func (r *release) compareAPI(ctx context.Context) (last string, breaks bool, err error) {
	if last, err = r.lastTag(ctx); err != nil {
		return "", false, err
	}
	if last == "" {
		r.say("API: compared with nothing, since no tag is called like v2.0.0")
		return "", false, nil
	}
	version, err := r.version()
	if err != nil {
		return "", false, err
	}
	p, err := r.serve(ctx, version)
	if err != nil {
		return "", false, err
	}
	oldZip := filepath.Join(r.dir, "last.zip")
	out, err := os.Create(oldZip)
	if err != nil {
		return "", false, err
	}
	defer out.Close()
	oldVersion := modpath.Version{Path: library, Version: last}
	if err := modzip.CreateFromVCS(out, oldVersion, r.root, last, ""); err != nil {
		return "", false, err
	}
	var both [2]*apidiff.Module
	for i, side := range []struct {
		version modpath.Version
		zip     string
	}{{oldVersion, oldZip}, {modpath.Version{Path: library, Version: version.library}, p.file(&module{path: library}, ".zip")}} {
		dir, err := os.MkdirTemp(r.dir, "api")
		if err != nil {
			return "", false, err
		}
		if err := modzip.Unzip(dir, side.version, side.zip); err != nil {
			return "", false, err
		}
		if both[i], err = loadAPI(ctx, dir); err != nil {
			return "", false, err
		}
	}
	for _, change := range apidiff.ModuleChanges(both[0], both[1]).Changes {
		kind := "compatible"
		if !change.Compatible {
			kind, breaks = "INCOMPATIBLE", true
		}
		r.say("API: %s with %s: %s", kind, last, change.Message)
	}
	if !breaks {
		r.say("API: compatible with %s", last)
	}
	return last, breaks, nil
}

// loadAPI returns the packages of the module in a folder that other modules can import.
func loadAPI(ctx context.Context, dir string) (*apidiff.Module, error) {
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS="),
		Mode: packages.NeedName | packages.NeedTypes,
	}, "./...")
	if err != nil {
		return nil, err
	}
	m := &apidiff.Module{Path: library}
	for _, p := range loaded {
		for _, e := range p.Errors {
			err = errors.Join(err, fmt.Errorf("%s: %w", dir, e))
		}
		if !strings.Contains(p.PkgPath+"/", "/internal/") {
			m.Packages = append(m.Packages, p.Types)
		}
	}
	if err == nil && len(m.Packages) == 0 {
		err = fmt.Errorf("%s: no package", dir)
	}
	return m, err
}
