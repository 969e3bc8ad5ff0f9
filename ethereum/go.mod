module p256k1.mleku.dev/v2/ethereum

go 1.26.0

require (
	golang.org/x/crypto v0.58.0
	p256k1.mleku.dev/v2 v2.0.0-beta.1
)

require golang.org/x/sys v0.49.0 // indirect
