module github.com/erigontech/secp256k1

go 1.26.0

require p256k1.mleku.dev/v2 v2.0.0-beta.1

require golang.org/x/sys v0.49.0 // indirect

// For the tests of this folder; programs that require the module do not see it.
replace p256k1.mleku.dev/v2 => ../..
