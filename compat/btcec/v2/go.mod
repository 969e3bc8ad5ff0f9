module github.com/btcsuite/btcd/btcec/v2

go 1.26.0

require (
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.1
	p256k1.mleku.dev/v2 v2.0.0-beta.1
)

require (
	github.com/btcsuite/btcd/chainhash/v2 v2.0.0
	github.com/decred/dcrd/crypto/blake256 v1.1.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

// For the tests of this folder; programs that require the module do not see it.
replace (
	github.com/decred/dcrd/dcrec/secp256k1/v4 => ../../decred/v4
	p256k1.mleku.dev/v2 => ../../..
)
