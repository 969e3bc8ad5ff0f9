//go:build !wasm

package schnorr

import "log/slog"

// LogValue returns a text without the key. It does not exist in WebAssembly; curve/log.go says why.
func (Signer) LogValue() slog.Value {
	return slog.StringValue("schnorr.Signer(secret)")
}
