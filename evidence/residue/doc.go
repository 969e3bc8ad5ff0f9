// Package residue looks for what operations with secrets leave behind. A child process uses the library with keys that it gets
// through a pipe and wipes; then its memory is searched for them, for the nonces and shared points, and for whatever else the key
// follows from. The parent, which knows all these from its own arithmetic, reads /proc/<child>/mem. It holds nothing but tests:
//
//	go test -count=1 -v ./evidence/residue
//	go test -count=1 -v -tags purego ./evidence/residue
//	GOEXPERIMENT=runtimesecret go test -count=1 -v ./evidence/residue
//
// P256K1_CASES sets how often each operation is done.
package residue
