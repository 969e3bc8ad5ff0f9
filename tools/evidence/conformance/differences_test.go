package conformance

import (
	_ "embed"
	"strings"
)

// A difference is a known difference between this library and its peer, another library. The tests in which a
// difference occurs check that the libraries differ in exactly this way, and that the difference does occur.
type difference struct{ peer, ours, theirs string }

const (
	keyReduced       = kind("private key reduced")
	hybridKey        = kind("hybrid key")
	emptyDigest      = kind("empty digest")
	digestNotReduced = kind("digest not reduced")
	serializedLow    = kind("serialized with low s")
	trailingBytes    = kind("bytes after the DER")
	berSignature     = kind("BER")
	highS            = kind("high s")
	zeroParsed       = kind("r or s of 0")
	derOutOfRange    = kind("DER of integers out of range")
	schnorrSReduced  = kind("Schnorr s ≥ n")
	schnorrMessage   = kind("Schnorr message of other lengths")
	schnorrNonce     = kind("Schnorr nonce")
)

//go:embed testdata/differences.txt
var described string

// differences has the paragraphs of differences.txt: the kind and, on a line each, the peer with its functions, what
// this library does, and what the peer does.
var differences = func() map[kind]difference {
	all := make(map[kind]difference)
	for paragraph := range strings.SplitSeq(strings.TrimSpace(described), "\n\n") {
		lines := strings.Split(paragraph, "\n\t")
		all[lines[0]] = difference{lines[1], lines[2], lines[3]}
	}
	return all
}()
