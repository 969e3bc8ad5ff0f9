//go:build !wasm

package ecdsa

import "log/slog"

// LogValue returns a placeholder that does not contain the key. WebAssembly builds omit LogValue; curve/log.go says
// why.
func (Signer) LogValue() slog.Value {
	return slog.StringValue("ecdsa.Signer(secret)")
}
