//go:build !wasm

package frost

import "log/slog"

// LogValue returns the placeholder that Format writes. WebAssembly builds omit LogValue; curve/log.go says why.
func (SecretNonce) LogValue() slog.Value { return slog.StringValue(secretText) }

// LogValue returns the text of Format.
func (Share) LogValue() slog.Value { return slog.StringValue(shareText) }
