//go:build !wasm

package ellswift

import "log/slog"

// LogValue returns the text of Format. It does not exist in WebAssembly; curve/log.go says why.
func (PrivateKey) LogValue() slog.Value {
	return slog.StringValue(privateKeyText)
}
