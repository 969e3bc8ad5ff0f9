package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spdx/tools-golang/spdx"
	"github.com/spdx/tools-golang/spdx/v2/common"
	modpath "golang.org/x/mod/module"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// writeBills writes a bill of materials in SPDX 2.3 for each published module into the new folder dir. A bill lists the
// modules whose packages the module's packages import, without tests, with their versions in the release v.
func (r *release) writeBills(ctx context.Context, v versions, dir string) {
	must.Do(os.Mkdir(dir, 0o777))
	for _, m := range r.modules {
		if m.private {
			continue
		}
		bill := r.bill(ctx, m, v)
		text := must.Get(json.MarshalIndent(bill, "", "\t"))
		name := strings.ReplaceAll(m.tag(v), "/", "-") + ".spdx.json"
		must.Do(os.WriteFile(filepath.Join(dir, name), append(text, '\n'), 0o666))
		r.say("%s: %d modules", name, len(bill.Packages))
	}
}

// bill returns the bill of materials of a module. Its only time is the time of the commit, so that the same commit
// always gives the same bill.
func (r *release) bill(ctx context.Context, m *module, v versions) *spdx.Document {
	env := append(os.Environ(), "GOFLAGS=")
	if m.outside {
		env = append(env, "GOWORK=off")
	}
	list, err := command(ctx, filepath.Join(r.root, m.dir), env, "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}", "./...")
	if err != nil {
		must.Fail("%w: %w", errUntried, err)
	}
	var commit string
	var seconds int64
	must.Get(fmt.Sscan(r.git(ctx, "log", "-1", "--format=%H %ct"), &commit, &seconds))
	self := m.as(v)
	bill := &spdx.Document{
		SPDXVersion: spdx.Version, DataLicense: spdx.DataLicense, SPDXIdentifier: "DOCUMENT", DocumentName: self.String(),
		DocumentNamespace: "https://" + self.Path + "/spdx/" + self.Version + "/" + commit,
		CreationInfo: &spdx.CreationInfo{
			Creators: []spdx.Creator{{CreatorType: "Tool", Creator: library + "/tools/release"}},
			Created:  time.Unix(seconds, 0).UTC().Format(time.RFC3339),
		},
	}
	relate := func(a spdx.ElementID, relation string, b spdx.ElementID) {
		bill.Relationships = append(bill.Relationships, &spdx.Relationship{
			RefA: spdx.DocElementID{ElementRefID: a}, RefB: spdx.DocElementID{ElementRefID: b}, Relationship: relation,
		})
	}
	add := func(built modpath.Version, licence string) spdx.ElementID {
		id := spdx.ElementID("Package-" + regexp.MustCompile(`[^0-9A-Za-z.-]`).ReplaceAllString(built.String(), "-"))
		bill.Packages = append(bill.Packages, &spdx.Package{
			PackageName: built.Path, PackageSPDXIdentifier: id, PackageVersion: built.Version, PackageDownloadLocation: "NOASSERTION",
			PackageLicenseConcluded: "NOASSERTION", PackageLicenseDeclared: licence, PackageCopyrightText: "NOASSERTION",
			PackageExternalReferences: []*spdx.PackageExternalReference{{
				Category: common.CategoryPackageManager, RefType: common.TypePackageManagerPURL, Locator: "pkg:golang/" + built.String(),
			}},
		})
		return id
	}
	root := add(self, "MIT")
	relate("DOCUMENT", common.TypeRelationshipDescribe, root)
	lines := strings.Split(strings.TrimSpace(list), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		path, version, _ := strings.Cut(line, " ")
		switch i := slices.IndexFunc(r.modules, func(m *module) bool { return m.path == path }); {
		case path == m.path:
		case i >= 0: // the list has no version of a module of the workspace
			relate(root, common.TypeRelationshipDependsOn, add(r.modules[i].as(v), "MIT"))
		default:
			relate(root, common.TypeRelationshipDependsOn, add(modpath.Version{Path: path, Version: version}, "NOASSERTION"))
		}
	}
	return bill
}
