//go:build !wasm

package musig2

import "log/slog"

// LogValue returns the placeholder that Format writes. WebAssembly builds omit LogValue; curve/log.go says why.
func (SecretNonce) LogValue() slog.Value { return slog.StringValue(secretText) }
