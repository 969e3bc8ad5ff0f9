package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Found is an engine that Find looked for. If Err is not nil, it is an ErrAbsent, and Engine is nil.
type Found struct {
	Name   string
	Engine Engine
	Err    error
	// Provide says how to add an absent engine to the machine: commands, or a build option.
	Provide string
}

// String says that the engine is absent, and how to add it.
func (f Found) String() string {
	return fmt.Sprintf("absent: %s (%s). To add it:\n%s", f.Name, strings.TrimPrefix(f.Err.Error(), ErrAbsent.Error()+": "), f.Provide)
}

type entry struct {
	name    string
	open    func() (Engine, error)
	provide string
	asked   bool // opened only by name, because its figures do not show how fast a library is
}

const buildsIt = "go run ./tools/bench in the source tree builds it"

var entries = []entry{
	{name: "p256k1", open: openP256K1},
	{name: "btcec", open: openBtcec},
	{name: "decred", open: openDecred},
	{name: "libsecp256k1", open: openLibsecp, provide: "go run ./tools/bench/native/build (needs cargo and a C compiler), or apt-get install libsecp256k1-dev, or the path of a library in $" + libsecp.EnvPath},
	{name: "libsecp256k1-cgo", open: openLibsecpCgo, asked: true, provide: "as for libsecp256k1, and a C compiler when this program is built"},
	{name: "openssl", open: openSystemOpenSSL, provide: "apt-get install libssl3"},
	{name: DropIns[0], open: openDecredOnP256K1, asked: true, provide: buildsIt},
	{name: DropIns[1], open: openBtcecOnP256K1, asked: true, provide: buildsIt},
}

// Names returns the names of all engines.
func Names() []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.name)
	}
	return names
}

// Find looks for engines by name. If no names are given, it looks for all engines whose figures show how fast a library
// is. It returns an error only for a name that is not in Names.
func Find(names ...string) ([]Found, error) {
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("engine: no engine %q, want one of %s", name, strings.Join(Names(), ", "))
		}
	}
	var found []Found
	for _, e := range entries {
		if wanted := slices.Contains(names, e.name) || (len(names) == 0 && !e.asked); !wanted {
			continue
		}
		f := Found{Name: e.name, Provide: e.provide}
		if f.Engine, f.Err = e.open(); f.Err != nil {
			f.Engine, f.Err = nil, fmt.Errorf("%w: %w", ErrAbsent, f.Err)
		}
		found = append(found, f)
	}
	return found, nil
}

// Open returns the engine with the given name. For an absolute path, it returns the engine for the shared library at
// that path, libsecp256k1 or OpenSSL's libcrypto of any version. The error is an ErrAbsent, or says that the name is
// not in Names.
func Open(name string) (_ Engine, err error) {
	defer must.Recover(&err)
	if filepath.IsAbs(name) {
		return openFile(name)
	}
	found := must.Get(Find(name))[0]
	return found.Engine, found.Err
}

func openFile(path string) (Engine, error) {
	var e Engine
	l, err := libsecp.Open(path)
	if err == nil {
		e, err = newLibsecp("libsecp256k1", l)
	} else if errors.Is(err, libsecp.ErrOther) {
		if e, err = openOpenSSL(path); errors.Is(err, errOther) {
			err = errors.New("neither libsecp256k1 nor OpenSSL's libcrypto")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAbsent, err)
	}
	return e, nil
}
