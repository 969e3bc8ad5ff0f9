//go:build !wasm

package signer

import "log/slog"

// LogValue returns a text without the key. It is missing in WebAssembly, for the reason
// that curve/log.go gives.
func (P256K1Signer) LogValue() slog.Value {
	return slog.StringValue("signer.P256K1Signer(secret)")
}

// LogValue returns a text without the key, as that of P256K1Signer does.
func (P256K1Gen) LogValue() slog.Value {
	return slog.StringValue("signer.P256K1Gen(secret)")
}
