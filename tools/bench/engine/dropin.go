package engine

import (
	"errors"

	"p256k1.mleku.dev/v2/internal/platform"
)

// DropIns are the engines decred and btcec, with compat/decred/v4 and compat/btcec/v2 in place of the original modules.
// These modules have the paths of the originals, so these engines exist only in a program that was built with them, and
// such a program lacks the engines decred and btcec themselves.
var DropIns = []string{"decred-on-p256k1", "btcec-on-p256k1"}

// openDropIn returns a function that opens an engine whose calls go to a module of this project in place of another
// project's module.
func openDropIn(name, path, note string, open func() (Session, error)) func() (Engine, error) {
	return func() (Engine, error) {
		if moduleVersion(path) != ofThisTree {
			return nil, errors.New("this program is built with the other project's own module")
		}
		return &implementation{Info{Name: name, Backend: platform.Name(), Version: ofThisTree, Notes: []string{note}}, open}, nil
	}
}

var (
	openDecredOnP256K1 = openDropIn(DropIns[0], decredPath,
		"Decred's API on p256k1: the calls of the engine decred, in a program built with compat/decred in place of Decred's module. "+
			"ECDH with SHA-256 calls ScalarMultNonConst.", newDecredSession)
	openBtcecOnP256K1 = openDropIn(DropIns[1], btcecPath,
		"Btcec's API on p256k1: the calls of the engine btcec, in a program built with compat/btcec and compat/decred in place of the original modules. "+
			"Its Schnorr signing verifies its own signature, as btcec's does.", newBtcecSession)
)
