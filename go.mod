module p256k1.mleku.dev

go 1.26.0
