package btcec

// Unexported names that btcec's tests use.

const (
	pubkeyCompressed   byte = 2
	pubkeyUncompressed byte = 4
	pubkeyHybrid       byte = 6
)
