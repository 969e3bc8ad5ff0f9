package main

import (
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// What stands before and after the cells of some rows, if … is the cell:
//
//	generate a key: …; len(key.Serialize())
//	parse a private key: …; key.Serialize()
//	make a private key from a scalar: …; key.Serialize()
//	parse a public key: b := pub.SerializeUncompressed(); …; pub.SerializeCompressed()
//	get r and s of a signature: sig := ecdsa.Sign(key, digest); …; rb, sb := r.Bytes(), s.Bytes(); append(rb[:], sb[:]...)
