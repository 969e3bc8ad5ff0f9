//go:build !wasm

package frost

import "log/slog"

// LogValue returns the placeholder that Format writes, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (n *SecretNonce) LogValue() slog.Value {
	if n == nil {
		return slog.Value{}
	}
	return slog.StringValue(secretText)
}

// LogValue returns the placeholder that Format writes, or no value for nil.
func (s *Share) LogValue() slog.Value {
	if s == nil {
		return slog.Value{}
	}
	return slog.StringValue(shareText)
}
