module erigon

go 1.26.0

require github.com/erigontech/secp256k1 v1.3.0
