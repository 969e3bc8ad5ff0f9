//go:build !wasm

package musig2

import "log/slog"

// LogValue returns the text of Format. WebAssembly builds omit LogValue; curve/log.go of the library says why.
func (SecretNonce) LogValue() slog.Value { return slog.StringValue(secretText) }
