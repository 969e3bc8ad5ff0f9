module p256k1.mleku.dev/v2

go 1.26.0

require golang.org/x/sys v0.49.0
