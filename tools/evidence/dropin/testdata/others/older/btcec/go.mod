module older

go 1.26.0

require github.com/btcsuite/btcd/btcec/v2 v2.3.4
