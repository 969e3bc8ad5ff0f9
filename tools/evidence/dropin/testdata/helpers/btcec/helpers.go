package btcec

// Names that btcec's tests take from btcec's package, and that have nothing to test here.

const (
	pubkeyCompressed   byte = 2
	pubkeyUncompressed byte = 4
	pubkeyHybrid       byte = 6
)
