// Package residue searches memory for secrets that operations leave behind. A child process receives keys through a
// pipe, uses the library with them, and wipes them. Then the parent searches the child's memory for the keys, for the
// nonces and shared points, and for all other values that reveal a key. The parent computes these values with its own
// arithmetic, and reads /proc/<child>/mem. The package contains only tests:
//
//	go test -count=1 -v ./tools/evidence/residue
//	go test -count=1 -v -tags purego ./tools/evidence/residue
//	GOEXPERIMENT=runtimesecret go test -count=1 -v ./tools/evidence/residue
//
// tools/evidence/planted/residue.txt has secrets that stay in memory, each of which the search must find.
//
// P256K1_CASES sets how often each operation runs. P256K1_LONG=1 also runs each operation at every depth of the stack.
package residue
