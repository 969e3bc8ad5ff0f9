// Package concurrency uses the library from many goroutines at once: all of its functions on values that the goroutines share,
// and, in fresh processes, the tables that are built when first used. Results are compared with those of a goroutine alone. It
// holds nothing but tests, and is there for the race detector,
//
//	go test -race -count=1 -v ./evidence/concurrency
//	go test -race -count=1 -v -tags purego ./evidence/concurrency
//
// which does not see what assembly reads and writes: the second command shows it the same accesses in Go.
//
// P256K1_CASES sets the number of rounds and of processes.
package concurrency
