//go:build !v2.3.6

package main

import "github.com/btcsuite/btcd/btcec/v2/ecdsa"

// The name that 2.3.6 does not have.
var verifyLowS = ecdsa.VerifyLowS

// 2.3.6 and 2.5.0 reduce s of a Schnorr signature modulo n; 2.5.1 and this library refuse such an s.
const reduces = false
