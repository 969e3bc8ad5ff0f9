//go:build !wasm

package schnorr

import "log/slog"

// LogValue returns a placeholder that does not contain the key. WebAssembly builds omit LogValue; curve/log.go says
// why.
func (Signer) LogValue() slog.Value {
	return slog.StringValue("schnorr.Signer(secret)")
}
