module github.com/decred/dcrd/dcrec/secp256k1/v4

go 1.26.0

require (
	github.com/decred/dcrd/crypto/blake256 v1.1.0
	p256k1.mleku.dev/v2 v2.0.0-beta.1
)

require golang.org/x/sys v0.49.0 // indirect

// For the tests of this folder; programs that require the module do not see it.
replace p256k1.mleku.dev/v2 => ../../..
