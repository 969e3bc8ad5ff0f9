module p256k1.mleku.dev/v2/cmd/p256k1

go 1.26.0

require (
	github.com/decred/dcrd/bech32 v1.1.4
	github.com/klauspost/compress v1.20.3
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
	golang.org/x/term v0.47.0
	p256k1.mleku.dev/v2 v2.0.0-beta.1
	p256k1.mleku.dev/v2/nostr v0.1.0
)

require github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	golang.org/x/mod v0.42.0
	golang.org/x/sys v0.49.0
)
