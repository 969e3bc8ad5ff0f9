//go:build !wasm

package musig2

import "log/slog"

// LogValue returns the placeholder that Format writes, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (n *SecretNonce) LogValue() slog.Value {
	if n == nil {
		return slog.Value{}
	}
	return slog.StringValue(secretText)
}
