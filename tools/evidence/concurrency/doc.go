// Package concurrency uses the library, and the modules ethereum, protocols and nostr, from many goroutines at once.
// All operations of tools/evidence/operations work on values that the goroutines share. In fresh processes, many
// goroutines also use the tables for the first time, which builds them. Results are compared with the results of a
// single goroutine. The package contains only tests, for the race detector:
//
//	go test -race -count=1 -v ./tools/evidence/concurrency
//	go test -race -count=1 -v -tags purego ./tools/evidence/concurrency
//
// The race detector does not see memory accesses of assembly. The second command makes the same accesses in Go.
//
// P256K1_CASES sets the number of rounds and of processes.
//
// TestSoak runs all operations on all cores for a given time, without the race detector, checks every result, and
// checks that memory does not grow. P256K1_SEED and -turn repeat a failure:
//
//	go test -count=1 -v -timeout 0 -run Soak ./tools/evidence/concurrency -soak 1h
package concurrency
