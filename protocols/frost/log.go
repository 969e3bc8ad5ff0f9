//go:build !wasm

package frost

import "log/slog"

// LogValue returns the text of Format. WebAssembly does not have it, for the reason given in curve/log.go of the
// library.
func (SecretNonce) LogValue() slog.Value { return slog.StringValue(secretText) }

// LogValue returns the text of Format.
func (Share) LogValue() slog.Value { return slog.StringValue(shareText) }
