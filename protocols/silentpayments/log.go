//go:build !wasm

package silentpayments

import "log/slog"

// LogValue returns the text of Format. WebAssembly builds omit LogValue; curve/log.go of the library says why.
func (Scanner) LogValue() slog.Value { return slog.StringValue(hidden) }
