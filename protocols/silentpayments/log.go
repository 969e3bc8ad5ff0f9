//go:build !wasm

package silentpayments

import "log/slog"

// LogValue returns the text of Format. It does not exist in WebAssembly, for the reason that curve/log.go of the
// library gives.
func (Scanner) LogValue() slog.Value { return slog.StringValue(hidden) }
