module older

go 1.26.0

require github.com/decred/dcrd/dcrec/secp256k1/v4 v4.0.1
