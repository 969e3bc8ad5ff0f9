package btcec

// Names that btcec's tests use from btcec's package, and that test nothing here.

const (
	pubkeyCompressed   byte = 2
	pubkeyUncompressed byte = 4
	pubkeyHybrid       byte = 6
)
