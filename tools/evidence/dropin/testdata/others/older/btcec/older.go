// The program older prints btcec's behaviour where it changed between versions.
package main

import (
	"bytes"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
)

func show(v any) any { return v }

func play() {
	_, err := schnorr.ParseSignature(append(make([]byte, 32), bytes.Repeat([]byte{0xff}, 32)...))
	say("schnorr.ParseSignature refuses s of n or more", err != nil)
	var s musig2.PartialSignature
	say("musig2's PartialSignature.Decode refuses fewer than 32 bytes", s.Decode(bytes.NewReader(make([]byte, 31))) != nil)
}
