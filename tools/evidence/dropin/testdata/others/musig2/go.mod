module musig2

go 1.26.0

require github.com/btcsuite/btcd/btcec/v2 v2.5.1
