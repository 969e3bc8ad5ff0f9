//go:build !wasm

package frost

import "log/slog"

// LogValue returns the text of Format. WebAssembly builds omit LogValue; curve/log.go of the library says why.
func (SecretNonce) LogValue() slog.Value { return slog.StringValue(secretText) }

// LogValue returns the text of Format.
func (Share) LogValue() slog.Value { return slog.StringValue(shareText) }
