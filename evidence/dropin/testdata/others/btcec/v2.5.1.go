//go:build !v2.3.6

package main

import "github.com/btcsuite/btcd/btcec/v2/ecdsa"

// What 2.3.6 does not have.
var verifyLowS = ecdsa.VerifyLowS

// 2.3.6 reduces s of a Schnorr signature modulo n, which later versions and we refuse.
const reduces = false
