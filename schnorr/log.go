//go:build !wasm

package schnorr

import "log/slog"

// LogValue returns a text without the key. It is missing in WebAssembly, for the reason
// that curve/log.go gives.
func (Signer) LogValue() slog.Value {
	return slog.StringValue("schnorr.Signer(secret)")
}
