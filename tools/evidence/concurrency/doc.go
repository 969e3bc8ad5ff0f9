// Package concurrency uses the library, and the modules protocols and nostr, from many
// goroutines at once. All operations of tools/evidence/operations work on values that the
// goroutines share. In fresh processes, the tables are also built by many at their first
// use. Results are compared with those of a goroutine alone. The package holds nothing but tests, and is there for
// the race detector:
//
//	go test -race -count=1 -v ./tools/evidence/concurrency
//	go test -race -count=1 -v -tags purego ./tools/evidence/concurrency
//
// The race detector does not see what assembly reads and writes. The second command
// shows it the same accesses in Go.
//
// P256K1_CASES sets the number of rounds and of processes.
package concurrency
