package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Found is an engine that Find looked for. Engine is nil if Err is not, which
// then is an ErrAbsent.
type Found struct {
	Name   string
	Engine Engine
	Err    error
	// Provide is what would give the machine an engine that is absent: commands,
	// or what to rebuild with.
	Provide string
}

type entry struct {
	name    string
	open    func() (Engine, error)
	provide string
}

var entries = []entry{
	{"p256k1", openP256K1, ""},
	{"btcec", openBtcec, ""},
	{"decred", openDecred, ""},
	{"libsecp256k1", openLibsecp, "go run ./bench/native/build (needs cargo and a C compiler), or apt-get install libsecp256k1-dev"},
	{"libsecp256k1-cgo", openLibsecpCgo, "apt-get install libsecp256k1-dev pkg-config gcc, then build with CGO_ENABLED=1 and -tags libsecp_cgo"},
	{"openssl", openOpenSSL, "apt-get install libssl3"},
}

// Names returns the names of all engines there are.
func Names() []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.name)
	}
	return names
}

// Find looks for engines by name, or for all of them if there is none. It
// returns an error only for a name that is not in Names.
func Find(names ...string) ([]Found, error) {
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("engine: no engine %q: there are %s", name, strings.Join(Names(), ", "))
		}
	}
	var found []Found
	for _, e := range entries {
		if len(names) > 0 && !slices.Contains(names, e.name) {
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

// Open returns one engine. The error is an ErrAbsent, or for a name that is not
// in Names.
func Open(name string) (Engine, error) {
	found, err := Find(name)
	if err != nil {
		return nil, err
	}
	return found[0].Engine, found[0].Err
}
