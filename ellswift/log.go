//go:build !wasm

package ellswift

import "log/slog"

// LogValue returns the text of Format. It is missing in WebAssembly, for the reason
// that curve/log.go gives.
func (PrivateKey) LogValue() slog.Value {
	return slog.StringValue(privateKeyText)
}
