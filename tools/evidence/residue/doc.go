// Package residue looks for what operations with secrets leave behind. A child process
// gets keys through a pipe, uses the library with them, and wipes them. Then its memory
// is searched for the keys, for the nonces and shared points, and for whatever else a
// key follows from. The parent knows all these from its own arithmetic, and reads
// /proc/<child>/mem. The package holds nothing but tests:
//
//	go test -count=1 -v ./tools/evidence/residue
//	go test -count=1 -v -tags purego ./tools/evidence/residue
//	GOEXPERIMENT=runtimesecret go test -count=1 -v ./tools/evidence/residue
//
// P256K1_CASES sets how often each operation is done.
package residue
