//go:build !wasm

package silentpayments

import "log/slog"

// LogValue returns the placeholder that Format writes, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (x *Scanner) LogValue() slog.Value {
	if x == nil {
		return slog.Value{}
	}
	return slog.StringValue(hidden)
}
