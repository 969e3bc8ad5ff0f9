//go:build !wasm

package musig2

import "log/slog"

// LogValue returns the text of Format. It does not exist in WebAssembly, for the reason that curve/log.go of the
// library gives.
func (SecretNonce) LogValue() slog.Value { return slog.StringValue(secretText) }
