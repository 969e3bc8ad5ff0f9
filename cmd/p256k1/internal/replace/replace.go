// Package replace makes a Go program use this library in place of other libraries, by means of replace lines in the
// program's go.mod.
package replace

import (
	"context"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

const (
	library = "p256k1.mleku.dev/v2"
	needsGo = "1.26.0" // the go line of this project's modules
)

// dropIn is a module of this library's repository that replaces another project's module.
type dropIn struct {
	path    string         // path of the other module
	folder  string         // folder in the repository; the library's path followed by the folder is the path of the published module
	api     string         // the version whose API it has
	oldest  string         // the oldest version whose API the version api contains (TestOlder of tools/evidence/dropin)
	partner module.Version // a module that must be replaced, too, and the version of it that oldest requires
	changes []change
}

// change is a difference in behavior for programs that used a version older than before, or any version if before is
// empty.
type change struct{ before, text string }

// published returns the version under which d is published with a release of the library (see docs/releasing.md).
func (d *dropIn) published(release string) string {
	return d.api + "-p256k1." + strings.TrimPrefix(release, "v")
}

var dropIns = []dropIn{{
	path:   "github.com/decred/dcrd/dcrec/secp256k1/v4",
	folder: "compat/decred/v4",
	api:    "v4.4.1",
	oldest: "v4.0.1",
	changes: []change{
		{"", "Signing, deriving and ECDH take a time that does not depend on secrets."},
		{"", "With a public key off the curve, verification returns false and ECDH returns 32 zeros."},
		{"v4.4.1", "S256() reduces coordinates modulo p, as it does from 4.4.1 on."},
		{"v4.1.0", "ecdsa.RecoverCompact returns errors with kinds, and other texts, as it does from 4.1.0 on."},
	},
}, {
	path:    "github.com/btcsuite/btcd/btcec/v2",
	folder:  "compat/btcec/v2",
	api:     "v2.5.1",
	oldest:  "v2.3.4",
	partner: module.Version{Path: "github.com/decred/dcrd/dcrec/secp256k1/v4", Version: "v4.0.1"},
	changes: []change{
		{"v2.5.1", "schnorr.ParseSignature refuses s of n or more, as btcec does from 2.5.1 on."},
		{"v2.5.1", "musig2's PartialSignature.Decode refuses fewer than 32 bytes, as it does from 2.5.1 on."},
		{"v2.5.0", "ellswift.V2Ecdh returns a hash of chainhash/v2, as it does from 2.5.0 on."},
	},
}, {
	path:   "github.com/erigontech/secp256k1",
	folder: "compat/erigon",
	api:    "v1.3.0",
	oldest: "v1.1.0",
	changes: []change{
		{"", "No C compiler is needed, and no libsecp256k1 is linked."},
		{"", "With a point off the curve, ScalarMult returns nil."},
		{"v1.3.0", "IsOnCurve and ScalarMult refuse coordinates of p or more, as they do from 1.3.0 on."},
		{"v1.2.0", "Sign reduces a hash of n or more for the nonce, too, as it does from 1.2.0 on."},
	},
}}

// relatives are modules that users may mistake for modules that can be replaced, but that stay as they are.
var relatives = []struct {
	path  string // a path that /v2, /v3 and so on may follow
	below string // the entry is for versions older than this, or for all versions if it is empty
	word  string
}{
	{"github.com/decred/dcrd/dcrec/secp256k1", "", "is another major version, which nothing here replaces"},
	{"github.com/btcsuite/btcd/btcec", "", "is another major version, which nothing here replaces"},
	{"github.com/ledgerwatch/secp256k1", "", "is the older name of Erigon's module: docs/drop-in.md says how to replace it"},
	{"github.com/btcsuite/btcd", "v0.23.0", "is older than v0.23.0: it has a btcec of version 1, which nothing here replaces"},
}

// major matches the suffix of a module path for its major version.
var major = regexp.MustCompile(`^(/v[0-9]+)?$`)

// Options say to which modules the replace lines lead.
type Options struct {
	Local   string // the folder of a clone, or empty for the published modules
	Release string // the library's version of the published modules, or empty if there is none
	Decred  bool   // add no lines for modules other than Decred's
}

// Plan holds the changes to a program's go.mod, or to a go.work.
type Plan struct {
	options  Options
	dir      string
	file     *file   // the file that gets the lines
	modules  []*file // the program's module, or all modules that a go.work uses
	title    string
	vendored bool
	found    []finding
	notes    []string
	wanted   []*modfile.Replace // lines for the modules that were found, and for the library
	there    []line             // the wanted lines that the files already have
	missing  []*modfile.Replace // the wanted lines that the files lack
}

// finding is a replaceable module that a program needs.
type finding struct {
	*dropIn
	requirement
}

// Look reads the go.mod of the program in dir, or the go.work and the go.mod files of the modules that the go.work
// uses. It returns an error if a line already replaces Decred's module by something else.
func Look(ctx context.Context, dir string, o Options) (*Plan, error) {
	p := &Plan{options: o, dir: dir}
	if err := p.read(ctx); err != nil {
		return nil, err
	}
	_, err := os.Stat(p.path("vendor/modules.txt"))
	p.vendored = err == nil
	p.find(p.required(ctx))
	if len(p.found) == 0 {
		return p, nil
	}
	if err := p.want(); err != nil {
		return nil, err
	}
	if path := p.wanted[0].New.Path; p.vendored && strings.Contains(path, " ") { // vendor/modules.txt does not list such a line
		p.note("Go does not build from vendor if a replace line points to a path with a space, such as %s. Move the clone.",
			show.Name(path))
	}
	return p, p.compare()
}

// requirement is the version of a module that is built into the program.
type requirement struct {
	version string
	orLater bool  // a later version may be used instead, because a go.mod that is not tidy does not determine it
	direct  bool  // a module of the program requires it itself
	origin  *file // the module that requires the version
}

// required returns the modules that the program's modules require, by path.
func (p *Plan) required(ctx context.Context) map[string]requirement {
	all := make(map[string]requirement)
	for _, m := range p.modules {
		need := func(path, version string, direct bool) {
			r := all[path]
			r.direct = r.direct || direct
			if semver.Compare(version, r.version) >= 0 {
				r.version, r.origin = version, m
			}
			all[path] = r
		}
		for _, r := range m.requires {
			need(r.Mod.Path, r.Mod.Version, !r.Indirect)
		}
		if version.Compare("go"+m.goLine, "go1.17") >= 0 {
			continue // a tidy go.mod names all modules whose code the program contains
		}
		name := p.path(m.name)
		graph, err := goCommand(ctx, filepath.Dir(name), []string{"GOWORK=off", "GOPROXY=off", "GOFLAGS="}, "mod", "graph")
		if err != nil {
			p.note("%s does not name all required modules, because its Go version is below 1.17, and the go command cannot "+
				"list them without the network. Some required modules are not known: run %s and this command again.",
				show.Name(name), p.command(m, "mod", "download"))
		}
		for edge := range strings.Lines(graph) {
			_, needed, _ := strings.Cut(strings.TrimSpace(edge), " ")
			if path, version, ok := strings.Cut(needed, "@"); ok {
				need(path, version, false)
			}
		}
	}
	for _, d := range dropIns {
		least, r := d.partner, all[d.partner.Path]
		if semver.Compare(all[d.path].version, d.oldest) >= 0 && semver.Compare(r.version, least.Version) < 0 {
			r.version, r.orLater = least.Version, true
			all[least.Path] = r
		}
	}
	return all
}

// find sets p.found to the modules that can be replaced, and adds notes about their versions.
func (p *Plan) find(all map[string]requirement) {
	for i := range dropIns {
		d := &dropIns[i]
		r, ok := all[d.path]
		switch {
		case !ok:
			continue
		case i > 0 && p.kept(d, all):
			continue
		case semver.Compare(r.version, d.oldest) < 0:
			p.note("%s %s is older than %s, and may have functions that its replacement lacks: run %s, and then this "+
				"command again.", d.path, r.version, d.oldest, p.command(r.origin, "get", d.path+"@"+d.oldest))
			continue
		case semver.Compare(r.version, d.api) > 0:
			p.note("%s %s is newer than %s, whose API the replacement has: a program that uses later additions will not compile.",
				d.path, r.version, d.api)
		}
		p.found = append(p.found, finding{d, r})
	}
	for path, r := range all {
		for _, relative := range relatives {
			rest, ok := strings.CutPrefix(path, relative.path)
			if ok && major.MatchString(rest) && !isDropIn(path) &&
				(relative.below == "" || semver.Compare(r.version, relative.below) < 0) {
				p.note("%s %s %s.", path, r.version, relative.word)
			}
		}
	}
	if _, ok := all["github.com/ethereum/go-ethereum"]; ok {
		p.note("go-ethereum calls C if cgo is on, and calls the replacement only if it is built with CGO_ENABLED=0.")
	}
	slices.Sort(p.notes)
}

// kept reports whether a module other than Decred's stays as it is, and notes why. A program whose btcec is pinned or
// forked may not build with another btcec, but its btcec calls Decred's module, which can be replaced alone.
func (p *Plan) kept(d *dropIn, all map[string]requirement) bool {
	lines := slices.DeleteFunc(p.existing(), func(l line) bool { return l.Old.Path != d.path })
	other := slices.IndexFunc(lines, func(l line) bool {
		return l.New.Path != library+"/"+d.folder && (l.New.Version != "" || !strings.HasSuffix(l.New.Path, "/"+d.folder))
	})
	why := ""
	switch used := p.used(d.path); {
	case used != "":
		why = fmt.Sprintf("%s uses it from %s", p.path(p.file.name), used)
	case other >= 0:
		why = fmt.Sprintf("%s replaces it by %s", p.path(lines[other].in.name), lines[other].New)
	case p.options.Decred && len(lines) == 0:
		why = "--decred leaves it out"
	default:
		return false
	}
	if _, ok := all[d.partner.Path]; ok {
		why += ". btcec calls Decred's module, so replacing that module makes btcec faster, too"
	}
	p.note("%s stays as it is, because %s.", d.path, why)
	return true
}

// isDropIn reports whether a module has a replacement.
func isDropIn(path string) bool {
	return slices.ContainsFunc(dropIns, func(d dropIn) bool { return d.path == path })
}

func (p *Plan) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// want determines which lines are needed.
func (p *Plan) want() error {
	o := p.options
	if o.Local == "" && o.Release == "" {
		return fmt.Errorf("%s can be replaced, but there is no release yet: "+
			"add --local DIR, with the folder of a clone of %s", p.found[0].path, library)
	}
	add := func(path, version string, target module.Version) {
		p.wanted = append(p.wanted, &modfile.Replace{Old: module.Version{Path: path, Version: version}, New: target})
	}
	required := "" // the version of the library that the clone's modules require
	for _, f := range p.found {
		if used := p.used(f.path); used != "" {
			return fmt.Errorf("%s uses %s itself, and Go refuses to replace a module that a go.work uses: to remove it from the go.work, run %s",
				show.Name(p.path(p.file.name)), f.path, p.command(p.file, "work", "edit", "-dropuse="+used))
		}
		target := module.Version{Path: library + "/" + f.folder, Version: f.published(o.Release)}
		if o.Local != "" {
			m, clone, err := p.local(f.path, f.folder)
			if err != nil {
				return err
			}
			target = clone
			if i := slices.IndexFunc(m.Require, func(r *modfile.Require) bool { return r.Mod.Path == library }); i >= 0 {
				required = m.Require[i].Mod.Version
			}
		}
		add(f.path, "", target)
	}
	if o.Local == "" {
		return nil
	}
	_, target, err := p.local(library, "")
	if err != nil {
		return err
	}
	if p.used(library) == "" {
		required = "" // any version
	}
	add(library, required, target)
	return nil
}

// used returns the folder from which a go.work uses a module, or "" if no go.work uses it. If a go.work uses a module,
// Go refuses lines that replace all versions of the module.
func (p *Plan) used(path string) string {
	i := slices.IndexFunc(p.modules, func(m *file) bool { return m.module == path })
	if i < 0 {
		return ""
	}
	return p.modules[i].use // which is "" in a program without a go.work
}

// compare determines which of the wanted lines are missing.
func (p *Plan) compare() error {
	p.missing = slices.Clone(p.wanted)
	var others []string
	for _, l := range p.existing() {
		i := slices.IndexFunc(p.wanted, func(w *modfile.Replace) bool {
			a, b := w.Old, l.Old
			return a.Path == b.Path && (a.Version == b.Version || a.Version == "" || b.Version == "")
		})
		if i < 0 {
			continue
		}
		w := p.wanted[i]
		if p.same(l, w) && (l.Old == w.Old || (l.Old.Version == "" && !l.in.isWork())) {
			p.there = append(p.there, l)
			p.missing = slices.DeleteFunc(p.missing, func(r *modfile.Replace) bool { return r == w })
		} else {
			others = append(others, show.Text(fmt.Sprintf("in %s, %s is replaced by %s: to remove that line, run %s",
				p.path(l.in.name), l.Old, l.New, p.drop([]line{l}))))
		}
	}
	if len(others) > 0 {
		return fmt.Errorf("other replace lines for these modules stay as they are: %s", strings.Join(others, "; "))
	}
	return nil
}

// local returns the go.mod in a folder of the clone, and the right-hand side of a replace line that leads to the
// folder.
func (p *Plan) local(path, folder string) (m *modfile.File, target module.Version, err error) {
	clone := filepath.Join(p.options.Local, filepath.FromSlash(folder))
	name := filepath.Join(clone, "go.mod")
	_, m, err = parseModule(name)
	if err == nil && m.Module.Mod.Path != path {
		err = fmt.Errorf("%s belongs to %s", show.Name(name), m.Module.Mod.Path)
	}
	if err != nil {
		return nil, target, fmt.Errorf("--local: %w; want the folder of a clone of %s", err, library)
	}
	base, err := resolved(p.dir)
	if err != nil {
		return nil, target, err
	}
	full, err := resolved(clone)
	if err != nil {
		return nil, target, err
	}
	// The go command resolves .. textually in the path of its working folder. If that path contains a symbolic link,
	// the operating system may resolve .. to another folder, and then no relative path is correct for both.
	relative, err := filepath.Rel(base, full)
	switch {
	case err != nil || !sameFile(lead(p.dir, relative), full): // the folders are on different drives, for example
		relative = full
	case relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator)):
		relative = "." + string(filepath.Separator) + relative
	}
	return m, module.Version{Path: filepath.ToSlash(relative)}, nil
}

// resolved returns the path of dir without symbolic links, so that .. leads to the same folder for the go command and
// the operating system.
func resolved(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

// same reports whether two replace lines lead to the same place.
func (p *Plan) same(l line, wanted *modfile.Replace) bool {
	if l.New.Version != "" || wanted.New.Version != "" {
		return l.New == wanted.New
	}
	return sameFile(lead(filepath.Dir(p.path(l.in.name)), l.New.Path), lead(p.dir, wanted.New.Path))
}

// lead returns the folder to which the path in a replace line leads from dir, by the rules of the go command.
func lead(dir, path string) string {
	path = filepath.FromSlash(path)
	if base, err := filepath.Abs(dir); err == nil && !filepath.IsAbs(path) {
		return filepath.Join(base, path)
	}
	return path
}

// sameFile reports whether two paths lead to the same file or folder.
func sameFile(a, b string) bool {
	x, missingA := os.Stat(a)
	y, missingB := os.Stat(b)
	return missingA == nil && missingB == nil && os.SameFile(x, y)
}
