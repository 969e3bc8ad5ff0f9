//go:build !wasm

package silentpayments

import "log/slog"

// LogValue returns the placeholder that Format writes. WebAssembly builds omit LogValue; curve/log.go says why.
func (Scanner) LogValue() slog.Value { return slog.StringValue(hidden) }
