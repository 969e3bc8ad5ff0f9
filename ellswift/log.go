//go:build !wasm

package ellswift

import "log/slog"

// LogValue returns the placeholder that Format writes. WebAssembly builds omit LogValue; curve/log.go says why.
func (PrivateKey) LogValue() slog.Value {
	return slog.StringValue(privateKeyText)
}
