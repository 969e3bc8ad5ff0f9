//go:build amd64

package main

// planted lists leaks that grind and lint must find: in Go and in assembly, a branch, an index and a division depend on
// a secret. memcheck does not report divisions.
var planted = []func(){
	func() { sink += plantedBranch(secret()) },
	func() { sink += plantedIndex(secret()) },
	func() { sink += plantedDivision(secret()) },
	func() { sink += plantedBranchBroadwell(&secret()[0]) },
	func() { sink += plantedIndexBroadwell(&table[0], &secret()[0]) },
	func() { sink += plantedDivisionBroadwell(&secret()[0]) },
}

var (
	sink  uint64
	table [256]byte
)

//go:noinline
func plantedBranch(secret []byte) uint64 {
	if secret[0] > 100 {
		return sink * sink
	}
	return sink
}

//go:noinline
func plantedIndex(secret []byte) uint64 {
	return uint64(table[secret[0]])
}

//go:noinline
func plantedDivision(secret []byte) uint64 {
	return uint64(secret[0]) / (sink | 1)
}

//go:noescape
func plantedBranchBroadwell(secret *byte) (r uint64)

//go:noescape
func plantedIndexBroadwell(table, secret *byte) (r uint64)

//go:noescape
func plantedDivisionBroadwell(secret *byte) (r uint64)
