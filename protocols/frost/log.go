//go:build !wasm

package frost

import "log/slog"

// LogValue returns the text of Format. It is missing in WebAssembly, for the reason that curve/log.go of the library gives.
func (SecretNonce) LogValue() slog.Value { return slog.StringValue(secretText) }

// LogValue returns the text of Format.
func (Share) LogValue() slog.Value { return slog.StringValue(shareText) }
