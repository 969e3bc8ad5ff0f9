//go:build !wasm

package ellswift

import "log/slog"

// LogValue returns a text without the key. It is missing in WebAssembly, for the reason
// that curve/log.go gives.
func (PrivateKey) LogValue() slog.Value {
	return slog.StringValue("ellswift.PrivateKey(secret)")
}
