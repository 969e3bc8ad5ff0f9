//go:build !wasm

package ecdsa

import "log/slog"

// LogValue returns a text without the key. It does not exist in WebAssembly; curve/log.go says why.
func (Signer) LogValue() slog.Value {
	return slog.StringValue("ecdsa.Signer(secret)")
}
