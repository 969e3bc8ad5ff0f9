module p256k1.mleku.dev/v2/nostr

go 1.26.0

require (
	github.com/decred/dcrd/bech32 v1.1.4
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3
	golang.org/x/crypto v0.58.0
	p256k1.mleku.dev/v2 v2.0.0-beta.1
)

require golang.org/x/sys v0.49.0 // indirect
