//go:build !wasm

package p256k1

import "log/slog"

// LogValue returns the placeholder that Format writes, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (k *PrivateKey) LogValue() slog.Value {
	if k == nil {
		return slog.Value{}
	}
	return slog.StringValue(privateKeyText)
}
