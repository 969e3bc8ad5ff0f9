//go:build !wasm

package signer

import "log/slog"

// LogValue returns a placeholder that does not contain the key. WebAssembly builds omit LogValue; curve/log.go says
// why.
func (P256K1Signer) LogValue() slog.Value {
	return slog.StringValue("signer.P256K1Signer(secret)")
}

// LogValue returns a placeholder that does not contain the key. WebAssembly builds omit LogValue; curve/log.go says
// why.
func (P256K1Gen) LogValue() slog.Value {
	return slog.StringValue("signer.P256K1Gen(secret)")
}
