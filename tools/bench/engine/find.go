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
	asked   bool // opened only by its name: it answers another question than which engine is fast
}

var entries = []entry{
	{name: "p256k1", open: openP256K1},
	{name: "btcec", open: openBtcec},
	{name: "decred", open: openDecred},
	{name: "libsecp256k1", open: openLibsecp, provide: "go run ./tools/bench/native/build (needs cargo and a C compiler), or apt-get install libsecp256k1-dev"},
	{name: "libsecp256k1-cgo", open: openLibsecpCgo, provide: "apt-get install libsecp256k1-dev pkg-config gcc, then build with CGO_ENABLED=1 and -tags libsecp_cgo"},
	{name: "openssl", open: openOpenSSL, provide: "apt-get install libssl3"},
	{name: "decred-on-p256k1", open: openDecredOnP256K1, asked: true},
	{name: BtcecOnP256K1, open: openBtcecOnP256K1, asked: true, provide: "go run ./tools/bench in the source tree builds it"},
}

// Names returns the names of all engines there are.
func Names() []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.name)
	}
	return names
}

// Find looks for engines by name. If there is none, it looks for all but the APIs of
// others on this library, whose times are those of p256k1. It returns an error only for
// a name that is not in Names.
func Find(names ...string) ([]Found, error) {
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("engine: no engine %q: there are %s", name, strings.Join(Names(), ", "))
		}
	}
	var found []Found
	for _, e := range entries {
		if wanted := slices.Contains(names, e.name) || len(names) == 0 && !e.asked; !wanted {
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
