module btcec

go 1.26.0

require (
	github.com/btcsuite/btcd/btcec/v2 v2.5.1
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.1
)
